/* perf-xml diff A B */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "perf-xml/commands.h"
#include "perf-xml/perfxml.h"

struct options {
    double tolerance;
};

/* The first pass keeps A's values by place. The second compares B's with them. */
struct differ {
    struct perf_sink sink;
    struct perf_place place;
    struct map places;
    VEC(struct perf_number) values;
    VEC(bool) seen;
    double tolerance;
    size_t compared, different;
};

static enum status enter(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    (void)e;
    perf_place_open(&((struct differ *)s)->place, g);
    return OK;
}

static enum status leave(struct perf_sink *s, enum perf_level level, struct error *e)
{
    (void)e;
    if (level != PERF_ROOT)
        perf_place_close(&((struct differ *)s)->place);
    return OK;
}

static enum status keep(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    struct differ *x = (struct differ *)s;
    (void)e;
    char *place = perf_place_text(&x->place);
    map_number(&x->places, place);
    vec_push(&x->values, d->value);
    vec_push(&x->seen, false);
    free(place);
    return OK;
}

/* Whole numbers are compared exactly, since a double may not hold them. */
static bool equal(const struct perf_number *a, const struct perf_number *b)
{
    if (a->kind == b->kind && a->kind != PERF_REAL)
        return a->kind == PERF_NONE || a->u == b->u;
    return perf_number_real(a) == perf_number_real(b);
}

static const char *shown(char *room, const struct perf_number *n)
{
    return n->kind == PERF_NONE ? "(no value)" : (perf_number_text(room, n), room);
}

static void pair(struct differ *x, const char *place, const struct perf_number *a, const struct perf_number *b)
{
    char left[NUMBER_ROOM], right[NUMBER_ROOM];
    double u = perf_number_real(a), v = perf_number_real(b);
    double relative = fabs(u - v) / fmax(fabs(u), fabs(v));
    if (a->kind == PERF_NONE && b->kind == PERF_NONE)
        return;
    x->compared++;
    if (equal(a, b) || (x->tolerance > 0 && relative <= x->tolerance))
        return;
    x->different++;
    char *clean = printable_text(place);
    printf("%s: %s -> %s", clean, shown(left, a), shown(right, b));
    free(clean);
    if (isfinite(relative))
        printf("  (%.3g %%)", 100 * relative);
    putchar('\n');
}

/* The other side of a value that only one file has: 0 for a call path, absent for anything else. */
static struct perf_number other(const char *place)
{
    const char *last = strrchr(place, ' ');
    return last && strncmp(last, " path=", 6) == 0 ? perf_unsigned(0) : (struct perf_number){.kind = PERF_NONE};
}

static enum status compare(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    struct differ *x = (struct differ *)s;
    (void)e;
    char *place = perf_place_text(&x->place);
    size_t i;
    struct perf_number a = other(place);
    if (map_get(&x->places, place, &i)) {
        a = x->values.at[i];
        x->seen.at[i] = true;
    }
    pair(x, place, &a, &d->value);
    free(place);
    return OK;
}

static void left_over(struct differ *x)
{
    for (size_t i = 0; i < x->values.n; i++)
        if (!x->seen.at[i]) {
            struct perf_number b = other(x->places.keys[i]);
            pair(x, x->places.keys[i], &x->values.at[i], &b);
        }
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    if (o->tolerance < 0)
        return usage_error(e, "--tolerance is 0 or greater");
    struct differ x = {.sink = {.open = enter, .data = keep, .close = leave}, .tolerance = o->tolerance};
    enum status s = perf_read_all(args->argv, 1, "auto", &x.sink, e);
    x.sink.data = compare;
    if (!s)
        s = perf_read_all(args->argv + 1, 1, "auto", &x.sink, e);
    if (!s) {
        left_over(&x);
        printf("%zu difference%s; %zu values compared\n", x.different, x.different == 1 ? "" : "s", x.compared);
        s = x.different ? ERR_FOUND : OK;
    }
    perf_place_release(&x.place);
    map_release(&x.places);
    vec_release(&x.values);
    vec_release(&x.seen);
    return s;
}

static const struct cli_option options[] = {
    {CLI_REAL, "tolerance", 0, "REL", "0", "largest relative difference that is not listed",
     offsetof(struct options, tolerance)},
    {0},
};
const struct cli_command cmd_diff = {
    .name = "diff",
    .synopsis = "diff A B [--tolerance REL]",
    .summary = "Compares the values of two profiles. Exit 1: they differ.",
    .details =
        "A difference is relative to the greater of the two values. A value that one file lacks is a difference.\n"
        "But a call path that one file lacks has the value 0 there.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
