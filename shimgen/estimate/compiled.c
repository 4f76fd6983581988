/*
 * compiled.c - the estimator for boards that have timing data: the program's own code for the target, each block of it
 * scheduled on the board's model of its core, times what the profile counted of the IR.
 *
 *     compiled_build      bitcode -> executable with labels
 *     machine_make        executable -> nodes
 *     flow_make           counts of the IR -> counts of nodes and of ways between them
 *     cost_program        -> cycles of each instruction
 *     attribute           -> cycles of each part (source line of a segment)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "boards/boards.h"
#include "boards/iss/model.h"
#include "shimgen/estimate/compiled_build.h"
#include "shimgen/estimate/compiled_cost.h"
#include "shimgen/estimate/compiled_flow.h"
#include "shimgen/estimate/compiled_library.h"
#include "shimgen/estimate/compiled_miss.h"
#include "shimgen/estimate/estimate.h"

/* What the IR's side says of a function of the machine code. */
struct counted {
    uint32_t function; /* in the profile */
    size_t first;      /* its first segment */
    const struct irprof_label_function *labels;
    double *executions, *mispredicted;
    struct flow_edge *edges;
    struct flow_ir ir;
};
struct work {
    struct estimate *out;
    const struct irprof_profile *profile;
    const struct irprof_region *region;
    struct iss_model *model;
    struct compiled_program program;
    struct machine machine;
    struct counted *counted;  /* of each function of the machine code */
    struct flow *flows;       /* likewise */
    struct step_costs *costs; /* likewise */
    struct library *library;
    size_t *first_segment; /* of each function of the profile */
    size_t event;          /* BR_MIS_PRED in the profile, or n_events */
    /* Of each part: cycles when all goes well, what mispredictions and misses add, what may miss. */
    double *plain, *mispredicted, *missed;
    struct miss_accesses *accesses;
    bool warm, has_misses;
    double total;
};

/* ---- the profile's functions ---- */

static void find_segments(struct work *w)
{
    const struct irprof_profile *p = w->profile;
    w->first_segment = xcalloc(p->n_functions + 1, sizeof *w->first_segment);
    size_t next = 0;
    for (size_t f = 0; f < p->n_functions; f++) {
        while (next < p->n_segments && p->segments[next].function < f)
            next++;
        w->first_segment[f] = next;
    }
    w->first_segment[p->n_functions] = p->n_segments;
    for (w->event = 0; w->event < p->n_events; w->event++)
        if (strcmp(p->events[w->event], "BR_MIS_PRED") == 0)
            break;
}

static size_t segments_of(const struct work *w, size_t f)
{
    size_t n = 0;
    while (w->first_segment[f] + n < w->profile->n_segments &&
           w->profile->segments[w->first_segment[f] + n].function == f)
        n++;
    return n;
}

static uint32_t find_function(const struct irprof_profile *p, const char *module, const char *name)
{
    for (size_t i = 0; i < p->n_functions; i++)
        if (strcmp(p->functions[i].name, name) == 0 && strcmp(p->modules[p->functions[i].module].name, module) == 0)
            return (uint32_t)i;
    return IRPROF_NONE;
}

/* Is the function of the bitcode the one that was counted? */
static bool is_same(const struct work *w, uint32_t function, const struct irprof_label_function *l)
{
    if (segments_of(w, function) != l->n_segments)
        return false;
    for (size_t i = 0; i < l->n_segments; i++) {
        const struct irprof_segment *s = &w->profile->segments[w->first_segment[function] + i];
        if (s->block != l->segments[i].block || s->number != l->segments[i].number ||
            s->n_parts != l->segments[i].n_parts)
            return false;
    }
    return true;
}

static enum status other_build(const struct work *w, const char *function, struct error *e)
{
    return error_set(e, ERR_INPUT, AT_FILE(w->profile->path),
                     "is of another build than the bitcode: '%s' is not what was counted; give the IR that the "
                     "counted program was made from",
                     function);
}

/* Every function that was counted and executed is in the bitcode, as it is in the profile. */
static enum status check_build(const struct work *w, struct error *e)
{
    const struct irprof_profile *p = w->profile;
    bool *there = xcalloc(p->n_functions, sizeof *there);
    enum status s = OK;
    for (size_t m = 0; !s && m < w->program.n; m++) {
        const struct irprof_labels *l = &w->program.labels[m];
        for (size_t i = 0; !s && i < l->n; i++) {
            uint32_t f = find_function(p, l->module, l->functions[i].name);
            if (f == IRPROF_NONE || !is_same(w, f, &l->functions[i]))
                s = other_build(w, l->functions[i].name, e);
            else
                there[f] = true;
        }
    }
    for (size_t i = 0; !s && i < p->n_segments; i++)
        if (w->region->executions[i] && !there[p->segments[i].function])
            s = error_set(e, ERR_INPUT, AT_FILE(p->path),
                          "'%s' was executed and is in none of the files of bitcode: give those of all modules (%s)",
                          p->functions[p->segments[i].function].name,
                          p->modules[p->functions[p->segments[i].function].module].name);
    free(there);
    return s;
}

/* ---- counts ---- */

static double happened_in(const struct work *w, const struct irprof_segment *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->n_parts; i++) {
        const struct irprof_part *part = &w->profile->parts[s->first_part + i];
        for (uint32_t k = 0; k < part->n_happenings; k++)
            if (w->profile->happenings[part->first_happening + k].event == w->event)
                sum += (double)w->region->happened[part->first_happening + k];
    }
    return sum;
}

static void take_edges(struct work *w, struct counted *c)
{
    const struct irprof_profile *p = w->profile;
    size_t n = 0;
    for (size_t i = 0; i < p->n_edges; i++)
        n += p->edges[i].function == c->function;
    c->edges = xcalloc(n, sizeof *c->edges);
    n = 0;
    for (size_t i = 0; i < p->n_edges; i++) {
        const struct irprof_edge *e = &p->edges[i];
        if (e->function != c->function)
            continue;
        if (e->kind == IRPROF_EDGE_CASE || e->kind == IRPROF_EDGE_DEFAULT)
            c->mispredicted[e->from] = -1; /* predictors are simulated of branches alone */
        if (n && c->edges[n - 1].from == e->from && c->edges[n - 1].to == e->to)
            c->edges[n - 1].taken += (double)w->region->taken[i];
        else
            c->edges[n++] = (struct flow_edge){e->from, e->to, (double)w->region->taken[i]};
    }
    c->ir.edges = c->edges;
    c->ir.n_edges = n;
}

static void take_counts(struct work *w, struct counted *c)
{
    const struct irprof_label_function *l = c->labels;
    c->executions = xcalloc(l->n_segments, sizeof *c->executions);
    c->mispredicted = xcalloc(l->n_blocks, sizeof *c->mispredicted);
    c->ir = (struct flow_ir){.n_blocks = l->n_blocks, .labels = l, .executions = c->executions};
    c->ir.mispredicted = c->mispredicted;
    for (size_t i = 0; i < l->n_segments; i++) {
        c->executions[i] = (double)w->region->executions[c->first + i];
        c->mispredicted[l->segments[i].block] += happened_in(w, &w->profile->segments[c->first + i]);
    }
    for (size_t i = 0; i < l->n_blocks && w->event == w->profile->n_events; i++)
        c->mispredicted[i] = -1;
    take_edges(w, c);
}

static void count_functions(struct work *w)
{
    w->counted = xcalloc(w->machine.n, sizeof *w->counted);
    w->flows = xcalloc(w->machine.n, sizeof *w->flows);
    w->costs = xcalloc(w->machine.n, sizeof *w->costs);
    for (size_t i = 0; i < w->machine.n; i++) {
        const struct machine_function *f = &w->machine.functions[i];
        const struct irprof_labels *l = &w->program.labels[f->module];
        struct counted *c = &w->counted[i];
        c->labels = &l->functions[f->function];
        c->function = find_function(w->profile, l->module, c->labels->name);
        c->first = w->first_segment[c->function];
        take_counts(w, c);
        flow_make(&w->flows[i], f, &c->ir);
    }
}

/* ---- parts ---- */

static size_t part_of(const struct work *w, const struct counted *c, uint32_t segment, uint32_t part)
{
    const struct irprof_segment *s = &w->profile->segments[c->first + segment];
    return part < s->n_parts && w->region->executions[c->first + segment] ? s->first_part + part : SIZE_MAX;
}

/* A part of the block that was executed; SIZE_MAX: none. */
static size_t part_of_block(const struct work *w, const struct counted *c, uint32_t block)
{
    for (uint32_t i = 0; i < c->labels->n_segments; i++)
        if (c->labels->segments[i].block == block && part_of(w, c, i, 0) != SIZE_MAX)
            return part_of(w, c, i, 0);
    return SIZE_MAX;
}

static size_t any_part(const struct work *w, const struct counted *c)
{
    for (uint32_t i = 0; i < c->labels->n_segments; i++)
        if (part_of(w, c, i, 0) != SIZE_MAX)
            return part_of(w, c, i, 0);
    return SIZE_MAX;
}

static size_t part_of_step(const struct work *w, const struct counted *c, const struct node *n, size_t i)
{
    const struct irprof_spot *s = n->of[i] && n->of[i] < c->labels->n_spots ? &c->labels->spots[n->of[i]] : 0;
    return s && s->segment != IRPROF_NONE && s->part != IRPROF_NONE ? part_of(w, c, s->segment, s->part) : SIZE_MAX;
}

static void add_step(struct work *w, size_t part, const struct step_costs *c, size_t i, const struct iss_op *op)
{
    struct miss_accesses *a = &w->accesses[part];
    w->plain[part] += c->cycles[i];
    w->mispredicted[part] += c->mispredicted[i];
    if (op->memory & ISS_WRITE_MEMORY) {
        a->stores += c->near[i] + c->far[i];
    } else {
        a->near_loads += c->near[i];
        a->far_loads += c->far[i];
        a->far_bytes += c->far[i] * op->bytes;
        a->waits += c->far[i] > 0 ? c->waits[i] : 0;
    }
}

/* What is of no instruction, or of one that the region did not execute, is where the code around it is. */
static void attribute_node(struct work *w, size_t function, const struct node *n)
{
    const struct counted *c = &w->counted[function];
    size_t first = (size_t)(n->steps - w->machine.functions[function].code->steps);
    size_t before = part_of_block(w, c, n->number);
    if (before == SIZE_MAX)
        before = any_part(w, c);
    for (size_t i = 0; i < n->n; i++) {
        size_t own = part_of_step(w, c, n, i);
        before = own != SIZE_MAX ? own : before;
        if (before != SIZE_MAX)
            add_step(w, before, &w->costs[function], first + i, &n->steps[i].op);
    }
    bool calls = (n->end == NODE_CALLS || n->end == NODE_TAIL) && n->callee;
    double times = w->flows[function].nodes[n - w->machine.functions[function].nodes];
    double each = calls && times > 0 ? library_call(w->library, n->callee).cycles.typical : 0;
    if (each > 0 && before != SIZE_MAX)
        w->plain[before] += each * times;
}

static void attribute(struct work *w)
{
    size_t n = w->profile->n_parts;
    w->plain = xcalloc(n, sizeof *w->plain);
    w->mispredicted = xcalloc(n, sizeof *w->mispredicted);
    w->missed = xcalloc(n, sizeof *w->missed);
    w->accesses = xcalloc(n, sizeof *w->accesses);
    for (size_t i = 0; i < w->machine.n; i++)
        for (size_t k = 0; k < w->machine.functions[i].n; k++)
            attribute_node(w, i, &w->machine.functions[i].nodes[k]);
    w->has_misses = miss_costs(w->missed, w->profile, w->region, w->accesses, w->plain, w->model, w->warm);
    for (size_t i = 0; i < n; i++) {
        double all = w->plain[i] + w->mispredicted[i] + w->missed[i];
        w->out->parts[i] = (struct cycles){w->plain[i], all, all};
    }
}

/* ---- the whole ---- */

static enum status load_model(struct iss_model **model, const struct board *b, struct error *e)
{
    if (!*b->model)
        return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                         "there is no timing data of the board %s: --method compiled needs a model of its core "
                         "(docs/formats/iss-model.md), as raspberrypi3-sim and riscv64-sim have",
                         b->name);
    return iss_model_read(model, b->model, e);
}

static enum status estimate(struct work *w, const struct board *b, const char *const *modules, struct error *e)
{
    enum status s = load_model(&w->model, b, e);
    if (!s)
        s = compiled_labels(&w->program, b, modules, e);
    if (s)
        return s;
    find_segments(w);
    s = check_build(w, e);
    if (!s)
        s = compiled_build(&w->program, b, modules, e);
    if (!s)
        s = machine_make(&w->machine, &w->program.elf, w->program.labels, w->program.n, w->model, e);
    if (s)
        return s;
    count_functions(w);
    cost_program(w->costs, &w->machine, w->flows, w->model);
    w->library = library_new(&w->program.elf, &w->machine, w->model, w->out->costs);
    attribute(w);
    return OK;
}

/* ---- what a user must know ---- */

/* The calls of a library function, or of what is not known at all (name NULL). */
struct called {
    struct library_cost cost;
    double times;
};

static void add_call(struct called *list, size_t *n, size_t most, const struct library_cost *cost, double times)
{
    size_t i = 0;
    while (i < *n && list[i].cost.name != cost->name)
        i++;
    if (i == most)
        return;
    if (i == *n)
        list[(*n)++] = (struct called){*cost, 0};
    list[i].times += times;
}

static void note_libraries(struct work *w)
{
    enum { NAMED = 32 };
    struct called list[NAMED];
    size_t n = 0;
    for (size_t i = 0; i < w->machine.n; i++)
        for (size_t k = 0; k < w->machine.functions[i].n; k++) {
            const struct node *node = &w->machine.functions[i].nodes[k];
            double times = w->flows[i].nodes[k];
            if ((node->end != NODE_CALLS && node->end != NODE_TAIL) || !node->callee || times <= 0)
                continue;
            struct library_cost cost = library_call(w->library, node->callee);
            if (cost.name || cost.cycles.typical < 0)
                add_call(list, &n, NAMED, &cost, times);
        }
    for (size_t i = 0; i < n; i++) {
        const struct library_cost *c = &list[i].cost;
        double share = 100 * list[i].times * c->cycles.typical / (w->total > 0 ? w->total : 1);
        if (c->cycles.typical < 0)
            estimate_note(w->out, "%.0f calls of %s are not in the estimate: its code is not known", list[i].times,
                          c->name ? c->name : "a library");
        else if (share >= 0.1)
            estimate_note(w->out,
                          "%s of a library was called %.0f times, nothing of it was counted: %s %.0f cycles a "
                          "call, %.2g %% of the estimate",
                          c->name, list[i].times, c->measured ? "as measured" : "guessed at", c->cycles.typical, share);
    }
}

static void note_all(struct work *w)
{
    double lost = 0, all = 0;
    for (size_t i = 0; i < w->profile->n_parts; i++)
        w->total += w->out->parts[i].typical;
    for (size_t i = 0; i < w->machine.n; i++) {
        lost += w->flows[i].lost;
        all += w->flows[i].all;
    }
    if (w->event == w->profile->n_events)
        estimate_note(w->out, "mispredicted branches are guessed, the rarer way each time: the profile has none "
                              "(shimgen profile --branches)");
    if (!w->has_misses)
        estimate_note(w->out, "cache misses are not in the estimate: the profile has none (shimgen profile --memory)");
    if (all > 0 && lost > 0.001 * all)
        estimate_note(w->out,
                      "%.2g %% of the ways from block to block were not found in the machine code and cost nothing",
                      100 * lost / all);
    if (w->machine.n_unknown)
        estimate_note(w->out, "%zu instructions of the machine code are not known to the decoder",
                      w->machine.n_unknown);
    note_libraries(w);
}

static void release(struct work *w)
{
    for (size_t i = 0; w->counted && i < w->machine.n; i++) {
        free(w->counted[i].executions);
        free(w->counted[i].mispredicted);
        free(w->counted[i].edges);
        flow_release(&w->flows[i]);
        step_costs_release(&w->costs[i]);
    }
    free(w->counted);
    free(w->flows);
    free(w->costs);
    free(w->first_segment);
    free(w->plain);
    free(w->mispredicted);
    free(w->missed);
    free(w->accesses);
    if (w->library)
        library_free(w->library);
    machine_release(&w->machine);
    compiled_program_release(&w->program);
    iss_model_free(w->model);
}

enum status costs_from_board(struct costs *c, const char *board, struct error *e)
{
    struct board *b;
    struct iss_model *model = 0;
    *c = (struct costs){0};
    enum status s = board_load(&b, board, e);
    if (s)
        return s;
    s = load_model(&model, b, e);
    if (!s) {
        c->core = xstrdup(model->name);
        c->clock_hz = (double)model->clock_hz;
    }
    iss_model_free(model);
    board_free(b);
    return s;
}

static enum status run(struct estimate *out, const struct estimate_request *q, struct error *e)
{
    if (!q->board || !q->programs || !q->programs[0])
        return usage_error(e, "--method compiled needs --board NAME and the IR of the program: --program FILE.bc");
    struct board *b;
    enum status s = board_load(&b, q->board, e);
    if (s)
        return s;
    struct work w = {.out = out, .profile = q->profile, .region = &q->profile->regions[q->region]};
    w.warm = b->cache == BOARD_WARM;
    s = estimate(&w, b, q->programs, e);
    if (!s)
        note_all(&w);
    release(&w);
    board_free(b);
    return s;
}

const struct estimator estimator_compiled = {
    "compiled", "the program's own code for a board with timing data, scheduled block by block", run};
