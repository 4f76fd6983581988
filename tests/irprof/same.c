/*
 * same - whether two profiles say the same: of every region, how often each segment was executed, each edge taken,
 * each loop entered and repeated. They may come from counters placed differently, but from the same IR.
 *
 *     same A.prof B.prof    prints "REGIONS SEGMENTS EXECUTED EDGES LOOPS", or what differs and exits with 1
 *
 * EXECUTED is the number of segments executed at all: a comparison of nothing must not pass for one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "irprof/irprof.h"

enum { SHOWN = 20 };

static const struct irprof_profile *a, *b;
static unsigned long differences;

static bool differs(void)
{
    return differences++ < SHOWN;
}

static void compare_number(const char *what, uint64_t x, uint64_t y)
{
    if (x != y && differs())
        printf("%s: %" PRIu64 " and %" PRIu64 "\n", what, x, y);
}

static void compare_text(const char *what, const char *x, const char *y)
{
    if (strcmp(x ? x : "", y ? y : "") != 0 && differs())
        printf("%s: '%s' and '%s'\n", what, x ? x : "", y ? y : "");
}

/* The same things, in the same order: only then can their numbers be compared. */
static void compare_shape(void)
{
    compare_number("number of functions", a->n_functions, b->n_functions);
    compare_number("number of segments", a->n_segments, b->n_segments);
    compare_number("number of parts", a->n_parts, b->n_parts);
    compare_number("number of items", a->n_items, b->n_items);
    compare_number("number of edges", a->n_edges, b->n_edges);
    compare_number("number of loops", a->n_loops, b->n_loops);
    compare_number("number of calls", a->n_calls, b->n_calls);
    compare_number("number of regions", a->n_regions, b->n_regions);
    if (differences)
        return;
    for (size_t i = 0; i < a->n_functions; i++)
        compare_text("function", a->functions[i].name, b->functions[i].name);
    for (size_t i = 0; i < a->n_segments; i++) {
        compare_number("function of a segment", a->segments[i].function, b->segments[i].function);
        compare_number("block of a segment", a->segments[i].block, b->segments[i].block);
        compare_number("number of a segment", a->segments[i].number, b->segments[i].number);
    }
    for (size_t i = 0; i < a->n_edges; i++) {
        compare_number("function of an edge", a->edges[i].function, b->edges[i].function);
        compare_number("start of an edge", a->edges[i].from, b->edges[i].from);
        compare_number("end of an edge", a->edges[i].to, b->edges[i].to);
        compare_number("kind of an edge", a->edges[i].kind, b->edges[i].kind);
    }
    for (size_t i = 0; i < a->n_loops; i++) {
        compare_number("function of a loop", a->loops[i].function, b->loops[i].function);
        compare_number("header of a loop", a->loops[i].header, b->loops[i].header);
    }
    for (size_t i = 0; i < a->n_regions; i++) {
        compare_text("region", a->regions[i].name, b->regions[i].name);
        compare_number("entries of a region", a->regions[i].entries, b->regions[i].entries);
        compare_number("flaws of a region", a->regions[i].flaws, b->regions[i].flaws);
    }
}

static void compare_segments(const struct irprof_region *x, const struct irprof_region *y)
{
    for (size_t i = 0; i < a->n_segments; i++) {
        const struct irprof_segment *s = &a->segments[i];
        if (x->executions[i] != y->executions[i] && differs())
            printf("region %s, %s block %u segment %u: %" PRIu64 " and %" PRIu64 "\n", x->name,
                   a->functions[s->function].name, s->block, s->number, x->executions[i], y->executions[i]);
    }
}

static void compare_edges(const struct irprof_region *x, const struct irprof_region *y)
{
    for (size_t i = 0; i < a->n_edges; i++) {
        const struct irprof_edge *g = &a->edges[i];
        if (x->taken[i] != y->taken[i] && differs())
            printf("region %s, %s edge %u -> %u (kind %d): %" PRIu64 " and %" PRIu64 "\n", x->name,
                   a->functions[g->function].name, g->from, g->to, (int)g->kind, x->taken[i], y->taken[i]);
    }
}

static void compare_loops(const struct irprof_region *x, const struct irprof_region *y)
{
    for (size_t i = 0; i < a->n_loops; i++) {
        const struct irprof_loop *l = &a->loops[i];
        if ((x->iterations[i] != y->iterations[i] || x->repeats[i] != y->repeats[i]) && differs())
            printf("region %s, %s loop at %u: %" PRIu64 " and %" PRIu64 " iterations, %" PRIu64 " and %" PRIu64
                   " repeats\n",
                   x->name, a->functions[l->function].name, l->header, x->iterations[i], y->iterations[i],
                   x->repeats[i], y->repeats[i]);
    }
}

/* One thread, or all of them joined: nothing may have been taken as 0. */
static void compare_region(const struct irprof_region *x, const struct irprof_region *y)
{
    compare_number("values below zero in the first", x->clamped, 0);
    compare_number("values below zero in the second", y->clamped, 0);
    compare_segments(x, y);
    compare_edges(x, y);
    compare_loops(x, y);
}

static size_t executed(const struct irprof_profile *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_segments; i++)
        n += p->regions[p->n_regions - 1].executions[i] > 0;
    return n;
}

int main(int argc, char **argv)
{
    struct irprof_profile *read[2] = {0};
    struct error e = ERROR_INIT;
    if (argc != 3) {
        fprintf(stderr, "usage: same A.prof B.prof\n");
        return 2;
    }
    for (int i = 0; i < 2; i++) {
        if (irprof_read(&read[i], argv[1 + i], &e)) {
            error_print(&e, "same");
            error_release(&e);
            irprof_free(read[0]);
            return 1;
        }
    }
    a = read[0];
    b = read[1];
    compare_shape();
    for (size_t i = 0; !differences && i < a->n_regions; i++)
        compare_region(&a->regions[i], &b->regions[i]);
    if (differences)
        printf("%lu differences\n", differences);
    else
        printf("%zu %zu %zu %zu %zu\n", a->n_regions, a->n_segments, executed(a), a->n_edges, a->n_loops);
    irprof_free(read[0]);
    irprof_free(read[1]);
    return differences ? 1 : 0;
}
