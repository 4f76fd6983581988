/* Counts in callgrind's format: instructions by class, and the events recorded. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/str.h"
#include "irprof/report/callgrind.h"
#include "irprof/report/report.h"

/* The classes, as columns behind the sum of all. */
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

/* Patterns of keys; the first that matches decides. */
static const struct {
    const char *pattern;
    int cost;
} classes[] = {
    {"add.*", COST_INT},
    {"sub.*", COST_INT},
    {"and.*", COST_INT},
    {"or.*", COST_INT},
    {"xor.*", COST_INT},
    {"shl.*", COST_INT},
    {"lshr.*", COST_INT},
    {"ashr.*", COST_INT},
    {"icmp.*", COST_INT},
    {"fadd.*", COST_FP},
    {"fsub.*", COST_FP},
    {"fneg.*", COST_FP},
    {"fcmp.*", COST_FP},
    {"mul.*", COST_MULDIV},
    {"?div.*", COST_MULDIV},
    {"?rem.*", COST_MULDIV},
    {"fmul.*", COST_MULDIV},
    {"call.llvm.fma.*", COST_MULDIV},
    {"call.llvm.fmuladd.*", COST_MULDIV},
    {"load.*", COST_LOAD},
    {"store.*", COST_STORE},
    {"br.*", COST_BRANCH},
    {"switch.*", COST_BRANCH},
    {"indirectbr*", COST_BRANCH},
    {"call.*", COST_CALL},
    {"callbr.*", COST_CALL},
    {"invoke.*", COST_CALL},
    {"ret*", COST_CALL},
    {"*", COST_OTHER},
};

static int class_of(const char *key)
{
    size_t i = 0;
    while (!glob_match(classes[i].pattern, key))
        i++;
    return classes[i].cost;
}

/* What the parts of the region cost, n_costs numbers each. */
static uint64_t *part_costs(const struct irprof_profile *p, const struct irprof_region *r, size_t n_costs)
{
    uint64_t *all = xcalloc(p->n_parts, n_costs * sizeof *all);
    int *of_key = xcalloc(p->n_keys, sizeof *of_key);
    for (size_t i = 0; i < p->n_keys; i++)
        of_key[i] = class_of(p->keys[i]);
    for (size_t i = 0; i < p->n_segments; i++) {
        for (size_t k = p->segments[i].first_part; k < p->segments[i].first_part + p->segments[i].n_parts; k++) {
            const struct irprof_part *part = &p->parts[k];
            uint64_t *cost = all + k * n_costs;
            for (size_t j = part->first_item; j < part->first_item + part->n_items; j++) {
                uint64_t n = r->executions[i] * p->items[j].times;
                cost[COST_ALL] += n;
                cost[of_key[p->items[j].key]] += n;
            }
            for (size_t j = part->first_happening; j < part->first_happening + part->n_happenings; j++)
                cost[COST_N + p->happenings[j].event] += r->happened[j];
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
