/* core_predict.c - follows the execution of a trial's code, and predicts its cycles by a model. */
#include "shimgen/core/core_predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/core/registers.h"

enum { WARM = 2, TIMED = 2, LONGEST = 8192, CALLS = 4 };
#define FEW 0.25 /* mispredictions per pass that mean none: the last one leaves the loop, and code around it has some */

struct walk {
    const struct iss_code *code;
    struct iss_values values;
    size_t back[CALLS], depth; /* return addresses */
    uint64_t end;              /* address of the branch that closes the loop; the path ends there */
    uint64_t random;
};

/* ---- the path ---- */

/* Branches that depend on data go either way equally often; others are not taken. */
static bool goes(struct walk *w, const struct iss_step *s, bool by_data)
{
    int known = iss_values_condition(&w->values, &s->op);
    if (known >= 0 || !by_data || (uint64_t)s->op.constant > w->end)
        return known == 1;
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return w->random >> 63;
}

static uint64_t target_in_register(const struct walk *w, const struct iss_op *op)
{
    unsigned reg = op->n_sources ? op->source[0].reg : ISS_REG_NONE;
    return reg < 32 && (w->values.known >> reg & 1) ? w->values.reg[reg] : 0;
}

/* The address of the next instruction; 0: not known. */
static uint64_t next_of(struct walk *w, const struct iss_step *s, bool by_data)
{
    uint64_t after = s->address + s->op.size;
    switch ((enum iss_branch)s->op.branch) {
    case ISS_NO_BRANCH:
        return after;
    case ISS_CONDITIONAL:
        return goes(w, s, by_data) ? (uint64_t)s->op.constant : after;
    case ISS_JUMP:
        return (uint64_t)s->op.constant;
    case ISS_JUMP_INDIRECT:
        return target_in_register(w, &s->op);
    case ISS_CALL_DIRECT:
    case ISS_CALL_INDIRECT:
        if (w->depth == CALLS)
            return 0;
        w->back[w->depth++] = after;
        return s->op.branch == ISS_CALL_DIRECT ? (uint64_t)s->op.constant : target_in_register(w, &s->op);
    case ISS_RETURN_TO:
        return w->depth ? w->back[--w->depth] : 0;
    }
    return 0;
}

/* The branch that closes the loop: the last backward branch. */
static const struct iss_step *closing(const struct iss_code *code)
{
    const struct iss_step *found = NULL;
    for (size_t i = 0; i < code->n; i++) {
        const struct iss_step *s = &code->steps[i];
        if ((s->op.branch == ISS_CONDITIONAL || s->op.branch == ISS_JUMP) && (uint64_t)s->op.constant <= s->address)
            found = s;
    }
    return found;
}

/* Appends the steps from `at` up to and including the one at `end`. Returns false if the path is not known. */
static bool follow(struct walk *w, struct iss_step *to, size_t *n, uint64_t at, uint64_t end, bool by_data)
{
    for (*n = 0; *n < LONGEST; at = next_of(w, &to[*n - 1], by_data)) {
        size_t i = iss_code_find(w->code, at);
        if (i == w->code->n)
            return false;
        to[(*n)++] = w->code->steps[i];
        if (*n > 1)
            iss_values_step(&w->values, &to[*n - 2].op, NULL);
        if (w->code->steps[i].address == end)
            return true;
    }
    return false;
}

/* A conditional store fails if its load does not precede it, as in all trials. It then writes nothing that a load waits
 * for. */
static void drop_failed_stores(struct iss_step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (steps[i].op.class == ISS_STORE_EXCLUSIVE)
            steps[i].op.memory = ISS_NO_MEMORY;
}

static bool find_way(struct core_way *to, const struct iss_code *code, bool by_data)
{
    const struct iss_step *last = closing(code);
    struct iss_step *steps = xcalloc(LONGEST, sizeof *steps);
    struct walk w = {.code = code, .end = last ? last->address : 0};
    bool known = last != NULL;
    if (known) {
        to->loop = (uint64_t)last->op.constant;
        known = follow(&w, steps, &to->n_before, code->steps[0].address, to->loop, by_data);
        to->n_before -= known;
    }
    if (known) {
        to->before = xmemdup(steps, (to->n_before + 1) * sizeof *steps);
        w.depth = 0;
        known = follow(&w, steps, &to->n_pass, to->loop, last->address, by_data);
    }
    if (known) {
        to->pass = xmemdup(steps, to->n_pass * sizeof *steps);
        drop_failed_stores(to->pass, to->n_pass);
    }
    free(steps);
    return known;
}

enum status core_predict_new(struct core_predict *p, const struct core_run *run, const struct iss_model *model,
                             struct error *e)
{
    size_t n = run->trials.list.n;
    *p = (struct core_predict){.run = run, .ways = xcalloc(n, sizeof *p->ways), .schedule = iss_schedule_new(model)};
    for (size_t i = 0; i < 2 * n; i++) {
        const struct elf *f;
        const struct elf_function *code = core_run_code(run, i / 2, (int)(i % 2), &f);
        const uint8_t *bytes = code ? elf_bytes(f, code->address, code->size) : NULL;
        struct iss_code *steps;
        if (!bytes)
            continue;
        enum status s = iss_code_new(&steps, model, bytes, code->size, code->address, e);
        if (s)
            return s;
        find_way(&p->ways[i / 2][i % 2], steps, run->trials.list.at[i / 2].image == CORE_BITS);
        iss_code_free(steps);
    }
    return OK;
}

void core_predict_release(struct core_predict *p)
{
    for (size_t i = 0; p->ways && i < p->run->trials.list.n; i++)
        for (int form = 0; form < 2; form++) {
            free(p->ways[i][form].before);
            free(p->ways[i][form].pass);
        }
    free(p->ways);
    iss_schedule_free(p->schedule);
    *p = (struct core_predict){0};
}

/* ---- cycles ---- */

/* How likely a branch of a pass is mispredicted. First those that depend on data, or ends of inner loops and jumps and
 * calls through a register; then other conditional branches; last the one that closes the pass. */
enum miss_rank { LIKELY, UNLIKELY, CLOSING, NEVER, RANKS = NEVER };

static enum miss_rank rank_of(const struct core_way *w, size_t i, bool by_data)
{
    const struct iss_step *step = &w->pass[i];
    uint64_t end = w->pass[w->n_pass - 1].address, target = (uint64_t)step->op.constant;
    if (i + 1 == w->n_pass)
        return CLOSING;
    if (step->op.branch == ISS_JUMP_INDIRECT || step->op.branch == ISS_CALL_INDIRECT)
        return by_data ? NEVER : LIKELY;
    if (step->op.branch != ISS_CONDITIONAL)
        return NEVER;
    bool likely = by_data ? target <= end : target <= step->address && w->pass[i + 1].address != target;
    return likely ? LIKELY : UNLIKELY;
}

static void count_ranks(const struct core_way *w, bool by_data, size_t n[RANKS + 1])
{
    memset(n, 0, (RANKS + 1) * sizeof *n);
    for (size_t i = 0; i < w->n_pass; i++)
        n[rank_of(w, i, by_data)]++;
}

/* Runs a pass with so many mispredictions: distributed evenly over the branches of a rank; what is left goes to the
 * next rank. */
static void run_missed(struct iss_schedule *s, const struct core_way *w, size_t missed, bool by_data)
{
    size_t n[RANKS + 1], of_rank[RANKS], owed[RANKS] = {0};
    count_ranks(w, by_data, n);
    for (size_t r = 0; r < RANKS; missed -= of_rank[r++])
        of_rank[r] = missed < n[r] ? missed : n[r];
    for (size_t i = 0; i < w->n_pass; i++) {
        enum miss_rank r = rank_of(w, i, by_data);
        if (r != NEVER && (owed[r] += of_rank[r]) >= n[r]) {
            owed[r] -= n[r];
            iss_schedule_mispredict(s);
        }
        iss_schedule_run(s, &w->pass[i], 1, i + 1 == w->n_pass ? w->loop : w->pass[i + 1].address);
    }
}

static double cycles_with(struct iss_schedule *s, const struct core_way *w, size_t missed, bool by_data)
{
    int64_t begun = 0;
    iss_schedule_restart(s);
    iss_schedule_run(s, w->before, w->n_before, w->loop);
    for (int i = 0; i < WARM + TIMED; i++) {
        if (i == WARM)
            begun = iss_schedule_cycle(s);
        if (missed)
            run_missed(s, w, missed, by_data);
        else
            iss_schedule_run(s, w->pass, w->n_pass, w->loop);
    }
    return (double)(iss_schedule_cycle(s) - begun) / TIMED;
}

/* Were there more mispredictions in one of the forms than the end of its loop and the code around it have? */
static bool any_missed(const struct core_trial *t)
{
    return !(t->mispredicted[0] < FEW && t->mispredicted[1] < FEW);
}

static double missed_in_pass(const struct core_trial *t, const struct core_way *w, int form)
{
    bool by_data = t->image == CORE_BITS;
    size_t n[RANKS + 1];
    count_ranks(w, by_data, n);
    if (!isfinite(t->mispredicted[form]))
        return by_data ? (double)n[LIKELY] / 2 : 0;
    return any_missed(t) ? fmin(t->mispredicted[form], (double)(n[LIKELY] + n[UNLIKELY] + n[CLOSING])) : 0;
}

double core_predict_missed(const struct core_predict *p, size_t trial, int form)
{
    const struct core_way *w = &p->ways[trial][form];
    return w->pass ? missed_in_pass(&p->run->trials.list.at[trial], w, form) : NAN;
}

/* Interpolated between the next smaller and next larger whole number of mispredictions. */
double core_predict_pass(struct core_predict *p, size_t trial, int form)
{
    const struct core_trial *t = &p->run->trials.list.at[trial];
    const struct core_way *w = &p->ways[trial][form];
    if (!w->pass)
        return NAN;
    bool by_data = t->image == CORE_BITS;
    double missed = missed_in_pass(t, w, form), part = missed - floor(missed);
    double fewer = cycles_with(p->schedule, w, (size_t)missed, by_data);
    return part > 0 ? fewer + part * (cycles_with(p->schedule, w, (size_t)missed + 1, by_data) - fewer) : fewer;
}

double core_predict_unit(struct core_predict *p, size_t trial)
{
    const struct core_trial *t = &p->run->trials.list.at[trial];
    return (core_predict_pass(p, trial, 1) - core_predict_pass(p, trial, 0)) / (double)(t->units[1] - t->units[0]);
}
