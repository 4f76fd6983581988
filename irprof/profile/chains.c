/*
 * chains.c - loop-carried dependencies: what one iteration of a loop hands to the next, and the longest chain of
 * instructions on its path. The loop cannot iterate faster than that.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"
#include "irprof/irprof.h"

/* Limit on the work for one loop [instructions]; beyond it, the rest of its sources is left out. */
static const size_t steps_limit = 4000000;

struct finder {
    const struct irprof_profile *p;
    const double *weights;
    struct ir_key *keys;
    uint32_t *loops;     /* of each instruction: the loop that contains its block */
    uint32_t *seen;      /* of each instruction: the source that has a path to it; 0: none */
    double *far;         /* of each instruction: the sum of weights on the longest such path, its own included */
    uint32_t *before;    /* of each instruction: its predecessor on that path */
    uint32_t *stored;    /* of each alloca: the latest store to it in this pass ... */
    uint32_t *stored_in; /* ... the pass in which it was stored */
    uint32_t pass;
    size_t work;   /* of the current loop: its instructions and operands */
    uint32_t *own; /* instructions of the current loop, in order */
    size_t n_own;
    struct irprof_chain best;
};

static enum ir_opcode opcode_at(const struct finder *f, uint32_t i)
{
    return f->keys[f->p->instructions[i].key].opcode;
}

/* The alloca that an access goes to, or IRPROF_NONE. */
static uint32_t variable_of(const struct finder *f, uint32_t access)
{
    const struct irprof_instruction *in = &f->p->instructions[access];
    for (size_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
        const struct irprof_operand *o = &f->p->operands[k];
        if (o->address && o->producer != IRPROF_NONE && opcode_at(f, o->producer) == IR_ALLOCA)
            return o->producer;
    }
    return IRPROF_NONE;
}

/* In unreachable code an instruction may use its own result. That is no path. */
static void reach(struct finder *f, uint32_t i, uint32_t from)
{
    if (from == IRPROF_NONE || from == i || f->seen[from] != f->pass)
        return;
    if (f->seen[i] == f->pass && f->far[i] >= f->far[from] + f->weights[i])
        return;
    f->seen[i] = f->pass;
    f->far[i] = f->far[from] + f->weights[i];
    f->before[i] = from;
}

static void begin(struct finder *f, uint32_t i)
{
    f->seen[i] = f->pass;
    f->far[i] = f->weights[i];
    f->before[i] = IRPROF_NONE;
}

static void visit(struct finder *f, uint32_t i, uint32_t source)
{
    const struct irprof_instruction *in = &f->p->instructions[i];
    enum ir_opcode opcode = opcode_at(f, i);
    uint32_t variable = opcode == IR_LOAD || opcode == IR_STORE ? variable_of(f, i) : IRPROF_NONE;
    if (i == source) {
        begin(f, i);
        return;
    }
    if (opcode == IR_LOAD && variable != IRPROF_NONE) {
        if (f->stored_in[variable] == f->pass)
            reach(f, i, f->stored[variable]);
        else if (variable == source)
            begin(f, i);
        return;
    }
    for (size_t k = in->first_operand; opcode != IR_PHI && k < in->first_operand + in->n_operands; k++)
        if (f->p->operands[k].producer != variable)
            reach(f, i, f->p->operands[k].producer);
    for (size_t k = in->first_operand; opcode == IR_PHI && k < in->first_operand + in->n_operands; k++)
        if (f->p->operands[k].producer < i) /* not over the back edge */
            reach(f, i, f->p->operands[k].producer);
    if (opcode == IR_STORE && variable != IRPROF_NONE) {
        f->stored[variable] = i;
        f->stored_in[variable] = f->pass;
    }
}

static void keep(struct finder *f, uint32_t last)
{
    if (last == IRPROF_NONE || f->seen[last] != f->pass || f->far[last] <= f->best.length)
        return;
    f->best.length = f->far[last];
    f->best.n = 0;
    for (uint32_t i = last; i != IRPROF_NONE; i = f->before[i])
        f->best.n++;
    f->best.instructions = xreallocarray(f->best.instructions, f->best.n, sizeof *f->best.instructions);
    size_t n = 0;
    for (uint32_t i = last; i != IRPROF_NONE; i = f->before[i])
        f->best.instructions[n++] = i;
}

/* Follows all paths from one phi, or one variable in memory, through an iteration. */
static void follow(struct finder *f, uint32_t source, uint32_t loop)
{
    f->pass++;
    for (size_t i = 0; i < f->n_own; i++)
        visit(f, f->own[i], source);
    if (opcode_at(f, source) == IR_ALLOCA) {
        keep(f, f->stored_in[source] == f->pass ? f->stored[source] : IRPROF_NONE);
        return;
    }
    const struct irprof_instruction *in = &f->p->instructions[source];
    for (size_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
        uint32_t producer = f->p->operands[k].producer;
        if (producer != IRPROF_NONE && f->loops[producer] == loop)
            keep(f, producer);
    }
}

/* Sources are phis of the header, and variables that are loaded. */
static void find(struct finder *f, uint32_t loop, uint32_t *asked)
{
    size_t steps = 0;
    f->best = (struct irprof_chain){0};
    f->work = f->n_own;
    for (size_t i = 0; i < f->n_own; i++)
        f->work += f->p->instructions[f->own[i]].n_operands;
    for (size_t i = 0; i < f->n_own && steps < steps_limit; i++) {
        enum ir_opcode opcode = opcode_at(f, f->own[i]);
        uint32_t source = opcode == IR_PHI ? f->own[i] : opcode == IR_LOAD ? variable_of(f, f->own[i]) : IRPROF_NONE;
        if (source == IRPROF_NONE || (opcode == IR_LOAD && asked[source] == loop + 1))
            continue;
        if (opcode == IR_LOAD)
            asked[source] = loop + 1;
        follow(f, source, loop);
        steps += f->work;
    }
}

static void number_instructions(struct finder *f, uint32_t *first, uint32_t *order)
{
    const struct irprof_profile *p = f->p;
    for (size_t s = 0; s < p->n_segments; s++) {
        uint32_t loop = p->segments[s].loop;
        for (size_t i = 0; i < p->segments[s].n_instructions; i++)
            f->loops[p->segments[s].first_instruction + i] = loop;
        if (loop != IRPROF_NONE)
            first[loop + 1] += p->segments[s].n_instructions;
    }
    for (size_t l = 0; l < p->n_loops; l++)
        first[l + 1] += first[l];
    uint32_t *next = xmemdup(first, (p->n_loops + 1) * sizeof *first);
    for (uint32_t i = 0; i < p->n_instructions; i++)
        if (f->loops[i] != IRPROF_NONE)
            order[next[f->loops[i]]++] = i;
    free(next);
}

void irprof_chains(const struct irprof_profile *p, const double *weights, struct irprof_chain *chains)
{
    size_t n = p->n_instructions;
    struct finder f = {.p = p, .weights = weights};
    f.keys = ir_keys(p->keys, p->n_keys);
    f.loops = xcalloc(n, sizeof *f.loops);
    f.seen = xcalloc(n, sizeof *f.seen);
    f.far = xcalloc(n, sizeof *f.far);
    f.before = xcalloc(n, sizeof *f.before);
    f.stored = xcalloc(n, sizeof *f.stored);
    f.stored_in = xcalloc(n, sizeof *f.stored_in);
    uint32_t *asked = xcalloc(n, sizeof *asked), *order = xcalloc(n, sizeof *order);
    uint32_t *first = xcalloc(p->n_loops + 1, sizeof *first);
    number_instructions(&f, first, order);
    for (uint32_t l = 0; l < p->n_loops; l++) {
        f.own = order + first[l];
        f.n_own = first[l + 1] - first[l];
        find(&f, l, asked);
        chains[l] = f.best;
    }
    free(f.keys);
    free(f.loops);
    free(f.seen);
    free(f.far);
    free(f.before);
    free(f.stored);
    free(f.stored_in);
    free(asked);
    free(order);
    free(first);
}

void irprof_chains_release(const struct irprof_profile *p, struct irprof_chain *chains)
{
    for (size_t i = 0; i < p->n_loops; i++)
        free(chains[i].instructions);
}
