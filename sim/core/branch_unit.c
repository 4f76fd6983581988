/* branch_unit.c - predicts conditional branches by a table of counters, indirect ones by their last target, returns by
 * a stack. */
#include "sim/core/branch_unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { RETURNS = 64 };

struct iss_predictor {
    const struct iss_model *model;
    struct sim_predictor *table;
    bool *seen;                /* for each counter: has it ever been trained? */
    uint64_t *targets;         /* indexed by the branch's address; branches share entries */
    uint64_t returns[RETURNS]; /* a ring buffer */
    size_t top;
};

/* Index bits of a branch. Instructions are 2 or 4 bytes long, so the lowest bit of the address is always 0 and the next
 * one says little. */
static uint32_t number_of(uint64_t address)
{
    return (uint32_t)(address >> 2 ^ (address >> 1 & 1) << 9);
}

static bool conditional(struct iss_predictor *p, const struct iss_op *op, uint64_t address, bool taken)
{
    struct sim_predictor *t = p->table;
    uint32_t number = number_of(address) & ((UINT32_C(1) << p->model->predictor.address) - 1);
    uint32_t i = (number ^ t->history) & t->table_mask;
    /* if the size is no power of two, indices beyond it are folded back */
    if ((int64_t)i >= p->model->predictor.entries)
        i -= (t->table_mask + 1) / 2;
    t->history = (t->history << 1 | taken) & t->history_mask;
    if (p->seen[i])
        return sim_predictor_learn(t, i, taken);
    p->seen[i] = true;
    bool guess = p->model->predictor.unseen == 2 ? (uint64_t)op->constant <= address : p->model->predictor.unseen == 1;
    t->counters[i] = guess ? SIM_COUNTER_START : SIM_COUNTER_START - 1;
    return sim_predictor_learn(t, i, taken);
}

static bool indirect(struct iss_predictor *p, uint64_t address, uint64_t target)
{
    if (!p->model->predictor.targets)
        return true;
    uint64_t *t = &p->targets[(address >> 2) % (uint64_t)p->model->predictor.targets];
    bool wrong = *t != target;
    *t = target;
    return wrong;
}

static void call(struct iss_predictor *p, uint64_t next)
{
    if (!p->model->predictor.returns)
        return;
    p->top = (p->top + 1) % (size_t)p->model->predictor.returns;
    p->returns[p->top] = next;
}

static bool back(struct iss_predictor *p, uint64_t target)
{
    size_t n = (size_t)p->model->predictor.returns;
    if (!n)
        return true;
    bool wrong = p->returns[p->top] != target;
    p->returns[p->top] = 0;
    p->top = (p->top + n - 1) % n;
    return wrong;
}

bool iss_predictor_branch(struct iss_predictor *p, const struct iss_op *op, uint64_t address, uint64_t target,
                          bool taken)
{
    uint64_t next = address + op->size;
    switch (op->branch) {
    case ISS_CONDITIONAL:
        return conditional(p, op, address, taken);
    case ISS_JUMP_INDIRECT:
        return indirect(p, address, target);
    case ISS_CALL_DIRECT:
        call(p, next);
        return false;
    case ISS_CALL_INDIRECT:
        call(p, next);
        return indirect(p, address, target);
    case ISS_RETURN_TO:
        return back(p, target);
    default:
        return false;
    }
}

struct iss_predictor *iss_predictor_new(const struct iss_model *m)
{
    struct iss_predictor *p = xcalloc(1, sizeof *p);
    p->model = m;
    p->table = sim_predictor_init(xmalloc(sim_predictor_size(&m->predictor.kind)), &m->predictor.kind);
    p->seen = xcalloc((size_t)1 << m->predictor.kind.table_bits, sizeof *p->seen);
    p->targets = xcalloc((size_t)m->predictor.targets + 1, sizeof *p->targets);
    return p;
}

void iss_predictor_reset(struct iss_predictor *p)
{
    sim_predictor_reset(p->table);
    memset(p->seen, 0, ((size_t)1 << p->model->predictor.kind.table_bits) * sizeof *p->seen);
    memset(p->targets, 0, ((size_t)p->model->predictor.targets + 1) * sizeof *p->targets);
    memset(p->returns, 0, sizeof p->returns);
    p->top = 0;
}

void iss_predictor_free(struct iss_predictor *p)
{
    if (!p)
        return;
    free(p->table);
    free(p->seen);
    free(p->targets);
    free(p);
}
