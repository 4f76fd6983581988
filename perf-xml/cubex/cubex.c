/* cubex.c - reads a .cubex profile and hands it to a sink: each thread's metrics, each metric's call paths. */
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "perf-xml/cubex/cubex.h"

static enum status send_paths(const struct cube *c, struct perf_sink *to, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; !s && i < c->cnodes.n; i++) {
        const struct cnode *x = &c->cnodes.at[i];
        struct perf_callpath p = {.id = x->id, .has_parent = x->parent != NO_PARENT, .name = x->name};
        if (p.has_parent)
            p.parent = c->cnodes.at[x->parent].id;
        s = perf_send_callpath(to, &p, e);
    }
    return s;
}

static enum status send_item(struct perf_sink *to, const struct perf_group *g, const struct perf_data *d,
                             struct error *e)
{
    enum status s = perf_send_open(to, g, e);
    if (!s)
        s = perf_send_data(to, d, e);
    return s;
}

/* Is the value written? Zeros are not, nor infinities and NaN, which XML's doubles cannot hold here. */
static bool worth(const struct perf_number *n)
{
    return n->kind == PERF_REAL ? n->d != 0 && isfinite(n->d) : n->u != 0;
}

static enum status send_metric(const struct values *v, size_t location, struct perf_sink *to, struct error *e)
{
    const struct metric *m = v->metric;
    struct perf_group group = {.level = PERF_ITEM, .name = m->name};
    struct perf_data data = {.unit = m->unit ? m->unit : ""};
    if (v->missing) {
        data.state = PERF_UNAVAILABLE;
        data.why = v->missing;
    } else {
        data.value = values_total(v, location);
    }
    if (data.value.kind == PERF_REAL && !isfinite(data.value.d))
        return error_set(e, ERR_INPUT, AT_FILE(v->cube->path), "metric %s: a value is not a finite number", m->name);
    enum status s = send_item(to, &group, &data, e);
    for (size_t i = 0; !s && v->n_rows && i < v->cube->cnodes.n; i++) {
        struct perf_data own = {.value = values_exclusive(v, i, location)};
        if (!worth(&own.value))
            continue;
        s = send_item(to, &(struct perf_group){.level = PERF_ITEM, .id = v->cube->cnodes.at[i].id}, &own, e);
        if (!s)
            s = perf_send_close(to, PERF_ITEM, e);
    }
    if (!s && v->window && v->window->failed)
        s = error_set(e, ERR_SYSTEM, AT_FILE(v->cube->path),
                      "it cannot be read again: it is being changed, or damaged");
    return s ? s : perf_send_close(to, PERF_ITEM, e);
}

static enum status send_thread(const struct cube *c, const struct values *all, const struct location *l,
                               struct perf_sink *to, struct error *e)
{
    enum status s = perf_send_open(to, &(struct perf_group){PERF_THREAD, 0, l->rank, l->name}, e);
    if (!s)
        s = perf_send_open(to, &(struct perf_group){.level = PERF_CATEGORY, .name = "metrics"}, e);
    for (size_t i = 0; !s && i < c->metrics.n; i++)
        s = send_metric(&all[i], l->id, to, e);
    if (!s)
        s = perf_send_close(to, PERF_CATEGORY, e);
    return s ? s : perf_send_close(to, PERF_THREAD, e);
}

static enum status send_all(const struct cube *c, const struct values *all, struct perf_sink *to, struct error *e)
{
    struct perf_head head = {.source = path_basename(c->path), .machine = c->machine};
    enum status s = perf_send_head(to, &head, e);
    if (!s)
        s = send_paths(c, to, e);
    size_t at = 0;
    for (size_t g = 0; !s && g < c->groups.n; g++) {
        const struct group *x = &c->groups.at[g];
        s = perf_send_open(to, &(struct perf_group){PERF_PROCESS, 0, x->rank, x->name}, e);
        for (; !s && at < c->locations.n && c->locations.at[at].group == g; at++)
            s = send_thread(c, all, &c->locations.at[at], to, e);
        if (!s)
            s = perf_send_close(to, PERF_PROCESS, e);
    }
    return s ? s : perf_send_close(to, PERF_ROOT, e);
}

static enum status send(const struct cube *c, const struct tar *t, struct perf_sink *to, struct error *e)
{
    struct values *all = xcalloc(c->metrics.n, sizeof *all);
    enum status s = OK;
    for (size_t i = 0; !s && i < c->metrics.n; i++)
        s = metric_values_read(&all[i], c, &c->metrics.at[i], t, e);
    if (!s) {
        windows_share(all, c->metrics.n);
        s = send_all(c, all, to, e);
    }
    for (size_t i = 0; i < c->metrics.n; i++)
        values_release(&all[i]);
    free(all);
    return s;
}

enum status cubex_read(gzFile f, const char *path, struct perf_sink *to, struct error *e)
{
    struct tar t = {.fd = -1};
    struct cube c = {.path = path};
    enum status s = tar_read(&t, f, path, e);
    const struct member *anchor = s ? 0 : tar_find(&t, "anchor.xml");
    if (!s && !anchor)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no anchor.xml in it: this is not a .cubex file");
    if (!s)
        s = cube_parse(&c, &anchor->bytes, e);
    if (!s)
        s = send(&c, &t, to, e);
    cube_release(&c);
    tar_release(&t);
    return s;
}
