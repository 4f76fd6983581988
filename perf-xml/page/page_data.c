/* page_data.c - collects a profile for its HTML page, and writes it as JSON that is small enough. */
#include "perf-xml/page/page_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "perf-xml/document/document.h"

/* Limits on the number of values in a page. At some ten characters each it stays below 5 MB. */
enum { THREAD_VALUES = 280000, PROCESS_VALUES = 120000, PATHS_MOST = 2000 };

static enum status head(struct perf_sink *s, const struct perf_head *h, struct error *e)
{
    struct page_data *d = (struct page_data *)s;
    (void)e;
    d->source = xstrdup(h->source);
    d->machine = xstrdup(h->machine);
    d->date = xstrdup(h->date);
    return OK;
}

static size_t path_number(struct page_data *d, uint64_t id)
{
    char key[NUMBER_ROOM];
    struct perf_number n = perf_unsigned(id);
    perf_number_text(key, &n);
    return map_number(&d->path_numbers, key);
}

static enum status callpath(struct perf_sink *s, const struct perf_callpath *c, struct error *e)
{
    struct page_data *d = (struct page_data *)s;
    (void)e;
    path_number(d, c->id);
    size_t parent = c->has_parent ? path_number(d, c->parent) : SIZE_MAX;
    vec_push(&d->paths, (struct page_path){xstrdup(c->name), parent});
    return OK;
}

static enum status enter(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    struct page_data *d = (struct page_data *)s;
    (void)e;
    if (g->level == PERF_PROCESS)
        vec_push(&d->processes, (struct page_process){g->id, xstrdup(g->label)});
    if (g->level == PERF_THREAD)
        vec_push(&d->threads,
                 (struct page_thread){
                     .process = d->processes.n - 1, .id = g->id, .label = xstrdup(g->label), .first = d->values.n});
    d->in_path = g->level == PERF_ITEM && !g->name;
    d->path = d->in_path ? g->id : 0;
    perf_place_open(&d->place, g);
    return OK;
}

/* The number of an item by its place below the thread: "category item" or "category group item". */
static size_t item_number(struct page_data *d, size_t depth)
{
    struct perf_place below = d->place;
    below.n = depth - 2;
    memmove(below.parts, below.parts + 2, below.n * sizeof *below.parts);
    char *key = perf_place_text(&below);
    size_t i = map_number(&d->item_numbers, key);
    free(key);
    if (i == d->items.n) {
        bool grouped = below.n > 2;
        vec_push(&d->items, (struct page_item){.category = xstrdup(below.parts[0]),
                                               .group = xstrdup(grouped ? below.parts[1] : ""),
                                               .name = xstrdup(below.parts[below.n - 1]),
                                               .least = INFINITY,
                                               .most = -INFINITY});
    }
    return i;
}

static void put(struct page_data *d, size_t i, double v)
{
    struct page_item *item = &d->items.at[i];
    item->n++;
    item->sum += v;
    item->least = fmin(item->least, v);
    item->most = fmax(item->most, v);
    if (!d->wide)
        return;
    struct page_thread *t = &d->threads.at[d->threads.n - 1];
    while (t->n <= i) {
        vec_push(&d->values, (float)NAN);
        t->n++;
    }
    d->values.at[t->first + i] = (float)v;
}

static void put_path(struct page_data *d, size_t i, double v)
{
    size_t path = path_number(d, d->path);
    if (path >= d->paths.n)
        return;
    while (d->path_values.n < (i + 1) * d->paths.n)
        vec_push(&d->path_values, 0);
    d->path_values.at[i * d->paths.n + path] += v;
}

static enum status value(struct perf_sink *s, const struct perf_data *data, struct error *e)
{
    struct page_data *d = (struct page_data *)s;
    (void)e;
    const char *unit = perf_place_unit(&d->place, data->unit);
    bool group = data->value.kind == PERF_NONE && data->state != PERF_UNAVAILABLE;
    if (group || d->place.n < 4)
        return OK;
    size_t i = item_number(d, d->place.n - d->in_path);
    double v = perf_number_real(&data->value);
    if (!d->items.at[i].unit)
        d->items.at[i].unit = xstrdup(unit);
    if (data->why && !d->items.at[i].why)
        d->items.at[i].why = xstrdup(data->why);
    if (data->value.kind == PERF_NONE)
        return OK;
    d->n_values++;
    if (d->in_path) {
        put_path(d, i, v);
    } else {
        d->items.at[i].state = data->state;
        put(d, i, v);
    }
    return OK;
}

static enum status leave(struct perf_sink *s, enum perf_level level, struct error *e)
{
    struct page_data *d = (struct page_data *)s;
    (void)e;
    d->in_path = false;
    if (level != PERF_ROOT)
        perf_place_close(&d->place);
    return OK;
}

void page_data_init(struct page_data *d, bool wide)
{
    *d = (struct page_data){.sink = {head, callpath, enter, value, leave}, .wide = wide};
}

/* ---- as JSON ---- */

static void text(struct str *out, const char *s)
{
    if (s)
        text_as_json(out, s);
    else
        str_add(out, "null");
}

static void number(struct str *out, double v)
{
    if (isfinite(v))
        str_addf(out, "%.5g", v);
    else
        str_add(out, "null");
}

static double value_of(const struct page_data *d, const struct page_thread *t, size_t item)
{
    return item < t->n ? (double)d->values.at[t->first + item] : (double)NAN;
}

static void write_items(const struct page_data *d, struct str *out)
{
    str_add(out, "\"items\":[");
    for (size_t i = 0; i < d->items.n; i++) {
        const struct page_item *x = &d->items.at[i];
        const char *const words[] = {x->category, x->group, x->name, x->unit, perf_state_name(x->state), x->why};
        str_add(out, i ? ",\n[" : "[");
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            text(out, words[k]);
            str_addch(out, ',');
        }
        const double figures[] = {(double)x->n, x->least, x->n ? x->sum / (double)x->n : (double)NAN, x->most, x->sum};
        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
            if (k)
                str_addch(out, ',');
            number(out, x->n ? figures[k] : k ? (double)NAN : 0);
        }
        str_addch(out, ']');
    }
    str_add(out, "],\n");
}

static void write_row(struct str *out, const double *row, size_t n)
{
    while (n && isnan(row[n - 1]))
        n--;
    str_addch(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            str_addch(out, ',');
        if (!isnan(row[i]))
            number(out, row[i]);
        else
            str_add(out, "null");
    }
    str_addch(out, ']');
}

/* Writes the mean over the threads of `group` processes, from the first one on. *at: the next thread. */
static size_t mean_row(const struct page_data *d, size_t end, size_t *at, double *row, double *counts)
{
    size_t threads = 0;
    for (size_t i = 0; i < d->items.n; i++)
        row[i] = counts[i] = 0;
    for (; *at < d->threads.n && d->threads.at[*at].process < end; ++*at, threads++)
        for (size_t i = 0; i < d->threads.at[*at].n; i++) {
            double v = value_of(d, &d->threads.at[*at], i);
            if (isnan(v))
                continue;
            row[i] += v;
            counts[i]++;
        }
    for (size_t i = 0; i < d->items.n; i++)
        row[i] = counts[i] ? row[i] / counts[i] : (double)NAN;
    return threads;
}

/* Writes a row for each process. If there are too many, a row is the mean of several neighbours. */
static void write_processes(const struct page_data *d, struct str *out)
{
    size_t values = d->processes.n * d->items.n, group = 1 + values / PROCESS_VALUES, at = 0;
    double *row = xcalloc(d->items.n + 1, sizeof *row), *counts = xcalloc(d->items.n + 1, sizeof *counts);
    str_addf(out, "\"together\":%zu,\n\"processes\":[", group);
    for (size_t p = 0; p < d->processes.n; p += group) {
        size_t end = p + group < d->processes.n ? p + group : d->processes.n;
        str_addf(out, "%s[%llu,%llu,", p ? ",\n" : "", (unsigned long long)d->processes.at[p].id,
                 (unsigned long long)d->processes.at[end - 1].id);
        text(out, d->processes.at[p].label);
        size_t threads = mean_row(d, end, &at, row, counts);
        str_addf(out, ",%zu,", threads);
        write_row(out, row, d->items.n);
        str_addch(out, ']');
    }
    str_add(out, "],\n");
    free(row);
    free(counts);
}

/* Writes all items of each thread if they fit; else those of the template; else none. */
static void write_threads(const struct page_data *d, struct str *out)
{
    size_t made = 0, used;
    for (size_t i = 0; i < d->items.n; i++)
        made += strcmp(d->items.at[i].category, "metrics") != 0;
    bool all = d->threads.n * d->items.n <= THREAD_VALUES, some = d->threads.n * made <= THREAD_VALUES && made;
    double *row = xcalloc(d->items.n + 1, sizeof *row);
    str_addf(out, "\"threadsHave\":\"%s\",\n\"threads\":[", all ? "all" : some ? "items" : "none");
    for (size_t t = 0; t < d->threads.n && (all || some); t++) {
        const struct page_thread *x = &d->threads.at[t];
        used = d->items.n;
        for (size_t i = 0; i < used; i++)
            row[i] = all || strcmp(d->items.at[i].category, "metrics") != 0 ? value_of(d, x, i) : (double)NAN;
        str_addf(out, "%s[%zu,%llu,", t ? ",\n" : "", x->process, (unsigned long long)x->id);
        text(out, x->label);
        str_addch(out, ',');
        write_row(out, row, used);
        str_addch(out, ']');
    }
    str_add(out, "],\n");
    free(row);
}

static void write_paths(const struct page_data *d, struct str *out)
{
    size_t n = d->paths.n < PATHS_MOST ? d->paths.n : PATHS_MOST;
    str_addf(out, "\"nPaths\":%zu,\"paths\":[", d->paths.n);
    for (size_t p = 0; p < n; p++) {
        str_add(out, p ? ",\n[" : "[");
        text(out, d->paths.at[p].name);
        if (d->paths.at[p].parent == SIZE_MAX)
            str_add(out, ",-1,[");
        else
            str_addf(out, ",%zu,[", d->paths.at[p].parent);
        size_t written = 0;
        for (size_t i = 0; (i + 1) * d->paths.n <= d->path_values.n; i++)
            if (d->path_values.at[i * d->paths.n + p] != 0)
                str_addf(out, "%s%zu,%.5g", written++ ? "," : "", i, d->path_values.at[i * d->paths.n + p]);
        str_add(out, "]]");
    }
    str_add(out, "]\n");
}

void page_data_write(const struct page_data *d, struct str *out)
{
    str_add(out, "{\"source\":");
    text(out, d->source);
    str_add(out, ",\"machine\":");
    text(out, d->machine);
    str_add(out, ",\"date\":");
    text(out, d->date);
    str_addf(out, ",\"nProcesses\":%zu,\"nThreads\":%zu,\"nValues\":%zu,\n", d->processes.n, d->threads.n, d->n_values);
    write_items(d, out);
    if (d->wide) {
        write_processes(d, out);
        write_threads(d, out);
    }
    write_paths(d, out);
    str_add(out, "}");
}

void page_data_release(struct page_data *d)
{
    for (size_t i = 0; i < d->items.n; i++) {
        struct page_item *x = &d->items.at[i];
        char *const owned[] = {x->category, x->group, x->name, x->unit, x->why};
        for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
            free(owned[k]);
    }
    for (size_t i = 0; i < d->threads.n; i++)
        free(d->threads.at[i].label);
    for (size_t i = 0; i < d->processes.n; i++)
        free(d->processes.at[i].label);
    for (size_t i = 0; i < d->paths.n; i++)
        free(d->paths.at[i].name);
    vec_release(&d->items);
    vec_release(&d->threads);
    vec_release(&d->processes);
    vec_release(&d->paths);
    vec_release(&d->values);
    vec_release(&d->path_values);
    map_release(&d->item_numbers);
    map_release(&d->path_numbers);
    perf_place_release(&d->place);
    free(d->source);
    free(d->machine);
    free(d->date);
}
