/* compiled_lengths.c - how long the quotients of a part's divisions were, on a scale from short to long. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "shimgen/estimate/compiled/compiled.h"
#include "sim/core/pipeline.h"

/* Cycles for quotients of so many bits in the mean, where a divider makes `each` in a cycle: the last cycle makes fewer, half
 * as many in the mean, and a quotient that is not 0 takes one at least. */
static double steps_of(double bits, double each)
{
    return bits < 1 ? bits : fmax(1, (bits + (each - 1) / 2) / each);
}

/* Divisions are of 32 bits or of 64. The scale is one of cycles, as a core's quotients of a known length have them. */
static double on_scale(double bits, int width, const struct iss_model *model)
{
    const struct iss_timing *t = &model->timing[width == 32 ? ISS_UDIV32 : ISS_UDIV64];
    double each = fmax(1, t->divide_bits);
    double mean = ceil(iss_quotient_bits(ISS_QUOTIENT_MEAN, width) / each);
    double most = ceil(iss_quotient_bits(ISS_QUOTIENT_LONG, width) / each);
    most = t->divide_max > t->divide_base + mean ? fmin(most, t->divide_max - t->divide_base) : most;
    double steps = steps_of(bits, each);
    return steps <= mean ? steps / mean : fmin(2, 1 + (steps - mean) / (most - mean));
}

/* Of each part, bits of its widest division; 0: it has none. */
static int *widths_of(const struct irprof_profile *p, const struct ir_key *keys)
{
    int *widths = xcalloc(p->n_parts, sizeof *widths);
    for (size_t i = 0; i < p->n_instructions; i++) {
        const struct irprof_instruction *in = &p->instructions[i];
        int width = keys[in->key].type.bits > 32 ? 64 : 32;
        if (irprof_quotient_counts(in, &keys[in->key], IRPROF_DIVISOR_VARIABLE) && width > widths[in->part])
            widths[in->part] = width;
    }
    return widths;
}

/* The parts of a function without a length of their own get the mean of the others, by how often they are executed. */
static void fill_function(double *lengths, const struct irprof_profile *p, const struct irprof_region *region,
                          size_t first, size_t end)
{
    double sum = 0, times = 0;
    for (size_t s = first; s < end; s++)
        for (uint32_t k = p->segments[s].first_part; k < p->segments[s].first_part + p->segments[s].n_parts; k++)
            if (!isnan(lengths[k])) {
                sum += lengths[k] * (double)region->executions[s];
                times += (double)region->executions[s];
            }
    for (size_t s = first; s < end; s++)
        for (uint32_t k = p->segments[s].first_part; k < p->segments[s].first_part + p->segments[s].n_parts; k++)
            if (isnan(lengths[k]) && times > 0)
                lengths[k] = sum / times;
}

double *compiled_lengths(const struct irprof_profile *p, const struct irprof_region *region,
                         const struct iss_model *model)
{
    struct ir_key *keys = ir_keys(p->keys, p->n_keys);
    double *lengths = irprof_quotient_bits(p, region, IRPROF_DIVISOR_VARIABLE);
    int *widths = widths_of(p, keys);
    for (size_t i = 0; i < p->n_parts; i++)
        lengths[i] = isnan(lengths[i]) ? NAN : on_scale(lengths[i], widths[i], model);
    for (size_t s = 0, first = 0; s < p->n_segments; s++) {
        if (s + 1 < p->n_segments && p->segments[s + 1].function == p->segments[s].function)
            continue;
        fill_function(lengths, p, region, first, s + 1);
        first = s + 1;
    }
    free(keys);
    free(widths);
    return lengths;
}
