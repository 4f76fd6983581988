/* check_memory.c - checks memories and the paths to them: sizes, ranges, access types, connections. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/check/caches.h"

static const char *label(const struct shimxml_node *n)
{
    const char *name = shimxml_get(n, "name");
    return name ? name : "(no name)";
}

/* ---- sizes against ranges ---- */

/* Number of addresses from start to end. Newer files have an inclusive end, older ones an exclusive end; the smaller
 * number is returned. NAN: not known, or reversed (which is another finding). */
static double bytes_of_range(const struct shimxml_node *sub)
{
    const char *a = shimxml_get(sub, "start"), *b = shimxml_get(sub, "end");
    if (!a || !b || schema_bad_value(TYPE_long, a) || schema_bad_value(TYPE_long, b))
        return NAN;
    uint64_t start = (uint64_t)strtoll(a, 0, 10), end = (uint64_t)strtoll(b, 0, 10);
    return end >= start ? (double)(end - start) : (double)NAN;
}

static void check_size(const struct shimxml_node *sub, struct shimxml_findings *f)
{
    double range = bytes_of_range(sub), memories = 0;
    const struct shimxml_node *set = shimxml_child(sub, "MasterSlaveBindingSet"), *b;
    for (b = shimxml_child(set, "MasterSlaveBinding"); b; b = shimxml_next(b, "MasterSlaveBinding")) {
        const struct shimxml_node *memory = shimxml_target(b, "slaveComponentRef");
        double bytes = shimxml_is(memory, "SlaveComponent") ? shimxml_bytes(memory) : 0;
        memories += bytes > 0 ? bytes : (double)NAN;
    }
    if (memories > 0 && range > memories)
        shimxml_finding_add(f, RANGE_SIZE, sub,
                            "SubSpace '%.60s' spans %.17g bytes, the memories mapped there have %.17g", label(sub),
                            range, memories);
}

/* ---- accesses ---- */

/* The reference measurement tools only have code for accesses of these sizes. */
static void check_access_type(const struct shimxml_node *n, struct shimxml_findings *f)
{
    const char *rw = shimxml_get(n, "rwType");
    double bytes = shimxml_number(n, "accessByteSize");
    if (!rw)
        shimxml_finding_add(f, ACCESS_TYPE, n, "AccessType '%.60s' has no rwType", label(n));
    else if (isnan(bytes))
        shimxml_finding_add(f, ACCESS_TYPE, n, "AccessType '%.60s' has no accessByteSize", label(n));
    else if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
        shimxml_finding_add(f, ACCESS_TYPE, n, "AccessType '%.60s' has an accessByteSize of %g", label(n), bytes);
}

static bool has_performance(const struct shimxml_node *set, const char *access_type)
{
    const struct shimxml_node *p = shimxml_child(set, "Performance");
    for (; p; p = shimxml_next(p, "Performance")) {
        const char *ref = shimxml_get(p, "accessTypeRef");
        if (ref && strcmp(reference_id(ref), access_type) == 0)
            return true;
    }
    return false;
}

/* A finding if there is a second set for the same level. SHIM 2.0 tells which cache answers; in SHIM 1.0 only comments
 * tell several apart. */
static void check_levels(const struct shimxml_node *accessor, struct shimxml_findings *f)
{
    struct map seen = {0};
    const struct shimxml_node *set = shimxml_child(accessor, "PerformanceSet");
    for (; set; set = shimxml_next(set, "PerformanceSet")) {
        const char *cache = shimxml_get(set, "cacheRef");
        size_t line;
        if (map_get(&seen, cache ? cache : "", &line))
            shimxml_finding_add(f, DOUBLED_LEVEL, set, "the PerformanceSet of line %zu is of %s '%.60s' too", line,
                                cache ? "the cache" : "the memory", cache ? cache : "");
        else
            map_put(&seen, cache ? cache : "", shimxml_line(set));
    }
    map_release(&seen);
}

/* The set that gives the cost of the memory itself: the one that names no cache; in SHIM 1.0 the first. */
static const struct shimxml_node *memory_set(const struct shimxml_node *accessor)
{
    const struct shimxml_node *set = shimxml_child(accessor, "PerformanceSet");
    while (set && shimxml_get(set, "cacheRef"))
        set = shimxml_next(set, "PerformanceSet");
    return set;
}

/* Checks the memory's own set. If no Accessor has any, one finding is about the whole file. */
static void check_accessor(const struct shimxml_node *n, struct shimxml_findings *f)
{
    const struct shimxml_node *master = shimxml_target(n, "masterComponentRef"), *set, *p, *t;
    for (set = shimxml_child(n, "PerformanceSet"); set; set = shimxml_next(set, "PerformanceSet"))
        for (p = shimxml_child(set, "Performance"); p; p = shimxml_next(p, "Performance"))
            if (!shimxml_get(p, "accessTypeRef"))
                shimxml_finding_add(f, NO_ACCESS_TYPE, p, "Performance in an Accessor has no accessTypeRef");
    if (doc_of(n)->schema == &schema2)
        check_levels(n, f);
    set = memory_set(n);
    if (!shimxml_is(master, "MasterComponent") || !shimxml_child(set, "Performance"))
        return;
    size_t all = 0, missing = 0;
    const char *first = 0;
    t = shimxml_child(shimxml_child(master, "AccessTypeSet"), "AccessType");
    for (; t; t = shimxml_next(t, "AccessType")) {
        const char *id = shimxml_get(t, "id");
        all++;
        if (!id || has_performance(set, id))
            continue;
        missing++;
        first = first ? first : label(t);
    }
    if (missing)
        shimxml_finding_add(f, SOME_ACCESSES, n, "%zu of %zu AccessTypes of '%.60s' have no Performance here ('%.60s')",
                            missing, all, label(master), first);
}

static bool is_ten(const struct shimxml_node *performance)
{
    return shimxml_number(shimxml_child(performance, "Pitch"), "typical") == 10 &&
           shimxml_number(shimxml_child(performance, "Latency"), "typical") == 10;
}

/* ---- the whole ---- */

struct whole {
    const struct shimxml_node *spaces;
    size_t performances, tens; /* in Accessors */
    struct map pids;
    struct caches caches;
    struct accesses accesses;
};

/* Can a program find a processor by this: its number, decimal or hexadecimal? */
static bool is_pid(const char *pid)
{
    const char *digits = strncmp(pid, "0x", 2) == 0 ? "0123456789abcdefABCDEF" : "0123456789";
    pid += strlen(digits) > 10 ? 2 : 0;
    return *pid && !pid[strspn(pid, digits)];
}

/* Cores of different processors may be numbered separately, so equal numbers are doubtful only within a
 * ComponentSet. */
static void check_pid(struct whole *w, const struct shimxml_node *n, struct shimxml_findings *f)
{
    const char *pid = shimxml_get(n, "pid");
    if (!pid || !*pid)
        return;
    if (!is_pid(pid))
        shimxml_finding_add(f, BAD_PID, n, "pid '%.30s' of '%.60s' is not a processor's number", pid, label(n));
    char *key = xasprintf("%p %s", (const void *)shimxml_parent(n), pid);
    size_t line;
    if (map_get(&w->pids, key, &line))
        shimxml_finding_add(f, DOUBLED_PID, n, "pid '%.30s' of '%.60s' is also that of line %zu", pid, label(n), line);
    else
        map_put(&w->pids, key, shimxml_line(n));
    free(key);
}

static void check_one(struct whole *w, const struct shimxml_node *n, struct shimxml_findings *f)
{
    if (shimxml_is(n, "Performance") && shimxml_is(shimxml_parent(n), "PerformanceSet")) {
        w->performances++;
        w->tens += is_ten(n);
    } else if (shimxml_is(n, "Accessor")) {
        check_accessor(n, f);
        accesses_check_accessor(&w->accesses, n, f);
    } else if (shimxml_is(n, "MasterSlaveBinding")) {
        accesses_check_binding(&w->accesses, n, f);
    } else if (shimxml_is(n, "Cache")) {
        caches_check_references(n, f);
        caches_add(&w->caches, n);
    } else if (shimxml_is(n, doc_of(n)->schema->cache_ref)) {
        caches_find(&w->caches, n);
    } else if (shimxml_is(n, "AccessType")) {
        check_access_type(n, f);
    } else if (shimxml_is(n, "SubSpace")) {
        check_size(n, f);
    } else if (shimxml_is(n, "AddressSpaceSet")) {
        w->spaces = n;
    } else if (shimxml_is(n, "MasterComponent")) {
        check_pid(w, n, f);
        if (doc_of(n)->schema == &schema2)
            caches_check_references(n, f);
    } else if (shimxml_is(n, "Connection")) {
        const char *from = shimxml_get(n, "from"), *to = shimxml_get(n, "to");
        if (from && to && strcmp(from, to) == 0)
            shimxml_finding_add(f, SELF_CONNECTION, n, "a Connection from '%.60s' to itself", from);
    } else if (shimxml_is(n, "SharedMemoryCommunication")) {
        const struct shimxml_node *sub = shimxml_target(n, "subSpaceRef"),
                                  *space = shimxml_target(n, "addressSpaceRef");
        if (shimxml_is(sub, "SubSpace") && shimxml_is(space, "AddressSpace") && shimxml_parent(sub) != space)
            shimxml_finding_add(f, SPACE_OWNER, n, "SubSpace '%.60s' does not belong to AddressSpace '%.60s'",
                                label(sub), label(space));
    }
}

void check_memory(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const struct shimxml_node *root = shimxml_root(d);
    struct whole w = {0};
    w.accesses.caches = &w.caches;
    for (const struct shimxml_node *n = root; n; n = shimxml_following(root, n, 0))
        check_one(&w, n, f);
    caches_check_alone(&w.caches, f);
    accesses_check_whole(&w.accesses, root, f);
    if (w.spaces && w.performances > 1 && w.tens == w.performances)
        shimxml_finding_add(f, PLACEHOLDERS, w.spaces, "all %zu accesses to memories cost 10 cycles", w.performances);
    map_release(&w.pids);
    caches_release(&w.caches);
    accesses_release(&w.accesses);
}
