/*
 * What instructions wait for on the reference core, so that a table of counts can tell it: two a cycle in order,
 * one access of memory a cycle, results after the usual latencies of small in-order cores. The waits are cycles in
 * which nothing is issued because a result is not there; they belong to the class of the instruction that makes it, and
 * are counted at the one that waits. What a wait costs on a board is fitted: a core whose loads take two cycles more
 * has a higher cost of WAIT_LOAD.
 *
 * The code's order is the compiler's. A block that follows itself is seen in its third iteration; any other after one of
 * the blocks that lead to it: the last one after it in the code (the end of a loop), else the one before it; blocks of a
 * loop of two, in its second round.
 */
#include <stdlib.h>

#include "irprof/codegen/spill_mir.h"

enum { WIDTH = 2, FORWARD = 3 /* FORWARD: from a store to a load of the same place */ };

#define LATENCY(name, cycles, event, wait) [TARGET_##name] = (cycles),
static const unsigned latency[TARGET_CLASSES] = {TARGET_CLASS_LIST(LATENCY)};

struct due {
    unsigned at;
    unsigned iteration; /* when it was set; in another iteration it is long ready */
    unsigned char class;
};
struct core {
    unsigned iteration; /* number of the sequence of blocks that the core is in */
    unsigned cycle, issued;
    unsigned memory; /* 1 + cycle of the latest access */
    struct due *registers, *places, divider;
};

static void wait_for(struct due *longest, const struct core *c, const struct due *d)
{
    if (d->iteration == c->iteration && d->at > longest->at)
        *longest = *d;
}

static void next_cycle(struct core *c, unsigned cycle)
{
    c->cycle = cycle;
    c->issued = 0;
}

/* Is it executed by the floating-point divider, which does one operation at a time? */
static bool divides(const struct target_code *k)
{
    return k->class == TARGET_FDIV || k->class == TARGET_FDIV_LONG;
}

/* Issues an instruction. Returns how long it waited, and for which class. */
static unsigned issue(struct core *c, const struct target_code *k, unsigned char *class)
{
    struct due longest = {0};
    bool accesses = k->class == TARGET_LOAD || k->class == TARGET_STORE || k->reads;
    unsigned waited = 0;
    for (size_t i = 0; i < k->used; i++)
        wait_for(&longest, c, &c->registers[k->at[k->defined + i]]);
    if (k->place && k->class != TARGET_STORE)
        wait_for(&longest, c, &c->places[k->place]);
    if (divides(k))
        wait_for(&longest, c, &c->divider);
    if (c->issued == WIDTH || (accesses && c->memory == c->cycle + 1))
        next_cycle(c, c->cycle + 1);
    if (longest.at > c->cycle) {
        waited = longest.at - c->cycle;
        *class = longest.class;
        next_cycle(c, longest.at);
    }
    c->issued++;
    if (accesses)
        c->memory = c->cycle + 1;
    const struct due due = {c->cycle + latency[k->class] + (k->reads ? latency[TARGET_LOAD] : 0), c->iteration,
                            k->class};
    for (size_t i = 0; i < k->defined; i++)
        c->registers[k->at[i]] = due;
    if (k->place && k->class == TARGET_STORE)
        c->places[k->place] = (struct due){c->cycle + FORWARD, c->iteration, TARGET_STORE};
    if (divides(k))
        c->divider = (struct due){c->cycle + latency[k->class] - 2, c->iteration, k->class};
    if (k->class == TARGET_CALL) { /* it is not known when the callee made its results */
        c->iteration++;
        next_cycle(c, c->cycle + 1);
    }
    return waited;
}

static void pass(struct core *c, struct mir_block *b, bool count)
{
    for (size_t i = 0; i < b->instructions.n; i++) {
        struct mir_instruction *m = &b->instructions.at[i];
        unsigned char class = 0;
        if (m->code.class == TARGET_NONE)
            continue;
        unsigned waited = issue(c, &m->code, &class);
        if (count && waited)
            m->counts[MIR_WAIT + class] += waited;
    }
}

static bool leads_to(const struct graph *g, size_t from, size_t to)
{
    for (size_t i = 0; i < graph_n_next(g, from); i++)
        if (graph_next(g, from, i) == to)
            return true;
    return false;
}

/* The predecessor after which each block is simulated; MIR_NONE: it has none. */
static size_t *find_before(const struct mir_function *f)
{
    size_t *before = xcalloc(f->blocks.n, sizeof *before);
    for (size_t i = 0; i < f->blocks.n; i++)
        before[i] = MIR_NONE;
    for (size_t k = 0; k < f->graph.edges.n; k++) {
        size_t from = f->graph.edges.at[k].from, to = f->graph.edges.at[k].to, *at = &before[to];
        if (*at != to && (from >= to || *at == MIR_NONE || (from + 1 == to && *at < to)))
            *at = from;
    }
    return before;
}

void target_waits(struct mir_function *f, const struct target_names *names)
{
    struct core c = {.registers = xcalloc(names->registers.n + 1, sizeof *c.registers),
                     .places = xcalloc(names->places.n + 1, sizeof *c.places)};
    size_t *before = find_before(f);
    for (size_t i = 0; i < f->blocks.n; i++) {
        struct mir_block *b = &f->blocks.at[i];
        struct mir_block *p = before[i] == MIR_NONE ? 0 : &f->blocks.at[before[i]];
        c.iteration++;
        next_cycle(&c, 0);
        c.memory = 0;
        if (p == b || (p && leads_to(&f->graph, i, before[i]))) {
            pass(&c, p, false);
            pass(&c, b, false);
        }
        if (p && p != b)
            pass(&c, p, false);
        pass(&c, b, true);
    }
    free(before);
    free(c.registers);
    free(c.places);
}
