/* columns.c - data-flow columns of a table of counts: folded instructions, constants, chains. */
#include "irprof/report/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"

/* Classes of instructions whose results take time, and a typical number of cycles for each. The cycles only decide
 * which of two chains is the longer one. */
enum column_class { NONE, INT, LOAD, FLOAT, MUL, DIV, N_CLASSES };
static const double usual[N_CLASSES] = {0, 1, 3, 4, 3, 12};

#define NEAR(class_) "near." class_ ".1", "near." class_ ".2", "near." class_ ".3", "near." class_ ".4"
enum {
    NEAR_INT,
    NEAR_LOAD,
    NEAR_FLOAT = NEAR_LOAD + 4,
    NEAR_MUL = NEAR_FLOAT + 4,
    FOLDED = NEAR_MUL + 4,
    CONSTANT_DIV = FOLDED + 6,
    CONSTANT_GLOBAL,
    CHAIN,
    N_COLUMNS = CHAIN + 5
};
static const char *const names[N_COLUMNS] = {
    "near.int.1",  NEAR("load"),  NEAR("float"), NEAR("mul"),    "folded.getelementptr", "folded.icmp", "folded.fcmp",
    "folded.zext", "folded.sext", "folded.br",   "constant.div", "constant.global",      "chain.int",   "chain.load",
    "chain.float", "chain.mul",   "chain.div",
};
/* Instructions that may be folded, in the order of the columns. */
static const enum ir_opcode folding[] = {IR_GETELEMENTPTR, IR_ICMP, IR_FCMP, IR_ZEXT, IR_SEXT, IR_BR};

const char *columns_name(size_t i)
{
    return i < N_COLUMNS ? names[i] : 0;
}

static enum column_class class_of(const struct ir_key *k)
{
    switch (k->class) {
    case IR_CLASS_LOAD:
        return LOAD;
    case IR_CLASS_PRODUCT:
        return MUL;
    case IR_CLASS_DIVISION:
    case IR_CLASS_FDIVISION:
        return DIV;
    case IR_CLASS_FSUM:
    case IR_CLASS_FPRODUCT:
    case IR_CLASS_FNEGATION:
    case IR_CLASS_FCOMPARE:
    case IR_CLASS_CONVERSION:
        return FLOAT;
    case IR_CLASS_CALL: /* an intrinsic's result counts as an integer instruction's */
        return k->form == IR_INTRINSIC ? INT : NONE;
    case IR_CLASS_STORE:
    case IR_CLASS_JUMP:
    case IR_CLASS_RETURN:
    case IR_CLASS_FENCE:
        return NONE;
    default:
        return k->opcode == IR_PHI || k->opcode == IR_ALLOCA ? NONE : INT;
    }
}

struct counter {
    const struct irprof_profile *p;
    const struct irprof_region *region;
    struct ir_key *keys;
    unsigned char *folds, *classes; /* of each instruction; of each key */
    uint32_t *needed;               /* of each instruction of a segment: the distance to its first user in the block */
    uint64_t *values;
};

static bool makes_code(const struct counter *c, uint32_t i)
{
    return c->folds[i] == IRPROF_FOLD_NOT;
}

static void count_near(struct counter *c, enum column_class class, uint32_t distance, uint64_t times)
{
    static const int columns[N_CLASSES] = {
        [INT] = NEAR_INT, [LOAD] = NEAR_LOAD, [FLOAT] = NEAR_FLOAT, [MUL] = NEAR_MUL};
    uint32_t farthest = class == INT ? 1 : 4;
    if (class != NONE && class != DIV && distance && distance <= farthest)
        c->values[columns[class] + (int)distance - 1] += times;
}

/* Instructions that make no code are looked through only if they have at most so many operands. */
enum { FEW = 3 };

/* A user of a folded instruction needs the operands of that. */
static void need(struct counter *c, uint32_t i, uint32_t first, const uint32_t *position, uint32_t at, int depth)
{
    const struct irprof_profile *p = c->p;
    const struct irprof_instruction *in = &p->instructions[i];
    for (size_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
        uint32_t producer = p->operands[k].producer;
        if (producer == IRPROF_NONE || producer < first || producer >= i)
            continue;
        if (!makes_code(c, producer) && depth && p->instructions[producer].n_operands <= FEW)
            need(c, producer, first, position, at, depth - 1);
        else if (!c->needed[producer - first])
            c->needed[producer - first] = at - position[producer - first];
    }
}

/* Counts a block: its segments [from, to). */
static void count_block(struct counter *c, size_t from, size_t to)
{
    const struct irprof_profile *p = c->p;
    uint32_t first = p->segments[from].first_instruction;
    uint32_t n = p->segments[to - 1].first_instruction + p->segments[to - 1].n_instructions - first;
    uint32_t *position = xcalloc(n, sizeof *position);
    c->needed = xcalloc(n, sizeof *c->needed);
    for (uint32_t i = 0, at = 0; i < n; i++) {
        at += makes_code(c, first + i);
        position[i] = at;
        if (makes_code(c, first + i) || c->folds[first + i] == IRPROF_FOLD_COMPARE)
            need(c, first + i, first, position, at + !makes_code(c, first + i), 4);
    }
    for (size_t s = from; s < to; s++) {
        uint64_t times = c->region->executions[s];
        for (uint32_t i = p->segments[s].first_instruction;
             i < p->segments[s].first_instruction + p->segments[s].n_instructions; i++)
            if (makes_code(c, i))
                count_near(c, c->classes[p->instructions[i].key], c->needed[i - first], times);
    }
    free(position);
    free(c->needed);
}

static void count_instruction(struct counter *c, uint32_t i, uint64_t times)
{
    const struct irprof_instruction *in = &c->p->instructions[i];
    const struct ir_key *key = &c->keys[in->key];
    for (size_t k = 0; c->folds[i] != IRPROF_FOLD_NOT && k < sizeof folding / sizeof *folding; k++)
        if (key->opcode == folding[k])
            c->values[FOLDED + k] += times;
    if (in->constants & IRPROF_CONSTANT && key->class == IR_CLASS_DIVISION)
        c->values[CONSTANT_DIV] += times;
    if (in->constants & IRPROF_CONSTANT_GLOBAL)
        c->values[CONSTANT_GLOBAL] += times;
}

static void count_chains(struct counter *c)
{
    const struct irprof_profile *p = c->p;
    double *weights = xcalloc(p->n_instructions, sizeof *weights);
    struct irprof_chain *chains = xcalloc(p->n_loops, sizeof *chains);
    for (uint32_t i = 0; i < p->n_instructions; i++)
        weights[i] = makes_code(c, i) ? usual[c->classes[p->instructions[i].key]] : 0;
    uint64_t *executed = xcalloc(p->n_instructions, sizeof *executed);
    for (size_t s = 0; s < p->n_segments; s++)
        for (uint32_t k = 0; k < p->segments[s].n_instructions; k++)
            executed[p->segments[s].first_instruction + k] = c->region->executions[s];
    irprof_chains(p, weights, chains);
    for (size_t l = 0; l < p->n_loops; l++)
        for (size_t k = 0; k < chains[l].n; k++) {
            uint32_t i = chains[l].instructions[k];
            if (weights[i] > 0)
                c->values[CHAIN + c->classes[p->instructions[i].key] - INT] +=
                    executed[i] < c->region->repeats[l] ? executed[i] : c->region->repeats[l];
        }
    irprof_chains_release(p, chains);
    free(chains);
    free(weights);
    free(executed);
}

void columns_count(const struct irprof_profile *p, size_t region, uint64_t *values)
{
    struct counter c = {.p = p, .region = &p->regions[region], .values = values};
    memset(values, 0, COLUMNS_MAX * sizeof *values);
    c.keys = ir_keys(p->keys, p->n_keys);
    c.folds = xcalloc(p->n_instructions, sizeof *c.folds);
    c.classes = xcalloc(p->n_keys, sizeof *c.classes);
    for (size_t i = 0; i < p->n_keys; i++)
        c.classes[i] = (unsigned char)class_of(&c.keys[i]);
    irprof_folds(p, c.folds);
    for (size_t s = 0; s < p->n_segments;) {
        size_t from = s++;
        while (s < p->n_segments && p->segments[s].function == p->segments[from].function &&
               p->segments[s].block == p->segments[from].block)
            s++;
        if (c.region->executions[from])
            count_block(&c, from, s);
    }
    for (size_t s = 0; s < p->n_segments; s++)
        for (uint32_t k = 0; k < p->segments[s].n_instructions; k++)
            count_instruction(&c, p->segments[s].first_instruction + k, c.region->executions[s]);
    count_chains(&c);
    free(c.keys);
    free(c.folds);
    free(c.classes);
}
