/*
 * sum.c - sums of counts times costs: equation (3) of Torigoe and Edahiro, "LLVM-IR instruction latency measurement in
 * performance estimation with SHIM", and its refinement by what an instruction waits for.
 */
#include "shimgen/estimate/estimate.h"

/* `all`: every instruction costs its Latency; otherwise only one with an operand that the previous instruction made. */
static enum status add_up(struct estimate *out, bool all)
{
    const struct irprof_profile *p = out->profile;
    const uint64_t *executions = p->regions[out->region].executions;
    for (size_t s = 0; s < p->n_segments; s++)
        for (size_t i = p->segments[s].first_part; i < p->segments[s].first_part + p->segments[s].n_parts; i++)
            for (size_t k = p->parts[i].first_item; k < p->parts[i].first_item + p->parts[i].n_items; k++) {
                const struct key_cost *c = &out->keys.at[p->items[k].key];
                cycles_add(&out->parts[i], all || c->key.dependent ? &c->latency : &c->pitch,
                           (double)executions[s] * p->items[k].times);
            }
    return OK;
}

static enum status run_sum(struct estimate *out, const struct estimate_request *q, struct error *e)
{
    (void)q;
    (void)e;
    return add_up(out, true);
}

static enum status run_operand(struct estimate *out, const struct estimate_request *q, struct error *e)
{
    (void)q;
    (void)e;
    return add_up(out, false);
}

const struct estimator estimator_sum = {"sum", "every instruction costs its Latency", run_sum};
const struct estimator estimator_operand = {
    "operand", "an instruction that needs the result of the one before costs its Latency, any other its Pitch",
    run_operand};
