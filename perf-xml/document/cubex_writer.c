/* cubex_writer.c - the sink that writes .cubex (Cube 4): it keeps everything in memory and writes a tar archive at the
 * end. */
#include "perf-xml/document/writer.h"
#include "perf-xml/document/document.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

enum { BLOCK = 512 };
#define NOT_THERE SIZE_MAX

struct node {
    uint64_t id;
    size_t parent, child, sibling, last; /* indices of nodes; NOT_THERE: none */
    char *name;
};
struct place {
    size_t location, node;
    struct perf_number value;
};
struct metric {
    char *name, *unit;
    VEC(struct place) values; /* values of call paths; the root has the rest of a thread */
    bool real, negative, sums, is_most, is_least;
};
struct location {
    size_t process;
    uint64_t id;
    char *label;
};
struct process {
    uint64_t id;
    char *label;
};
struct cubex_out {
    VEC(struct node) nodes;
    VEC(struct metric) metrics;
    VEC(struct location) locations;
    VEC(struct process) processes;
    struct map node_ids, names;
    VEC(size_t) order; /* nodes; callers come before callees */
    char *machine;
    size_t depth, metric; /* number of open items; metric of the innermost one */
    bool kept;            /* is the open category "events"? */
    struct perf_number total, sum, most, least;
    size_t known, node; /* number of call paths with a value so far; node of the open call path */
    size_t root;        /* of the call tree */
};

static struct cubex_out *of(struct perf_sink *s)
{
    struct writer *w = (struct writer *)s;
    if (!w->cube)
        w->cube = xcalloc(1, sizeof *w->cube);
    return w->cube;
}

static enum status head(struct perf_sink *s, const struct perf_head *h, struct error *e)
{
    (void)e;
    of(s)->machine = xstrdup(h->machine);
    return OK;
}

static size_t node_find(const struct cubex_out *c, uint64_t id)
{
    char key[NUMBER_ROOM];
    size_t i;
    struct perf_number n = perf_unsigned(id);
    perf_number_text(key, &n);
    return map_get(&c->node_ids, key, &i) ? i : NOT_THERE;
}

static void adopt(struct cubex_out *c, size_t parent, size_t i)
{
    struct node *p = &c->nodes.at[parent];
    c->nodes.at[i].parent = parent;
    if (p->last == NOT_THERE)
        p->child = i;
    else
        c->nodes.at[p->last].sibling = i;
    p->last = i;
}

static void node_add(struct cubex_out *c, uint64_t id, size_t parent, const char *name)
{
    char key[NUMBER_ROOM];
    struct perf_number n = perf_unsigned(id);
    size_t i = c->nodes.n;
    perf_number_text(key, &n);
    map_put(&c->node_ids, key, i);
    vec_push(&c->nodes, (struct node){id, parent, NOT_THERE, NOT_THERE, NOT_THERE, xstrdup(name)});
    if (parent != NOT_THERE)
        adopt(c, parent, i);
}

static enum status callpath(struct perf_sink *s, const struct perf_callpath *x, struct error *e)
{
    struct cubex_out *c = of(s);
    (void)e;
    node_add(c, x->id, x->has_parent ? node_find(c, x->parent) : NOT_THERE, x->name);
    return OK;
}

static size_t metric_of(struct cubex_out *c, const char *name)
{
    size_t i = map_number(&c->names, name);
    if (i == c->metrics.n)
        vec_push(&c->metrics, (struct metric){.name = xstrdup(name), .sums = true, .is_most = true, .is_least = true});
    return i;
}

/* Readers expect a single root (pycubexr, which Extra-P uses, refuses anything else). So functions of a profile without
 * calls get a common parent. */
static void one_root(struct cubex_out *c)
{
    size_t n = c->nodes.n, roots = 0;
    uint64_t id = 0;
    for (size_t i = 0; i < n; i++) {
        roots += c->nodes.at[i].parent == NOT_THERE;
        id = c->nodes.at[i].id >= id ? c->nodes.at[i].id + 1 : id;
    }
    if (roots == 1)
        return;
    c->root = n;
    node_add(c, id, NOT_THERE, "(program)");
    for (size_t i = 0; i < n; i++)
        if (c->nodes.at[i].parent == NOT_THERE)
            adopt(c, n, i);
}

static enum status enter(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    struct cubex_out *c = of(s);
    (void)e;
    if (!c->locations.n && g->level == PERF_PROCESS && !c->processes.n)
        one_root(c);
    if (g->level == PERF_PROCESS)
        vec_push(&c->processes, (struct process){g->id, xstrdup(g->label)});
    if (g->level == PERF_THREAD)
        vec_push(&c->locations, (struct location){c->processes.n - 1, g->id, xstrdup(g->label)});
    if (g->level == PERF_CATEGORY)
        c->kept = strcmp(g->name, "metrics") == 0;
    if (g->level != PERF_ITEM || !c->kept)
        return OK;
    if (++c->depth == 1 && g->name) {
        c->metric = metric_of(c, g->name);
        c->total.kind = c->sum.kind = PERF_NONE;
        c->known = 0;
    }
    c->node = g->name ? NOT_THERE : node_find(c, g->id);
    return OK;
}

static void keep(struct cubex_out *c, size_t node, const struct perf_number *v)
{
    struct metric *m = &c->metrics.at[c->metric];
    m->real = m->real || v->kind == PERF_REAL;
    m->negative = m->negative || v->kind == PERF_SIGNED;
    vec_push(&m->values, (struct place){c->locations.n - 1, node, *v});
}

static void sum_up(struct cubex_out *c, const struct perf_number *v)
{
    double d = perf_number_real(v);
    if (!c->known++) {
        c->sum = c->most = c->least = *v;
        return;
    }
    c->most = d > perf_number_real(&c->most) ? *v : c->most;
    c->least = d < perf_number_real(&c->least) ? *v : c->least;
    if (c->sum.kind == PERF_REAL || v->kind == PERF_REAL)
        c->sum = (struct perf_number){.kind = PERF_REAL, .d = perf_number_real(&c->sum) + d};
    else
        c->sum.u += v->u; /* signed and unsigned alike: modulo 2^64 */
}

static enum status value(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    struct cubex_out *c = of(s);
    (void)e;
    if (!c->kept || d->value.kind == PERF_NONE)
        return OK;
    struct metric *m = &c->metrics.at[c->metric];
    if (!m->unit && d->unit)
        m->unit = xstrdup(d->unit);
    if (c->depth == 1) {
        c->total = d->value;
    } else if (c->depth == 2 && c->node != NOT_THERE) {
        keep(c, c->node, &d->value);
        sum_up(c, &d->value);
    }
    return OK;
}

static double least_of(const struct cubex_out *c)
{
    double least = c->known ? perf_number_real(&c->least) : 0;
    return c->known < c->nodes.n && least > 0 ? 0 : least;
}

/* The thread's value minus the sum of its call paths' values goes to the root. */
static void settle(struct cubex_out *c)
{
    struct metric *m = &c->metrics.at[c->metric];
    double total = perf_number_real(&c->total), sum = c->known ? perf_number_real(&c->sum) : 0;
    if (c->total.kind == PERF_NONE)
        return;
    if (!c->known) {
        keep(c, c->root, &c->total);
        m->is_most = m->is_least = m->is_most && c->nodes.n == 1;
        return;
    }
    if (c->total.kind == PERF_REAL || c->sum.kind == PERF_REAL) {
        m->sums = m->sums && fabs(total - sum) <= 1e-9 * fabs(total);
        m->is_most = m->is_most && total == fmax(0, perf_number_real(&c->most));
        m->is_least = m->is_least && total == least_of(c);
        return;
    }
    struct perf_number rest = {.kind = PERF_SIGNED, .i = (int64_t)(c->total.u - c->sum.u)};
    m->is_most = m->is_least = false;
    if (rest.i)
        keep(c, c->root, &rest);
}

static enum status leave(struct perf_sink *s, enum perf_level level, struct error *e)
{
    struct cubex_out *c = of(s);
    (void)e;
    if (level != PERF_ITEM || !c->kept)
        return OK;
    if (c->depth-- == 1)
        settle(c);
    return OK;
}

const struct perf_sink writer_cubex = {head, callpath, enter, value, leave};

/* ---- the file ---- */

static void element(struct str *out, const char *name, const char *text)
{
    str_addf(out, "<%s>", name);
    text_as_xml(out, text);
    str_addf(out, "</%s>\n", name);
}

static void number_element(struct str *out, const char *name, uint64_t value)
{
    str_addf(out, "<%s>%llu</%s>\n", name, (unsigned long long)value, name);
}

static const char *type_of(const struct metric *m)
{
    if (!m->real)
        return m->negative ? "INT64" : "UINT64";
    if (m->sums || !m->values.n)
        return "DOUBLE";
    return m->is_most ? "MAXDOUBLE" : m->is_least ? "MINDOUBLE" : "DOUBLE";
}

static void write_metrics(const struct cubex_out *c, struct str *out)
{
    str_add(out, "<metrics>\n");
    for (size_t i = 0; i < c->metrics.n; i++) {
        const struct metric *m = &c->metrics.at[i];
        str_addf(out, "<metric id=\"%zu\" type=\"EXCLUSIVE\">\n", i);
        element(out, "disp_name", m->name);
        element(out, "uniq_name", m->name);
        element(out, "dtype", type_of(m));
        element(out, "uom", m->unit);
        str_add(out, "<url></url>\n<descr></descr>\n</metric>\n");
    }
    str_add(out, "</metrics>\n");
}

static void enter_node(struct cubex_out *c, struct str *out, const uint32_t *ids, size_t at)
{
    if (out)
        str_addf(out, "<cnode id=\"%u\" calleeId=\"%zu\">\n", ids[at], at);
    else
        vec_push(&c->order, at);
}

/* Walks without recursion, since the tree may be as deep as a program's calls. */
static void walk_from(struct cubex_out *c, struct str *out, const uint32_t *ids, size_t root)
{
    size_t at = root;
    for (bool down = true;;) {
        if (down)
            enter_node(c, out, ids, at);
        if (down && c->nodes.at[at].child != NOT_THERE) {
            at = c->nodes.at[at].child;
            continue;
        }
        if (out)
            str_add(out, "</cnode>\n");
        if (at == root)
            return;
        down = c->nodes.at[at].sibling != NOT_THERE;
        at = down ? c->nodes.at[at].sibling : c->nodes.at[at].parent;
    }
}

static void walk(struct cubex_out *c, struct str *out, const uint32_t *ids)
{
    for (size_t root = 0; root < c->nodes.n; root++)
        if (c->nodes.at[root].parent == NOT_THERE)
            walk_from(c, out, ids, root);
}

/* The profile's own numbers if they are 0, 1, 2 ..., as Cube requires; otherwise positions. */
static uint32_t *ids_of(const struct cubex_out *c)
{
    uint32_t *ids = xcalloc(c->nodes.n, sizeof *ids);
    bool own = true;
    for (size_t i = 0; i < c->nodes.n; i++)
        own = own && c->nodes.at[i].id < c->nodes.n;
    for (size_t i = 0; i < c->nodes.n; i++) {
        if (own)
            ids[i] = (uint32_t)c->nodes.at[i].id;
        else
            ids[c->order.at[i]] = (uint32_t)i;
    }
    return ids;
}

static void write_program(struct cubex_out *c, struct str *out)
{
    str_add(out, "<program>\n");
    for (size_t i = 0; i < c->nodes.n; i++) {
        str_addf(out, "<region id=\"%zu\" mod=\"\" begin=\"-1\" end=\"-1\">\n", i);
        element(out, "name", c->nodes.at[i].name);
        element(out, "mangled_name", c->nodes.at[i].name);
        str_add(out, "<paradigm>user</paradigm>\n<role>function</role>\n<url></url>\n<descr></descr>\n</region>\n");
    }
    walk(c, 0, 0);
    uint32_t *ids = ids_of(c);
    walk(c, out, ids);
    free(ids);
    str_add(out, "</program>\n");
}

static void named(struct str *out, const char *label, const char *kind, uint64_t id)
{
    if (label) {
        element(out, "name", label);
        return;
    }
    str_addf(out, "<name>%s %llu</name>\n", kind, (unsigned long long)id);
}

static void write_system(const struct cubex_out *c, struct str *out)
{
    size_t at = 0;
    str_add(out, "<system>\n<systemtreenode Id=\"0\">\n");
    element(out, "name", c->machine ? c->machine : "machine");
    str_add(out, "<class>machine</class>\n");
    for (size_t p = 0; p < c->processes.n; p++) {
        str_addf(out, "<locationgroup Id=\"%zu\">\n", p);
        named(out, c->processes.at[p].label, "process", c->processes.at[p].id);
        number_element(out, "rank", c->processes.at[p].id);
        str_add(out, "<type>process</type>\n");
        for (; at < c->locations.n && c->locations.at[at].process == p; at++) {
            str_addf(out, "<location Id=\"%zu\">\n", at);
            named(out, c->locations.at[at].label, "thread", c->locations.at[at].id);
            number_element(out, "rank", c->locations.at[at].id);
            str_add(out, "<type>thread</type>\n</location>\n");
        }
        str_add(out, "</locationgroup>\n");
    }
    str_add(out, "</systemtreenode>\n<topologies>\n</topologies>\n</system>\n");
}

/* Appends a member of a tar archive in the ustar format of POSIX.1-1988. */
static void member(struct str *out, const char *name, const struct str *bytes)
{
    char header[BLOCK] = {0};
    unsigned sum = 0;
    snprintf(header, 100, "%s", name);
    memcpy(header + 100, "0000644\0000000000\0000000000", 23);
    snprintf(header + 124, 12, "%011llo", (unsigned long long)bytes->len);
    memcpy(header + 136, "00000000000", 11);
    memset(header + 148, ' ', 8);
    header[156] = '0';
    memcpy(header + 257, "ustar\00000", 8);
    for (size_t i = 0; i < BLOCK; i++)
        sum += (unsigned char)header[i];
    snprintf(header + 148, 7, "%06o", sum);
    str_addn(out, header, BLOCK);
    str_addn(out, str_text(bytes), bytes->len);
    memset(header, 0, BLOCK);
    if (bytes->len % BLOCK)
        str_addn(out, header, BLOCK - bytes->len % BLOCK);
}

static void put(struct str *out, uint64_t value, size_t size)
{
    char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(value >> 8 * i);
    str_addn(out, bytes, size);
}

static uint64_t bits_of(const struct metric *m, const struct perf_number *n)
{
    uint64_t bits;
    double d = perf_number_real(n);
    if (!m->real)
        return n->u;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* Writes the rows that have values, and the values of all locations; 0 where there is none. */
static size_t rows(const struct cubex_out *c, const struct metric *m, const size_t *place, uint64_t **values,
                   uint32_t **numbers)
{
    size_t n = 0, *row = xcalloc(c->nodes.n, sizeof *row);
    for (size_t i = 0; i < m->values.n; i++)
        row[place[m->values.at[i].node]] = 1;
    *numbers = xcalloc(c->nodes.n, sizeof **numbers);
    for (size_t i = 0; i < c->nodes.n; i++)
        if (row[i]) {
            (*numbers)[n] = (uint32_t)i;
            row[i] = n++;
        }
    *values = xcalloc(n * c->locations.n + 1, sizeof **values);
    for (size_t i = 0; i < m->values.n; i++) {
        const struct place *p = &m->values.at[i];
        uint64_t *to = &(*values)[row[place[p->node]] * c->locations.n + p->location];
        if (!m->real)
            *to += p->value.u; /* the rest of a thread is added to the root's own value */
        else
            *to = bits_of(m, &p->value);
    }
    free(row);
    return n;
}

static void write_metric(const struct cubex_out *c, size_t i, const size_t *place, struct str *out)
{
    const struct metric *m = &c->metrics.at[i];
    struct str index = STR_INIT, data = STR_INIT;
    uint64_t *values;
    uint32_t *numbers;
    char name[40];
    size_t n = rows(c, m, place, &values, &numbers);
    str_addn(&index, "CUBEX.INDEX", 11);
    put(&index, 1, 4);
    put(&index, 0, 2);
    put(&index, 1, 1);
    put(&index, n, 4);
    for (size_t k = 0; k < n; k++)
        put(&index, numbers[k], 4);
    str_addn(&data, "CUBEX.DATA", 10);
    for (size_t k = 0; k < n * c->locations.n; k++)
        put(&data, values[k], 8);
    snprintf(name, sizeof name, "%zu.data", i);
    member(out, name, &data);
    snprintf(name, sizeof name, "%zu.index", i);
    member(out, name, &index);
    str_release(&index);
    str_release(&data);
    free(values);
    free(numbers);
}

/* Metrics without any value are left out: the file would show them as 0. */
static void drop_empty(struct cubex_out *c)
{
    struct metric *all = c->metrics.at;
    size_t n = 0;
    for (size_t i = 0; i < c->metrics.n; i++)
        if (all[i].values.n) {
            struct metric m = all[n];
            all[n++] = all[i];
            all[i] = m;
        }
    for (size_t i = n; i < c->metrics.n; i++) {
        free(all[i].name);
        free(all[i].unit);
    }
    c->metrics.n = n;
}

static bool fits(const struct cubex_out *c)
{
    bool good = c->metrics.n && c->locations.n && c->nodes.n < INT_MAX;
    for (size_t i = 0; i < c->processes.n; i++)
        good = good && c->processes.at[i].id <= INT_MAX;
    for (size_t i = 0; i < c->locations.n; i++)
        good = good && c->locations.at[i].id <= INT_MAX;
    return good;
}

enum status cubex_finish(struct writer *w, struct error *e)
{
    struct cubex_out *c = of(&w->sink);
    struct str anchor = STR_INIT;
    static const char end[2 * BLOCK];
    drop_empty(c);
    if (!fits(c))
        return error_set(
            e, ERR_INPUT, NOWHERE,
            "a .cubex file needs a thread and an event with a value, and numbers below 2^31; use --to xml");
    str_add(&anchor, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n"
                     "<attr key=\"Cube Version\" value=\"4.4\"/>\n<attr key=\"Creator\" value=\"perf-xml\"/>\n"
                     "<doc>\n<mirrors>\n</mirrors>\n</doc>\n");
    write_metrics(c, &anchor);
    write_program(c, &anchor);
    write_system(c, &anchor);
    str_add(&anchor, "</cube>\n");
    size_t *place = xcalloc(c->nodes.n, sizeof *place);
    for (size_t i = 0; i < c->order.n; i++)
        place[c->order.at[i]] = i;
    for (size_t i = 0; i < c->metrics.n; i++) {
        write_metric(c, i, place, &w->text);
        writer_go_on(w);
    }
    member(&w->text, "anchor.xml", &anchor);
    str_addn(&w->text, end, sizeof end);
    free(place);
    str_release(&anchor);
    return OK;
}

void cubex_release(struct cubex_out *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->nodes.n; i++)
        free(c->nodes.at[i].name);
    for (size_t i = 0; i < c->metrics.n; i++) {
        free(c->metrics.at[i].name);
        free(c->metrics.at[i].unit);
        vec_release(&c->metrics.at[i].values);
    }
    for (size_t i = 0; i < c->locations.n; i++)
        free(c->locations.at[i].label);
    for (size_t i = 0; i < c->processes.n; i++)
        free(c->processes.at[i].label);
    vec_release(&c->nodes);
    vec_release(&c->metrics);
    vec_release(&c->locations);
    vec_release(&c->processes);
    vec_release(&c->order);
    map_release(&c->node_ids);
    map_release(&c->names);
    free(c->machine);
    free(c);
}
