/* branch_code.c - finds the machine branch of each conditional branch of the IR, by comparing where they lead. */
#include "irprof/codegen/branch_code.h"

#include <stdlib.h>

#include "irprof/codegen/code_find.h"
#include "irprof/irprof.h"
#include "irprof/module/condition.h"

/* Is there a branch that leads to `to` if taken, and otherwise to `past`? */
static bool has_branch(const struct code_finder *w, size_t to, size_t past)
{
    for (size_t i = w->into.first[to]; i < w->into.first[to + 1]; i++) {
        size_t taken, passed;
        if (code_branch(w, w->into.node[i], &taken, &passed) && code_leads(w, passed) == past)
            return true;
    }
    return false;
}

/* The branch of a block whose code was joined with that of its predecessor. */
static struct plan_branches elsewhere(const struct code_finder *w, size_t yes, size_t no)
{
    if (yes == no)
        return (struct plan_branches){0};
    if (has_branch(w, yes, no))
        return (struct plan_branches){.n = 1};
    return has_branch(w, no, yes) ? (struct plan_branches){.n = 1, .inverted = 1} : (struct plan_branches){0};
}

/* Where a node of a branch's code leads. */
enum side {
    SIDE_TRUE,
    SIDE_FALSE,
    SIDE_OWN,    /* another branch of the same block */
    SIDE_UNKNOWN /* code that was copied there, or joined with that of another block */
};
struct sides {
    size_t block, yes, no; /* the branch's block, and where the branch leads */
    size_t node[2];        /* the node that led to SIDE_TRUE, to SIDE_FALSE; MIR_NONE: none yet */
};

static enum side side_of(const struct code_finder *w, const struct sides *s, size_t node)
{
    size_t to = code_leads(w, node), yes = code_block(w, s->yes), no = code_block(w, s->no);
    if (node == s->node[SIDE_TRUE] || node == s->node[SIDE_FALSE])
        return node == s->node[SIDE_TRUE] ? SIDE_TRUE : SIDE_FALSE;
    /* one side has no code except moves between registers */
    if (yes == no && to == yes && (yes == s->yes) != (no == s->no))
        return (w->m->blocks.at[node].ir_block == to) == (yes == s->yes) ? SIDE_TRUE : SIDE_FALSE;
    if (yes != no && (to == yes || to == no))
        return to == yes ? SIDE_TRUE : SIDE_FALSE;
    return to == s->block ? SIDE_OWN : SIDE_UNKNOWN;
}

static enum side wanted(size_t leaf)
{
    return leaf == CONDITION_TRUE ? SIDE_TRUE : leaf == CONDITION_FALSE ? SIDE_FALSE : SIDE_OWN;
}

static bool can_be(enum side what, enum side wanted)
{
    return what == wanted || (what == SIDE_UNKNOWN && wanted != SIDE_OWN);
}

static void keep_side(struct sides *s, enum side what, size_t node)
{
    if (what <= SIDE_FALSE)
        s->node[what] = node;
}

/* Is a branch with these two targets the leaf's? */
static bool leaf_branch(const struct code_finder *w, size_t taken, size_t passed, const struct condition_leaf *leaf,
                        struct sides *s, bool *inverted)
{
    enum side to = side_of(w, s, taken), past = side_of(w, s, passed);
    enum side if_true = wanted(leaf->if_true), if_not = wanted(leaf->if_not);
    bool straight = can_be(to, if_true) && can_be(past, if_not);
    *inverted = can_be(to, if_not) && can_be(past, if_true);
    if (straight == *inverted)
        return false;
    keep_side(s, straight ? if_true : if_not, taken);
    keep_side(s, straight ? if_not : if_true, passed);
    return true;
}

/* The branches of all leaves, in the order of the code. */
static bool of_leaves(const struct code_finder *w, const struct condition *c, struct sides s, struct plan_branches *out)
{
    size_t found = 0;
    *out = (struct plan_branches){.n = (unsigned)c->n};
    for (size_t i = 0; i < code_n_own(w, s.block); i++) {
        bool inverted;
        size_t taken, passed;
        if (!code_branch(w, code_own(w, s.block, i), &taken, &passed))
            continue;
        if (found == c->n || !leaf_branch(w, taken, passed, &c->leaves[found], &s, &inverted))
            return false;
        out->inverted |= (uint32_t)inverted << found++;
    }
    return found == c->n;
}

static struct plan_branches code_of(const struct code_finder *w, LLVMValueRef branch, size_t block, size_t yes,
                                    size_t no)
{
    struct plan_branches b = {0};
    const struct sides sides = {block, yes, no, {MIR_NONE, MIR_NONE}};
    for (unsigned depth = CONDITION_DEPTH_MAX + 1; depth-- > 0;) {
        struct condition c;
        condition_read(&c, branch, depth);
        if (!of_leaves(w, &c, sides, &b))
            continue;
        b.depth = depth;
        return b;
    }
    return elsewhere(w, code_block(w, yes), code_block(w, no));
}

/* Finds the branch's edges, from edge *at on. A function's edges are sorted by block, and so are its branches. */
static bool find_edges(const struct plan_function *f, LLVMValueRef branch, size_t *at, const struct plan_edge *two[2])
{
    two[0] = two[1] = 0;
    for (; *at < f->edges.n && f->edges.at[*at].terminator != branch; ++*at)
        ;
    for (; *at < f->edges.n && f->edges.at[*at].terminator == branch; ++*at)
        two[f->edges.at[*at].kind != IRPROF_EDGE_TRUE] = &f->edges.at[*at];
    return two[0] && two[1];
}

static LLVMValueRef function_of(const struct plan_site *s)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(s->at));
}

static size_t find_branches(struct plan *plan, size_t site, const struct plan_function *f, const struct code_finder *w)
{
    size_t at = 0;
    for (; site < plan->branches.n && function_of(&plan->branches.at[site]) == f->function; site++) {
        const struct plan_edge *two[2];
        if (w && find_edges(f, plan->branches.at[site].at, &at, two))
            plan->branches.at[site].code = code_of(w, plan->branches.at[site].at, two[0]->from, two[0]->to, two[1]->to);
    }
    return site;
}

void branch_code(struct plan *plan, const struct mir *mir)
{
    const struct mir_function **of = xcalloc(plan->functions.n + 1, sizeof *of);
    for (size_t i = 0; i < mir->functions.n; i++)
        if (mir->functions.at[i].number < plan->functions.n)
            of[mir->functions.at[i].number] = &mir->functions.at[i];
    size_t branch = 0, other = 0;
    for (size_t i = 0; i < plan->functions.n; i++) {
        const struct plan_function *f = &plan->functions.at[i];
        struct code_finder w = {0};
        if (of[i])
            code_finder_begin(&w, f, of[i]);
        branch = find_branches(plan, branch, f, of[i] ? &w : 0);
        other = switch_code(plan, other, f, of[i] ? &w : 0);
        code_finder_end(&w);
    }
    free(of);
}
