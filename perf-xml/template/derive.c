/* derive.c - adds the template's items to each thread. A pass before that finds the largest values of each process. */
#include "perf-xml/template/derive.h"

#include <stdlib.h>
#include <string.h>

static enum status group_open(struct derive *d, enum perf_level level, const char *name, struct error *e)
{
    return perf_send_open(d->to, &(struct perf_group){.level = level, .name = name}, e);
}

static enum status send_item(struct derive *d, const char *name, const struct perf_data *data, struct error *e)
{
    enum status s = group_open(d, PERF_ITEM, name, e);
    if (!s)
        s = perf_send_data(d->to, data, e);
    return s ? s : perf_send_close(d->to, PERF_ITEM, e);
}

/* Number of items with a value in the group that begins with i. */
static size_t known_in(struct derive *d, size_t i, size_t end, const struct template_most *most)
{
    size_t n = 0;
    for (; i < end; i++) {
        struct perf_data data;
        template_value(d->template, i, most, &data);
        n += data.value.kind != PERF_NONE;
    }
    return n;
}

/* A group of which nothing is known becomes one item that says why. */
static enum status send_group(struct derive *d, size_t i, size_t end, const struct template_most *most, struct error *e)
{
    const struct template_item *row = template_item_at(d->template, i);
    struct perf_data data;
    if (!known_in(d, i, end, most)) {
        template_value(d->template, i, most, &data);
        return send_item(d, row->group, &data, e);
    }
    enum status s = group_open(d, PERF_ITEM, row->group, e);
    if (!s)
        s = perf_send_data(d->to, &(struct perf_data){.unit = row->unit}, e);
    for (; !s && i < end; i++) {
        template_value(d->template, i, most, &data);
        data.unit = 0; /* the group has it */
        s = send_item(d, template_item_at(d->template, i)->item, &data, e);
    }
    return s ? s : perf_send_close(d->to, PERF_ITEM, e);
}

static size_t end_of(const struct template *t, size_t i, bool group)
{
    const struct template_item *first = template_item_at(t, i), *row;
    for (size_t end = i + 1; end < template_items(t); end++) {
        row = template_item_at(t, end);
        if (strcmp(row->category, first->category) != 0 || (group && strcmp(row->group, first->group) != 0))
            return end;
    }
    return template_items(t);
}

static enum status send_category(struct derive *d, size_t i, size_t end, const struct template_most *most,
                                 struct error *e)
{
    enum status s = group_open(d, PERF_CATEGORY, template_item_at(d->template, i)->category, e);
    while (!s && i < end) {
        const struct template_item *row = template_item_at(d->template, i);
        struct perf_data data;
        size_t next = i + 1;
        if (*row->group) {
            next = end_of(d->template, i, true);
            s = send_group(d, i, next, most, e);
        } else {
            template_value(d->template, i, most, &data);
            s = send_item(d, row->item, &data, e);
        }
        i = next;
    }
    return s ? s : perf_send_close(d->to, PERF_CATEGORY, e);
}

static void decide(struct derive *d)
{
    d->active = strcmp(d->names, "none") != 0 && template_choose(d->template, d->names);
    d->decided = true;
}

static void measure(struct derive *d)
{
    struct template_most *m = &d->most.at[d->process - 1];
    double value;
    if (template_general(d->template, "TIME", &value) && value > m->time)
        m->time = value;
    if (template_general(d->template, "INSTRUCTIONS", &value) && value > m->instructions)
        m->instructions = value;
}

static enum status end_thread(struct derive *d, struct error *e)
{
    enum status s = OK;
    if (!d->decided)
        decide(d);
    if (d->active && !d->to)
        measure(d);
    for (size_t i = 0; d->active && d->to && !s && i < template_items(d->template);) {
        size_t end = end_of(d->template, i, false);
        s = send_category(d, i, end, &d->most.at[d->process - 1], e);
        i = end;
    }
    template_clear(d->template);
    return s;
}

static enum status head(struct perf_sink *s, const struct perf_head *h, struct error *e)
{
    struct derive *d = (struct derive *)s;
    return d->to ? perf_send_head(d->to, h, e) : OK;
}

static enum status callpath(struct perf_sink *s, const struct perf_callpath *c, struct error *e)
{
    struct derive *d = (struct derive *)s;
    return d->to ? perf_send_callpath(d->to, c, e) : OK;
}

static enum status enter(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    struct derive *d = (struct derive *)s;
    if (g->level == PERF_PROCESS) {
        d->process++;
        if (!d->to)
            vec_push(&d->most, (struct template_most){0, 0});
    }
    if (g->level == PERF_ITEM && ++d->depth == 1) {
        free(d->event);
        d->event = xstrdup(g->name);
    }
    return d->to ? perf_send_open(d->to, g, e) : OK;
}

static enum status value(struct perf_sink *s, const struct perf_data *data, struct error *e)
{
    struct derive *d = (struct derive *)s;
    if (d->depth == 1 && d->event)
        template_event(d->template, d->event, data);
    return d->to ? perf_send_data(d->to, data, e) : OK;
}

static enum status leave(struct perf_sink *s, enum perf_level level, struct error *e)
{
    struct derive *d = (struct derive *)s;
    enum status status = level == PERF_THREAD ? end_thread(d, e) : OK;
    if (level == PERF_ITEM)
        d->depth--;
    return status || !d->to ? status : perf_send_close(d->to, level, e);
}

void derive_init(struct derive *d, struct template *t, const char *names, struct perf_sink *to)
{
    *d = (struct derive){.sink = {head, callpath, enter, value, leave}, .to = to, .template = t, .names = names};
}

void derive_again(struct derive *d, struct perf_sink *to)
{
    d->to = to;
    d->process = d->depth = 0;
}

void derive_release(struct derive *d)
{
    free(d->event);
    vec_release(&d->most);
}
