/*
 * compiled_route.h - the way that machine code takes for an edge of the IR. Internal to compiled_flow.c.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_ROUTE_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_ROUTE_H

#include "irprof/codegen/code_map.h"
#include "irprof/irprof.h"
#include "shimgen/estimate/compiled/compiled_machine.h"

#define ROUTE_OUT (UINT32_MAX - 1) /* in place of a block: out of the function */

enum route_kind {
    ROUTE_LEADS, /* from node to node */
    ROUTE_STAYS, /* the block's code, if it has any, is in the node that we are in */
    ROUTE_LOST   /* neither: what is executed is not known */
};
struct route {
    enum route_kind kind;
    const size_t *nodes; /* borrowed until the next is asked for; from its end back to just after its beginning */
    size_t n;
};
struct routes;
/* `map`: of `f` and its IR. All borrowed. */
struct routes *routes_new(const struct machine_function *f, const struct irprof_label_function *labels,
                          const struct code_map *map);
void routes_free(struct routes *w);
/* From the end of a node, the IR being in `block`, to the block `to`. */
void route_find(struct routes *w, size_t node, uint32_t block, uint32_t to, struct route *out);

#endif
