/* Who is called: names made into functions, where the profile has them. */
#include <stdlib.h>

#include "irprof/profile/profile.h"

/* Which functions ran at all, in the whole run. */
static void mark_entered(bool *entered, const struct irprof_profile *p)
{
    const uint64_t *executions = p->regions[p->n_regions - 1].executions;
    for (size_t i = 0; i < p->n_segments; i++)
        entered[p->segments[i].function] |= executions[i] > 0;
}

/* Functions that other modules can call, by name. Of several with one name (weak ones, of which the linker keeps
 * one) the first that ran. */
static void list_visible(struct map *visible, const struct irprof_profile *p, const bool *entered)
{
    for (size_t i = 0; i < p->n_functions; i++) {
        size_t other;
        if (p->functions[i].local)
            continue;
        if (!map_get(visible, p->functions[i].name, &other) || (!entered[other] && entered[i]))
            map_put(visible, p->functions[i].name, i);
    }
}

void callees_resolve(struct irprof_profile *p, const struct profile_builder *b)
{
    struct map visible = {0};
    bool *entered = xcalloc(p->n_functions, sizeof *entered);
    mark_entered(entered, p);
    list_visible(&visible, p, entered);
    for (size_t i = 0; i < p->n_calls; i++) {
        struct irprof_call *call = &p->calls[i];
        const struct profile_callee *called = &b->called.at[i];
        size_t other;
        call->callee = called->function;
        if (called->function != IRPROF_NONE)
            call->name = p->functions[called->function].name;
        else if (called->name != IRPROF_NONE)
            call->name = p->callees[called->name];
        bool sure =
            !call->name || (call->callee != IRPROF_NONE && (p->functions[call->callee].local || entered[call->callee]));
        if (!sure && map_get(&visible, call->name, &other))
            call->callee = (uint32_t)other;
    }
    map_release(&visible);
    free(entered);
}
