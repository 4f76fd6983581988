/* read_all.c - joins several profiles and adds the template's items. Each profile is read twice. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "perf-xml/perfxml.h"
#include "perf-xml/template/derive.h"

/* One of the inputs. The first pass sends head and call paths, the second one the processes. */
struct input {
    struct perf_sink sink;
    struct perf_sink *to;       /* the final receiver */
    struct derive derive;       /* adds the template's items to the input */
    const char *path;           /* what is opened */
    uint64_t process, callpath; /* offsets that are added to this input's numbers */
    uint64_t next_process, next_callpath;
    char *machine, *date, *names; /* from its head */
    char *source;
    bool values; /* the second pass sends values */
};

static enum status head(struct perf_sink *s, const struct perf_head *h, struct error *e)
{
    struct input *in = (struct input *)s;
    (void)e;
    if (in->values)
        return OK;
    in->source = xstrdup(h->source);
    in->machine = xstrdup(h->machine);
    in->date = xstrdup(h->date);
    in->names = xstrdup(h->names);
    if (in->names && (strcmp(in->derive.names, "auto") == 0 || strcmp(in->names, "none") == 0))
        in->derive.names = in->names;
    return OK;
}

static enum status callpath(struct perf_sink *s, const struct perf_callpath *c, struct error *e)
{
    struct input *in = (struct input *)s;
    (void)e;
    if (!in->values && c->id >= in->next_callpath)
        in->next_callpath = c->id + 1;
    return OK;
}

static enum status enter(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    struct input *in = (struct input *)s;
    if (g->level == PERF_PROCESS && !in->values && g->id >= in->next_process)
        in->next_process = g->id + 1;
    return perf_send_open(&in->derive.sink, g, e);
}

static enum status value(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    return perf_send_data(&((struct input *)s)->derive.sink, d, e);
}

static enum status leave(struct perf_sink *s, enum perf_level level, struct error *e)
{
    return level == PERF_ROOT ? OK : perf_send_close(&((struct input *)s)->derive.sink, level, e);
}

/* After `derive`: renumbers processes and call paths. */
struct numbering {
    struct perf_sink sink;
    const struct input *in;
};

static enum status numbered(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    const struct numbering *n = (struct numbering *)s;
    struct perf_group out = *g;
    if (g->level == PERF_PROCESS)
        out.id += n->in->process;
    else if (g->level == PERF_ITEM && !g->name)
        out.id += n->in->callpath;
    return perf_send_open(n->in->to, &out, e);
}

static enum status passed(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    return perf_send_data(((struct numbering *)s)->in->to, d, e);
}

static enum status closed(struct perf_sink *s, enum perf_level level, struct error *e)
{
    return perf_send_close(((struct numbering *)s)->in->to, level, e);
}

static enum status numbered_path(struct perf_sink *s, const struct perf_callpath *c, struct error *e)
{
    const struct numbering *n = (struct numbering *)s;
    struct perf_callpath out = *c;
    out.id += n->in->callpath;
    out.parent += n->in->callpath;
    return perf_send_callpath(n->in->to, &out, e);
}

static enum status survey(struct input *in, size_t n, struct error *e)
{
    enum status s = OK;
    uint64_t process = 0, path = 0;
    for (size_t i = 0; !s && i < n; i++) {
        s = perf_read(in[i].path, &in[i].sink, e);
        in[i].process = process;
        in[i].callpath = path;
        process += in[i].next_process;
        path += in[i].next_callpath;
        if (!s && (process < in[i].next_process || path < in[i].next_callpath))
            s = error_set(e, ERR_INPUT, AT_FILE(in[i].path),
                          "the numbers of its processes or call paths are too large");
    }
    return s;
}

static enum status send_head(const struct input *in, size_t n, struct perf_sink *to, struct error *e)
{
    struct str sources = STR_INIT;
    struct perf_head h = {.machine = in->machine, .date = in->date, .names = in->names};
    for (size_t i = 0; i < n; i++)
        str_addf(&sources, "%s%s", i ? ", " : "", in[i].source ? in[i].source : path_basename(in[i].path));
    h.source = str_text(&sources);
    enum status s = perf_send_head(to, &h, e);
    str_release(&sources);
    return s;
}

/* All call paths have been read. */
static enum status stop(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    (void)s;
    (void)g;
    (void)e;
    return ERR_FOUND;
}

/* Call paths come before all processes, so those of several inputs need a pass of their own. */
static enum status send_paths(struct input *in, size_t n, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; !s && i < n; i++) {
        struct numbering x = {.sink = {.callpath = numbered_path, .open = stop}, .in = &in[i]};
        if (in[i].next_callpath)
            s = perf_read(in[i].path, &x.sink, e);
        if (s == ERR_FOUND)
            s = OK;
    }
    return s;
}

static enum status send_processes(struct input *in, size_t n, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; !s && i < n; i++) {
        struct numbering x = {.sink = {.open = numbered, .data = passed, .close = closed}, .in = &in[i]};
        in[i].values = true;
        derive_again(&in[i].derive, &x.sink);
        s = perf_read(in[i].path, &in[i].sink, e);
    }
    return s;
}

static enum status read_inputs(struct input *in, size_t n, struct perf_sink *to, struct error *e)
{
    enum status s = survey(in, n, e);
    if (!s)
        s = send_head(in, n, to, e);
    if (!s)
        s = send_paths(in, n, e);
    if (!s)
        s = send_processes(in, n, e);
    return s ? s : perf_send_close(to, PERF_ROOT, e);
}

static void release(struct input *in, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        derive_release(&in[i].derive);
        template_free(in[i].derive.template);
        free(in[i].source);
        free(in[i].machine);
        free(in[i].date);
        free(in[i].names);
    }
    free(in);
}

enum status perf_read_all(char *const *paths, size_t n, const char *items, struct perf_sink *to, struct error *e)
{
    enum status s = OK;
    char *copy = 0;
    if (n == 1 && strcmp(items, "none") == 0)
        return perf_read(paths[0], to, e);
    for (size_t i = 0; !s && i < n; i++)
        if (strcmp(paths[i], "-") == 0 && !copy)
            s = perf_read_input(&copy, n == 1 ? to : 0, e);
    if (s || (n == 1 && strcmp(paths[0], "-") == 0 && !copy)) {
        free(copy);
        return s;
    }
    struct input *in = xcalloc(n, sizeof *in);
    for (size_t i = 0; !s && i < n; i++) {
        struct template *t = 0;
        in[i] = (struct input){.sink = {head, callpath, enter, value, leave}, .to = to, .path = paths[i]};
        if (strcmp(paths[i], "-") == 0)
            in[i].path = copy;
        s = template_open(&t, e);
        derive_init(&in[i].derive, t, items, 0);
    }
    if (!s)
        s = read_inputs(in, n, to, e);
    release(in, n);
    free(copy);
    return s;
}
