/*
 * Which misses wait for each other: an access whose address was loaded in the same loop
 * (a list, an index out of a table) cannot begin before that; one whose address is
 * counted can, and caches fetch ahead for it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule.h"

struct tracer {
    const struct schedule *s;
    uint32_t *loaded; /* of each instruction: the loop in which what it is made of was loaded, plus 1; 0: it was not */
    uint32_t *loops;  /* of each instruction: its own, plus 1; 1 more than the last where it is in none */
    bool *alloca;     /* of each instruction: it is one */
};

/* The loop in which an operand was loaded, its own before others: what a list's walk begins with is from outside. */
static uint32_t from_operands(const struct tracer *t, uint32_t i, bool addresses)
{
    const struct irprof_instruction *in = &t->s->p->instructions[i];
    uint32_t loaded = 0;
    for (size_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
        const struct irprof_operand *o = &t->s->p->operands[k];
        if (o->producer != IRPROF_NONE && o->address == addresses && t->loaded[o->producer] && loaded != t->loops[i])
            loaded = t->loaded[o->producer];
    }
    return loaded;
}

static void trace(struct tracer *t, uint32_t i)
{
    const struct code *code = &t->s->code[i];
    uint32_t variable = t->s->variable[i];
    if (code->load) {
        t->loaded[i] = variable == IRPROF_NONE ? t->loops[i] : t->loaded[variable];
    } else if (code->store) {
        uint32_t loaded = from_operands(t, i, false);
        if (variable != IRPROF_NONE && loaded)
            t->loaded[variable] = loaded;
    } else if (!t->alloca[i]) {
        uint32_t loaded = from_operands(t, i, false), base = from_operands(t, i, true);
        t->loaded[i] = loaded ? loaded : base;
    }
}

/* Of each part: which share of its accesses, but for those of variables, is to a loaded address. */
static void share(const struct tracer *t, float *shares)
{
    const struct irprof_profile *p = t->s->p;
    uint32_t *all = xcalloc(p->n_parts, sizeof *all), *waiting = xcalloc(p->n_parts, sizeof *waiting);
    for (uint32_t i = 0; i < p->n_instructions; i++) {
        if (!(t->s->code[i].load || t->s->code[i].store) || t->s->variable[i] != IRPROF_NONE)
            continue;
        uint32_t loaded = from_operands(t, i, true);
        all[p->instructions[i].part]++;
        waiting[p->instructions[i].part] += loaded && loaded == t->loops[i];
    }
    for (size_t i = 0; i < p->n_parts; i++)
        shares[i] = all[i] ? (float)waiting[i] / (float)all[i] : 1;
    free(all);
    free(waiting);
}

void schedule_misses(const struct schedule *s, float *shares)
{
    const struct irprof_profile *p = s->p;
    struct tracer t = {s, xcalloc(p->n_instructions, sizeof *t.loaded), xcalloc(p->n_instructions, sizeof *t.loops),
                       xcalloc(p->n_instructions, sizeof *t.alloca)};
    for (size_t g = 0; g < p->n_segments; g++) {
        const struct irprof_segment *segment = &p->segments[g];
        for (uint32_t k = 0; k < segment->n_instructions; k++) {
            uint32_t i = segment->first_instruction + k;
            t.loops[i] = segment->loop == IRPROF_NONE ? (uint32_t)p->n_loops + 1 : segment->loop + 1;
            t.alloca[i] = strncmp(p->keys[p->instructions[i].key], "alloca", 6) == 0;
        }
    }
    /* Twice: what goes round a loop comes from behind. */
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < p->n_instructions; i++)
            trace(&t, i);
    share(&t, shares);
    free(t.loaded);
    free(t.loops);
    free(t.alloca);
}
