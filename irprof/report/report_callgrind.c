/* report_callgrind.c - counts in callgrind's format: instructions by class, and recorded events. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/key.h"
#include "irprof/report/callgrind.h"
#include "irprof/report/profile_report.h"

/* Columns: the sum, then the classes. */
enum { COST_ALL, COST_INT, COST_FP, COST_MULDIV, COST_LOAD, COST_STORE, COST_BRANCH, COST_CALL, COST_OTHER, COST_N };
static const struct {
    const char *name, *title;
} costs[COST_N] = {
    [COST_ALL] = {"Ir", "IR instructions"},
    [COST_INT] = {"IrInt", "Integer arithmetic, logic, comparisons"},
    [COST_FP] = {"IrFp", "Floating-point arithmetic and comparisons"},
    [COST_MULDIV] = {"IrMulDiv", "Multiplications and divisions"},
    [COST_LOAD] = {"IrLoad", "Loads"},
    [COST_STORE] = {"IrStore", "Stores"},
    [COST_BRANCH] = {"IrBranch", "Branches and switches"},
    [COST_CALL] = {"IrCall", "Calls and returns"},
    [COST_OTHER] = {"IrOther", "Other instructions"},
};

static int cost_of(const struct ir_key *k)
{
    if (k->form == IR_INTRINSIC) /* of intrinsics, only fused multiplications are counted separately */
        return k->class == IR_CLASS_FPRODUCT ? COST_MULDIV : COST_CALL;
    switch (k->class) {
    case IR_CLASS_SUM:
    case IR_CLASS_LOGIC:
    case IR_CLASS_SHIFT:
    case IR_CLASS_COMPARE:
        return COST_INT;
    case IR_CLASS_FSUM:
    case IR_CLASS_FNEGATION:
    case IR_CLASS_FCOMPARE:
        return COST_FP;
    case IR_CLASS_PRODUCT:
    case IR_CLASS_DIVISION:
    case IR_CLASS_FPRODUCT:
    case IR_CLASS_FDIVISION:
        return COST_MULDIV;
    case IR_CLASS_LOAD:
        return COST_LOAD;
    case IR_CLASS_STORE:
        return COST_STORE;
    case IR_CLASS_JUMP:
        return COST_BRANCH;
    case IR_CLASS_CALL:
    case IR_CLASS_RETURN:
        return COST_CALL;
    default:
        return COST_OTHER;
    }
}

/* The costs of the region's parts, n_costs numbers each. */
static uint64_t *part_costs(const struct irprof_profile *p, const struct irprof_region *r, size_t n_costs)
{
    uint64_t *all = xcalloc(p->n_parts, n_costs * sizeof *all);
    int *of_key = xcalloc(p->n_keys, sizeof *of_key);
    for (size_t i = 0; i < p->n_keys; i++) {
        struct ir_key key = ir_key(p->keys[i]);
        of_key[i] = cost_of(&key);
    }
    for (size_t i = 0; i < p->n_segments; i++) {
        for (size_t k = p->segments[i].first_part; k < p->segments[i].first_part + p->segments[i].n_parts; k++) {
            const struct irprof_part *part = &p->parts[k];
            uint64_t *cost = all + k * n_costs;
            for (size_t j = part->first_item; j < part->first_item + part->n_items; j++) {
                uint64_t n = r->executions[i] * p->items[j].times;
                cost[COST_ALL] += n;
                cost[of_key[p->items[j].key]] += n;
            }
            for (size_t j = part->first_event_site; j < part->first_event_site + part->n_event_sites; j++)
                cost[COST_N + p->event_sites[j].event] += r->event_counts[j];
        }
    }
    free(of_key);
    return all;
}

enum status callgrind_write(const struct report_program *program, size_t region, bool mangled, FILE *f, struct error *e)
{
    static const char *const about[] = {"Costs: LLVM IR instructions executed, exact", 0};
    const struct irprof_profile *p = program->profile;
    enum status s = irprof_region_usable(p, region, e);
    if (s)
        return s;
    size_t n = COST_N + p->n_events;
    const char **names = xcalloc(n, sizeof *names), **titles = xcalloc(n, sizeof *titles);
    for (size_t i = 0; i < n; i++) {
        names[i] = i < COST_N ? costs[i].name : p->events[i - COST_N];
        titles[i] = i < COST_N ? costs[i].title : 0;
    }
    uint64_t *parts = part_costs(p, &p->regions[region], n);
    irprof_callgrind(&(struct callgrind){.creator = "irprof",
                                         .program = program->name,
                                         .about = about,
                                         .mangled = mangled,
                                         .profile = p,
                                         .region = region,
                                         .n_costs = n,
                                         .names = names,
                                         .titles = titles,
                                         .parts = parts},
                     f);
    free(parts);
    free(names);
    free(titles);
    return OK;
}
