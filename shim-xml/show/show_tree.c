/* show_tree.c - prints a document as a tree of names, with a line for each thing that a reader would point at. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shim-xml/document/clocks.h"
#include "shim-xml/show/spoken.h"
#include "shim-xml/document/text.h"

struct tree {
    FILE *f;
    struct str margin;
};

static void add_clean(struct str *out, const char *text)
{
    char *clean = text_printable(text ? text : "", TEXT_LIMIT);
    str_add(out, clean);
    free(clean);
}

/* The name of a reference's target; without one, the reference. */
static void add_target(struct str *out, const struct shimxml_node *n, const char *attribute)
{
    const struct shimxml_node *target = shimxml_target(n, attribute);
    const char *name = target ? shimxml_get(target, "name") : 0, *id = shimxml_get(n, attribute);
    add_clean(out, name ? name : id);
}

static size_t count(const struct shimxml_node *top, const char *name)
{
    size_t n = 0;
    for (const struct shimxml_node *x = 0; (x = shimxml_following(top, x, name));)
        n++;
    return n;
}

/* ---- the text about an element ---- */

static void add_cache(struct str *out, const struct shimxml_node *n)
{
    describe_attribute(out, ": ", n, "cacheType", ", ");
    text_bytes(out, shimxml_bytes(n));
    describe_attribute(out, ", ", n, "nWay", " ways");
    describe_attribute(out, ", ", n, "lineSize", "-byte lines");
    const char *kind = doc_of(n)->schema->cache_ref, *before = ", next level of ";
    for (const struct shimxml_node *r = shimxml_child(n, kind); r; r = shimxml_next(r, kind), before = " ") {
        str_add(out, before);
        add_target(out, r, 0);
    }
}

static void add_master(struct str *out, const struct shimxml_node *n)
{
    describe_attribute(out, ": ", n, "masterType", "");
    describe_attribute(out, ", ", n, "arch", "");
    describe_attribute(out, " ", n, "archOption", "");
    describe_attribute(out, ", pid ", n, "pid", "");
    describe_attribute(out, ", threads ", n, "nThread", "");
    if (clock_of(n) > 0) {
        str_add(out, ", ");
        text_hertz(out, clock_of(n));
    }
}

static void add_values(struct str *out, const struct shimxml_node *n)
{
    double least = NAN, greatest = NAN;
    size_t values = 0;
    for (const struct shimxml_node *p = 0; (p = shimxml_following(n, p, "Latency")); values++) {
        double v = shimxml_number(p, "typical");
        least = fmin(least, v);
        greatest = fmax(greatest, v);
    }
    if (!isnan(least))
        str_addf(out, ", %zu value%s, latency %.4g to %.4g cycles", values, values == 1 ? "" : "s", least, greatest);
}

static void add_binding(struct str *out, const struct shimxml_node *n)
{
    size_t masters = count(n, "Accessor");
    add_target(out, n, "slaveComponentRef");
    str_addf(out, " for %zu master%s", masters, masters == 1 ? "" : "s");
    add_values(out, n);
}

static void add_communication(struct str *out, const struct shimxml_node *n)
{
    size_t connections = count(n, "Connection");
    str_addf(out, ": %zu connection%s", connections, connections == 1 ? "" : "s");
    add_values(out, n);
}

/* Prints all attributes, for an element that has no special text. */
static void add_plain(struct str *out, const struct shimxml_node *n)
{
    const char *value = 0, *name;
    for (size_t i = 0; (name = shimxml_attribute(n, i, &value)) && out->len < 2000; i++) {
        if (strcmp(name, "name") == 0 || strcmp(name, "id") == 0)
            continue;
        str_addf(out, " %s=", name);
        add_clean(out, value);
    }
}

static char *line_of(const struct shimxml_node *n)
{
    static const char *const spoken[][2] = {{"ComponentSet", ""},
                                            {"SlaveComponent", "memory "},
                                            {"MasterComponent", "core "},
                                            {"Cache", "cache "},
                                            {"CommonInstructionSet", "instructions "},
                                            {"AddressSpace", "address space "},
                                            {"SubSpace", "range "}};
    struct str out = STR_INIT;
    const char *kind = shimxml_name(n), *word = 0;
    for (size_t i = 0; i < sizeof spoken / sizeof *spoken; i++)
        word = strcmp(kind, spoken[i][0]) == 0 ? spoken[i][1] : word;
    if (word)
        str_add(&out, word);
    else
        add_clean(&out, kind);
    describe_attribute(&out, word ? "" : " ", n, "name", "");
    if (shimxml_is(n, "SlaveComponent")) {
        str_add(&out, ": ");
        text_bytes(&out, shimxml_bytes(n));
        describe_attribute(&out, ", ", n, "rwType", "");
    } else if (shimxml_is(n, "MasterComponent")) {
        add_master(&out, n);
    } else if (shimxml_is(n, "Cache")) {
        add_cache(&out, n);
    } else if (shimxml_is(n, "SubSpace")) {
        str_add(&out, ": ");
        describe_range(&out, n, " to ");
    } else if (shimxml_is(n, "AccessTypeSet")) {
        str_clear(&out);
        str_add(&out, "accesses ");
        describe_access_types(&out, shimxml_parent(n));
    } else if (shimxml_is(n, "CommonInstructionSet")) {
        str_addf(&out, ": %zu instruction%s", count(n, "Instruction"), count(n, "Instruction") == 1 ? "" : "s");
    } else if (shimxml_is(n, "MasterSlaveBinding")) {
        str_clear(&out);
        add_binding(&out, n);
    } else if (text_ends(kind, "Communication")) {
        add_communication(&out, n);
    } else {
        add_plain(&out, n);
    }
    return str_detach(&out);
}

/* ---- the tree ---- */

enum how { LINE, THROUGH, NOTHING, LEAF };

/* Sets that only contain things are passed through. Elements that their parent's line describes have no line of their
 * own. */
static enum how how_shown(const struct shimxml_node *n)
{
    static const char *const through[] = {"MasterSlaveBindingSet"};
    static const char *const nothing[] = {"cacheRef", "CacheRef", "Performance", "ClockFrequency"};
    static const char *const leaf[] = {"CommonInstructionSet", "MasterSlaveBinding", "AccessTypeSet"};
    for (size_t i = 0; i < sizeof through / sizeof *through; i++)
        if (shimxml_is(n, through[i]))
            return THROUGH;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (shimxml_is(n, nothing[i]))
            return NOTHING;
    for (size_t i = 0; i < sizeof leaf / sizeof *leaf; i++)
        if (shimxml_is(n, leaf[i]))
            return LEAF;
    return text_ends(shimxml_name(n), "Communication") ? LEAF : LINE;
}

static void collect(const struct shimxml_node *n, const struct shimxml_node ***list, size_t *count_of, size_t *cap)
{
    for (const struct shimxml_node *c = shimxml_child(n, 0); c; c = shimxml_next(c, 0)) {
        enum how how = how_shown(c);
        if (how == THROUGH)
            collect(c, list, count_of, cap);
        if (how == THROUGH || how == NOTHING)
            continue;
        *list = vec_grow(*list, cap, *count_of + 1, sizeof **list);
        (*list)[(*count_of)++] = c;
    }
}

/* The reader limits the depth. */
static void put_children(struct tree *t, const struct shimxml_node *n)
{
    const struct shimxml_node **list = 0;
    size_t n_list = 0, cap = 0, margin = t->margin.len;
    collect(n, &list, &n_list, &cap);
    for (size_t i = 0; i < n_list; i++) {
        bool last = i + 1 == n_list;
        char *line = line_of(list[i]);
        fprintf(t->f, "%s%s%s\n", str_text(&t->margin),
                last ? "\xe2\x94\x94\xe2\x94\x80 " : "\xe2\x94\x9c\xe2\x94\x80 ", line);
        free(line);
        str_add(&t->margin, last ? "   " : "\xe2\x94\x82  ");
        if (how_shown(list[i]) != LEAF)
            put_children(t, list[i]);
        t->margin.len = margin;
        t->margin.s[margin] = 0;
    }
    free(list);
}

enum status shimxml_tree(const struct shimxml_doc *d, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    const struct shimxml_node *root = shimxml_root(d);
    struct tree t = {.f = o.f};
    struct str line = STR_INIT;
    add_clean(&line, shimxml_get(root, "name") ? shimxml_get(root, "name") : shimxml_name(root));
    describe_attribute(&line, ": SHIM ", root, "shimVersion", "");
    /* a file of only power or units has no clock */
    if (d->schema != &schema2 || shimxml_child(root, "SystemConfiguration")) {
        str_add(&line, ", ");
        text_hertz(&line, clock_of(root));
    }
    if (shimxml_says_method(d) && method_of_doc(d))
        str_addf(&line, ", values for 'shimgen estimate --method %s'", method_of_doc(d));
    fprintf(o.f, "%s\n", str_text(&line));
    put_children(&t, root);
    str_release(&line);
    str_release(&t.margin);
    return outfile_commit(&o, e);
}
