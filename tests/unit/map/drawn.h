/* drawn.h - random graphs and machines for the tests of mappings. */
#ifndef TESTS_UNIT_MAP_DRAWN_H
#define TESTS_UNIT_MAP_DRAWN_H

#include <stdlib.h>

#include "base/random.h"
#include "shimgen/map/search/search.h"

/* Blocks b0 ... with a cycle count of its own on each core c0 ... (alike: the same on all), edges upwards. */
static inline void drawn_graph(struct map_graph *g, struct random *r, size_t n, size_t n_cores, size_t percent,
                               bool alike)
{
    *g = (struct map_graph){.name = xstrdup("drawn"), .path = xstrdup("drawn.json")};
    for (size_t i = 0; i < n; i++) {
        char *name = xasprintf("b%zu", i);
        struct map_block *b = map_graph_add(g, name);
        double cycles = (double)random_below(r, 20);
        for (size_t c = 0; c < n_cores; c++) {
            char *core = xasprintf("c%zu", c);
            map_block_costs(b, core, alike ? cycles : (double)random_below(r, 20));
            free(core);
        }
        free(name);
    }
    for (size_t to = 1; to < n; to++)
        for (size_t from = 0; from < to; from++)
            if (random_below(r, 100) < percent)
                vec_push(&g->edges, (struct map_edge){.from = from, .to = to, .bytes = (double)random_below(r, 6)});
}

/* Cores c0 ... without clocks; each pair has a latency and pieces of its own (alike: all the same). */
static inline void drawn_machine(struct map_machine *m, struct random *r, size_t n_cores, bool alike)
{
    *m = (struct map_machine){.path = xstrdup("drawn.xml"), .unit = "cycles"};
    m->ways = xcalloc(n_cores * n_cores, sizeof *m->ways);
    struct map_link one = {(double)random_below(r, 8), (double)random_below(r, 4), (double)random_below(r, 3), 2};
    for (size_t c = 0; c < n_cores; c++)
        vec_push(&m->cores, (struct map_core){xasprintf("c%zu", c), xstrdup("arch"), 0});
    for (size_t i = 0; i < n_cores * n_cores; i++) {
        struct map_link own = {(double)random_below(r, 8), (double)random_below(r, 4), (double)random_below(r, 3), 2};
        if (i / n_cores != i % n_cores)
            vec_push(&m->ways[i].links, alike ? one : own);
    }
}

#endif
