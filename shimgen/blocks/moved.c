/* moved.c - finds instructions that the optimiser has moved away from where they were written. */
#include "shimgen/blocks/moved.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"

/* ---- the order within a basic block ---- */

/* The longest non-descending sequence, by patience sorting: Fredman, "On computing the length of longest increasing
 * subsequences", Discrete Mathematics 11 (1975). */
struct instruction {
    const struct tree_line *line;
    uint32_t part;
    bool branches;
    bool leads; /* leads into the braces around it: a loop's step at its end */
    uint64_t times;
};
struct sequence {
    const struct tree *tree;
    VEC(struct instruction) all; /* of a basic block, with a line in its function */
    VEC(size_t) tails;           /* for each length, the lowest instruction that ends a sequence of that length */
    VEC(size_t) before;          /* for each instruction, its predecessor in its sequence */
    VEC(bool) in_order;
};

static size_t longest_that_fits(const struct sequence *s, uint32_t run)
{
    size_t low = 0, high = s->tails.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->all.at[s->tails.at[middle]].line->run <= run)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_order(struct sequence *s)
{
    s->tails.n = s->before.n = s->in_order.n = 0;
    for (size_t i = 0; i < s->all.n; i++) {
        bool free = s->all.at[i].leads;
        size_t length = free ? 0 : longest_that_fits(s, s->all.at[i].line->run);
        vec_push(&s->before, length ? s->tails.at[length - 1] : (size_t)-1);
        vec_push(&s->in_order, free);
        if (free)
            continue;
        if (length == s->tails.n)
            vec_push(&s->tails, i);
        else
            s->tails.at[length] = i;
    }
    for (size_t i = s->tails.n ? s->tails.at[s->tails.n - 1] : (size_t)-1; i != (size_t)-1; i = s->before.at[i])
        s->in_order.at[i] = true;
}

/* ---- the braces around an instruction ---- */

struct votes {
    VEC(uint32_t) compounds;
    VEC(size_t) n;
};

static void vote(struct votes *v, uint32_t compound)
{
    size_t i = 0;
    while (i < v->compounds.n && v->compounds.at[i] != compound)
        i++;
    if (i == v->compounds.n) {
        vec_push(&v->compounds, compound);
        vec_push(&v->n, 0);
    }
    v->n.at[i]++;
}

/* The compound in which most instructions were written, without branches. An instruction that leads into a compound (a
 * loop's step) may stand on either side of its brace, so it counts only if there is nothing else. */
static uint32_t home_of(const struct sequence *s)
{
    struct votes votes[2] = {0};
    for (size_t i = 0; i < s->all.n; i++)
        if (!s->all.at[i].branches)
            vote(&votes[s->all.at[i].line->leads], s->all.at[i].line->compound);
    const struct votes *v = &votes[!votes[0].n.n];
    size_t most = 0;
    for (size_t i = 1; i < v->n.n; i++)
        if (v->n.at[i] > v->n.at[most])
            most = i;
    uint32_t home = v->n.n ? v->compounds.at[most] : BLOCK_NONE;
    for (size_t i = 0; i < 2; i++) {
        vec_release(&votes[i].compounds);
        vec_release(&votes[i].n);
    }
    return home;
}

static bool at_home(const struct sequence *s, const struct tree_line *line, uint32_t home)
{
    if (line->compound == home)
        return true;
    for (; home != BLOCK_NONE && line->leads; home = s->tree->compounds.at[home].parent)
        if (compound_heads(s->tree, home, line->line))
            return true;
    return false;
}

static bool is_among(const struct sequence *s, uint32_t block, uint32_t home)
{
    for (size_t i = 0; i < s->all.n; i++)
        if (s->all.at[i].line->block == block && at_home(s, s->all.at[i].line, home))
            return true;
    return false;
}

/* Was it written after the branch that ends the basic block, within the same braces, and in another block? */
static bool is_after(const struct tree_line *line, const struct instruction *last)
{
    return last->branches && line->line > last->line->line && line->compound == last->line->compound &&
           line->block != last->line->block;
}

static bool is_elsewhere(const struct sequence *s, const struct tree_line *line, uint32_t home)
{
    return is_after(line, &s->all.at[s->all.n - 1]) || (!at_home(s, line, home) && !is_among(s, line->block, home));
}

static void add_block(struct sequence *s, uint64_t *moved)
{
    uint32_t home = home_of(s);
    for (size_t i = 0; i < s->all.n; i++)
        s->all.at[i].leads = s->all.at[i].line->compound != home && at_home(s, s->all.at[i].line, home);
    find_order(s);
    for (size_t i = 0; i < s->all.n; i++) {
        const struct instruction *in = &s->all.at[i];
        if (!s->in_order.at[i] || (!in->branches && is_elsewhere(s, in->line, home)))
            moved[in->part] += in->times;
    }
    s->all.n = 0;
}

static bool branches(const char *key)
{
    enum ir_opcode opcode = ir_key(key).opcode;
    return opcode == IR_BR || opcode == IR_SWITCH;
}

uint64_t *moved_instructions(const struct irprof_profile *p, const struct irprof_region *r, const struct tree *t,
                             const struct tree_line *const *line)
{
    uint64_t *moved = xcalloc(p->n_parts, sizeof *moved);
    bool *is_branch = xcalloc(p->n_keys, sizeof *is_branch);
    struct sequence s = {.tree = t};
    for (size_t i = 0; i < p->n_keys; i++)
        is_branch[i] = branches(p->keys[i]);
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *at = &p->segments[i];
        if (i && (p->segments[i - 1].function != at->function || p->segments[i - 1].block != at->block))
            add_block(&s, moved);
        for (size_t j = at->first_instruction; j < at->first_instruction + at->n_instructions; j++) {
            const struct irprof_instruction *in = &p->instructions[j];
            if (line[in->part])
                vec_push(&s.all,
                         (struct instruction){line[in->part], in->part, is_branch[in->key], false, r->executions[i]});
        }
    }
    add_block(&s, moved);
    vec_release(&s.all);
    vec_release(&s.tails);
    vec_release(&s.before);
    vec_release(&s.in_order);
    free(is_branch);
    return moved;
}
