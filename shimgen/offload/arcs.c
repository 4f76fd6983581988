/* arcs.c - joins calls between the same pair of functions. */
#include "shimgen/offload/arcs.h"

#include <stdlib.h>

static int by_caller(const void *a, const void *b)
{
    const struct offload_arc *x = a, *y = b;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

void offload_join_arcs(struct offload_table *t)
{
    size_t kept = 0;
    if (t->arcs.n)
        qsort(t->arcs.at, t->arcs.n, sizeof *t->arcs.at, by_caller);
    for (size_t i = 0; i < t->arcs.n; i++) {
        struct offload_arc *arc = &t->arcs.at[i], *last = kept ? &t->arcs.at[kept - 1] : NULL;
        if (last && last->caller == arc->caller && last->callee == arc->callee) {
            last->calls += arc->calls;
            last->instructions += arc->instructions;
        } else {
            t->arcs.at[kept++] = *arc;
        }
    }
    t->arcs.n = kept;
}
