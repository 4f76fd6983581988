/*
 * schedule_order.c - the order in which a compiler puts the instructions of a block: list scheduling, where
 * instructions on the longest path to the block's end come first. Phis, which make no code, stay in front; a phi's next
 * value is computed after all uses of the present one. Calls stay in place. Stores stay after loads and stores, and
 * loads after stores, that may access the same memory (schedule_memory.c). Unoptimised code keeps its order.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule.h"

struct wait {
    uint32_t next; /* 1 + the next one in `waits`; 0: none */
    uint32_t on;   /* the waiting instruction, by its place in the block */
    float latency;
};
struct scheduler {
    const struct schedule *s;
    uint32_t first, n; /* of the block */
    uint32_t *head;    /* of each instruction: 1 + the first that waits for it */
    VEC(struct wait) waits;
    VEC(uint32_t) accesses; /* loads and stores since the last barrier */
    float *height, *ready;
    float *unit_free; /* of each unit that is busy for long: when it is free */
    uint32_t *left;   /* number of instructions it waits for */
    bool *uses;       /* of each instruction: does it use the current phi's value? */
    uint32_t *heap;   /* instructions that wait for none; the highest is first */
    uint32_t n_heap;
    bool flags; /* comparisons set flags, of which there is one register */
};

static void wait_for(struct scheduler *l, uint32_t who, uint32_t on, float latency)
{
    vec_push(&l->waits, (struct wait){l->head[on], who, latency});
    l->head[on] = (uint32_t)l->waits.n;
    l->left[who]++;
}

static void add_operands(struct scheduler *l, uint32_t i)
{
    const struct irprof_profile *p = l->s->p;
    const struct irprof_instruction *in = &p->instructions[l->first + i];
    bool phi = schedule_is_phi(l->s, l->first + i);
    for (uint32_t k = in->first_operand; !phi && k < in->first_operand + in->n_operands; k++) {
        uint32_t producer = p->operands[k].producer;
        if (producer != IRPROF_NONE && producer >= l->first && producer < l->first + i)
            wait_for(l, i, producer - l->first, l->s->code[producer].latency);
    }
}

/* Number of earlier accesses that are considered. Older ones are held back by these. */
enum { ACCESSES = 256 };

static void add_access(struct scheduler *l, uint32_t i)
{
    uint32_t k = (uint32_t)l->accesses.n, last = k > ACCESSES ? k - ACCESSES : 0;
    while (k-- > last) {
        uint32_t before = l->accesses.at[k];
        bool far = last && k == last;
        if (far || schedule_stays_after(l->s, l->first + i, l->first + before))
            wait_for(l, i, before, 0);
    }
    vec_push(&l->accesses, i);
}

/* Of two combined accesses, the second must not come before the first. */
static void add_pair(struct scheduler *l, uint32_t i)
{
    uint32_t pair = l->s->code[l->first + i].pair;
    uint32_t k = (uint32_t)l->accesses.n;
    while (pair && k-- > 0)
        if (l->s->code[l->first + l->accesses.at[k]].pair == pair) {
            wait_for(l, i, l->accesses.at[k], 0);
            return;
        }
}

/* Does an instruction use the phi's value, directly or through instructions without code? */
static bool uses_value(const struct scheduler *l, uint32_t i, uint32_t phi)
{
    const struct irprof_profile *p = l->s->p;
    const struct irprof_instruction *in = &p->instructions[l->first + i];
    for (uint32_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
        uint32_t producer = p->operands[k].producer;
        bool inside = producer != IRPROF_NONE && producer >= l->first && producer < l->first + i;
        if (inside &&
            (producer == l->first + phi || (l->uses[producer - l->first] && !(l->s->code[producer].slots > 0))))
            return true;
    }
    return false;
}

/* The value that a loop of one block hands to the phi; n: none. */
static uint32_t handed_on(const struct scheduler *l, uint32_t phi)
{
    const struct irprof_profile *p = l->s->p;
    const struct irprof_instruction *in = &p->instructions[l->first + phi];
    for (uint32_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
        uint32_t producer = p->operands[k].producer;
        if (producer != IRPROF_NONE && producer > l->first + phi && producer < l->first + l->n)
            return producer - l->first;
    }
    return l->n;
}

/* A loop keeps a phi in one register, if its value is not used after its next value has been computed (LLVM's
 * RegisterCoalescer, before scheduling). So the next value is computed after all uses. */
static void keep_register(struct scheduler *l, uint32_t phi)
{
    uint32_t next = handed_on(l, phi);
    if (next == l->n || !(l->s->code[l->first + next].slots > 0))
        return;
    for (uint32_t i = 0; i < l->n; i++) {
        l->uses[i] = i > phi && !schedule_is_phi(l->s, l->first + i) && uses_value(l, i, phi);
        if (l->uses[i] && i > next)
            return;
    }
    for (uint32_t i = phi + 1; i < next; i++)
        if (l->uses[i] && l->s->code[l->first + i].slots > 0)
            wait_for(l, next, i, 0);
}

/* Does it use a comparison's flags: a select, or a number made of them? */
static bool uses_flags(const struct scheduler *l, uint32_t i)
{
    const struct irprof_profile *p = l->s->p;
    const struct irprof_instruction *in = &p->instructions[l->first + i];
    if (!(l->s->code[l->first + i].slots > 0))
        return false;
    for (uint32_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
        uint32_t producer = p->operands[k].producer;
        const struct ir_key *key = producer == IRPROF_NONE ? 0 : schedule_key(l->s, producer);
        if (key && (key->class == IR_CLASS_COMPARE || key->class == IR_CLASS_FCOMPARE) && !key->type.lanes &&
            producer >= l->first && producer < l->first + i)
            return true;
    }
    return false;
}

/* There is one flags register, so instructions that use flags stay in the order of the code. */
static void keep_flags(struct scheduler *l)
{
    uint32_t last = IRPROF_NONE;
    for (uint32_t i = 0; l->flags && i < l->n; i++) {
        if (!uses_flags(l, i))
            continue;
        if (last != IRPROF_NONE)
            wait_for(l, i, last, 0);
        last = i;
    }
}

/* Adds waits: instructions come after the last barrier. A barrier, and the block's end, come after everything since the
 * one before. */
static void add_waits(struct scheduler *l)
{
    const struct code *code = l->s->code + l->first;
    uint32_t barrier = IRPROF_NONE;
    l->accesses.n = 0;
    for (uint32_t i = 0; i < l->n && schedule_is_phi(l->s, l->first + i); i++)
        keep_register(l, i);
    keep_flags(l);
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t since = barrier == IRPROF_NONE ? 0 : barrier + 1;
        add_operands(l, i);
        if (code[i].barrier || i + 1 == l->n) {
            for (uint32_t k = since; k < i; k++)
                wait_for(l, i, k, 0);
            if (since == i && barrier != IRPROF_NONE)
                wait_for(l, i, barrier, 0);
            barrier = i;
            l->accesses.n = 0;
            continue;
        }
        if (barrier != IRPROF_NONE)
            wait_for(l, i, barrier, 0);
        if (code[i].load || code[i].store) {
            add_pair(l, i);
            add_access(l, i);
        }
    }
}

static void find_heights(struct scheduler *l)
{
    const struct code *code = l->s->code + l->first;
    for (uint32_t i = l->n; i-- > 0;) {
        l->height[i] = code[i].slots;
        for (uint32_t w = l->head[i]; w; w = l->waits.at[w - 1].next) {
            const struct wait *wait = &l->waits.at[w - 1];
            float through = wait->latency > code[i].slots ? wait->latency : code[i].slots;
            if (l->height[wait->on] + through > l->height[i])
                l->height[i] = l->height[wait->on] + through;
        }
        if (schedule_is_phi(l->s, l->first + i))
            l->height[i] = INFINITY;
    }
}

/* ---- instructions that wait for none ---- */

static bool goes_first(const struct scheduler *l, uint32_t a, uint32_t b)
{
    return l->height[a] != l->height[b] ? l->height[a] > l->height[b] : a < b;
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t t = *a;
    *a = *b;
    *b = t;
}

static void heap_push(struct scheduler *l, uint32_t i)
{
    uint32_t at = l->n_heap++;
    l->heap[at] = i;
    for (; at && goes_first(l, l->heap[at], l->heap[(at - 1) / 2]); at = (at - 1) / 2)
        swap(&l->heap[at], &l->heap[(at - 1) / 2]);
}

static void heap_drop(struct scheduler *l, uint32_t at)
{
    l->heap[at] = l->heap[--l->n_heap];
    for (; at < l->n_heap && at && goes_first(l, l->heap[at], l->heap[(at - 1) / 2]); at = (at - 1) / 2)
        swap(&l->heap[at], &l->heap[(at - 1) / 2]);
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= l->n_heap)
            return;
        if (child + 1 < l->n_heap && goes_first(l, l->heap[child + 1], l->heap[child]))
            child++;
        if (!goes_first(l, l->heap[child], l->heap[at]))
            return;
        swap(&l->heap[child], &l->heap[at]);
        at = child;
    }
}

/* Number of instructions at the top of the heap that are examined: enough to find one whose operands are ready. */
enum { LOOK = 24 };

/* Is its unit busy for long? Floating-point divisions are, and compilers know it: they place uses of one result before
 * the next division. Other units are free again soon. */
static bool is_long(const struct scheduler *l, uint32_t i)
{
    return l->s->code[l->first + i].slots > 0 && schedule_key(l->s, l->first + i)->class == IR_CLASS_FDIVISION;
}

/* When its operands and its unit are ready. */
static float can_issue(const struct scheduler *l, uint32_t i)
{
    return is_long(l, i) ? fmaxf(l->ready[i], l->unit_free[l->s->code[l->first + i].unit]) : l->ready[i];
}

/* The highest instruction that can issue at once; else the one that can issue soonest. */
static uint32_t choose(const struct scheduler *l, float now)
{
    uint32_t best = 0, soonest = 0;
    bool found = false;
    for (uint32_t i = 0; i < l->n_heap && i < LOOK; i++) {
        float at = can_issue(l, l->heap[i]);
        if (at < can_issue(l, l->heap[soonest]))
            soonest = i;
        if (at <= now && (!found || goes_first(l, l->heap[i], l->heap[best]))) {
            best = i;
            found = true;
        }
    }
    return found ? best : soonest;
}

static void schedule_block(struct scheduler *l, uint32_t *order)
{
    const struct code *code = l->s->code + l->first;
    float now = 0;
    l->n_heap = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (!l->left[i])
            heap_push(l, i);
    for (uint32_t k = 0; l->n_heap; k++) {
        uint32_t at = choose(l, now), i = l->heap[at];
        heap_drop(l, at);
        order[k] = l->first + i;
        now = fmaxf(now, can_issue(l, i));
        if (is_long(l, i))
            l->unit_free[code[i].unit] = now + code[i].pitch;
        for (uint32_t w = l->head[i]; w; w = l->waits.at[w - 1].next) {
            const struct wait *wait = &l->waits.at[w - 1];
            if (now + wait->latency > l->ready[wait->on])
                l->ready[wait->on] = now + wait->latency;
            if (!--l->left[wait->on])
                heap_push(l, wait->on);
        }
        now += code[i].slots;
    }
}

/* larger blocks keep their order: optimisers give up on them, too */
enum { BLOCK_LIMIT = 5000 };

void schedule_order(struct schedule *s)
{
    struct scheduler l = {.s = s};
    size_t most = 0, units = schedule_units(s);
    for (size_t b = 0; b < s->n_blocks; b++)
        most = s->blocks[b].n > most ? s->blocks[b].n : most;
    l.head = xcalloc(most, sizeof *l.head);
    l.height = xcalloc(most, sizeof *l.height);
    l.ready = xcalloc(most, sizeof *l.ready);
    l.unit_free = xcalloc(units, sizeof *l.unit_free);
    l.left = xcalloc(most, sizeof *l.left);
    l.uses = xcalloc(most, sizeof *l.uses);
    l.heap = xcalloc(most, sizeof *l.heap);
    for (size_t b = 0; b < s->n_blocks; b++) {
        const struct block *block = &s->blocks[b];
        for (uint32_t i = 0; i < block->n; i++)
            s->order[block->first + i] = block->first + i;
        if (!s->optimised[block->function] || block->n < 3 || block->n > BLOCK_LIMIT || schedule_times(s, block) == 0)
            continue;
        l.flags = target_has(schedule_target_of(s->p, block->function), TARGET_SELECTS);
        l.first = block->first;
        l.n = block->n;
        l.waits.n = 0;
        memset(l.unit_free, 0, units * sizeof *l.unit_free);
        memset(l.head, 0, l.n * sizeof *l.head);
        memset(l.ready, 0, l.n * sizeof *l.ready);
        memset(l.left, 0, l.n * sizeof *l.left);
        add_waits(&l);
        find_heights(&l);
        schedule_block(&l, s->order + block->first);
    }
    free(l.head);
    vec_release(&l.waits);
    vec_release(&l.accesses);
    free(l.height);
    free(l.ready);
    free(l.unit_free);
    free(l.left);
    free(l.uses);
    free(l.heap);
}
