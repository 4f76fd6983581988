/* perf-xml show FILE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "perf-xml/commands.h"
#include "perf-xml/perfxml.h"

/* An item, summed over all threads. */
struct row {
    char *unit, *why;
    size_t threads;
    double sum, least, most;
};
struct shown {
    struct perf_sink sink;
    struct perf_place place;
    struct map names; /* "category item ..." */
    VEC(struct row) rows;
    size_t processes, threads, callpaths, in_path;
    char *source, *machine, *date;
};

static enum status head(struct perf_sink *s, const struct perf_head *h, struct error *e)
{
    struct shown *x = (struct shown *)s;
    (void)e;
    x->source = xstrdup(h->source);
    x->machine = xstrdup(h->machine);
    x->date = xstrdup(h->date);
    return OK;
}

static enum status callpath(struct perf_sink *s, const struct perf_callpath *c, struct error *e)
{
    (void)c;
    (void)e;
    ((struct shown *)s)->callpaths++;
    return OK;
}

static enum status enter(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    struct shown *x = (struct shown *)s;
    (void)e;
    x->processes += g->level == PERF_PROCESS;
    x->threads += g->level == PERF_THREAD;
    perf_place_open(&x->place, g);
    if (x->in_path || (g->level == PERF_ITEM && !g->name))
        x->in_path++;
    return OK;
}

static enum status leave(struct perf_sink *s, enum perf_level level, struct error *e)
{
    struct shown *x = (struct shown *)s;
    (void)e;
    if (x->in_path)
        x->in_path--;
    if (level != PERF_ROOT)
        perf_place_close(&x->place);
    return OK;
}

static struct row *row_of(struct shown *x, const char *unit)
{
    struct perf_place below = x->place; /* the place without process and thread */
    below.n -= 2;
    memmove(below.parts, below.parts + 2, below.n * sizeof *below.parts);
    char *name = perf_place_text(&below);
    size_t i = map_number(&x->names, name);
    free(name);
    if (i == x->rows.n)
        vec_push(&x->rows, (struct row){.unit = xstrdup(unit), .least = INFINITY, .most = -INFINITY});
    return &x->rows.at[i];
}

static enum status value(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    struct shown *x = (struct shown *)s;
    (void)e;
    bool group = d->value.kind == PERF_NONE && d->state != PERF_UNAVAILABLE; /* a group has no value of its own */
    if (x->in_path || group)
        return OK;
    struct row *r = row_of(x, perf_place_unit(&x->place, d->unit));
    if (d->why && !r->why)
        r->why = xstrdup(d->why);
    if (d->value.kind == PERF_NONE)
        return OK;
    double v = perf_number_real(&d->value);
    r->threads++;
    r->sum += v;
    r->least = v < r->least ? v : r->least;
    r->most = v > r->most ? v : r->most;
    return OK;
}

static void print_clean(const char *label, const char *text)
{
    char *clean = text ? printable_text(text) : 0;
    if (clean)
        printf("%s%s\n", label, clean);
    free(clean);
}

static void print(const struct shown *x)
{
    print_clean("source:  ", x->source);
    print_clean("machine: ", x->machine);
    print_clean("date:    ", x->date);
    printf("%zu processes, %zu threads, %zu call paths\n\n", x->processes, x->threads, x->callpaths);
    printf("%-28s %-6s %8s %14s %14s %14s\n", "item, of a thread", "unit", "threads", "least", "mean", "most");
    for (size_t i = 0; i < x->rows.n; i++) {
        const struct row *r = &x->rows.at[i];
        char *name = printable_text(x->names.keys[i]), *unit = printable_text(r->unit);
        char *why = printable_text(r->why ? r->why : "no value");
        if (r->threads)
            printf("%-28s %-6s %8zu %14.6g %14.6g %14.6g\n", name, unit, r->threads, r->least,
                   r->sum / (double)r->threads, r->most);
        else
            printf("%-28s %-6s not available: %s\n", name, unit, why);
        free(name);
        free(unit);
        free(why);
    }
}

static void release(struct shown *x)
{
    for (size_t i = 0; i < x->rows.n; i++) {
        free(x->rows.at[i].unit);
        free(x->rows.at[i].why);
    }
    vec_release(&x->rows);
    map_release(&x->names);
    perf_place_release(&x->place);
    free(x->source);
    free(x->machine);
    free(x->date);
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    (void)opt;
    struct shown x = {.sink = {head, callpath, enter, value, leave}};
    enum status s = perf_read_all(args->argv, 1, "auto", &x.sink, e);
    if (!s)
        print(&x);
    release(&x);
    return s;
}

const struct cli_command cmd_show = {
    .name = "show",
    .synopsis = "show FILE",
    .summary = "Prints what a profile has: processes, threads, and each item over all threads.",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
