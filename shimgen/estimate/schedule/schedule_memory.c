/*
 * schedule_memory.c - loads and stores in order: which ones stay after which, by what the profile says that LLVM knows;
 * and which two become one instruction on targets with ldp and stp.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/target.h"
#include "shimgen/estimate/schedule/schedule.h"

void schedule_accesses(struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    for (size_t i = 0; i < p->n_instructions; i++)
        s->access[i] = IRPROF_NONE;
    for (size_t i = 0; i < p->n_accesses; i++)
        s->access[p->accesses[i].instruction] = (uint32_t)i;
}

/* Accesses of a block have consecutive numbers. */
static bool is_clear(const struct schedule *s, uint32_t access, uint32_t before)
{
    return access - before <= s->p->accesses[access].clear;
}

bool schedule_stays_after(const struct schedule *s, uint32_t i, uint32_t before)
{
    if (!s->code[i].store && !s->code[before].store)
        return false;
    uint32_t a = s->access[i], b = s->access[before];
    if (a == IRPROF_NONE || b == IRPROF_NONE)
        return true;
    if (s->code[before].store && is_clear(s, a, b))
        return false;
    return irprof_may_overlap(s->p, &s->p->accesses[a], &s->p->accesses[b]);
}

/* ---- pairs ---- */

/* Is it in a general register: x and w, not s, d and q? */
static bool is_general(const struct schedule *s, uint32_t i)
{
    const struct ir_type *t = &schedule_key(s, i)->type;
    return !t->lanes && (t->kind == IR_TYPE_INTEGER || t->kind == IR_TYPE_POINTER);
}

static bool is_width(const struct schedule *s, uint32_t i, uint32_t size)
{
    return size == 4 || size == 8 || (size == 16 && !is_general(s, i));
}

static bool are_neighbours(const struct schedule *s, uint32_t a, uint32_t b)
{
    const struct irprof_access *x = &s->p->accesses[s->access[a]], *y = &s->p->accesses[s->access[b]];
    uint64_t far =
        x->offset < y->offset ? (uint64_t)y->offset - (uint64_t)x->offset : (uint64_t)x->offset - (uint64_t)y->offset;
    return x->base == y->base && x->base != IRPROF_NONE && x->size == y->size && far == x->size &&
           is_width(s, a, x->size) && is_general(s, a) == is_general(s, b);
}

/* the back end does not search further for the second access */
enum { LOOK = 20 };

static bool can_pair(const struct schedule *s, uint32_t i)
{
    const struct code *c = &s->code[i];
    return (c->load || c->store) && c->slots > 0 && !c->pair && s->access[i] != IRPROF_NONE;
}

/* Of two loads the first loads both; a core in order that loads one value at a time takes the time of two loads. Of two
 * stores the second stores both. */
static void join(struct schedule *s, uint32_t first, uint32_t second)
{
    bool load = s->code[first].load;
    uint32_t does = load ? first : second, gone = load ? second : first;
    if (load && !s->out_of_order)
        s->code[does].pitch += s->code[gone].pitch;
    s->code[gone].slots = s->code[gone].pitch = 0;
    s->code[gone].pair = s->code[does].pair = does + 1;
}

/* Finds the next access with which i can be combined, unless one in between prevents it. */
static void find_pair(struct schedule *s, uint32_t i, uint32_t end)
{
    for (uint32_t k = i + 1, looked = 0; k < end && looked < LOOK && !s->code[k].barrier; k++) {
        const struct code *c = &s->code[k];
        looked += c->slots > 0;
        if (!c->load && !c->store)
            continue;
        if (c->load == s->code[i].load && can_pair(s, k) && are_neighbours(s, i, k)) {
            join(s, i, k);
            return;
        }
        if (schedule_stays_after(s, k, i))
            return;
    }
}

void schedule_pairs(struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    for (size_t b = 0; p->n_accesses && b < s->n_blocks; b++) {
        const struct block *block = &s->blocks[b];
        const char *triple = p->modules[p->functions[block->function].module].target;
        if (!s->optimised[block->function] || !target_has(target_find(triple), TARGET_PAIRS))
            continue;
        for (uint32_t i = block->first; i < block->first + block->n; i++)
            if (can_pair(s, i))
                find_pair(s, i, block->first + block->n);
    }
}
