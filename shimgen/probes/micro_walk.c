/* micro_walk.c - follows code through its loop, calls and returns, while the pipeline times each instruction. */
#include "shimgen/probes/micro_walk.h"

#include <string.h>

#include "base/alloc.h"
#include "sim/core/code_schedule.h"
#include "sim/core/registers.h"

enum { DEEPEST = 8, WARM = 24, TIMED = 64, STEPS = 400000 };

struct frame {
    struct iss_code *code; /* owned */
    size_t at;             /* the next step */
    size_t back;           /* where its caller continues; the first one has none */
};
struct walk {
    const struct elf *program;
    const struct iss_model *model;
    struct iss_schedule *schedule;
    struct iss_values values;
    struct frame frames[DEEPEST];
    size_t depth;
    uint64_t loop; /* address of the branch that closes the loop */
    int passes;
    int64_t begun, ended; /* in cycles */
};

static bool enter(struct walk *w, const struct elf_function *f, uint64_t address)
{
    const uint8_t *bytes = f && f->size ? elf_bytes(w->program, f->address, f->size) : NULL;
    struct frame *top = &w->frames[w->depth];
    struct error ignored = ERROR_INIT;
    if (!bytes || f->resolver || w->depth == DEEPEST ||
        iss_code_new(&top->code, w->model, bytes, f->size, f->address, &ignored) != OK) {
        error_release(&ignored);
        return false;
    }
    top->at = iss_code_find(top->code, address);
    w->depth++;
    return !top->code->n_unknown && top->at < top->code->n;
}

/* The last conditional backward branch. */
static uint64_t loop_of(const struct iss_code *code)
{
    uint64_t found = 0;
    for (size_t i = 0; i < code->n; i++) {
        const struct iss_step *s = &code->steps[i];
        if (s->op.branch == ISS_CONDITIONAL && (uint64_t)s->op.constant <= s->address)
            found = s->address;
    }
    return found;
}

/* Calls of functions in the case's own module belong to the case. Such functions do not have a library function's
 * name. */
static bool may_enter(const struct elf_function *f)
{
    return f && (strchr(f->name, '/') || strncmp(f->name, "micro", 5) == 0);
}

/* The direction of a branch: by values if they are known; loops continue otherwise. -1: data decide. */
static int direction(const struct walk *w, const struct iss_step *s)
{
    int known = iss_values_condition(&w->values, &s->op);
    if (s->address == w->loop && w->depth == 1)
        return 1;
    return known;
}

static bool target_in_register(const struct walk *w, const struct iss_op *op, uint64_t *target)
{
    unsigned reg = op->n_sources ? op->source[0].reg : ISS_REG_NONE;
    bool known = reg < 32 && (w->values.known >> reg & 1);
    *target = known ? w->values.reg[reg] : 0;
    return known;
}

/* The address after a branch. Returns false if it is not known. */
static bool follow(struct walk *w, const struct iss_step *s, uint64_t *next, const struct elf_function **called)
{
    *next = s->address + s->op.size;
    *called = NULL;
    switch ((enum iss_branch)s->op.branch) {
    case ISS_NO_BRANCH:
        return true;
    case ISS_JUMP:
        *next = (uint64_t)s->op.constant;
        return true;
    case ISS_CONDITIONAL: {
        int taken = direction(w, s);
        *next = taken == 1 ? (uint64_t)s->op.constant : *next;
        return taken >= 0;
    }
    case ISS_CALL_DIRECT:
        *next = (uint64_t)s->op.constant;
        break;
    case ISS_CALL_INDIRECT:
        if (!target_in_register(w, &s->op, next))
            return false;
        break;
    case ISS_JUMP_INDIRECT:
        return target_in_register(w, &s->op, next);
    case ISS_RETURN_TO:
        if (w->depth < 2)
            return false;
        *next = w->frames[w->depth - 2].code->steps[w->frames[w->depth - 1].back].address;
        return true;
    }
    *called = elf_function_at(w->program, *next);
    return may_enter(*called);
}

static void count_pass(struct walk *w, const struct iss_step *s)
{
    if (s->address != w->loop || w->depth != 1)
        return;
    w->passes++;
    if (w->passes == WARM)
        w->begun = iss_schedule_cycle(w->schedule);
    if (w->passes == WARM + TIMED)
        w->ended = iss_schedule_cycle(w->schedule);
}

static bool leave(struct walk *w)
{
    size_t back = w->frames[w->depth - 1].back;
    iss_code_free(w->frames[--w->depth].code);
    w->frames[w->depth].code = NULL;
    w->frames[w->depth - 1].at = back;
    return back < w->frames[w->depth - 1].code->n;
}

static bool go_to(struct walk *w, uint64_t next, const struct elf_function *called)
{
    struct frame *top = &w->frames[w->depth - 1];
    if (!called) {
        top->at = iss_code_find(top->code, next);
        return top->at < top->code->n;
    }
    if (w->depth < DEEPEST)
        w->frames[w->depth].back = top->at + 1;
    return top->at + 1 < top->code->n && enter(w, called, next);
}

static bool step(struct walk *w)
{
    const struct frame *top = &w->frames[w->depth - 1];
    const struct iss_step *s = &top->code->steps[top->at];
    const struct elf_function *called;
    bool returns = s->op.branch == ISS_RETURN_TO;
    uint64_t next;
    if (!follow(w, s, &next, &called))
        return false;
    iss_schedule_run(w->schedule, s, 1, next);
    iss_values_step(&w->values, &s->op, NULL);
    count_pass(w, s);
    return returns ? leave(w) : go_to(w, next, called);
}

bool micro_walk(double *cycles, const struct elf *program, const struct elf_function *function,
                const struct iss_model *model)
{
    struct walk w = {.program = program, .model = model, .schedule = iss_schedule_new(model)};
    bool known = enter(&w, function, function->address);
    if (known)
        w.loop = loop_of(w.frames[0].code);
    known = known && w.loop;
    for (size_t i = 0; known && w.passes < WARM + TIMED; i++)
        known = i < STEPS && step(&w);
    *cycles = (double)(w.ended - w.begun) / TIMED;
    for (size_t i = 0; i < DEEPEST; i++)
        iss_code_free(w.frames[i].code);
    iss_schedule_free(w.schedule);
    return known;
}
