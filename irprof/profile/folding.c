/*
 * folding.c - what instructions become in machine code, as far as the IR tells: an address that the access computes
 * itself, a comparison that is fused with its branch, conversions that a load or the previous operation has done. It is
 * what the usual targets have in common (AArch64, x86-64, partly RISC-V). docs/method/dataflow.md says where each rule
 * holds.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"
#include "irprof/irprof.h"

/* The users of an instruction's result. */
struct users {
    uint32_t n;     /* number of users */
    uint32_t first; /* one of them, an instruction */
    bool elsewhere; /* one of them is in another block, or is a phi */
    bool as_value;  /* one of them uses it other than as the address of a load or store */
    bool not_gep;   /* one of them is not a getelementptr that is itself folded */
};

struct folder {
    const struct irprof_profile *p;
    const struct ir_key *keys;
    struct users *users; /* of each instruction */
    uint32_t *blocks;    /* of each instruction: the first segment of its block */
    unsigned char *folds;
};

static const struct ir_key *key_at(const struct folder *f, size_t i)
{
    return &f->keys[f->p->instructions[i].key];
}

/* Is it a vector? Separate instructions extend and compare these. */
static bool is_vector(const struct ir_key *k)
{
    return k->type.lanes && k->class != IR_CLASS_NAME;
}

static void add_user(struct folder *f, uint32_t user, const struct irprof_operand *o)
{
    struct users *u = &f->users[o->producer];
    enum ir_opcode opcode = key_at(f, user)->opcode;
    u->n++;
    u->first = user;
    u->elsewhere |= f->blocks[o->producer] != f->blocks[user] || opcode == IR_PHI;
    u->as_value |= !(o->address && (opcode == IR_LOAD || opcode == IR_STORE));
    u->not_gep |= opcode != IR_GETELEMENTPTR || f->folds[user] != IRPROF_FOLD_ADDRESS;
}

static bool folds_compare(const struct folder *f, size_t i)
{
    const struct users *u = &f->users[i];
    const struct ir_key *user = u->n == 1 ? key_at(f, u->first) : NULL;
    return user && !u->elsewhere && (user->form == IR_CONDITIONAL || user->opcode == IR_SELECT);
}

static const struct irprof_instruction *maker(const struct folder *f, size_t i)
{
    const struct irprof_instruction *in = &f->p->instructions[i];
    if (in->n_operands != 1 || f->p->operands[in->first_operand].producer == IRPROF_NONE)
        return 0;
    return &f->p->instructions[f->p->operands[in->first_operand].producer];
}

static bool folds_extension(const struct folder *f, size_t i)
{
    const struct irprof_instruction *from = maker(f, i);
    const struct users *u = &f->users[i];
    if (u->n && !u->not_gep)
        return true; /* an index that addressing extends */
    if (!from)
        return false;
    const struct ir_key *key = &f->keys[from->key];
    if (key->opcode == IR_LOAD)
        return f->users[from - f->p->instructions].n == 1;
    bool i32 = key->type.kind == IR_TYPE_INTEGER && key->type.bits == 32 && !key->type.lanes && !key->name;
    return key_at(f, i)->opcode == IR_ZEXT && i32;
}

static unsigned char fold_of(const struct folder *f, size_t i)
{
    const struct irprof_instruction *in = &f->p->instructions[i];
    const struct users *u = &f->users[i];
    switch (f->keys[in->key].class) {
    case IR_CLASS_NAME:
        return IRPROF_FOLD_NOTHING;
    case IR_CLASS_ADDRESS:
        if ((in->constants & (IRPROF_CONSTANT | IRPROF_CONSTANT_EASY)) == (IRPROF_CONSTANT | IRPROF_CONSTANT_EASY))
            return IRPROF_FOLD_NOTHING;
        return u->n && !u->as_value && in->constants & (IRPROF_CONSTANT | IRPROF_CONSTANT_EASY) ? IRPROF_FOLD_ADDRESS
                                                                                                : IRPROF_FOLD_NOT;
    case IR_CLASS_COMPARE:
    case IR_CLASS_FCOMPARE:
        return folds_compare(f, i) ? IRPROF_FOLD_COMPARE : IRPROF_FOLD_NOT;
    case IR_CLASS_TRUNCATION:
        return IRPROF_FOLD_EXTEND;
    case IR_CLASS_EXTENSION:
        return folds_extension(f, i) ? IRPROF_FOLD_EXTEND : IRPROF_FOLD_NOT;
    default:
        return IRPROF_FOLD_NOT;
    }
}

/* A jump to the next block makes no code. */
static void fold_jumps(struct folder *f)
{
    const struct irprof_profile *p = f->p;
    for (size_t i = 0, s = 0; i < p->n_edges; i++) {
        const struct irprof_edge *edge = &p->edges[i];
        if (edge->kind != IRPROF_EDGE_JUMP || edge->to != edge->from + 1)
            continue;
        while (s < p->n_segments && (p->segments[s].function < edge->function ||
                                     (p->segments[s].function == edge->function && p->segments[s].block <= edge->from)))
            s++;
        const struct irprof_segment *last = s ? &p->segments[s - 1] : 0;
        if (!last || last->function != edge->function || last->block != edge->from || !last->n_instructions)
            continue;
        size_t jump = last->first_instruction + last->n_instructions - 1;
        if (key_at(f, jump)->form == IR_UNCONDITIONAL)
            f->folds[jump] = IRPROF_FOLD_NOTHING;
    }
}

/* Goes backwards, since an address depends on its users. A phi that uses it earlier does not fold it. */
static void fold_all(struct folder *f)
{
    const struct irprof_profile *p = f->p;
    for (size_t s = 0, first = 0; s < p->n_segments; s++) {
        if (!s || p->segments[s].function != p->segments[s - 1].function ||
            p->segments[s].block != p->segments[s - 1].block)
            first = s;
        for (size_t k = 0; k < p->segments[s].n_instructions; k++)
            f->blocks[p->segments[s].first_instruction + k] = (uint32_t)first;
    }
    for (size_t i = p->n_instructions; i-- > 0;) {
        const struct irprof_instruction *in = &p->instructions[i];
        f->folds[i] = is_vector(&f->keys[in->key]) ? IRPROF_FOLD_NOT : fold_of(f, i);
        for (size_t k = in->first_operand; k < in->first_operand + in->n_operands; k++)
            if (p->operands[k].producer != IRPROF_NONE)
                add_user(f, (uint32_t)i, &p->operands[k]);
    }
    /* loads come before the instructions that extend them, so their number of users is known only now */
    for (size_t i = 0; i < p->n_instructions; i++)
        if (key_at(f, i)->class == IR_CLASS_EXTENSION)
            f->folds[i] = is_vector(key_at(f, i)) ? IRPROF_FOLD_NOT : fold_of(f, i);
    fold_jumps(f);
}

void irprof_folds(const struct irprof_profile *p, unsigned char *folds)
{
    struct ir_key *keys = ir_keys(p->keys, p->n_keys);
    struct folder f = {p, keys, xcalloc(p->n_instructions, sizeof *f.users),
                       xcalloc(p->n_instructions, sizeof *f.blocks), folds};
    memset(folds, IRPROF_FOLD_NOT, p->n_instructions);
    fold_all(&f);
    free(keys);
    free(f.users);
    free(f.blocks);
}
