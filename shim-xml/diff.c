/* diff.c - two documents compared by meaning: each is laid out as a list of (path of names, value), in which ids do not
 * occur and references stand for the path of what they mean. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "shim-xml/private.h"

enum { SIZE_LIMIT = 1 << 30 }; /* of all paths together [bytes]: a deep file with long names could need any amount */

struct flat {
    const struct schema *schema;
    struct map index; /* path -> entry */
    VEC(char *) values;
    struct map targets; /* id -> entry of target_paths */
    VEC(char *) target_paths;
    struct map keys; /* how often each occurred */
    size_t bytes;
};

/* Sorts out elements of equal names among siblings: "fadd" for a named element, "Performance" for one without a name;
 * with "[2]" where a sibling before is called so too. `seen` counts them: one for each parent. */
static char *path_below(const char *parent, const struct shimxml_node *n, struct map *seen)
{
    const char *name = shimxml_get(n, "name");
    const char *step = name ? name : shimxml_name(n);
    const char *slash = *parent ? "/" : "";
    size_t before = 0;
    map_get(seen, step, &before);
    map_put(seen, step, before + 1);
    return before ? xasprintf("%s%s%s[%zu]", parent, slash, step, before + 1)
                  : xasprintf("%s%s%s", parent, slash, step);
}

static bool is_full(const struct flat *f)
{
    return f->bytes > SIZE_LIMIT;
}

/* Depth is bounded by the reader. Takes `path` over. */
static void find_targets(struct flat *f, const struct shimxml_node *n, char *path)
{
    const char *id = shimxml_get(n, "id");
    f->bytes += strlen(path);
    if (id && !map_get(&f->targets, id, 0)) {
        map_put(&f->targets, id, f->target_paths.n);
        vec_push(&f->target_paths, xstrdup(path));
    }
    struct map seen = {0};
    for (const struct shimxml_node *c = shimxml_child(n, 0); c && !is_full(f); c = shimxml_next(c, 0))
        find_targets(f, c, path_below(path, c, &seen));
    map_release(&seen);
    free(path);
}

static void put(struct flat *f, const char *path, const char *attribute, const char *value)
{
    char *key = xasprintf("%s %s", path, attribute);
    size_t target;
    if (schema_reference(f->schema, attribute) && map_get(&f->targets, value, &target))
        value = f->target_paths.at[target];
    size_t before = 0;
    map_get(&f->keys, key, &before);
    map_put(&f->keys, key, before + 1);
    if (before) {
        /* names with '/' or '[' in them can make two paths alike: both are kept */
        char *other = xasprintf("%s (%zu)", key, before + 1);
        free(key);
        key = other;
    }
    f->bytes += strlen(key) + strlen(value);
    map_put(&f->index, key, f->values.n);
    vec_push(&f->values, xstrdup(value));
    free(key);
}

/* Takes `path` over. */
static void lay_out(struct flat *f, const struct shimxml_node *n, char *path)
{
    const char *name, *value = 0;
    bool is_text = n->name->spec && n->name->spec->text;
    if (!shimxml_attribute(n, 0, 0) && !is_text)
        put(f, path, "present", "yes");
    for (size_t i = 0; (name = shimxml_attribute(n, i, &value)); i++)
        if (strcmp(name, "id") != 0)
            put(f, path, name, value);
    if (is_text) {
        char *text = shimxml_text(n);
        put(f, path, shimxml_name(n), text);
        free(text);
    }
    struct map seen = {0};
    for (const struct shimxml_node *c = shimxml_child(n, 0); c && !is_full(f); c = shimxml_next(c, 0))
        lay_out(f, c, path_below(path, c, &seen));
    map_release(&seen);
    free(path);
}

static enum status flatten(struct flat *f, const struct shimxml_doc *d, struct error *e)
{
    const struct shimxml_node *root = shimxml_root(d);
    struct map seen = {0};
    f->schema = d->schema;
    find_targets(f, root, path_below("", root, &seen));
    map_release(&seen);
    if (!is_full(f))
        lay_out(f, root, path_below("", root, &seen));
    map_release(&seen);
    if (is_full(f))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "too large to be compared: its names are too long, too deep");
    return OK;
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
    map_release(&f->keys);
    map_release(&f->targets);
}

typedef VEC(double) reals_t;

static bool is_typical(const char *what)
{
    static const char end[] = " typical";
    size_t n = strlen(what);
    return (n >= sizeof end - 1 && strcmp(what + n - (sizeof end - 1), end) == 0) || strstr(what, " typical (");
}

static void compare(struct shimxml_comparison *out, const char *what, const char *a, const char *b, double tolerance,
                    reals_t *relatives)
{
    double x, y, relative = NAN;
    if (a && b && parse_double(a, &x) && parse_double(b, &y) && isfinite(x) && isfinite(y)) {
        double largest = fmax(fabs(x), fabs(y));
        relative = largest > 0 ? fabs(x - y) / largest : 0;
        out->compared++;
        if (is_typical(what))
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

static void compare_all(struct shimxml_comparison *out, const struct flat *a, const struct flat *b, double tolerance)
{
    reals_t relatives = {0};
    size_t at;
    for (size_t i = 0; i < a->index.n; i++) {
        const char *there = map_get(&b->index, a->index.keys[i], &at) ? b->values.at[at] : 0;
        compare(out, a->index.keys[i], a->values.at[a->index.values[i]], there, tolerance, &relatives);
    }
    for (size_t i = 0; i < b->index.n; i++)
        if (!map_get(&a->index, b->index.keys[i], 0))
            compare(out, b->index.keys[i], 0, b->values.at[b->index.values[i]], tolerance, &relatives);
    size_t n = out->typical = relatives.n;
    if (n) {
        qsort(relatives.at, n, sizeof *relatives.at, by_value);
        out->median_relative = (relatives.at[(n - 1) / 2] + relatives.at[n / 2]) / 2;
        out->worst_relative = relatives.at[n - 1];
    }
    vec_release(&relatives);
}

enum status shimxml_diff(struct shimxml_comparison *out, const struct shimxml_doc *a, const struct shimxml_doc *b,
                         double tolerance, struct error *e)
{
    if (!(tolerance >= 0))
        return error_set(e, ERR_INPUT, NOWHERE, "the tolerance must be 0 or more");
    struct flat fa = {0}, fb = {0};
    *out = (struct shimxml_comparison){.median_relative = NAN, .worst_relative = NAN};
    enum status s = flatten(&fa, a, e);
    if (!s)
        s = flatten(&fb, b, e);
    if (!s)
        compare_all(out, &fa, &fb, tolerance);
    flat_release(&fa);
    flat_release(&fb);
    return s;
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
