/* check_values.c - finds values that the schema allows but that cannot be right. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/instructions.h"
#include "base/map.h"
#include "shim-xml/check/findings.h"
#include "shim-xml/document/clocks.h"
#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/document/schema.h"

static const char *label(const struct shimxml_node *n)
{
    const char *name = shimxml_get(n, "name");
    return name ? name : "(no name)";
}

/* ---- cycles ---- */

#define MOST_CYCLES 1e7 /* for an instruction, an access or a message: some milliseconds */

static void check_range(const struct shimxml_node *n, struct shimxml_findings *f)
{
    static const char *const names[] = {"best", "typical", "worst"};
    double before = -INFINITY;
    const char *name_before = 0;
    for (size_t i = 0; i < 3; i++) {
        const char *text = shimxml_get(n, names[i]);
        if (!text || schema_bad_value(TYPE_float, text))
            continue;
        double v = shimxml_number(n, names[i]);
        if (!isfinite(v))
            shimxml_finding_add(f, NOT_FINITE, n, "%s/@%s is %s", shimxml_name(n), names[i], text);
        else if (fabs(v) > (double)FLT_MAX)
            shimxml_finding_add(f, NOT_FINITE, n, "%s/@%s is %s, which single precision takes for infinite",
                                shimxml_name(n), names[i], text);
        else if (v > MOST_CYCLES)
            shimxml_finding_add(f, HUGE_CYCLES, n, "%s/@%s is %s", shimxml_name(n), names[i], text);
        else if (v < 0)
            shimxml_finding_add(f, NEGATIVE, n, "%s/@%s is %s", shimxml_name(n), names[i], text);
        if (isfinite(v) && v < before)
            shimxml_finding_add(f, ORDER_OF_VALUES, n, "%s: %s %s is less than %s %g", shimxml_name(n), names[i], text,
                                name_before, before);
        if (isfinite(v)) {
            before = v;
            name_before = names[i];
        }
    }
}

/* The reference editor's default: best, typical and worst are 10.0 everywhere. */
static bool is_placeholder(const struct shimxml_node *instruction)
{
    const struct shimxml_node *p = shimxml_child(instruction, "Performance");
    const struct shimxml_node *ranges[] = {shimxml_child(p, "Pitch"), shimxml_child(p, "Latency")};
    for (size_t i = 0; i < 2; i++)
        if (!ranges[i] || shimxml_number(ranges[i], "typical") != 10)
            return false;
    return true;
}

/* What identifies an Instruction. In SHIM 2.0 the same operation may occur for other widths and in another unit. */
static char *form_of(const struct shimxml_node *i)
{
    static const char *const forms[] = {"inputBitWidth",     "outputBitWidth",    "SIMDWidth",
                                        "nInputs",           "nOutputs",          "supportedSignedness",
                                        "operandAddressing", "immediateBitWidth", "isEmulated",
                                        "inputPreserved",    "encodingLength"};
    if (!shimxml_is(shimxml_parent(i), "FunctionalUnit"))
        return xstrdup(instruction_name(i));
    struct str form = STR_INIT;
    str_addf(&form, "%s\n%p", instruction_name(i), (const void *)shimxml_parent(i));
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        str_addf(&form, "\n%s", shimxml_get(i, forms[k]) ? shimxml_get(i, forms[k]) : "");
    return str_detach(&form);
}

/* The instructions of a set: the first one of each name, and the forms of names that occur several times. */
struct instructions {
    struct map names;                       /* -> index in `first` */
    VEC(const struct shimxml_node *) first; /* NULL: its form is in `forms` */
    struct map forms;                       /* -> line */
};

static void check_form(struct instructions *all, const struct shimxml_node *i, struct shimxml_findings *f)
{
    char *form = form_of(i);
    size_t line;
    if (map_get(&all->forms, form, &line))
        shimxml_finding_add(f, DOUBLED_INSTRUCTION, i, "instruction '%.40s' is also in line %zu", instruction_name(i),
                            line);
    else
        map_put(&all->forms, form, shimxml_line(i));
    free(form);
}

static void check_doubled(struct instructions *all, const struct shimxml_node *i, struct shimxml_findings *f)
{
    size_t k = all->first.n;
    if (!map_get(&all->names, instruction_name(i), &k)) {
        map_put(&all->names, instruction_name(i), k);
        vec_push(&all->first, i);
        return;
    }
    if (all->first.at[k])
        check_form(all, all->first.at[k], f);
    all->first.at[k] = 0;
    check_form(all, i, f);
}

/* Some pairs in the reference list have lost one of their instructions. */
static void check_alone(const struct instructions *seen, const char *name, const char *other,
                        const struct shimxml_node *set, struct shimxml_findings *f)
{
    if (map_get(&seen->names, name, 0) && !map_get(&seen->names, other, 0))
        shimxml_finding_add(f, REFERENCE_LIST, set, "'%s' stands without '%s'", name, other);
}

static void check_instructions(const struct shimxml_node *set, struct shimxml_findings *f)
{
    struct instructions seen = {0};
    size_t all = 0, placeholders = 0;
    for (const struct shimxml_node *i = 0; (i = shimxml_following(set, i, "Instruction"));) {
        all++;
        placeholders += is_placeholder(i);
        if (instruction_name(i))
            check_doubled(&seen, i, f);
    }
    for (size_t k = 0; k < IR_LISTED; k++)
        if (ir_listed(k)->spelling)
            check_alone(&seen, ir_listed(k)->name, ir_instruction(ir_listed(k)->opcode)->name, set, f);
    check_alone(&seen, ir_instruction(IR_FPTOUI)->name, ir_instruction(IR_FPTOSI)->name, set, f);
    check_costs(set, f);
    if (all && placeholders == all)
        shimxml_finding_add(f, PLACEHOLDERS, set, "all %zu instructions cost 10 cycles", all);
    map_release(&seen.names);
    map_release(&seen.forms);
    vec_release(&seen.first);
}

/* ---- components ---- */

static void check_size(const struct shimxml_node *n, struct shimxml_findings *f)
{
    static const char *const sizes[] = {"size",    "nWay",    "lineSize", "accessByteSize", "alignmentByteSize",
                                        "nBurst",  "nThread", "dataSize", "queueSize",      "nRegister",
                                        "nChannel"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double v = shimxml_number(n, sizes[i]);
        if (v < 0 && doc_of(n)->schema == &schema1) /* in SHIM 2.0 no value may be negative */
            shimxml_finding_add(f, NEGATIVE_SIZE, n, "%s/@%s is %s", shimxml_name(n), sizes[i],
                                shimxml_get(n, sizes[i]));
        else if (v == 0)
            shimxml_finding_add(f, ZERO_COUNT, n, "%s/@%s is 0", shimxml_name(n), sizes[i]);
    }
}

static void check_cache(const struct shimxml_node *n, struct shimxml_findings *f)
{
    double bytes = shimxml_bytes(n), way = shimxml_number(n, "nWay"), line = shimxml_number(n, "lineSize");
    int exponent;
    if (bytes > 0 && way > 0 && line > 0 && fmod(bytes, way * line) != 0)
        shimxml_finding_add(f, GEOMETRY, n, "%g bytes are not a multiple of %g ways of %g-byte lines", bytes, way,
                            line);
    else if (line > 0 && frexp(line, &exponent) != 0.5)
        shimxml_finding_add(f, GEOMETRY, n, "lines of %g bytes are not a power of two", line);
    else if (bytes > 0 && way > 0 && line > 0 && frexp(bytes / (way * line), &exponent) != 0.5)
        shimxml_finding_add(f, ODD_SETS, n, "%g sets are not a power of two", bytes / (way * line));
}

/* From a watch crystal to the fastest record, with a margin. */
static void check_hertz(const struct shimxml_node *n, double hz, struct shimxml_findings *f)
{
    if (hz > 0 && (hz < 1e4 || hz > 2e10))
        shimxml_finding_add(f, CLOCK_RANGE, n, "a clock of %g Hz", hz);
}

static void check_clock(const struct shimxml_node *n, struct shimxml_findings *f)
{
    double hz = shimxml_number(n, "clockValue");
    if (isfinite(hz))
        check_hertz(n, hz, f);
    if (isfinite(hz) && hz <= 0)
        shimxml_finding_add(f, NO_CLOCK, n, "clockValue is %s", shimxml_get(n, "clockValue"));
    else if (shimxml_get(n, "clockValue") && !isfinite(hz) &&
             !schema_bad_value(TYPE_float, shimxml_get(n, "clockValue")))
        shimxml_finding_add(f, NOT_FINITE, n, "clockValue is %s", shimxml_get(n, "clockValue"));
}

static void check_frequency(const struct shimxml_node *n, struct shimxml_findings *f)
{
    if (shimxml_number(n, "frequency") == 0)
        shimxml_finding_add(f, NO_CLOCK, n, "the frequency of '%.60s' is 0", label(n));
    check_hertz(n, clock_of(n), f);
}

/* May the core have no instructions in this file, because they are in another one? */
static bool lacks_instructions(const struct shimxml_node *core)
{
    const struct shimxml_node *set = shimxml_child(core, "CommonInstructionSet");
    const char *type = shimxml_get(core, "masterType");
    bool elsewhere = shimxml_child(set, "FunctionalUnitSetFile") != 0;
    bool none = doc_of(core)->schema == &schema1 ? !set : !instruction_next(core, 0) && !elsewhere;
    return type && strcmp(type, "PU") == 0 && none;
}

static bool is_safe_name(const char *name)
{
    return *name && !strstr(name, "__") &&
           !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")];
}

/* Checks names of components and access types, by which the reference tools identify them. */
static void check_name(const struct shimxml_node *n, struct shimxml_findings *f)
{
    static const char *const named[] = {"ComponentSet", "SlaveComponent", "MasterComponent", "Cache",
                                        "AccessType",   "AddressSpace",   "SubSpace"};
    const char *name = shimxml_get(n, "name");
    bool counts = false;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        counts |= shimxml_is(n, named[i]);
    if (!name || !counts)
        return;
    if (!is_safe_name(name))
        shimxml_finding_add(f, UNSAFE_NAME, n, "%s '%.60s'", shimxml_name(n), name);
}

/* Reports siblings of one kind with one name, at the second one. */
static void check_sibling_names(const struct shimxml_node *parent, struct shimxml_findings *f)
{
    struct map seen = {0};
    for (const struct shimxml_node *n = shimxml_child(parent, 0); n; n = shimxml_next(n, 0)) {
        const char *name = shimxml_get(n, "name");
        if (!name || shimxml_is(n, "Instruction") || shimxml_is(n, "CustomInstruction"))
            continue;
        char *key = xasprintf("%s %s", shimxml_name(n), name);
        size_t line;
        if (map_get(&seen, key, &line))
            shimxml_finding_add(f, DOUBLED_NAME, n, "%s '%.60s' is also that of line %zu", shimxml_name(n), name, line);
        else
            map_put(&seen, key, shimxml_line(n));
        free(key);
    }
    map_release(&seen);
}

/* ---- addresses ---- */

struct range {
    unsigned long long start, end;
    const struct shimxml_node *at;
};
typedef VEC(struct range) ranges_t;

/* Addresses in the upper half can only be written as negative numbers, so they are compared as unsigned numbers. */
static bool range_of(const struct shimxml_node *n, struct range *out)
{
    const char *a = shimxml_get(n, "start"), *b = shimxml_get(n, "end");
    if (!a || !b || schema_bad_value(TYPE_long, a) || schema_bad_value(TYPE_long, b))
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

/* Compares each range, in the order of addresses, with the earlier one that reaches farthest. */
static void check_overlaps(ranges_t *all, struct shimxml_findings *f)
{
    if (all->n)
        qsort(all->at, all->n, sizeof *all->at, by_start);
    const struct range *far = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct range *r = &all->at[i];
        /* an end equal to the next start is the samples' exclusive way of writing */
        if (far && r->start < far->end && far->start < r->end)
            shimxml_finding_add(f, OVERLAP, r->at, "SubSpace '%.60s' overlaps '%.60s'", label(r->at), label(far->at));
        if (!far || r->end > far->end)
            far = r;
    }
}

static void check_ranges(const struct shimxml_node *space, struct shimxml_findings *f)
{
    ranges_t all = {0};
    struct range r;
    for (const struct shimxml_node *n = shimxml_child(space, "SubSpace"); n; n = shimxml_next(n, "SubSpace")) {
        if (!range_of(n, &r))
            continue;
        if (r.end < r.start)
            shimxml_finding_add(f, REVERSED_RANGE, n, "SubSpace '%.60s' starts at %s and ends at %s", label(n),
                                shimxml_get(n, "start"), shimxml_get(n, "end"));
        else
            vec_push(&all, r);
    }
    check_overlaps(&all, f);
    vec_release(&all);
}

/* ---- everything together ---- */

static void check_memories(const struct shimxml_node *root, struct shimxml_findings *f)
{
    struct map bound = {0};
    size_t accessors = 0, silent = 0;
    for (const struct shimxml_node *n = shimxml_following(root, 0, 0); n; n = shimxml_following(root, n, 0)) {
        const char *ref = shimxml_is(n, "MasterSlaveBinding") ? shimxml_get(n, "slaveComponentRef") : 0;
        if (ref)
            map_put(&bound, reference_id(ref), 1);
        if (shimxml_is(n, "Accessor")) {
            accessors++;
            silent += !shimxml_child(shimxml_child(n, "PerformanceSet"), "Performance");
        }
    }
    for (const struct shimxml_node *n = shimxml_following(root, 0, 0); n; n = shimxml_following(root, n, 0)) {
        const char *id = shimxml_is(n, "SlaveComponent") ? shimxml_get(n, "id") : 0;
        if (id && !map_get(&bound, id, 0))
            shimxml_finding_add(f, UNBOUND_MEMORY, n, "memory '%.60s' is bound nowhere", label(n));
    }
    if (silent)
        shimxml_finding_add(f, NO_MEMORY_VALUES, root, "%zu of %zu Accessors have no Performance", silent, accessors);
    map_release(&bound);
}

/* Nearly all elements of a large file are such: without sizes, names, or siblings of the same name. */
static bool is_cost(const struct shimxml_node *n)
{
    return shimxml_is(n, "Pitch") || shimxml_is(n, "Latency") || shimxml_is(n, "Performance");
}

void check_values(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const struct shimxml_node *root = shimxml_root(d);
    for (const struct shimxml_node *n = shimxml_following(root, 0, 0); n; n = shimxml_following(root, n, 0)) {
        if (is_cost(n)) {
            if (!shimxml_is(n, "Performance"))
                check_range(n, f);
            continue;
        }
        if (shimxml_is(n, "CommonInstructionSet") || (shimxml_is(n, "FunctionalUnitSet") && shimxml_parent(n) == root))
            check_instructions(n, f);
        else if (shimxml_is(n, "ClockFrequency"))
            check_clock(n, f);
        else if (shimxml_is(n, "Cache"))
            check_cache(n, f);
        else if (shimxml_is(n, "AddressSpace"))
            check_ranges(n, f);
        else if (shimxml_is(n, "OperatingPoint"))
            check_frequency(n, f);
        else if (shimxml_is(n, "MasterComponent") && lacks_instructions(n))
            shimxml_finding_add(f, NO_INSTRUCTIONS, n, "core '%.60s' has no instruction values", label(n));
        check_size(n, f);
        check_name(n, f);
        check_sibling_names(n, f);
    }
    check_memories(root, f);
}
