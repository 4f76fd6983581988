#include "shimgen/blocks/moved.h"

#include <stdlib.h>

#include "base/alloc.h"

/* The longest sequence that does not descend, by patience sorting: Fredman, "On computing the length of longest
 * increasing subsequences", Discrete Mathematics 11 (1975). */
struct sequence {
    VEC(uint32_t) runs;  /* of the instructions of a basic block */
    VEC(uint32_t) parts; /* likewise */
    VEC(uint64_t) times; /* likewise */
    VEC(size_t) tails;   /* of each length the instruction that a sequence of it ends with, the lowest */
    VEC(size_t) before;  /* of each instruction the one before it in its sequence */
    VEC(bool) in_order;
};

static size_t longest_that_fits(const struct sequence *s, uint32_t run)
{
    size_t low = 0, high = s->tails.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->runs.at[s->tails.at[middle]] <= run)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_order(struct sequence *s)
{
    s->tails.n = s->before.n = s->in_order.n = 0;
    for (size_t i = 0; i < s->runs.n; i++) {
        size_t length = longest_that_fits(s, s->runs.at[i]);
        vec_push(&s->before, length ? s->tails.at[length - 1] : (size_t)-1);
        vec_push(&s->in_order, false);
        if (length == s->tails.n)
            vec_push(&s->tails, i);
        else
            s->tails.at[length] = i;
    }
    for (size_t i = s->tails.n ? s->tails.at[s->tails.n - 1] : (size_t)-1; i != (size_t)-1; i = s->before.at[i])
        s->in_order.at[i] = true;
}

static void add_block(struct sequence *s, uint64_t *moved)
{
    find_order(s);
    for (size_t i = 0; i < s->runs.n; i++)
        if (!s->in_order.at[i])
            moved[s->parts.at[i]] += s->times.at[i];
    s->runs.n = s->parts.n = s->times.n = 0;
}

uint64_t *moved_instructions(const struct irprof_profile *p, const struct irprof_region *r, const uint32_t *run)
{
    uint64_t *moved = xcalloc(p->n_parts, sizeof *moved);
    struct sequence s = {0};
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *at = &p->segments[i];
        if (i && (p->segments[i - 1].function != at->function || p->segments[i - 1].block != at->block))
            add_block(&s, moved);
        for (size_t j = at->first_instruction; j < at->first_instruction + at->n_instructions; j++) {
            uint32_t part = p->instructions[j].part;
            if (run[part] == IRPROF_NONE)
                continue;
            vec_push(&s.runs, run[part]);
            vec_push(&s.parts, part);
            vec_push(&s.times, r->executions[i]);
        }
    }
    add_block(&s, moved);
    vec_release(&s.runs);
    vec_release(&s.parts);
    vec_release(&s.times);
    vec_release(&s.tails);
    vec_release(&s.before);
    vec_release(&s.in_order);
    return moved;
}
