/* spanning_tree.c - the spanning tree of a function's flow, and what follows from the counters of the other edges. */
#include <stdlib.h>

#include "irprof/count/flow.h"

/* ---- edges of the tree ---- */

static size_t root_of(size_t *parent, size_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

struct ranked {
    double cost;
    size_t edge;
};

static int most_expensive_first(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

/* Kruskal's algorithm: the most expensive edge first, unless it closes a cycle. Leaks have infinite cost and form a
 * star, so all of them are in the tree. */
void tree_choose(struct flow *flow, struct plan *plan)
{
    size_t n = flow->edges.n;
    struct ranked *order = xcalloc(n, sizeof *order);
    size_t *parent = xcalloc(flow->n_nodes, sizeof *parent);
    for (size_t i = 0; i < n; i++)
        order[i] = (struct ranked){flow->edges.at[i].cost, i};
    for (size_t i = 0; i < flow->n_nodes; i++)
        parent[i] = i;
    qsort(order, n, sizeof *order, most_expensive_first);
    for (size_t i = 0; i < n; i++) {
        struct flow_edge *e = &flow->edges.at[order[i].edge];
        size_t a = root_of(parent, e->from), b = root_of(parent, e->to);
        parent[a] = b;
        if (a == b)
            e->counter = 0; /* gets a counter, which is numbered below in the order of edges */
    }
    for (size_t i = 0; i < n; i++)
        if (flow->edges.at[i].counter != CFG_NONE)
            flow->edges.at[i].counter = plan_add_counter(plan);
    free(order);
    free(parent);
}

/* ---- values ---- */

size_t tree_sum(struct plan *plan, const size_t *values, size_t n)
{
    if (n == 1)
        return values[0];
    struct plan_value sum = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(&sum.terms, (struct plan_term){values[i], 1});
    vec_push(&plan->derived, sum);
    return plan->n_counters + plan->derived.n - 1;
}

/* The edges at each node: at[first[node]] to at[first[node + 1] - 1]. */
struct incidence {
    size_t *first, *at;
};

static struct incidence incidence_make(const struct flow *flow)
{
    struct incidence in = {xcalloc(flow->n_nodes + 1, sizeof *in.first), xcalloc(2 * flow->edges.n, sizeof *in.at)};
    for (size_t i = 0; i < flow->edges.n; i++) {
        in.first[flow->edges.at[i].from]++;
        in.first[flow->edges.at[i].to]++;
    }
    size_t sum = 0;
    for (size_t i = 0; i <= flow->n_nodes; i++) {
        size_t k = i < flow->n_nodes ? in.first[i] : 0;
        in.first[i] = sum + k; /* one past the last one; decreased to the first below */
        sum += k;
    }
    for (size_t i = flow->edges.n; i-- > 0;) {
        in.at[--in.first[flow->edges.at[i].from]] = i;
        in.at[--in.first[flow->edges.at[i].to]] = i;
    }
    return in;
}

/* Each node's edge to its parent in the tree, and an order in which parents come before children. */
struct hanging {
    size_t *by, *order;
};

static struct hanging hang(const struct flow *flow, const struct incidence *in)
{
    struct hanging h = {xcalloc(flow->n_nodes, sizeof *h.by), xcalloc(flow->n_nodes, sizeof *h.order)};
    bool *seen = xcalloc(flow->n_nodes, sizeof *seen);
    size_t n = 0;
    for (size_t root = 0; root < flow->n_nodes; root++) {
        if (seen[root])
            continue;
        seen[root] = true;
        h.by[root] = CFG_NONE;
        h.order[n++] = root;
        for (size_t i = n - 1; i < n; i++) {
            size_t node = h.order[i];
            for (size_t k = in->first[node]; k < in->first[node + 1]; k++) {
                const struct flow_edge *e = &flow->edges.at[in->at[k]];
                size_t other = e->from == node ? e->to : e->from;
                if (e->counter != CFG_NONE || seen[other])
                    continue;
                seen[other] = true;
                h.by[other] = in->at[k];
                h.order[n++] = other;
            }
        }
    }
    free(seen);
    return h;
}

/* What enters a node leaves it. So the count of the edge to its parent follows from its other edges. */
static void balance(struct flow *flow, struct plan *plan, const struct incidence *in, size_t node, size_t unknown)
{
    struct flow_edge *u = &flow->edges.at[unknown];
    struct plan_value v = {0};
    for (size_t k = in->first[node]; k < in->first[node + 1]; k++) {
        const struct flow_edge *e = &flow->edges.at[in->at[k]];
        if (e == u || e->from == e->to)
            continue;
        bool same_path = (e->from == node) == (u->from == node);
        vec_push(&v.terms, (struct plan_term){e->value, same_path ? -1 : 1});
    }
    if (v.terms.n == 1 && v.terms.at[0].sign > 0) {
        u->value = v.terms.at[0].value;
        vec_release(&v.terms);
        return;
    }
    vec_push(&plan->derived, v);
    u->value = plan->n_counters + plan->derived.n - 1;
}

void tree_derive(struct flow *flow, struct plan *plan)
{
    for (size_t i = 0; i < flow->edges.n; i++)
        flow->edges.at[i].value = flow->edges.at[i].counter;
    struct incidence in = incidence_make(flow);
    struct hanging h = hang(flow, &in);
    for (size_t i = flow->n_nodes; i-- > 0;) {
        size_t node = h.order[i], by = h.by[node];
        /* a leak leads to the root, and nothing is derived from its count */
        if (by != CFG_NONE && flow->edges.at[by].kind != FLOW_LEAK)
            balance(flow, plan, &in, node, by);
    }
    free(in.first);
    free(in.at);
    free(h.by);
    free(h.order);
}

size_t *tree_node_values(struct flow *flow, struct plan *plan)
{
    size_t *values = xcalloc(flow->n_nodes, sizeof *values);
    struct incidence in = incidence_make(flow);
    size_t *into = xcalloc(flow->edges.n, sizeof *into);
    for (size_t node = 1; node < flow->n_nodes; node++) {
        size_t n = 0, out = CFG_NONE, n_out = 0;
        for (size_t k = in.first[node]; k < in.first[node + 1]; k++) {
            const struct flow_edge *e = &flow->edges.at[in.at[k]];
            /* an edge from a block to itself is listed twice */
            if (k > in.first[node] && in.at[k - 1] == in.at[k])
                continue;
            if (e->to == node)
                into[n++] = e->value;
            if (e->from == node) {
                n_out++;
                out = e->kind == FLOW_LEAK ? CFG_NONE : e->value;
            }
        }
        values[node] = n > 1 && n_out == 1 && out != CFG_NONE ? out : tree_sum(plan, into, n);
    }
    free(into);
    free(in.first);
    free(in.at);
    return values;
}
