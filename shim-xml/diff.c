/* diff.c - two documents compared by meaning: each is laid out as a list of (path of names, value), in which ids do not
 * occur and references stand for the path of what they mean. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "shim-xml/private.h"

struct flat {
    struct map index; /* path -> entry */
    VEC(char *) values;
    struct map targets; /* id -> entry of target_paths */
    VEC(char *) target_paths;
};

/* "fadd" for a named element, "Performance" for one without a name; with "[2]" where a sibling before is called so too.
 */
static char *step_of(const xmlNode *n)
{
    const char *name = node_attribute(n, "name");
    size_t before = 1;
    for (const xmlNode *p = n->prev; p; p = p->prev) {
        const char *other = node_is(p, node_name(n)) ? node_attribute(p, "name") : 0;
        before += node_is(p, node_name(n)) && (name ? other && strcmp(other, name) == 0 : !other);
    }
    if (before > 1)
        return xasprintf("%s[%zu]", name ? name : node_name(n), before);
    return xstrdup(name ? name : node_name(n));
}

static char *path_below(const char *parent, const xmlNode *n)
{
    char *step = step_of(n);
    char *path = xasprintf("%s%s%s", parent, *parent ? "/" : "", step);
    free(step);
    return path;
}

/* Depth is bounded by the reader. */
static void find_targets(struct flat *f, const xmlNode *n, const char *parent)
{
    char *path = path_below(parent, n);
    const char *id = node_attribute(n, "id");
    if (id && !map_get(&f->targets, id, 0)) {
        map_put(&f->targets, id, f->target_paths.n);
        vec_push(&f->target_paths, xstrdup(path));
    }
    for (const xmlNode *c = node_child(n, 0); c; c = node_next(c, 0))
        find_targets(f, c, path);
    free(path);
}

static void put(struct flat *f, const char *path, const char *attribute, const char *value)
{
    char *key = xasprintf("%s %s", path, attribute);
    size_t target;
    bool reference = strstr(attribute, "Ref") || strcmp(attribute, "from") == 0 || strcmp(attribute, "to") == 0;
    if (reference && map_get(&f->targets, value, &target))
        value = f->target_paths.at[target];
    if (!map_get(&f->index, key, 0)) {
        map_put(&f->index, key, f->values.n);
        vec_push(&f->values, xstrdup(value));
    }
    free(key);
}

static void lay_out(struct flat *f, const xmlNode *n, const char *parent)
{
    char *path = path_below(parent, n);
    if (!n->properties && !node_is(n, "cacheRef"))
        put(f, path, "present", "yes");
    for (const xmlAttr *a = n->properties; a; a = a->next)
        if (strcmp((const char *)a->name, "id") != 0)
            put(f, path, (const char *)a->name,
                a->children && a->children->content ? (const char *)a->children->content : "");
    if (node_is(n, "cacheRef")) {
        char *id = node_text(n);
        put(f, path, "cacheRef", id);
        free(id);
    }
    for (const xmlNode *c = node_child(n, 0); c; c = node_next(c, 0))
        lay_out(f, c, path);
    free(path);
}

static void flatten(struct flat *f, const struct shimxml_doc *d)
{
    const xmlNode *root = xmlDocGetRootElement(d->xml);
    find_targets(f, root, "");
    lay_out(f, root, "");
}

static void flat_release(struct flat *f)
{
    for (size_t i = 0; i < f->values.n; i++)
        free(f->values.at[i]);
    for (size_t i = 0; i < f->target_paths.n; i++)
        free(f->target_paths.at[i]);
    vec_release(&f->values);
    vec_release(&f->target_paths);
    map_release(&f->index);
    map_release(&f->targets);
}

typedef VEC(double) reals_t;

static void compare(struct shimxml_comparison *out, const char *what, const char *a, const char *b, double tolerance,
                    reals_t *relatives)
{
    double x, y, relative = NAN;
    if (a && b && parse_double(a, &x) && parse_double(b, &y)) {
        double largest = fmax(fabs(x), fabs(y));
        relative = largest > 0 ? fabs(x - y) / largest : 0;
        if (isfinite(relative))
            vec_push(relatives, relative);
        if (relative <= tolerance)
            return;
    } else if (a && b && strcmp(a, b) == 0) {
        return;
    }
    out->at = xreallocarray(out->at, out->n + 1, sizeof *out->at);
    out->at[out->n++] = (struct shimxml_difference){xstrdup(what), xstrdup(a), xstrdup(b), relative};
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum status shimxml_diff(struct shimxml_comparison *out, const struct shimxml_doc *a, const struct shimxml_doc *b,
                         double tolerance, struct error *e)
{
    if (!(tolerance >= 0))
        return error_set(e, ERR_INPUT, NOWHERE, "the tolerance must be 0 or more");
    struct flat fa = {0}, fb = {0};
    reals_t relatives = {0};
    *out = (struct shimxml_comparison){.median_relative = NAN, .worst_relative = NAN};
    flatten(&fa, a);
    flatten(&fb, b);
    size_t at;
    for (size_t i = 0; i < fa.index.n; i++) {
        const char *there = map_get(&fb.index, fa.index.keys[i], &at) ? fb.values.at[at] : 0;
        compare(out, fa.index.keys[i], fa.values.at[fa.index.values[i]], there, tolerance, &relatives);
    }
    for (size_t i = 0; i < fb.index.n; i++)
        if (!map_get(&fa.index, fb.index.keys[i], 0))
            compare(out, fb.index.keys[i], 0, fb.values.at[fb.index.values[i]], tolerance, &relatives);
    out->compared = relatives.n;
    if (relatives.n) {
        qsort(relatives.at, relatives.n, sizeof *relatives.at, by_value);
        out->median_relative = relatives.at[relatives.n / 2];
        out->worst_relative = relatives.at[relatives.n - 1];
    }
    vec_release(&relatives);
    flat_release(&fa);
    flat_release(&fb);
    return OK;
}

void shimxml_comparison_release(struct shimxml_comparison *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->at[i].what);
        free(c->at[i].a);
        free(c->at[i].b);
    }
    free(c->at);
    *c = (struct shimxml_comparison){0};
}
