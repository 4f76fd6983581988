/* call_tree.c - finds the paths by which functions were called, and distributes counts over them. */
#include "shimgen/blocks/call_tree.h"

#include <stdlib.h>
#include <string.h>

/* largest number of paths that are distinguished */
enum { NODES_MAX = 20000 };

static uint64_t made(const struct call_tree *t, size_t region, size_t call)
{
    return t->profile->regions[region].executions[t->profile->calls[call].segment];
}

static uint32_t caller_of(const struct call_tree *t, size_t call)
{
    return t->profile->segments[t->profile->calls[call].segment].function;
}

/* ---- the graph ---- */

static void make_graph(struct call_tree *t)
{
    const struct irprof_profile *p = t->profile;
    for (size_t i = 0; i < p->n_calls; i++)
        if (p->calls[i].callee != IRPROF_NONE && made(t, t->base, i))
            vec_push(&t->arcs, (struct callgraph_arc){caller_of(t, i), p->calls[i].callee, made(t, t->base, i)});
    t->entries = xcalloc(p->n_functions, sizeof *t->entries);
    t->none = xcalloc(p->n_functions, sizeof *t->none);
    t->input = (struct callgraph_input){.n_functions = p->n_functions,
                                        .n_costs = 1,
                                        .entries = t->entries,
                                        .self = t->none,
                                        .arcs = t->arcs.at,
                                        .n_arcs = t->arcs.n};
    callgraph_make(&t->graph, &t->input);
}

/* Sorts the numbers 0 ... n-1 by their cycles; first[cycle] is where each begins. Numbers with `circle` UINT32_MAX are
 * left out. */
static void sort_by_circle(size_t *out, size_t *first, const uint32_t *circle, size_t n, size_t n_circles)
{
    for (size_t i = 0; i < n; i++)
        if (circle[i] != UINT32_MAX)
            first[circle[i] + 1]++;
    for (size_t c = 0; c < n_circles; c++)
        first[c + 1] += first[c];
    size_t *at = xcalloc(n_circles + 1, sizeof *at);
    memcpy(at, first, n_circles * sizeof *at);
    for (size_t i = 0; i < n; i++)
        if (circle[i] != UINT32_MAX)
            out[at[circle[i]]++] = i;
    free(at);
}

static void sort_all(struct call_tree *t)
{
    const struct irprof_profile *p = t->profile;
    size_t n = t->graph.n_circles;
    uint32_t *into = xcalloc(p->n_calls, sizeof *into);
    t->members = xcalloc(p->n_functions, sizeof *t->members);
    t->first_member = xcalloc(n + 1, sizeof *t->first_member);
    t->incoming = xcalloc(p->n_calls, sizeof *t->incoming);
    t->first_incoming = xcalloc(n + 1, sizeof *t->first_incoming);
    t->first_node = xcalloc(n, sizeof *t->first_node);
    t->n_nodes = xcalloc(n, sizeof *t->n_nodes);
    for (size_t i = 0; i < p->n_calls; i++) {
        uint32_t callee = p->calls[i].callee;
        bool outside =
            callee != IRPROF_NONE && made(t, t->base, i) && t->graph.circle[callee] != t->graph.circle[caller_of(t, i)];
        into[i] = outside ? t->graph.circle[callee] : UINT32_MAX;
    }
    sort_by_circle(t->members, t->first_member, t->graph.circle, p->n_functions, n);
    sort_by_circle(t->incoming, t->first_incoming, into, p->n_calls, n);
    free(into);
}

/* ---- regions of single calls ---- */

/* For each call, the region with only its counts, "CALLEE<-CALLER:LINE" (irprof/module/step_regions.c), or
 * CALL_TREE_NONE. */
static void find_regions(struct call_tree *t)
{
    const struct irprof_profile *p = t->profile;
    struct map regions = {0}, seen = {0};
    t->region_of = xcalloc(p->n_calls, sizeof *t->region_of);
    for (size_t i = 0; i + 1 < p->n_regions; i++)
        if (strstr(p->regions[i].name, "<-") && !p->regions[i].flaws)
            map_put(&regions, p->regions[i].name, i);
    for (size_t i = 0; i < p->n_calls; i++) {
        const struct irprof_call *call = &p->calls[i];
        const struct irprof_function *caller = &p->functions[caller_of(t, i)];
        size_t times, at;
        t->region_of[i] = CALL_TREE_NONE;
        if (!call->name || !regions.n)
            continue;
        char *name = xasprintf("%s<-%s:%u", call->name, caller->name, call->line);
        char *key = xasprintf("%u %s", caller->module, name);
        times = map_get(&seen, key, &times) ? times + 1 : 1;
        map_put(&seen, key, times);
        char *full = times > 1 ? xasprintf("%s.%zu", name, times) : xstrdup(name);
        if (map_get(&regions, full, &at) && p->regions[at].entries == made(t, t->base, i))
            t->region_of[i] = at;
        free(full);
        free(key);
        free(name);
    }
    map_release(&regions);
    map_release(&seen);
}

/* ---- nodes ---- */

/* How often a segment was executed in a region, less where callers of the circle at hand have regions of their own. */
static double alone(const struct call_tree *t, size_t region, size_t segment)
{
    const struct irprof_region *r = t->profile->regions;
    double n = (double)r[region].executions[segment];
    for (size_t i = 0; i < t->own.n; i++)
        if (t->nodes.at[t->nodes.at[t->own.at[i]].parent].region == region)
            n -= (double)r[t->nodes.at[t->own.at[i]].region].executions[segment];
    return n;
}

static double made_alone(const struct call_tree *t, size_t region, size_t call)
{
    return alone(t, region, t->profile->calls[call].segment);
}

/* How often a cycle's functions were entered in a region other than by known calls. */
static double unknown_calls(const struct call_tree *t, uint32_t circle, size_t region)
{
    const struct irprof_profile *p = t->profile;
    double sum = 0;
    for (size_t m = t->first_member[circle]; m < t->first_member[circle + 1]; m++) {
        size_t f = t->members[m];
        if (t->entry[f] != CALL_TREE_NONE)
            sum += alone(t, region, t->entry[f]);
    }
    for (size_t i = t->first_incoming[circle]; i < t->first_incoming[circle + 1]; i++)
        sum -= made_alone(t, region, t->incoming[i]);
    for (size_t i = 0; i < t->inner.n; i++)
        if (t->graph.circle[p->calls[t->inner.at[i]].callee] == circle)
            sum -= made_alone(t, region, t->inner.at[i]);
    return sum > 0 ? sum : 0;
}

/* What the counts of a cycle in one region are divided by. */
struct pool {
    size_t region;
    double calls; /* calls without a region of their own */
};
struct maker {
    struct call_tree *t;
    uint32_t circle;
    VEC(struct pool) pools;
};

static struct pool *pool_of(struct maker *m, size_t region)
{
    for (size_t i = 0; i < m->pools.n; i++)
        if (m->pools.at[i].region == region)
            return &m->pools.at[i];
    struct pool pool = {region, unknown_calls(m->t, m->circle, region)};
    for (size_t i = m->t->first_incoming[m->circle]; i < m->t->first_incoming[m->circle + 1]; i++)
        pool.calls += made_alone(m->t, region, m->t->incoming[i]);
    vec_push(&m->pools, pool);
    return &m->pools.at[m->pools.n - 1];
}

/* The only node that makes the call; CALL_TREE_NONE: several do. */
static size_t only_maker(const struct call_tree *t, size_t call)
{
    uint32_t circle = t->graph.circle[caller_of(t, call)];
    size_t only = CALL_TREE_NONE;
    for (size_t k = t->first_node[circle]; k < t->first_node[circle] + t->n_nodes[circle]; k++) {
        if (made_alone(t, t->nodes.at[k].region, call) <= 0 || t->nodes.at[k].share <= 0)
            continue;
        if (only != CALL_TREE_NONE)
            return CALL_TREE_NONE;
        only = k;
    }
    return only;
}

/* Adds a call that has a region of its own. */
static bool add_own(struct maker *m, size_t call)
{
    struct call_tree *t = m->t;
    size_t parent = t->region_of[call] == CALL_TREE_NONE ? CALL_TREE_NONE : only_maker(t, call);
    if (parent == CALL_TREE_NONE || t->nodes.at[parent].share < 1)
        return false;
    double calls = (double)made(t, t->base, call);
    pool_of(m, t->nodes.at[parent].region)->calls -= calls;
    vec_push(&t->nodes, (struct call_node){.circle = m->circle,
                                           .parent = parent,
                                           .call = call,
                                           .region = t->region_of[call],
                                           .share = 1,
                                           .calls = calls,
                                           .own = true,
                                           .exact = t->nodes.at[parent].exact});
    return true;
}

static void add_shared(struct maker *m, size_t call)
{
    struct call_tree *t = m->t;
    uint32_t circle = t->graph.circle[caller_of(t, call)];
    for (size_t k = t->first_node[circle]; k < t->first_node[circle] + t->n_nodes[circle]; k++) {
        struct call_node parent = t->nodes.at[k];
        double n = made_alone(t, parent.region, call) * parent.share;
        if (n <= 0)
            continue;
        double all = pool_of(m, parent.region)->calls;
        double share = n < all ? n / all : 1;
        vec_push(&t->nodes, (struct call_node){.circle = m->circle,
                                               .parent = k,
                                               .call = call,
                                               .region = parent.region,
                                               .share = share,
                                               .calls = n,
                                               .exact = parent.exact && share >= 1});
    }
}

static void add_root(struct maker *m, const struct call_node *n)
{
    vec_push(&m->t->nodes, *n);
    struct call_node *root = &m->t->nodes.at[m->t->nodes.n - 1];
    root->circle = m->circle;
    root->parent = root->call = CALL_TREE_NONE;
}

static size_t most_nodes(const struct call_tree *t, uint32_t circle)
{
    size_t n = 0;
    for (size_t i = t->first_incoming[circle]; i < t->first_incoming[circle + 1]; i++)
        n += t->n_nodes[t->graph.circle[caller_of(t, t->incoming[i])]];
    return n;
}

/* What is called in a region by nobody known. */
static void add_unknown(struct maker *m, const struct pool *pool)
{
    double calls = unknown_calls(m->t, m->circle, pool->region);
    bool all = calls >= pool->calls;
    if (calls > 0)
        add_root(m, &(struct call_node){
                        .region = pool->region, .share = all ? 1 : calls / pool->calls, .calls = calls, .exact = all});
}

static void add_nodes(struct maker *m)
{
    struct call_tree *t = m->t;
    size_t first = t->first_incoming[m->circle], end = t->first_incoming[m->circle + 1];
    bool *own = xcalloc(end - first + 1, sizeof *own);
    for (size_t i = first; i < end; i++)
        own[i - first] = add_own(m, t->incoming[i]);
    for (size_t i = first; i < end; i++)
        if (!own[i - first])
            add_shared(m, t->incoming[i]);
    free(own);
    pool_of(m, t->base);
    for (size_t i = 0; i < m->pools.n; i++)
        add_unknown(m, &m->pools.at[i]);
    if (t->nodes.n == t->first_node[m->circle])
        add_root(m, &(struct call_node){.region = t->base, .share = 1, .exact = true});
}

static void make_circle(struct call_tree *t, uint32_t circle)
{
    struct maker m = {.t = t, .circle = circle};
    t->first_node[circle] = t->nodes.n;
    if (t->nodes.n + most_nodes(t, circle) > NODES_MAX) {
        t->complete = false;
        add_root(&m, &(struct call_node){.region = t->base, .share = 1});
    } else {
        add_nodes(&m);
    }
    t->n_nodes[circle] = t->nodes.n - t->first_node[circle];
    for (size_t i = t->first_node[circle]; i < t->nodes.n; i++)
        if (t->nodes.at[i].own)
            vec_push(&t->own, i);
    vec_release(&m.pools);
}

/* Finds where functions are entered, and calls within cycles. */
static void find_entries(struct call_tree *t)
{
    const struct irprof_profile *p = t->profile;
    t->entry = xcalloc(p->n_functions, sizeof *t->entry);
    for (size_t f = 0; f < p->n_functions; f++)
        t->entry[f] = CALL_TREE_NONE;
    for (size_t i = 0; i < p->n_segments; i++)
        if (p->segments[i].block == 0 && p->segments[i].number == 0)
            t->entry[p->segments[i].function] = i;
    for (size_t i = 0; i < p->n_calls; i++)
        if (p->calls[i].callee != IRPROF_NONE && made(t, t->base, i) &&
            t->graph.circle[p->calls[i].callee] == t->graph.circle[caller_of(t, i)])
            vec_push(&t->inner, i);
}

void call_tree_make(struct call_tree *t, const struct irprof_profile *p, size_t base)
{
    *t = (struct call_tree){.profile = p, .base = base, .complete = true};
    make_graph(t);
    sort_all(t);
    find_regions(t);
    find_entries(t);
    for (size_t c = t->graph.n_circles; c--;)
        make_circle(t, (uint32_t)c);
}

void call_tree_release(struct call_tree *t)
{
    callgraph_release(&t->graph);
    vec_release(&t->arcs);
    vec_release(&t->nodes);
    vec_release(&t->inner);
    vec_release(&t->own);
    free(t->entries);
    free(t->none);
    free(t->first_node);
    free(t->n_nodes);
    free(t->members);
    free(t->first_member);
    free(t->incoming);
    free(t->first_incoming);
    free(t->region_of);
    free(t->entry);
}
