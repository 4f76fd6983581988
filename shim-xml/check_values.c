/* check_values.c - values that are valid by the schema and wrong all the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "shim-xml/findings.h"
#include "shim-xml/schema.h"

static const char *label(const xmlNode *n)
{
    const char *name = node_attribute(n, "name");
    return name ? name : "(no name)";
}

/* ---- cycles ---- */

static void check_range(const xmlNode *n, struct shimxml_findings *f)
{
    static const char *const names[] = {"best", "typical", "worst"};
    double before = -INFINITY;
    const char *name_before = 0;
    for (size_t i = 0; i < 3; i++) {
        const char *text = node_attribute(n, names[i]);
        if (!text || schema_bad_value("float", text))
            continue;
        double v = node_number(n, names[i]);
        if (!isfinite(v))
            shimxml_finding_add(f, NOT_FINITE, n, "%s/@%s is %s", node_name(n), names[i], text);
        else if (v < 0)
            shimxml_finding_add(f, NEGATIVE, n, "%s/@%s is %s", node_name(n), names[i], text);
        if (isfinite(v) && v < before)
            shimxml_finding_add(f, ORDER_OF_VALUES, n, "%s: %s %s is less than %s %g", node_name(n), names[i], text,
                                name_before, before);
        if (isfinite(v)) {
            before = v;
            name_before = names[i];
        }
    }
}

/* The default of the reference editor: best, typical and worst of everything 10.0. */
static bool is_placeholder(const xmlNode *instruction)
{
    const xmlNode *p = node_child(instruction, "Performance");
    const xmlNode *ranges[] = {node_child(p, "Pitch"), node_child(p, "Latency")};
    for (size_t i = 0; i < 2; i++)
        if (!ranges[i] || node_number(ranges[i], "typical") != 10)
            return false;
    return true;
}

static void check_instructions(const xmlNode *set, struct shimxml_findings *f)
{
    struct map seen = {0};
    size_t all = 0, placeholders = 0;
    for (const xmlNode *i = node_child(set, "Instruction"); i; i = node_next(i, "Instruction")) {
        const char *name = node_attribute(i, "name");
        size_t line;
        all++;
        placeholders += is_placeholder(i);
        if (name && map_get(&seen, name, &line))
            shimxml_finding_add(f, DOUBLED_INSTRUCTION, i, "instruction '%.40s' also stands in line %zu", name, line);
        else if (name)
            map_put(&seen, name, node_line(i));
    }
    if (map_get(&seen, "extractivalue", 0) && !map_get(&seen, "extractvalue", 0))
        shimxml_finding_add(f, REFERENCE_LIST, set, "'extractivalue' stands without 'extractvalue'");
    if (all && placeholders == all)
        shimxml_finding_add(f, PLACEHOLDERS, set, "all %zu instructions cost 10 cycles", all);
    map_release(&seen);
}

/* ---- components ---- */

static void check_size(const xmlNode *n, struct shimxml_findings *f)
{
    static const char *const sizes[] = {"size",   "nWay",    "lineSize", "accessByteSize", "alignmentByteSize",
                                        "nBurst", "nThread", "dataSize", "queueSize",      "nRegister"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (node_number(n, sizes[i]) < 0)
            shimxml_finding_add(f, NEGATIVE_SIZE, n, "%s/@%s is %s", node_name(n), sizes[i],
                                node_attribute(n, sizes[i]));
}

static void check_cache(const xmlNode *n, struct shimxml_findings *f)
{
    double bytes = node_bytes(n), way = node_number(n, "nWay"), line = node_number(n, "lineSize");
    if (bytes > 0 && way > 0 && line > 0 && fmod(bytes, way * line) != 0)
        shimxml_finding_add(f, GEOMETRY, n, "%g bytes are not a multiple of %g ways of %g-byte lines", bytes, way,
                            line);
}

static void check_clock(const xmlNode *n, struct shimxml_findings *f)
{
    double hz = node_number(n, "clockValue");
    if (isfinite(hz) && hz <= 0)
        shimxml_finding_add(f, NO_CLOCK, n, "clockValue is %s", node_attribute(n, "clockValue"));
    else if (node_attribute(n, "clockValue") && !isfinite(hz) &&
             !schema_bad_value("float", node_attribute(n, "clockValue")))
        shimxml_finding_add(f, NOT_FINITE, n, "clockValue is %s", node_attribute(n, "clockValue"));
}

static bool is_safe_name(const char *name)
{
    return *name && !strstr(name, "__") &&
           !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")];
}

/* Names by which the reference tools identify: of components and access types. */
static void check_name(const xmlNode *n, struct shimxml_findings *f)
{
    static const char *const named[] = {"ComponentSet", "SlaveComponent", "MasterComponent", "Cache",
                                        "AccessType",   "AddressSpace",   "SubSpace"};
    const char *name = node_attribute(n, "name");
    bool counts = false;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        counts |= node_is(n, named[i]);
    if (!name || !counts)
        return;
    if (!is_safe_name(name))
        shimxml_finding_add(f, UNSAFE_NAME, n, "%s '%.60s'", node_name(n), name);
}

/* Siblings of one kind with one name, said at the second. */
static void check_sibling_names(const xmlNode *parent, struct shimxml_findings *f)
{
    struct map seen = {0};
    for (const xmlNode *n = node_child(parent, 0); n; n = node_next(n, 0)) {
        const char *name = node_attribute(n, "name");
        if (!name || node_is(n, "Instruction"))
            continue;
        char *key = xasprintf("%s %s", node_name(n), name);
        size_t line;
        if (map_get(&seen, key, &line))
            shimxml_finding_add(f, DOUBLED_NAME, n, "%s '%.60s' is also that of line %zu", node_name(n), name, line);
        else
            map_put(&seen, key, node_line(n));
        free(key);
    }
    map_release(&seen);
}

/* ---- addresses ---- */

struct range {
    unsigned long long start, end;
    const xmlNode *at;
};
typedef VEC(struct range) ranges_t;

/* Addresses of the upper half can only be written as two's complement, so the order is that of unsigned numbers. */
static bool range_of(const xmlNode *n, struct range *out)
{
    const char *a = node_attribute(n, "start"), *b = node_attribute(n, "end");
    if (!a || !b || schema_bad_value("long", a) || schema_bad_value("long", b))
        return false;
    *out = (struct range){(unsigned long long)strtoll(a, 0, 10), (unsigned long long)strtoll(b, 0, 10), n};
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* In the order of addresses, each against the one before it that reaches farthest. */
static void check_overlaps(ranges_t *all, struct shimxml_findings *f)
{
    if (all->n)
        qsort(all->at, all->n, sizeof *all->at, by_start);
    const struct range *far = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct range *r = &all->at[i];
        /* An end equal to the next start is the samples' exclusive way of writing it. */
        if (far && r->start < far->end && far->start < r->end)
            shimxml_finding_add(f, OVERLAP, r->at, "SubSpace '%.60s' overlaps '%.60s'", label(r->at), label(far->at));
        if (!far || r->end > far->end)
            far = r;
    }
}

static void check_ranges(const xmlNode *space, struct shimxml_findings *f)
{
    ranges_t all = {0};
    struct range r;
    for (const xmlNode *n = node_child(space, "SubSpace"); n; n = node_next(n, "SubSpace")) {
        if (!range_of(n, &r))
            continue;
        if (r.end < r.start)
            shimxml_finding_add(f, REVERSED_RANGE, n, "SubSpace '%.60s' starts at %s and ends at %s", label(n),
                                node_attribute(n, "start"), node_attribute(n, "end"));
        else
            vec_push(&all, r);
    }
    check_overlaps(&all, f);
    vec_release(&all);
}

/* ---- the whole ---- */

static void check_memories(const xmlNode *root, struct shimxml_findings *f)
{
    struct map bound = {0};
    size_t accessors = 0, silent = 0;
    for (const xmlNode *n = root; n; n = node_following(n, root)) {
        const char *ref = node_is(n, "MasterSlaveBinding") ? node_attribute(n, "slaveComponentRef") : 0;
        if (ref)
            map_put(&bound, ref, 1);
        if (node_is(n, "Accessor")) {
            accessors++;
            silent += !node_child(node_child(n, "PerformanceSet"), "Performance");
        }
    }
    for (const xmlNode *n = root; n; n = node_following(n, root)) {
        const char *id = node_is(n, "SlaveComponent") ? node_attribute(n, "id") : 0;
        if (id && !map_get(&bound, id, 0))
            shimxml_finding_add(f, UNBOUND_MEMORY, n, "memory '%.60s' is bound nowhere", label(n));
    }
    if (silent)
        shimxml_finding_add(f, NO_MEMORY_VALUES, root, "%zu of %zu Accessors have no Performance", silent, accessors);
    map_release(&bound);
}

void check_values(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const xmlNode *root = xmlDocGetRootElement(d->xml);
    for (const xmlNode *n = root; n; n = node_following(n, root)) {
        if (node_is(n, "Pitch") || node_is(n, "Latency"))
            check_range(n, f);
        else if (node_is(n, "CommonInstructionSet"))
            check_instructions(n, f);
        else if (node_is(n, "ClockFrequency"))
            check_clock(n, f);
        else if (node_is(n, "Cache"))
            check_cache(n, f);
        else if (node_is(n, "AddressSpace"))
            check_ranges(n, f);
        else if (node_is(n, "MasterComponent") && !node_child(n, "CommonInstructionSet") &&
                 node_attribute(n, "masterType") && strcmp(node_attribute(n, "masterType"), "PU") == 0)
            shimxml_finding_add(f, NO_INSTRUCTIONS, n, "core '%.60s' has no instruction values", label(n));
        check_size(n, f);
        check_name(n, f);
        check_sibling_names(n, f);
    }
    check_memories(root, f);
}
