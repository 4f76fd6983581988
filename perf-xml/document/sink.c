/* sink.c - hands the elements of a profile to a sink, and tracks the place in the stream. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/str.h"
#include "perf-xml/perfxml.h"

enum status perf_send_head(struct perf_sink *s, const struct perf_head *h, struct error *e)
{
    return s->head ? s->head(s, h, e) : OK;
}

enum status perf_send_callpath(struct perf_sink *s, const struct perf_callpath *c, struct error *e)
{
    return s->callpath ? s->callpath(s, c, e) : OK;
}

enum status perf_send_open(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    return s->open ? s->open(s, g, e) : OK;
}

enum status perf_send_data(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    return s->data ? s->data(s, d, e) : OK;
}

enum status perf_send_close(struct perf_sink *s, enum perf_level level, struct error *e)
{
    return s->close ? s->close(s, level, e) : OK;
}

static char *part(const struct perf_group *g)
{
    switch (g->level) {
    case PERF_PROCESS:
        return xasprintf("process=%llu", (unsigned long long)g->id);
    case PERF_THREAD:
        return xasprintf("thread=%llu", (unsigned long long)g->id);
    default:
        return g->name ? xstrdup(g->name) : xasprintf("path=%llu", (unsigned long long)g->id);
    }
}

/* Readers have refused profiles that are deeper than PERF_DEPTH. */
void perf_place_open(struct perf_place *p, const struct perf_group *g)
{
    if (p->n >= PERF_DEPTH)
        BUG("more than %d levels", PERF_DEPTH);
    p->unit[p->n] = 0;
    p->parts[p->n++] = part(g);
}

void perf_place_close(struct perf_place *p)
{
    p->n--;
    free(p->parts[p->n]);
    free(p->unit[p->n]);
}

char *perf_place_text(const struct perf_place *p)
{
    struct str out = STR_INIT;
    for (size_t i = 0; i < p->n; i++)
        str_addf(&out, "%s%s", i ? " " : "", p->parts[i]);
    str_add(&out, "");
    return str_detach(&out);
}

const char *perf_place_unit(struct perf_place *p, const char *unit)
{
    if (unit && p->n) {
        free(p->unit[p->n - 1]);
        p->unit[p->n - 1] = xstrdup(unit);
    }
    for (size_t i = p->n; i-- > 0;)
        if (p->unit[i])
            return p->unit[i];
    return "";
}

void perf_place_release(struct perf_place *p)
{
    while (p->n)
        perf_place_close(p);
}
