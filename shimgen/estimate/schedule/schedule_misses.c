/*
 * schedule_misses.c - which misses wait for each other. An access whose address was loaded in the same loop (a list, an
 * index from a table) cannot begin before that load is done. One whose address is counted can, and caches prefetch for
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule.h"

struct tracer {
    const struct schedule *s;
    uint32_t *loaded; /* of each instruction: 1 + the loop in which what it depends on was loaded; 0: none */
    uint32_t *chased; /* the same for what a load from a loaded address gives: next but one in a list */
    uint32_t *loops;  /* of each instruction: 1 + its loop; 1 + the number of loops: none */
    bool *alloca;     /* of each instruction: is it an alloca? */
};

/* The loop in which an operand was loaded (or chased). Its own loop takes precedence: the start of a walk along a list
 * comes from outside. */
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

/* made: what a load from an address that was not loaded gives. */
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

/* A core that executes out of order starts the next access by an index from a table while it waits for this one. */
static bool waits(const struct tracer *t, uint32_t i)
{
    uint32_t loaded = from_operands(t, t->s->out_of_order ? t->chased : t->loaded, i, true);
    return loaded && loaded == t->loops[i];
}

/* Counted addresses miss once per line, so they miss less often than arbitrary ones by this factor [elements per
 * line]. */
static const float in_line = 8;

/* For each part: the share of its misses, without those of variables, that are at loaded addresses; and the share of
 * its accesses that are loads. */
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
    /* two passes: loop-carried values come from later in the code */
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
