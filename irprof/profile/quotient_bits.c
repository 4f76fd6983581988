/* quotient_bits.c - the mean length of quotients: the sum that the profile has by the divisions that were executed. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/key.h"
#include "irprof/irprof.h"

bool irprof_quotient_counts(const struct irprof_instruction *in, const struct ir_key *key, enum irprof_divisor by)
{
    bool whole = key->type.kind == IR_TYPE_INTEGER && !key->type.lanes && key->type.bits <= IRPROF_QUOTIENT_MOST;
    bool constant = in->constants & IRPROF_CONSTANT;
    return key->class == IR_CLASS_DIVISION && whole && constant == (by == IRPROF_DIVISOR_CONSTANT);
}

static double *divisions_of(const struct irprof_profile *p, const struct irprof_region *region,
                            const struct ir_key *keys, enum irprof_divisor by)
{
    double *n = xcalloc(p->n_parts, sizeof *n);
    for (size_t s = 0; s < p->n_segments; s++) {
        const struct irprof_segment *g = &p->segments[s];
        for (uint32_t i = g->first_instruction; i < g->first_instruction + g->n_instructions; i++)
            if (irprof_quotient_counts(&p->instructions[i], &keys[p->instructions[i].key], by))
                n[p->instructions[i].part] += (double)region->executions[s];
    }
    return n;
}

double *irprof_quotient_bits(const struct irprof_profile *p, const struct irprof_region *region, enum irprof_divisor by)
{
    struct ir_key *keys = ir_keys(p->keys, p->n_keys);
    double *bits = xcalloc(p->n_parts, sizeof *bits), *n = divisions_of(p, region, keys, by);
    size_t event = irprof_event(p, by == IRPROF_DIVISOR_CONSTANT ? IRPROF_QUOTIENT_CONSTANT : IRPROF_QUOTIENT);
    for (size_t i = 0; i < p->n_parts; i++) {
        const struct irprof_part *part = &p->parts[i];
        bool any = false; /* a module may be counted without */
        for (uint32_t k = part->first_event_site; k < part->first_event_site + part->n_event_sites; k++) {
            bool is = p->event_sites[k].event == event;
            any |= is;
            bits[i] += is ? (double)region->event_counts[k] : 0;
        }
        bits[i] = any && n[i] > 0 ? bits[i] / n[i] : NAN;
    }
    free(n);
    free(keys);
    return bits;
}
