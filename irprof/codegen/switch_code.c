/*
 * switch_code.c - follows the target's code through the comparisons of a switch: from the first node that bears the
 * name of the switch's block to each successor.
 */
#include <stdlib.h>
#include <string.h>

#include "irprof/codegen/code_find.h"
#include "irprof/codegen/spill_compile.h"
#include "irprof/module/llvm.h"

/* A successor of the switch, by the block that it is. */
struct arm {
    size_t block, successor;
};
struct router {
    const struct code_finder *w;
    size_t block;     /* the switch's block */
    const size_t *to; /* [n] blocks of the successors */
    struct arm *arms; /* [n] sorted */
    size_t n;
    struct plan_route *routes;
    bool *known;  /* [n] has a route been found? */
    size_t entry; /* the first node */
    /* `others`: routes to the default successor. `strays`: routes to code of no successor, which was copied or joined
     * with other code. */
    VEC(struct plan_route) others, strays;
};

/* The index of a node among those of the block, which are in the order of the code. MIR_NONE: it is not one of them. */
static size_t number_in_block(const struct router *r, size_t node)
{
    size_t low = 0, high = code_n_own(r->w, r->block);
    while (low < high) {
        size_t middle = low + (high - low) / 2, at = code_own(r->w, r->block, middle);
        if (at == node)
            return middle;
        if (at < node)
            low = middle + 1;
        else
            high = middle;
    }
    return MIR_NONE;
}

static int by_arm(const void *a, const void *b)
{
    const struct arm *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->successor < y->successor ? -1 : x->successor > y->successor;
}

/* The first arm of a block; r->n: it is none's. */
static size_t first_arm(const struct router *r, size_t block)
{
    size_t low = 0, high = r->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->arms[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->n && r->arms[low].block == block ? low : r->n;
}

static void reach(struct router *r, size_t node, const struct plan_route *route)
{
    size_t block = code_leads(r->w, node), first = first_arm(r, block);
    /* The routes of all arms of a block are found together. */
    for (size_t i = first; i < r->n && r->arms[i].block == block && !r->known[r->arms[i].successor]; i++) {
        r->routes[r->arms[i].successor] = *route;
        r->known[r->arms[i].successor] = true;
    }
    if (first == r->n)
        vec_push(&r->strays, *route);
    else if (r->to[0] == block)
        vec_push(&r->others, *route);
}

static void follow(struct router *r, size_t node, struct plan_route route, size_t before);

static void follow_edge(struct router *r, size_t node, size_t next, struct plan_route route, size_t before)
{
    const struct graph *g = &r->w->m->graph;
    size_t taken, passed;
    if (code_branch(r->w, node, &taken, &passed)) {
        size_t number = number_in_block(r, node) & (PLAN_ROUTE_TAKEN - 1);
        route.branches[route.n++] = (uint8_t)(number | (next == taken ? PLAN_ROUTE_TAKEN : 0));
    } else if (graph_n_next(g, node) > 1) {
        route.table = true;
    }
    if (route.table || next == r->entry || number_in_block(r, next) == MIR_NONE)
        reach(r, next, &route);
    else
        follow(r, next, route, before + 1);
}

/* Follows all paths from a node; `before` nodes of the block have been passed. The first path to a successor counts. A
 * path that passes more nodes than the block has is a cycle, which comparisons of a switch never make. */
static void follow(struct router *r, size_t node, struct plan_route route, size_t before)
{
    const struct graph *g = &r->w->m->graph;
    if (route.n == PLAN_ROUTE_MAX || before >= code_n_own(r->w, r->block))
        return;
    for (size_t i = 0; i < graph_n_next(g, node); i++)
        follow_edge(r, node, graph_next(g, node, i), route, before);
}

/* The first node of the block to which no other node of the block leads; else its first node. MIR_NONE: it has none. */
static size_t entry_of(const struct router *r)
{
    const struct graph *g = &r->w->m->graph;
    size_t n = code_n_own(r->w, r->block), found = 0;
    bool *reached = xcalloc(n, sizeof *reached);
    for (size_t i = 0; i < n; i++) {
        size_t node = code_own(r->w, r->block, i);
        for (size_t e = 0; e < graph_n_next(g, node); e++) {
            size_t number = number_in_block(r, graph_next(g, node, e));
            if (number != MIR_NONE)
                reached[number] = true;
        }
    }
    while (found < n && reached[found])
        found++;
    free(reached);
    return n ? code_own(r->w, r->block, found < n ? found : 0) : MIR_NONE;
}

/* Ways out, by their branches: a tree whose root is the first node. What follows a node are its child and that one's
 * siblings. */
struct way {
    uint8_t branch;
    size_t other;          /* the first way that begins so */
    size_t child, sibling; /* 0: none */
};
struct ways {
    VEC(struct way) nodes;
};

static size_t child_by(const struct ways *w, size_t at, uint8_t branch)
{
    size_t child = w->nodes.at[at].child;
    while (child && w->nodes.at[child].branch != branch)
        child = w->nodes.at[child].sibling;
    return child;
}

static void add_way(struct ways *w, const struct plan_route *route, size_t other)
{
    size_t at = 0;
    for (unsigned i = 0; i < route->n; i++) {
        size_t child = child_by(w, at, route->branches[i]);
        if (!child) {
            child = w->nodes.n;
            vec_push(&w->nodes, (struct way){route->branches[i], other, 0, w->nodes.at[at].child});
            w->nodes.at[at].child = child;
        }
        at = child;
    }
}

/* The way that goes together with a route longest; of several the first. */
static size_t nearest_way(const struct ways *w, const struct plan_route *route)
{
    size_t at = 0, child;
    for (unsigned i = 0; i < route->n && (child = child_by(w, at, route->branches[i])); i++)
        at = child;
    return w->nodes.at[at].other;
}

struct value {
    int64_t is;
    size_t successor;
};

static int by_value(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    return x->is < y->is ? -1 : x->is > y->is;
}

/* Finds the routes of values without a case. The comparisons of a tree are with values of cases. So a value between two
 * cases takes the same path as the lower one, as long as that consists of comparisons by size. Of the routes to the
 * default, the one that shares the longest such path is taken. */
static void find_others(const struct router *r, LLVMValueRef at, struct plan_switch *out)
{
    struct value *values = xcalloc(r->n, sizeof *values);
    struct ways ways = {0};
    size_t last = MIR_NONE;
    for (size_t k = 1; k < r->n; k++)
        values[k - 1] = (struct value){LLVMConstIntGetSExtValue(LLVMGetSwitchCaseValue(at, (unsigned)k)), k};
    qsort(values, r->n - 1, sizeof *values, by_value);
    vec_push(&ways.nodes, (struct way){0});
    for (size_t i = 0; i < r->others.n; i++)
        add_way(&ways, &r->others.at[i], i);
    for (size_t k = 0; k + 1 < r->n; k++) {
        size_t best = nearest_way(&ways, &out->routes[values[k].successor]);
        if (best != last)
            vec_push(&out->others, (struct plan_other){values[k].is, r->others.at[best]});
        last = best;
    }
    vec_release(&ways.nodes);
    free(values);
}

/* The route of a successor whose code is not found: to code of no successor, or through the table. */
static const struct plan_route *any_route(const struct router *r)
{
    if (r->strays.n)
        return &r->strays.at[0];
    for (size_t k = 0; k < r->n; k++)
        if (r->known[k] && r->routes[k].table)
            return &r->routes[k];
    return 0;
}

/* Takes the routes if everything that can be reached has a known one. */
static void take_routes(struct router *r, LLVMValueRef at, struct plan_switch *out)
{
    bool all = true;
    const struct plan_route *any = any_route(r);
    for (size_t k = 0; k < r->n; k++) {
        if (!r->known[k] && any)
            r->routes[k] = *any;
        all = all && (r->known[k] || any || code_n_own(r->w, r->to[k]) == 0);
    }
    if (!all) {
        free(r->routes);
        return;
    }
    out->routes = r->routes;
    if (r->others.n > 1)
        find_others(r, at, out);
}

static void find_routes(struct router *r, LLVMValueRef at, struct plan_switch *out)
{
    r->known = xcalloc(r->n, sizeof *r->known);
    r->routes = xcalloc(r->n, sizeof *r->routes);
    r->arms = xcalloc(r->n, sizeof *r->arms);
    for (size_t k = 0; k < r->n; k++)
        r->arms[k] = (struct arm){r->to[k], k};
    qsort(r->arms, r->n, sizeof *r->arms, by_arm);
    r->entry = entry_of(r);
    if (r->entry != MIR_NONE)
        follow(r, r->entry, (struct plan_route){0}, 0);
    take_routes(r, at, out);
    free(r->known);
    free(r->arms);
    vec_release(&r->others);
    vec_release(&r->strays);
}

/* Successors' numbers, sorted by block. */
struct numbered {
    LLVMBasicBlockRef block;
    size_t number;
};

static int by_block(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct numbered *)a)->block, y = (uintptr_t)((const struct numbered *)b)->block;
    return x < y ? -1 : x > y;
}

static size_t number_blocks(struct numbered **out, LLVMValueRef function)
{
    size_t n = LLVMCountBasicBlocks(function), i = 0;
    *out = xcalloc(n, sizeof **out);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b), i++)
        (*out)[i] = (struct numbered){b, i};
    qsort(*out, n, sizeof **out, by_block);
    return n;
}

static size_t number_of(const struct numbered *all, size_t n, LLVMBasicBlockRef block)
{
    const struct numbered key = {.block = block}, *found = bsearch(&key, all, n, sizeof *all, by_block);
    return found->number;
}

/* Does the block contain only phis, a jump and debug intrinsics? */
static bool is_empty(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMGetInstructionOpcode(i) != LLVMPHI && LLVMGetInstructionOpcode(i) != LLVMBr && spill_numbered(i))
            return false;
    return true;
}

/* Where a successor's code is. A block that does something but has no code of its own was joined with a block that does
 * the same. */
static size_t destination(const struct code_finder *w, LLVMBasicBlockRef block, size_t number)
{
    return is_empty(block) ? code_block(w, number) : number;
}

static void add_routes(struct plan_site *site, const struct code_finder *w, const struct numbered *all, size_t n_all)
{
    unsigned n = LLVMGetNumSuccessors(site->at);
    size_t *to = xcalloc(n, sizeof *to);
    for (unsigned k = 0; k < n; k++)
        to[k] = destination(w, LLVMGetSuccessor(site->at, k), number_of(all, n_all, LLVMGetSuccessor(site->at, k)));
    struct router r = {.w = w, .block = number_of(all, n_all, LLVMGetInstructionParent(site->at)), .to = to, .n = n};
    find_routes(&r, site->at, &site->ways);
    free(to);
}

size_t switch_code(struct plan *plan, size_t site, const struct plan_function *f, const struct code_finder *w)
{
    struct numbered *all = 0;
    size_t n = 0;
    for (; site < plan->switches.n; site++) {
        LLVMValueRef at = plan->switches.at[site].at;
        if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(at)) != f->function)
            break;
        if (w && !all)
            n = number_blocks(&all, f->function);
        if (w)
            add_routes(&plan->switches.at[site], w, all, n);
    }
    free(all);
    return site;
}
