/*
 * Which misses wait for each other: an access whose address was loaded in the same loop
 * (a list, an index out of a table) cannot begin before that; one whose address is
 * counted can, and caches fetch ahead for it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule.h"

struct tracer {
    const struct schedule *s;
    uint32_t *loaded; /* of each instruction: the loop in which what it is made of was loaded, plus 1; 0: it was not */
    uint32_t *chased; /* the same of what a load of a loaded address made: a list's next but one */
    uint32_t *loops;  /* of each instruction: its own, plus 1; 1 more than the last where it is in none */
    bool *alloca;     /* of each instruction: it is one */
};

/* The loop in which an operand was loaded (or chased), its own before others: what a list's walk begins with is from
 * outside. */
static uint32_t from_operands(const struct tracer *t, const uint32_t *loaded, uint32_t i, bool addresses)
{
    const struct irprof_instruction *in = &t->s->p->instructions[i];
    uint32_t from = 0;
    for (size_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
        const struct irprof_operand *o = &t->s->p->operands[k];
        if (o->producer != IRPROF_NONE && o->address == addresses && loaded[o->producer] && from != t->loops[i])
            from = loaded[o->producer];
    }
    return from;
}

/* made: what a load of an address that was not loaded before makes of `loaded`. */
static void trace(struct tracer *t, uint32_t *loaded, uint32_t i, uint32_t made)
{
    const struct code *code = &t->s->code[i];
    uint32_t variable = t->s->variable[i];
    if (code->load) {
        loaded[i] = variable == IRPROF_NONE ? made : loaded[variable];
    } else if (code->store) {
        uint32_t from = from_operands(t, loaded, i, false);
        if (variable != IRPROF_NONE && from)
            loaded[variable] = from;
    } else if (!t->alloca[i]) {
        uint32_t from = from_operands(t, loaded, i, false), base = from_operands(t, loaded, i, true);
        loaded[i] = from ? from : base;
    }
}

/* A core that executes out of order begins the next access by an index out of a table while it waits for this one. */
static bool waits(const struct tracer *t, uint32_t i)
{
    uint32_t loaded = from_operands(t, t->s->out_of_order ? t->chased : t->loaded, i, true);
    return loaded && loaded == t->loops[i];
}

/* Counted addresses miss once a line, so many times less often than those that can be anywhere [elements of a line]. */
static const float in_line = 8;

/* Of each part: which share of the misses of its accesses, but for those of variables, is to a loaded address, and
 * which share of the accesses are loads. */
static void share(const struct tracer *t, float *shares, float *loads)
{
    const struct irprof_profile *p = t->s->p;
    uint32_t *all = xcalloc(p->n_parts, sizeof *all), *waiting = xcalloc(p->n_parts, sizeof *waiting);
    uint32_t *loaded = xcalloc(p->n_parts, sizeof *loaded);
    for (uint32_t i = 0; i < p->n_instructions; i++) {
        if (!(t->s->code[i].load || t->s->code[i].store) || t->s->variable[i] != IRPROF_NONE)
            continue;
        all[p->instructions[i].part]++;
        waiting[p->instructions[i].part] += waits(t, i);
        loaded[p->instructions[i].part] += t->s->code[i].load;
    }
    for (size_t i = 0; i < p->n_parts; i++) {
        float counted = (float)(all[i] - waiting[i]) / in_line;
        shares[i] = all[i] ? (float)waiting[i] / ((float)waiting[i] + counted) : 1;
        loads[i] = all[i] ? (float)loaded[i] / (float)all[i] : 1;
    }
    free(all);
    free(loaded);
    free(waiting);
}

void schedule_misses(const struct schedule *s, float *shares, float *loads)
{
    const struct irprof_profile *p = s->p;
    struct tracer t = {.s = s,
                       .loaded = xcalloc(p->n_instructions, sizeof *t.loaded),
                       .chased = xcalloc(p->n_instructions, sizeof *t.chased),
                       .loops = xcalloc(p->n_instructions, sizeof *t.loops),
                       .alloca = xcalloc(p->n_instructions, sizeof *t.alloca)};
    for (size_t g = 0; g < p->n_segments; g++) {
        const struct irprof_segment *segment = &p->segments[g];
        for (uint32_t k = 0; k < segment->n_instructions; k++) {
            uint32_t i = segment->first_instruction + k;
            t.loops[i] = segment->loop == IRPROF_NONE ? (uint32_t)p->n_loops + 1 : segment->loop + 1;
            t.alloca[i] = schedule_key(s, i)->opcode == IR_ALLOCA;
        }
    }
    /* Twice: loop-carried values come from later in the code. */
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < p->n_instructions; i++)
            trace(&t, t.loaded, i, t.loops[i]);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < p->n_instructions; i++)
            trace(&t, t.chased, i, from_operands(&t, t.loaded, i, true) == t.loops[i] ? t.loops[i] : 0);
    share(&t, shares, loads);
    free(t.loaded);
    free(t.chased);
    free(t.loops);
    free(t.alloca);
}
