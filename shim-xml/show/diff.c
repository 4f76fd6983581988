/* diff.c - compares two documents by meaning. Each is turned into a list of (path of names, value). Ids do not occur in
 * it, and a reference is replaced by the path of its target. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "shim-xml/document/notes.h"
#include "shim-xml/document/doc.h"
#include "shim-xml/document/quantity.h"

/* limit on all paths together [bytes]: a deep file with long names could need any amount */
enum { SIZE_LIMIT = 1 << 30 };

struct value {
    char *text;         /* owned */
    long double number; /* NAN: not a number. Its 64 bits of mantissa hold every address */
};
struct element {
    size_t parent; /* SIZE_MAX: it is the root */
    size_t first;  /* its values begin here, and end where those of the next element begin */
};
struct flat {
    const struct schema *schema;
    struct map paths; /* path of an element -> index */
    VEC(struct element) elements;
    struct map index; /* path and attribute -> value */
    VEC(struct value) values;
    struct map targets; /* id -> index in target_paths */
    VEC(char *) target_paths;
    struct map keys; /* how often each occurred */
    size_t bytes;
};

static const char *target_path(const struct flat *f, const char *id)
{
    size_t target;
    return map_get(&f->targets, reference_id(id), &target) ? f->target_paths.at[target] : 0;
}

/* The target of a reference as names below the root. An AccessType of the Accessor's own master is named by its name
 * alone. */
static char *target_name(const struct flat *f, const struct shimxml_node *n, const char *id)
{
    const char *path = target_path(f, id), *below = path ? strchr(path, '/') : 0;
    const struct shimxml_node *accessor = shimxml_owner(n, "Accessor");
    const char *master_id = accessor ? shimxml_get(accessor, "masterComponentRef") : 0;
    const char *master = master_id ? target_path(f, master_id) : 0;
    size_t length = master ? strlen(master) : 0;
    if (path && master && strncmp(path, master, length) == 0 && path[length] == '/')
        below = strrchr(path, '/');
    return xstrdup(below ? below + 1 : id);
}

/* Elements without a name that are identified by what they refer to, in any order: "Accessor(System/Core_0)",
 * "Connection(System/Core_0, System/Core_1)". NULL: it is none of them. */
static void add_target(struct str *out, const struct flat *f, const struct shimxml_node *n, const char *id)
{
    char *target = target_name(f, n, id);
    str_addf(out, "%s%s", out->len ? ", " : "", target);
    free(target);
}

static char *step_of_references(const struct flat *f, const struct shimxml_node *n)
{
    struct str targets = STR_INIT;
    const char *name, *value = 0;
    for (size_t i = 0; (name = shimxml_attribute(n, i, &value)); i++)
        if (schema_reference(f->schema, name))
            add_target(&targets, f, n, value);
    char *text = n->name->reference ? shimxml_text(n) : 0;
    if (text)
        add_target(&targets, f, n, text);
    free(text);
    char *step = targets.len ? xasprintf("%s(%s)", shimxml_name(n), targets.s) : 0;
    str_release(&targets);
    return step;
}

/* A unique path among siblings: "fadd" for a named element, else what it refers to, else "Performance", with "[2]" if
 * an earlier sibling has the same. `seen` counts them; there is one for each parent. */
static char *path_below(const struct flat *f, const char *parent, const struct shimxml_node *n, struct map *seen)
{
    const char *name = shimxml_get(n, "name");
    char *references = name ? 0 : step_of_references(f, n);
    const char *step = name ? name : references ? references : shimxml_name(n);
    const char *slash = *parent ? "/" : "";
    size_t before = 0;
    map_get(seen, step, &before);
    map_put(seen, step, before + 1);
    char *path =
        before ? xasprintf("%s%s%s[%zu]", parent, slash, step, before + 1) : xasprintf("%s%s%s", parent, slash, step);
    free(references);
    return path;
}

static bool is_full(const struct flat *f)
{
    return f->bytes > SIZE_LIMIT;
}

/* The reader limits the depth. Takes over `path`. */
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
        find_targets(f, c, path_below(f, path, c, &seen));
    map_release(&seen);
    free(path);
}

static void put(struct flat *f, const char *path, const char *attribute, const char *text, long double number)
{
    char *key = xasprintf("%s %s", path, attribute);
    size_t before = 0;
    map_get(&f->keys, key, &before);
    map_put(&f->keys, key, before + 1);
    if (before) {
        /* names that contain '/' or '[' can make two paths equal: both are kept */
        char *other = xasprintf("%s (%zu)", key, before + 1);
        free(key);
        key = other;
    }
    f->bytes += strlen(key) + strlen(text);
    map_put(&f->index, key, f->values.n);
    vec_push(&f->values, (struct value){xstrdup(text), number});
    free(key);
}

/* The value in the schema's type: a single-precision float. */
static long double number_of(const struct shimxml_node *n, const char *attribute, const char *value)
{
    size_t rank = schema_attribute_rank(n->name->spec, attribute);
    enum schema_type type = rank == SCHEMA_NO_RANK ? TYPE_string : n->name->spec->attributes[rank].type;
    double v;
    if (schema_bad_value(type, value))
        return NAN;
    if (type == TYPE_int || type == TYPE_long)
        return strtoll(value, 0, 10);
    if ((type == TYPE_float || type == TYPE_uint) && parse_double(value, &v) && fabs(v) <= (double)FLT_MAX)
        return type == TYPE_float ? (double)(float)v : v;
    return NAN;
}

static const struct quantity *const quantities[] = {&quantity_size, &quantity_data_size, &quantity_frequency,
                                                    &quantity_voltage, &quantity_power};

/* Compares a number together with its unit: 1 GiB equals 1024 MiB, 1.2 V equals 1200 mV. */
static bool put_quantity(struct flat *f, const struct shimxml_node *n, const char *path, const struct quantity *q)
{
    const char *value = shimxml_get(n, q->attribute), *unit = shimxml_get(n, q->unit);
    long double number = value ? quantity_smallest(q, n, number_of(n, q->attribute, value)) : NAN;
    if (isnan(number))
        return false;
    char *text = xasprintf("%s %s", value, unit ? unit : q->units[0]);
    put(f, path, q->attribute, text, number);
    free(text);
    return true;
}

/* Is the attribute the number or the unit of a quantity whose bit is set in `put`? */
static bool is_put(const char *attribute, unsigned put)
{
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (put >> i & 1 &&
            (strcmp(attribute, quantities[i]->attribute) == 0 || strcmp(attribute, quantities[i]->unit) == 0))
            return true;
    return false;
}

static void put_attribute(struct flat *f, const struct shimxml_node *n, const char *path, const char *name,
                          const char *value)
{
    const char *target = schema_reference(f->schema, name) ? target_path(f, value) : 0;
    put(f, path, name, target ? target : value, target ? NAN : number_of(n, name, value));
}

/* References that identify an element are left out, since they are in its path. */
static void put_attributes(struct flat *f, const struct shimxml_node *n, const char *path)
{
    const char *name, *value = 0;
    bool by_reference = !shimxml_get(n, "name");
    unsigned quantities_put = 0;
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        quantities_put |= (unsigned)put_quantity(f, n, path, quantities[i]) << i;
    for (size_t i = 0; (name = shimxml_attribute(n, i, &value)); i++) {
        if (strcmp(name, "id") == 0 || is_put(name, quantities_put) ||
            (by_reference && schema_reference(f->schema, name)))
            continue;
        put_attribute(f, n, path, name, value);
    }
    bool is_text = n->name->spec && n->name->spec->text;
    if (is_text && !n->name->reference) {
        char *text = shimxml_text(n);
        put(f, path, shimxml_name(n), text, NAN);
        free(text);
    }
}

/* Names that contain '/' or '[' can make two paths equal: both are kept. Takes over `path`. */
static char *unlike_others(const struct flat *f, char *path)
{
    for (size_t n = 2; map_get(&f->paths, path, 0); n++) {
        char *other = xasprintf("%s (%zu)", path, n);
        free(path);
        path = other;
    }
    return path;
}

/* Takes over `path`. */
static void lay_out(struct flat *f, const struct shimxml_node *n, size_t parent, char *path)
{
    size_t number = f->elements.n;
    path = unlike_others(f, path);
    f->bytes += strlen(path);
    map_put(&f->paths, path, number);
    vec_push(&f->elements, (struct element){parent, f->values.n});
    put_attributes(f, n, path);
    struct map seen = {0};
    for (const struct shimxml_node *c = shimxml_child(n, 0); c && !is_full(f); c = shimxml_next(c, 0))
        if (!shimxml_is(c, "Instruction") || !note_is(c)) /* annotations are compared by compare_methods */
            lay_out(f, c, number, path_below(f, path, c, &seen));
    map_release(&seen);
    free(path);
}

/* `top`: the root's name in both lists, so that another name of the system is a single difference. */
static enum status flatten(struct flat *f, const struct shimxml_doc *d, const char *top, struct error *e)
{
    const struct shimxml_node *root = shimxml_root(d);
    f->schema = d->schema;
    find_targets(f, root, xstrdup(top));
    if (!is_full(f))
        lay_out(f, root, SIZE_MAX, xstrdup(top));
    if (is_full(f))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "too large to be compared: its names are too long, too deep");
    return OK;
}

static void flat_release(struct flat *f)
{
    for (size_t i = 0; i < f->values.n; i++)
        free(f->values.at[i].text);
    for (size_t i = 0; i < f->target_paths.n; i++)
        free(f->target_paths.at[i]);
    vec_release(&f->values);
    vec_release(&f->target_paths);
    vec_release(&f->elements);
    map_release(&f->paths);
    map_release(&f->index);
    map_release(&f->keys);
    map_release(&f->targets);
}

typedef VEC(double) reals_t;

static bool is_typical(const char *what)
{
    return text_ends(what, " typical") || strstr(what, " typical (");
}

static void compare(struct shimxml_comparison *out, const char *what, const struct value *a, const struct value *b,
                    double tolerance, reals_t *relatives)
{
    double relative = NAN;
    if (a && b && !isnan(a->number) && !isnan(b->number)) {
        long double largest = fmaxl(fabsl(a->number), fabsl(b->number));
        relative = largest > 0 ? (double)(fabsl(a->number - b->number) / largest) : 0;
        out->compared++;
        if (is_typical(what))
            vec_push(relatives, relative);
        if (relative <= tolerance)
            return;
    } else if (a && b && strcmp(a->text, b->text) == 0) {
        return;
    }
    out->at = xreallocarray(out->at, out->n + 1, sizeof *out->at);
    out->at[out->n++] =
        (struct shimxml_difference){xstrdup(what), xstrdup(a ? a->text : 0), xstrdup(b ? b->text : 0), relative};
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_absent(const struct flat *f, size_t element, const struct flat *other)
{
    return !map_get(&other->paths, f->paths.keys[element], 0);
}

static void add_absence(struct shimxml_comparison *out, const struct flat *f, size_t element, bool in_a)
{
    char *what = xasprintf("%s present", f->paths.keys[element]);
    out->at = xreallocarray(out->at, out->n + 1, sizeof *out->at);
    out->at[out->n++] = (struct shimxml_difference){what, in_a ? xstrdup("yes") : 0, in_a ? 0 : xstrdup("yes"), NAN};
}

/* Adds the values of element i of `f`. Values that both have are compared when `f` is a's. */
static void compare_values(struct shimxml_comparison *out, const struct flat *f, size_t i, const struct flat *other,
                           bool in_a, double tolerance, reals_t *relatives)
{
    size_t end = i + 1 < f->elements.n ? f->elements.at[i + 1].first : f->values.n, at;
    for (size_t v = f->elements.at[i].first; v < end; v++) {
        const char *what = f->index.keys[v];
        const struct value *mine = &f->values.at[v],
                           *there = map_get(&other->index, what, &at) ? &other->values.at[at] : 0;
        if (in_a || !there)
            compare(out, what, in_a ? mine : 0, in_a ? there : mine, tolerance, relatives);
    }
}

/* Compares in the order of `f`: elements that the other lacks (without their contents), and values. */
static void compare_with(struct shimxml_comparison *out, const struct flat *f, const struct flat *other, bool in_a,
                         double tolerance, reals_t *relatives)
{
    for (size_t i = 0; i < f->elements.n; i++) {
        const struct element *x = &f->elements.at[i];
        if (is_absent(f, i, other)) {
            if (x->parent == SIZE_MAX || !is_absent(f, x->parent, other))
                add_absence(out, f, i, in_a);
        } else {
            compare_values(out, f, i, other, in_a, tolerance, relatives);
        }
    }
}

/* A file without a method is for the default method, so it equals one that names the default. */
static enum status compare_methods(struct shimxml_comparison *out, const struct shimxml_doc *a,
                                   const struct shimxml_doc *b, struct error *e)
{
    const char *in_a = 0, *in_b = 0;
    enum status s = shimxml_method(&in_a, a, e);
    if (!s)
        s = shimxml_method(&in_b, b, e);
    if (s || strcmp(in_a, in_b) == 0)
        return s;
    out->at = xcalloc(1, sizeof *out->at);
    out->at[out->n++] = (struct shimxml_difference){xstrdup("method of estimating"), xstrdup(in_a), xstrdup(in_b), NAN};
    return OK;
}

static void compare_all(struct shimxml_comparison *out, const struct flat *a, const struct flat *b, double tolerance)
{
    reals_t relatives = {0};
    compare_with(out, a, b, true, tolerance, &relatives);
    compare_with(out, b, a, false, tolerance, &relatives);
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
    const struct shimxml_node *root = shimxml_root(a);
    const char *name = shimxml_get(root, "name"), *top = name ? name : shimxml_name(root);
    enum status s = flatten(&fa, a, top, e);
    if (!s)
        s = flatten(&fb, b, top, e);
    if (!s)
        s = compare_methods(out, a, b, e);
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
