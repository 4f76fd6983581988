/* gather.c - threads with their events, gathered from a table or from JSON and handed to a sink. */
#include "perf-xml/source/gather.h"

#include <stdlib.h>
#include <string.h>

#include "perf-xml/document/document.h"

struct rows_thread *rows_thread(struct rows *r, const char *process, const char *label)
{
    size_t p = map_number(&r->processes, process);
    char *key = xasprintf("%zu %s", p, label);
    size_t i = map_number(&r->threads, key);
    free(key);
    if (i == r->at.n) {
        uint64_t id = 0;
        for (size_t k = 0; k < r->at.n; k++)
            id += r->at.at[k].process == p;
        vec_push(&r->at, (struct rows_thread){.process = p, .id = id, .label = xstrdup(label)});
    }
    return &r->at.at[i];
}

static struct perf_number sum(const struct perf_number *a, const struct perf_number *b)
{
    if (a->kind == PERF_NONE || b->kind == PERF_NONE)
        return a->kind == PERF_NONE ? *b : *a;
    if (a->kind == PERF_UNSIGNED && b->kind == PERF_UNSIGNED && a->u <= UINT64_MAX - b->u)
        return perf_unsigned(a->u + b->u);
    return (struct perf_number){.kind = PERF_REAL, .d = perf_number_real(a) + perf_number_real(b)};
}

/* The number of an event's name. A place takes the name for one word, so spaces are replaced. */
static size_t event_number(struct rows *r, const char *event)
{
    char *name = text_word(*event ? event : "?");
    size_t i = map_number(&r->events, name);
    free(name);
    return i;
}

static struct row *row_of(struct rows *r, struct rows_thread *t, const char *event, const struct perf_data *d)
{
    char key[24] = "";
    size_t number = event_number(r, event);
    struct perf_number n = perf_unsigned(number);
    perf_number_text(key, &n);
    size_t i = map_number(&t->seen, key);
    if (i == t->rows.n)
        vec_push(&t->rows, (struct row){.event = number, .unit = xstrdup(d->unit ? d->unit : ""), .state = d->state});
    return &t->rows.at[i];
}

static void add_path(struct row *w, size_t path, const struct perf_number *value)
{
    for (size_t i = 0; i < w->paths.n; i++)
        if (w->paths.at[i].path == path) {
            w->paths.at[i].value = sum(&w->paths.at[i].value, value);
            return;
        }
    vec_push(&w->paths, (struct row_path){path, *value});
}

void rows_add(struct rows *r, struct rows_thread *t, const char *event, const struct perf_data *d, const char *path)
{
    struct row *w = row_of(r, t, event, d);
    if (path) {
        add_path(w, map_number(&r->paths, path), &d->value);
        return;
    }
    w->value = sum(&w->value, &d->value);
    if (w->value.kind != PERF_NONE && w->state == PERF_UNAVAILABLE)
        w->state = d->state;
    else if (w->value.kind != PERF_NONE && d->state == PERF_DERIVED)
        w->state = PERF_DERIVED;
    if (d->why && !w->why)
        w->why = xstrdup(d->why);
}

static enum status send_paths(const struct row *w, struct perf_sink *to, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; !s && i < w->paths.n; i++) {
        struct perf_data d = {.value = w->paths.at[i].value};
        if (perf_number_real(&d.value) == 0)
            continue;
        s = perf_send_open(to, &(struct perf_group){.level = PERF_ITEM, .id = w->paths.at[i].path}, e);
        if (!s)
            s = perf_send_data(to, &d, e);
        if (!s)
            s = perf_send_close(to, PERF_ITEM, e);
    }
    return s;
}

static enum status send_row(const struct rows *r, const struct row *w, struct perf_sink *to, struct error *e)
{
    struct perf_data d = {.unit = w->unit, .state = w->state, .value = w->value};
    if (w->value.kind == PERF_NONE) {
        d.state = PERF_UNAVAILABLE;
        d.why = w->why ? w->why : "no value";
    }
    enum status s = perf_send_open(to, &(struct perf_group){.level = PERF_ITEM, .name = r->events.keys[w->event]}, e);
    if (!s)
        s = perf_send_data(to, &d, e);
    if (!s)
        s = send_paths(w, to, e);
    return s ? s : perf_send_close(to, PERF_ITEM, e);
}

static enum status send_thread(const struct rows *r, const struct rows_thread *t, struct perf_sink *to, struct error *e)
{
    enum status s = perf_send_open(to, &(struct perf_group){PERF_THREAD, 0, t->id, t->label}, e);
    if (!s)
        s = perf_send_open(to, &(struct perf_group){.level = PERF_CATEGORY, .name = "metrics"}, e);
    for (size_t i = 0; !s && i < t->rows.n; i++)
        s = send_row(r, &t->rows.at[i], to, e);
    if (!s)
        s = perf_send_close(to, PERF_CATEGORY, e);
    return s ? s : perf_send_close(to, PERF_THREAD, e);
}

static enum status send_process(const struct rows *r, size_t p, struct perf_sink *to, struct error *e)
{
    enum status s = perf_send_open(to, &(struct perf_group){PERF_PROCESS, 0, p, r->processes.keys[p]}, e);
    for (size_t i = 0; !s && i < r->at.n; i++)
        if (r->at.at[i].process == p)
            s = send_thread(r, &r->at.at[i], to, e);
    return s ? s : perf_send_close(to, PERF_PROCESS, e);
}

enum status rows_send(const struct rows *r, const struct perf_head *head, struct perf_sink *to, struct error *e)
{
    enum status s = perf_send_head(to, head, e);
    for (size_t i = 0; !s && i < r->paths.n; i++)
        s = perf_send_callpath(to, &(struct perf_callpath){.id = i, .name = r->paths.keys[i]}, e);
    for (size_t p = 0; !s && p < r->processes.n; p++)
        s = send_process(r, p, to, e);
    return s ? s : perf_send_close(to, PERF_ROOT, e);
}

void rows_release(struct rows *r)
{
    for (size_t i = 0; i < r->at.n; i++) {
        struct rows_thread *t = &r->at.at[i];
        for (size_t k = 0; k < t->rows.n; k++) {
            free(t->rows.at[k].unit);
            free(t->rows.at[k].why);
            vec_release(&t->rows.at[k].paths);
        }
        vec_release(&t->rows);
        map_release(&t->seen);
        free(t->label);
    }
    vec_release(&r->at);
    map_release(&r->processes);
    map_release(&r->events);
    map_release(&r->paths);
    map_release(&r->threads);
}
