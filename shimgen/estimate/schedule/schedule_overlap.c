/*
 * schedule_overlap.c - overlapping misses. A core that issues in order waits where a loaded value is first used. Loads
 * that issue before that have their misses in flight together: one waits for the memory's latency, the others arrive as
 * fast as memory delivers. Compilers assume that loads hit, and place the first use accordingly. So the overlapping
 * loads are those that issue within the Latency of the first.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule.h"

struct overlap {
    const struct schedule *s;
    const double *misses; /* of each part, per load */
    uint32_t *group;      /* of each instruction: the group of loads that its value waits for; 0: none */
    double *all, *load;   /* of each part: loads, and their share of one load's wait */
    uint32_t number;      /* of the current group */
};

/* Does it use a value that the current group loads, directly or through instructions without code? */
static bool uses_group(const struct overlap *o, uint32_t i)
{
    const struct irprof_profile *p = o->s->p;
    const struct irprof_instruction *in = &p->instructions[i];
    for (uint32_t k = in->first_operand; k < in->first_operand + in->n_operands; k++)
        if (p->operands[k].producer != IRPROF_NONE && o->group[p->operands[k].producer] == o->number)
            return true;
    return false;
}

/* Instructions order[first..end) are a group: those of its loads that miss at the same time share the wait. */
static void close_group(struct overlap *o, const uint32_t *order, uint32_t first, uint32_t end)
{
    double together = 0;
    for (uint32_t k = first; k < end; k++)
        together += o->s->code[order[k]].load ? o->misses[o->s->p->instructions[order[k]].part] : 0;
    for (uint32_t k = first; k < end; k++) {
        uint32_t part = o->s->p->instructions[order[k]].part;
        if (!o->s->code[order[k]].load)
            continue;
        o->all[part]++;
        o->load[part] += 1 / (1 + together - o->misses[part]);
    }
    o->number++;
}

static void find_groups(struct overlap *o, const struct block *b)
{
    const uint32_t *order = o->s->order + b->first;
    uint32_t first = 0;
    float end = INFINITY; /* when the value of the group's first load is ready, if it hits */
    for (uint32_t k = 0; k < b->n; k++) {
        uint32_t i = order[k];
        const struct code *code = &o->s->code[i];
        bool uses = !schedule_is_phi(o->s, i) && uses_group(o, i);
        if (uses && code->slots <= 0 && !code->load) { /* makes no code, so it waits for nothing */
            o->group[i] = o->number;
            continue;
        }
        if (uses || code->barrier || (code->load && o->s->when[i] >= end)) {
            close_group(o, order, first, k);
            first = k;
            end = INFINITY;
        }
        if (!code->load)
            continue;
        o->group[i] = o->number;
        if (code->slots > 0 && end == INFINITY)
            end = o->s->when[i] + code->latency + code->later[USE_VALUE];
    }
    close_group(o, order, first, b->n);
}

void schedule_overlap(const struct schedule *s, const double *misses, float *shares)
{
    const struct irprof_profile *p = s->p;
    struct overlap o = {.s = s,
                        .misses = misses,
                        .group = xcalloc(p->n_instructions, sizeof *o.group),
                        .all = xcalloc(p->n_parts, sizeof *o.all),
                        .load = xcalloc(p->n_parts, sizeof *o.load),
                        .number = 1};
    for (size_t b = 0; b < s->n_blocks; b++)
        if (schedule_times(s, &s->blocks[b]) > 0)
            find_groups(&o, &s->blocks[b]);
    for (size_t i = 0; i < p->n_parts; i++)
        if (o.all[i] > 0)
            shares[i] *= (float)(o.load[i] / o.all[i]);
    free(o.group);
    free(o.all);
    free(o.load);
}
