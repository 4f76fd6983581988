/* convert.c - a SHIM 1.0 document as SHIM 2.0 (IEEE 2804; schema/shim20.xsd of github.com/openshim/shim2): the same
 * elements in another order and with other words, but for caches, instructions, clocks and what a cache level costs,
 * which are said in another way. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shim-xml/instructions.h"
#include "shim-xml/private.h"

#define NAMESPACE "http://www.multicore-association.org/2017/SHIM2.0/"

struct converting {
    const struct shimxml_doc *from;
    struct shimxml_doc *to;
    size_t sets, performances; /* ids given */
    VEC(double) clocks;        /* [Hz], each a domain of its own */
};

/* Behind all that is there: the order is this file's, not that of the table of SHIM 1.0. */
static struct shimxml_node *append(const struct converting *c, struct shimxml_node *parent, const char *name)
{
    struct shimxml_node *n = node_insert(parent, 0, NODE_ELEMENT);
    n->name = doc_name(c->to, name, 0, 0, false);
    return n;
}

/* An id that the file does not use. */
static void set_id(const struct converting *c, struct shimxml_node *n, const char *prefix, size_t *number)
{
    char *id = 0;
    do {
        free(id);
        id = xasprintf("%s_%zu", prefix, (*number)++);
    } while (shimxml_by_id(c->from, id));
    shimxml_set(n, "id", id);
    free(id);
}

/* Of the clock domain i: the same whenever asked, and none that the file uses. */
static void set_domain(const struct converting *c, struct shimxml_node *n, const char *attribute, const char *kind,
                       size_t i)
{
    struct str id = STR_INIT;
    str_addf(&id, "%s_%zu", kind, i);
    while (shimxml_by_id(c->from, str_text(&id)))
        str_addch(&id, '_');
    shimxml_set(n, attribute, str_text(&id));
    str_release(&id);
}

/* ---- values ---- */

static void copy_attributes(struct shimxml_node *to, const struct shimxml_node *from)
{
    static const char *const words[][2] = {
        {"HARD", "HARDWARE"}, {"SOFT", "SOFTWARE"}, {"ORDERD", "ORDERED"}, {"UNORDERD", "UNORDERED"}};
    const char *value = 0, *name;
    for (size_t i = 0; (name = shimxml_attribute(from, i, &value)); i++) {
        bool renamed = strcmp(name, "cacheCoherency") == 0 || strstr(name, "Ordering");
        for (size_t k = 0; renamed && k < sizeof words / sizeof *words; k++)
            if (strcmp(value, words[k][0]) == 0) {
                value = words[k][1];
                break;
            }
        shimxml_set(to, name, value);
    }
}

static struct shimxml_node *copy_element(const struct converting *c, struct shimxml_node *parent,
                                         const struct shimxml_node *from)
{
    struct shimxml_node *n = append(c, parent, shimxml_name(from));
    copy_attributes(n, from);
    return n;
}

static const char *cache_that_answers(const struct shimxml_node *comment, char *id, size_t size)
{
    char rest[8];
    char format[32];
    snprintf(format, sizeof format, " the cache %%%zus %%7s", size - 1);
    bool is = comment && comment->type == NODE_COMMENT && sscanf(comment->u.text, format, id, rest) == 2;
    return is && strcmp(rest, "answers") == 0 ? id : 0;
}

/* With all in it. What a level of cache costs is a PerformanceSet behind a comment that names the cache (memory.c);
 * SHIM 2.0 has an attribute for it. Depth is bounded by the reader. */
static void copy_tree(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *n = copy_element(c, parent, from);
    const struct shimxml_node *before = 0;
    for (const struct shimxml_node *child = from->first; child; before = child, child = child->next) {
        char id[256];
        if (child->type != NODE_ELEMENT)
            continue;
        copy_tree(c, n, child);
        if (!shimxml_is(child, "PerformanceSet"))
            continue;
        const char *cache = cache_that_answers(before, id, sizeof id);
        set_id(c, n->last, "PS", &c->performances);
        if (cache && shimxml_is(shimxml_by_id(c->from, cache), "Cache"))
            shimxml_set(n->last, "cacheRef", cache);
    }
}

/* ---- cores ---- */

static size_t domain_of(struct converting *c, double hz)
{
    size_t i = 0;
    hz = isfinite(hz) && hz > 0 ? hz : 0;
    while (i < c->clocks.n && c->clocks.at[i] != hz)
        i++;
    if (i == c->clocks.n)
        vec_push(&c->clocks, hz);
    return i;
}

/* All of one unit, since SHIM 1.0 does not know units; widths those of the commonest form, since it does not know them.
 */
static void add_instructions(struct converting *c, struct shimxml_node *master, const struct shimxml_node *set)
{
    struct shimxml_node *unit, *to = copy_element(c, master, set);
    unit = append(c, append(c, to, "FunctionalUnitSet"), "FunctionalUnit");
    shimxml_set(unit, "name", "Core");
    const struct shimxml_node *i = shimxml_child(set, "Instruction");
    for (; i; i = shimxml_next(i, "Instruction")) {
        struct shimxml_node *n = copy_element(c, unit, i);
        const char *name = shimxml_get(i, "name");
        int input, output;
        instruction_bits(name ? name : "", &input, &output);
        shimxml_set(n, "operation", name);
        shimxml_setf(n, "inputBitWidth", "%d", input);
        shimxml_setf(n, "outputBitWidth", "%d", output);
        if (shimxml_child(i, "Performance"))
            copy_tree(c, n, shimxml_child(i, "Performance"));
    }
}

static void add_master(struct converting *c, struct shimxml_node *set, const struct shimxml_node *from)
{
    struct shimxml_node *n = copy_element(c, set, from);
    const struct shimxml_node *clock = shimxml_child(from, "ClockFrequency"), *cache;
    double hz = shimxml_number(clock, "clockValue");
    if (!(hz > 0))
        hz = shimxml_number(shimxml_child(shimxml_root(c->from), "ClockFrequency"), "clockValue");
    size_t domain = domain_of(c, hz);
    set_domain(c, n, "frequencyDomainRef", "FrequencyDomain", domain);
    set_domain(c, n, "operatingPointRef", "OperatingPoint", domain);
    if (shimxml_child(from, "CommonInstructionSet"))
        add_instructions(c, n, shimxml_child(from, "CommonInstructionSet"));
    for (cache = shimxml_child(from, "Cache"); cache; cache = shimxml_next(cache, "Cache"))
        if (shimxml_get(cache, "id"))
            shimxml_set_text(append(c, n, "CacheRef"), shimxml_get(cache, "id"));
    if (shimxml_child(from, "AccessTypeSet"))
        copy_tree(c, n, shimxml_child(from, "AccessTypeSet"));
}

static void add_caches(struct converting *c, struct shimxml_node *set, const struct shimxml_node *from)
{
    const struct shimxml_node *cache = shimxml_child(from, "Cache"), *r;
    for (; cache; cache = shimxml_next(cache, "Cache")) {
        struct shimxml_node *n = copy_element(c, set, cache);
        for (r = shimxml_child(cache, "cacheRef"); r; r = shimxml_next(r, "cacheRef")) {
            char *id = shimxml_text(r);
            shimxml_set_text(append(c, n, "CacheRef"), id);
            free(id);
        }
    }
}

/* Caches stand beside the cores there, never in them. */
static void add_set(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *set = copy_element(c, parent, from);
    const struct shimxml_node *n;
    set_id(c, set, "CS", &c->sets);
    for (n = shimxml_child(from, "ComponentSet"); n; n = shimxml_next(n, "ComponentSet"))
        add_set(c, set, n);
    for (n = shimxml_child(from, "MasterComponent"); n; n = shimxml_next(n, "MasterComponent"))
        add_master(c, set, n);
    for (n = shimxml_child(from, "SlaveComponent"); n; n = shimxml_next(n, "SlaveComponent"))
        copy_tree(c, set, n);
    for (n = shimxml_child(from, "MasterComponent"); n; n = shimxml_next(n, "MasterComponent"))
        add_caches(c, set, n);
    add_caches(c, set, from);
}

/* ---- the rest ---- */

/* SHIM 2.0 takes one kind of communication in a file: the one with the most values, else the most connections, else the
 * first. */
static void add_communications(struct converting *c, struct shimxml_node *system, const struct shimxml_node *from)
{
    const struct shimxml_node *n, *best = 0, *m;
    size_t most = 0;
    for (n = shimxml_child(from, 0); n; n = shimxml_next(n, 0)) {
        size_t weight = 1;
        for (m = 0; (m = shimxml_following(n, m, 0));)
            weight += shimxml_is(m, "Performance") ? 1000 : shimxml_is(m, "Connection") ? 1 : 0;
        if (weight > most) {
            most = weight;
            best = n;
        }
    }
    if (!best)
        return;
    struct shimxml_node *set = copy_element(c, system, from);
    size_t left_out = 0;
    for (n = shimxml_child(from, 0); n; n = shimxml_next(n, 0)) {
        if (shimxml_is(n, shimxml_name(best)))
            copy_tree(c, set, n);
        else
            left_out++;
    }
    if (left_out) {
        char *text =
            xasprintf(" Communications of other kinds, left out: %zu. SHIM 2.0 takes one kind in a file. ", left_out);
        shimxml_comment(system, set, text);
        free(text);
    }
}

/* Frequencies are whole numbers there: the largest unit in which it is one. */
static void set_frequency(struct shimxml_node *point, double hz)
{
    static const char *const units[] = {"Hz", "KHz", "MHz"};
    size_t unit = 0;
    hz = round(hz);
    for (; unit < 2 && hz >= 1000 && fmod(hz, 1000) == 0; unit++)
        hz /= 1000;
    shimxml_setf(point, "frequency", "%.0f", hz);
    shimxml_set(point, "frequencyUnit", units[unit]);
}

static void add_frequencies(struct converting *c, struct shimxml_node *system)
{
    struct shimxml_node *set = append(c, system, "FrequencyVoltageSet"), *n;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < c->clocks.n; i++) {
            n = append(c, set, pass ? "OperatingPointSet" : "FrequencyDomain");
            shimxml_setf(n, "name", "%s_%zu", shimxml_name(n), i);
            set_domain(c, n, "id", shimxml_name(n), i);
            if (!pass)
                continue;
            n = append(c, n, "OperatingPoint");
            shimxml_setf(n, "name", "OperatingPoint_%zu", i);
            set_domain(c, n, "id", "OperatingPoint", i);
            set_frequency(n, c->clocks.at[i]);
        }
}

static void add_system(struct converting *c, const struct shimxml_node *from)
{
    struct shimxml_node *root = node_insert(&c->to->top, 0, NODE_ELEMENT);
    root->name = doc_name(c->to, "Shim", "shim", NAMESPACE, false);
    root->u.attributes = doc_alloc(c->to, sizeof(struct attribute));
    root->u.attributes[0] =
        (struct attribute){doc_name(c->to, "shim", "xmlns", 0, true), doc_value(c->to, NAMESPACE, strlen(NAMESPACE))};
    root->n_attributes = 1;
    shimxml_set(root, "name", shimxml_get(from, "name") ? shimxml_get(from, "name") : "");
    shimxml_set(root, "shimVersion", "2.0");
    struct shimxml_node *system = append(c, root, "SystemConfiguration");
    domain_of(c, shimxml_number(shimxml_child(from, "ClockFrequency"), "clockValue"));
    if (shimxml_child(from, "ComponentSet"))
        add_set(c, system, shimxml_child(from, "ComponentSet"));
    if (shimxml_child(from, "CommunicationSet"))
        add_communications(c, system, shimxml_child(from, "CommunicationSet"));
    if (shimxml_child(from, "AddressSpaceSet"))
        copy_tree(c, system, shimxml_child(from, "AddressSpaceSet"));
    add_frequencies(c, system);
}

enum status shimxml_convert(struct shimxml_doc **out, const struct shimxml_doc *d, struct error *e)
{
    const struct shimxml_node *root = shimxml_root(d);
    if (!shimxml_is(root, "SystemConfiguration"))
        return error_set(e, ERR_INPUT, AT(d->path, root->line),
                         "not a SHIM 1.0 file: the root is '%s', not SystemConfiguration", shimxml_name(root));
    struct converting c = {.from = d, .to = doc_make(d->path)};
    add_system(&c, root);
    vec_release(&c.clocks);
    *out = c.to;
    return OK;
}
