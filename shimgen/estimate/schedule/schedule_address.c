/*
 * schedule_address.c - addresses that optimised code does not compute where the IR does. If an address moves by the
 * same step in each iteration of a loop, it is kept in a register that is increased. Accesses close to each other
 * differ by a constant offset, which is part of the access. What is invariant in a loop is computed before it.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule.h"

struct addresses {
    struct schedule *s;
    uint32_t *loops;     /* of each instruction: the innermost loop around it, or IRPROF_NONE */
    unsigned char *kept; /* of each instruction: is it used other than as an address? */
    uint32_t *users;     /* of each instruction: number of users */
    bool *beside;        /* of each getelementptr: does it differ by a constant from an earlier one in its block? */
};
/* A getelementptr from which others may differ by a constant. */
struct leader {
    uint32_t at;
    bool computed; /* an instruction computes it into a register */
};

/* How far an index is followed (sums and products of counters are short), and how many addresses are compared. */
enum { DEPTH = 8, LEADERS = 64 };

static const struct irprof_operand *operands_of(const struct addresses *a, uint32_t i)
{
    return a->s->p->operands + a->s->p->instructions[i].first_operand;
}

/* Is it in this loop, or in one nested in it? */
static bool is_within(const struct addresses *a, uint32_t i, uint32_t loop)
{
    uint32_t at = a->loops[i];
    while (at != IRPROF_NONE && at != loop)
        at = a->s->p->loops[at].parent;
    return at == loop;
}

/* Does the value change in the loop? A value that is not an instruction of the function is an argument. */
static bool changes(const struct addresses *a, uint32_t producer, uint32_t loop)
{
    return producer != IRPROF_NONE && is_within(a, producer, loop);
}

/* Is it phi + n with an invariant n? */
static bool adds_to(const struct addresses *a, uint32_t i, uint32_t phi, uint32_t loop)
{
    const struct ir_key *key = schedule_key(a->s, i);
    bool adds = key->opcode == IR_ADD || key->opcode == IR_SUB || key->opcode == IR_GETELEMENTPTR;
    bool from = false, steady = true;
    for (uint32_t k = 0; adds && k < a->s->p->instructions[i].n_operands; k++) {
        uint32_t producer = operands_of(a, i)[k].producer;
        from |= producer == phi;
        steady &= producer == phi || !changes(a, producer, loop);
    }
    return from && steady;
}

/* Is it a counter: does each iteration add the same to it? */
static bool is_counter(const struct addresses *a, uint32_t phi, uint32_t loop)
{
    if (!schedule_is_phi(a->s, phi) || a->loops[phi] != loop)
        return false;
    bool counts = false;
    for (uint32_t k = 0; k < a->s->p->instructions[phi].n_operands; k++) {
        uint32_t producer = operands_of(a, phi)[k].producer;
        if (!changes(a, producer, loop))
            continue;
        if (counts || !adds_to(a, producer, phi, loop))
            return false;
        counts = true;
    }
    return counts;
}

static bool moves_evenly(const struct addresses *a, uint32_t i, uint32_t loop, int depth);

static bool operands_move_evenly(const struct addresses *a, uint32_t i, uint32_t loop, int depth)
{
    for (uint32_t k = 0; k < a->s->p->instructions[i].n_operands; k++)
        if (!moves_evenly(a, operands_of(a, i)[k].producer, loop, depth - 1))
            return false;
    return true;
}

/* Does the value change by an invariant amount from one iteration to the next? */
static bool moves_evenly(const struct addresses *a, uint32_t i, uint32_t loop, int depth)
{
    if (!changes(a, i, loop) || is_counter(a, i, loop))
        return true;
    const struct irprof_instruction *in = &a->s->p->instructions[i];
    const struct ir_key *key = schedule_key(a->s, i);
    if (depth == 0 || key->type.lanes)
        return false;
    switch (key->opcode) {
    case IR_MUL:
    case IR_SHL:
    case IR_OR: /* a counter combined with a constant, in bits that its step leaves 0 */
        return in->constants & IRPROF_CONSTANT && operands_move_evenly(a, i, loop, depth);
    case IR_ADD:
    case IR_SUB:
    case IR_SEXT:
    case IR_ZEXT:
    case IR_GETELEMENTPTR:
        return operands_move_evenly(a, i, loop, depth);
    default:
        return false;
    }
}

/* Is it an instruction that computes indices or addresses? Phis, which are part of the counting, are not. */
static bool computes_address(const struct ir_key *key)
{
    return key->opcode == IR_GETELEMENTPTR || key->opcode == IR_ADD || key->opcode == IR_SUB || key->opcode == IR_OR ||
           key->opcode == IR_SHL || key->opcode == IR_MUL || key->opcode == IR_SEXT || key->opcode == IR_ZEXT;
}

/* Does the user use it as an address? A load or store does for its address operand; an address that is itself free does
 * for any operand. */
static bool uses_as_address(const struct addresses *a, uint32_t user, const struct irprof_operand *o, bool none)
{
    const struct ir_key *key = schedule_key(a->s, user);
    bool accesses = key->opcode == IR_LOAD || key->opcode == IR_STORE;
    return accesses ? o->address : none && computes_address(key);
}

/* Is it i + constant, or an extension of that? */
static bool is_offset(const struct addresses *a, uint32_t i)
{
    const struct irprof_instruction *in = &a->s->p->instructions[i];
    const struct ir_key *key = schedule_key(a->s, i);
    bool adds = (key->opcode == IR_ADD || key->opcode == IR_OR) && in->constants & IRPROF_CONSTANT;
    return in->n_operands == 1 && !key->type.lanes && (adds || key->opcode == IR_SEXT || key->opcode == IR_ZEXT);
}

static bool is_free(const struct addresses *a, uint32_t i)
{
    uint32_t loop = a->loops[i];
    if (!a->users[i] || a->kept[i] || !computes_address(schedule_key(a->s, i)))
        return false;
    return a->beside[i] || is_offset(a, i) || (loop != IRPROF_NONE && moves_evenly(a, i, loop, DEPTH));
}

/* ---- addresses close to each other ---- */

/* The index without its constants. */
static uint32_t root_of(const struct addresses *a, uint32_t i)
{
    while (i != IRPROF_NONE && is_offset(a, i))
        i = operands_of(a, i)->producer;
    return i;
}

static bool are_beside(const struct addresses *a, uint32_t i, uint32_t k)
{
    const struct irprof_instruction *one = &a->s->p->instructions[i], *other = &a->s->p->instructions[k];
    if (one->n_operands != other->n_operands || one->constants != other->constants)
        return false;
    bool same = one->n_operands > 0;
    for (uint32_t o = 0; same && o < one->n_operands; o++) {
        uint32_t root = root_of(a, operands_of(a, i)[o].producer);
        same = root != IRPROF_NONE && root == root_of(a, operands_of(a, k)[o].producer);
    }
    return same;
}

/* The first address may be one that its access computes itself. In that case the second one is computed into a
 * register, and further ones are relative to it. */
static void find_beside(const struct addresses *a, uint32_t first, uint32_t end)
{
    struct leader leaders[LEADERS];
    size_t n = 0;
    for (uint32_t i = first; i < end; i++) {
        if (schedule_key(a->s, i)->opcode != IR_GETELEMENTPTR)
            continue;
        size_t l = 0;
        while (l < n && !are_beside(a, i, leaders[l].at))
            l++;
        if (l < n) {
            a->beside[i] = leaders[l].computed;
            leaders[l].computed = true;
        } else if (n < LEADERS) {
            leaders[n++] = (struct leader){i, a->s->code[i].slots > 0};
        }
    }
}

/* Goes backwards, since an address depends on its users. */
static void free_addresses(struct addresses *a, uint32_t first, uint32_t end)
{
    for (uint32_t i = end; i-- > first;) {
        bool none = is_free(a, i);
        if (none)
            a->s->code[i].slots = a->s->code[i].pitch = a->s->code[i].latency = 0;
        for (uint32_t k = 0; k < a->s->p->instructions[i].n_operands; k++) {
            const struct irprof_operand *o = &operands_of(a, i)[k];
            if (o->producer == IRPROF_NONE)
                continue;
            a->users[o->producer]++;
            a->kept[o->producer] |= !uses_as_address(a, i, o, none) || a->loops[o->producer] != a->loops[i];
        }
    }
}

void schedule_address(struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    struct addresses a = {s, xcalloc(p->n_instructions, sizeof *a.loops), xcalloc(p->n_instructions, 1),
                          xcalloc(p->n_instructions, sizeof *a.users), xcalloc(p->n_instructions, sizeof *a.beside)};
    for (uint32_t g = 0; g < p->n_segments; g++)
        for (uint32_t k = 0; k < p->segments[g].n_instructions; k++)
            a.loops[p->segments[g].first_instruction + k] = p->segments[g].loop;
    for (size_t b = s->n_blocks; b-- > 0;) {
        if (!s->optimised[s->blocks[b].function])
            continue;
        find_beside(&a, s->blocks[b].first, s->blocks[b].first + s->blocks[b].n);
        free_addresses(&a, s->blocks[b].first, s->blocks[b].first + s->blocks[b].n);
    }
    free(a.loops);
    free(a.kept);
    free(a.users);
    free(a.beside);
}
