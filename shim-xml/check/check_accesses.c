/* check_accesses.c - checks the costs of memory accesses: order of levels, caches and memories of a path, the load
 * instruction against the level 1 cache. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/instructions.h"
#include "shim-xml/check/caches.h"
#include "shim-xml/document/access_levels.h"
#include "shim-xml/document/instruction_widths.h"

/* Measured values may contradict each other by this factor without a finding. */
#define TOLERANCE 0.9

enum { MEMORY_LEVEL = 100 };

static const char *label(const struct shimxml_node *n)
{
    const char *name = n ? shimxml_get(n, "name") : 0;
    return name ? name : "(no name)";
}

/* ---- one Performance of an Accessor ---- */

static const char *rights_of(const struct shimxml_node *performance)
{
    const struct shimxml_node *type = shimxml_target(performance, "accessTypeRef");
    return shimxml_is(type, "AccessType") ? shimxml_get(type, "rwType") : 0;
}

/* An RW access to a read-only memory may have the value of reading. */
static void check_rights(const struct shimxml_node *performance, const struct shimxml_node *memory,
                         struct shimxml_findings *f)
{
    const char *access = rights_of(performance), *allowed = memory ? shimxml_get(memory, "rwType") : 0;
    if (access && allowed && *allowed && !strpbrk(access, allowed))
        shimxml_finding_add(f, ACCESS_RIGHTS, performance,
                            "an access of the rwType %.10s to '%.60s', which allows %.10s", access, label(memory),
                            allowed);
}

static double typical(const struct shimxml_node *performance, const char *part)
{
    return shimxml_number(shimxml_child(performance, part), "typical");
}

static void check_performance(struct accesses *a, const struct shimxml_node *performance,
                              const struct shimxml_node *memory, struct shimxml_findings *f)
{
    double pitch = typical(performance, "Pitch"), latency = typical(performance, "Latency");
    const char *rights = rights_of(performance);
    a->all++;
    a->zeros += latency == 0 && pitch == 0;
    check_rights(performance, memory, f);
    if (latency == 0 || pitch == 0)
        vec_push(&a->free, performance);
    else if (rights && !strchr(rights, 'W') && TOLERANCE * pitch > latency + 0.5)
        shimxml_finding_add(f, PITCH_ABOVE_LATENCY, performance, "reading has a Pitch of %g and a Latency of %g cycles",
                            pitch, latency);
}

/* ---- the levels of an Accessor ---- */

struct level {
    const struct shimxml_node *set, *cache; /* cache NULL: the memory */
    int number;
};
typedef VEC(struct level) levels_t;

static int by_number(const void *a, const void *b)
{
    const struct level *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static const char *name_of(const struct level *l)
{
    return l->cache ? label(l->cache) : "the memory";
}

/* Reports a wrong order once for each AccessType and level. */
static void compare(const struct level *outer, const struct shimxml_node *performance, const struct level *inner,
                    const struct shimxml_node *before, struct shimxml_findings *f)
{
    static const char *const values[] = {"best", "typical", "worst"};
    const struct shimxml_node *out = shimxml_child(performance, "Latency"), *in = shimxml_child(before, "Latency");
    for (size_t i = 0; out && in && i < 3; i++) {
        double o = shimxml_number(out, values[i]), n = shimxml_number(in, values[i]);
        if (!(o < TOLERANCE * n) || o == 0)
            continue;
        shimxml_finding_add(f, LEVEL_ORDER, performance,
                            "the %s Latency of %.60s is %g cycles, that of %.60s (line %lu) %g", values[i],
                            name_of(outer), o, name_of(inner), shimxml_line(before), n);
        return;
    }
}

/* Compares each Performance with that of the same AccessType in the level before, from the innermost one outwards. */
static void check_order(levels_t *levels, struct shimxml_findings *f)
{
    struct map last = {0}; /* AccessType -> index in `performances` */
    VEC(const struct shimxml_node *) performances = {0};
    VEC(size_t) of_level = {0};
    qsort(levels->at, levels->n, sizeof *levels->at, by_number);
    for (size_t i = 0; i < levels->n; i++) {
        const struct shimxml_node *p = shimxml_child(levels->at[i].set, "Performance");
        for (; p; p = shimxml_next(p, "Performance")) {
            const char *type = shimxml_get(p, "accessTypeRef");
            size_t k;
            if (!type)
                continue;
            if (map_get(&last, type, &k) && levels->at[of_level.at[k]].number < levels->at[i].number)
                compare(&levels->at[i], p, &levels->at[of_level.at[k]], performances.at[k], f);
            map_put(&last, type, performances.n);
            vec_push(&performances, p);
            vec_push(&of_level, i);
        }
    }
    map_release(&last);
    vec_release(&performances);
    vec_release(&of_level);
}

/* ---- the load instruction ---- */

static bool is_load(const char *name)
{
    return name && ir_opcode(name, strlen(name)) == IR_LOAD;
}

/* Checked once per core, by the first of its Accessors that gives the cost of the level 1 cache. */
static void check_load(struct accesses *a, const struct shimxml_node *core, const struct level *first,
                       struct shimxml_findings *f)
{
    double least = INFINITY, most = 0;
    char *key = xasprintf("%p", (const void *)core);
    const struct shimxml_node *p = shimxml_child(first->set, "Performance"), *load = 0;
    for (; p; p = shimxml_next(p, "Performance")) {
        double v = typical(p, "Latency");
        const char *rights = rights_of(p);
        if (!rights || !strchr(rights, 'R') || !(v > 0))
            continue;
        least = fmin(least, v);
        most = fmax(most, v);
    }
    if (most > 0 && !map_get(&a->judged, key, 0)) {
        map_put(&a->judged, key, 1);
        while ((load = instruction_next(core, load)))
            if (is_load(instruction_name(load)))
                break;
    }
    free(key);
    double own = load ? typical(shimxml_child(load, "Performance"), "Latency") : (double)NAN;
    if (own > 0 && (own < TOLERANCE * least || own > 2 * most))
        shimxml_finding_add(f, LOAD_LATENCY, load,
                            "load has a Latency of %g cycles, reading from %.60s (line %lu) %g to %g", own,
                            name_of(first), shimxml_line(first->set), least, most);
}

/* ---- an Accessor ---- */

static void take_level(struct accesses *a, levels_t *levels, const struct shimxml_node *set,
                       const struct shimxml_node *cache, const struct shimxml_node *core, struct shimxml_findings *f)
{
    vec_push(levels, (struct level){set, cache, cache ? caches_level(cache) : MEMORY_LEVEL});
    if (cache && core && caches_are_connected(a->caches, cache) && !caches_reach(a->caches, cache, core))
        shimxml_finding_add(f, FOREIGN_CACHE, set, "'%.60s' does not reach the cache '%.60s'", label(core),
                            label(cache));
}

static void check_levels(struct accesses *a, const struct shimxml_node *accessor, const struct shimxml_node *core,
                         struct shimxml_findings *f)
{
    levels_t levels = {0};
    struct shimxml_node *set = 0, *cache;
    while ((set = level_next(accessor, set, &cache)))
        take_level(a, &levels, set, cache, core, f);
    if (levels.n > 1)
        check_order(&levels, f);
    if (core && levels.n && levels.at[0].number == 1)
        check_load(a, core, &levels.at[0], f);
    vec_release(&levels);
}

void accesses_check_accessor(struct accesses *a, const struct shimxml_node *accessor, struct shimxml_findings *f)
{
    const struct shimxml_node *binding = shimxml_parent(accessor), *set, *p,
                              *memory = binding ? shimxml_target(binding, "slaveComponentRef") : 0,
                              *core = shimxml_target(accessor, "masterComponentRef");
    memory = shimxml_is(memory, "SlaveComponent") ? memory : 0;
    core = shimxml_is(core, "MasterComponent") ? core : 0;
    for (set = shimxml_child(accessor, "PerformanceSet"); set; set = shimxml_next(set, "PerformanceSet"))
        for (p = shimxml_child(set, "Performance"); p; p = shimxml_next(p, "Performance"))
            check_performance(a, p, memory, f);
    set = shimxml_child(accessor, "PerformanceSet");
    if (set && (shimxml_next(set, "PerformanceSet") || shimxml_get(set, "cacheRef")))
        check_levels(a, accessor, core, f);
}

/* ---- bindings ---- */

void accesses_check_binding(struct accesses *a, const struct shimxml_node *binding, struct shimxml_findings *f)
{
    struct map seen = {0};
    const struct shimxml_node *n = shimxml_child(binding, "Accessor");
    for (; n; n = shimxml_next(n, "Accessor")) {
        const char *core = shimxml_get(n, "masterComponentRef");
        size_t line;
        if (!core)
            continue;
        core = reference_id(core);
        map_put(&a->cores, core, 1);
        if (map_get(&seen, core, &line))
            shimxml_finding_add(f, DOUBLED_ACCESSOR, n, "'%.60s' is the Accessor of line %zu too", core, line);
        else
            map_put(&seen, core, shimxml_line(n));
    }
    map_release(&seen);
}

/* Checked if the file says for any core which memory it can reach. */
static void check_cores(const struct accesses *a, const struct shimxml_node *root, struct shimxml_findings *f)
{
    for (const struct shimxml_node *n = 0; (n = shimxml_following(root, n, "MasterComponent"));) {
        const char *id = shimxml_get(n, "id"), *type = shimxml_get(n, "masterType");
        if (id && type && strcmp(type, "PU") == 0 && !map_get(&a->cores, id, 0))
            shimxml_finding_add(f, NO_ACCESSOR, n, "core '%.60s' is the Accessor of no memory", label(n));
    }
}

/* ---- everything together ---- */

/* One finding for one cause. */
static void say_free(const struct accesses *a, const struct shimxml_node *root, struct shimxml_findings *f)
{
    if (a->all > 1 && a->zeros == a->all) {
        shimxml_finding_add(f, ALL_ZERO, shimxml_following(root, 0, "AddressSpaceSet"),
                            "all %zu accesses to memories cost 0 cycles", a->all);
        return;
    }
    for (size_t i = 0; i < a->free.n; i++) {
        bool latency = typical(a->free.at[i], "Latency") == 0;
        shimxml_finding_add(f, FREE_ACCESS, a->free.at[i], "an access has a %s of 0 cycles",
                            latency ? "Latency" : "Pitch");
    }
}

void accesses_check_whole(const struct accesses *a, const struct shimxml_node *root, struct shimxml_findings *f)
{
    if (a->cores.n)
        check_cores(a, root, f);
    say_free(a, root, f);
}

void accesses_release(struct accesses *a)
{
    vec_release(&a->free);
    map_release(&a->judged);
    map_release(&a->cores);
}
