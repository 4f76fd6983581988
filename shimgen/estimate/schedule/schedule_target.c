/*
 * schedule_target.c - what certain targets (base/target.h) make of several IR instructions, by the triple of the
 * profile's module. AArch64 multiplies and adds in one instruction, extends what it multiplies, and shifts an operand.
 * x86 takes an operand from memory. RISC-V's branches compare. Every target saves registers where a function that calls
 * others is entered and left.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/target.h"
#include "shimgen/estimate/schedule/schedule.h"

/* Is it an addition or a bit operation? */
static bool is_simple(const struct ir_key *k)
{
    return k->class == IR_CLASS_SUM || k->class == IR_CLASS_LOGIC;
}

static bool is_vector(const struct ir_key *k)
{
    return k->type.lanes && !k->type.scalable && k->form != IR_INTRINSIC;
}

struct fuser {
    struct schedule *s;
    uint32_t *users, *user; /* of each instruction: number of users, and the last one */
    enum bound bound;       /* which values the code has */
};

static void find_users(struct fuser *f)
{
    const struct irprof_profile *p = f->s->p;
    for (uint32_t i = 0; i < p->n_instructions; i++)
        for (uint32_t k = 0; k < p->instructions[i].n_operands; k++) {
            uint32_t producer = p->operands[p->instructions[i].first_operand + k].producer;
            if (producer == IRPROF_NONE)
                continue;
            f->users[producer]++;
            f->user[producer] = i;
        }
}

static void drop(struct code *c, float latency)
{
    c->slots = c->pitch = 0;
    c->latency = latency;
}

/* For vectors, too, an addition can be combined with the product (mla), or with the last step of a widening (saddw). */
static void fuse_vector(struct fuser *f, uint32_t i)
{
    const struct ir_key *key = schedule_key(f->s, i);
    struct code *c = &f->s->code[i], *sum = &f->s->code[f->user[i]];
    if (schedule_key(f->s, f->user[i])->class != IR_CLASS_SUM || key->type.kind != IR_TYPE_INTEGER)
        return;
    if (key->opcode == IR_MUL && key->type.bits <= 32 && sum->slots > 0)
        drop(sum, 0);
    else if (c->slots > 0 && schedule_widening(f->s, i) > 1)
        schedule_save_step(c, f->s, i);
}

/* A combined product and addition issue where the addition did, when all three operands are ready. */
static void join_product(struct code *product, struct code *sum)
{
    sum->slots = product->slots;
    sum->pitch = product->pitch;
    sum->latency = product->latency;
    sum->unit = product->unit;
    drop(product, 0);
}

/* Combines a product with the addition or subtraction that is its only use. A shift by a constant that is only used by
 * such an operation costs only its Latency. A shift to the right and a mask are one instruction. */
static void fuse_product(struct fuser *f, uint32_t i, uint32_t first, uint32_t end)
{
    const struct irprof_instruction *all = f->s->p->instructions, *in = &all[i];
    const struct ir_key *key = schedule_key(f->s, i);
    if (f->users[i] != 1 || f->user[i] < first || f->user[i] >= end)
        return;
    const struct ir_key *user = schedule_key(f->s, f->user[i]);
    if (is_vector(key)) {
        fuse_vector(f, i);
        return;
    }
    bool by_constant = key->class == IR_CLASS_SHIFT && in->constants & IRPROF_CONSTANT;
    const struct code *sum = &f->s->code[f->user[i]]; /* of a single product: then it is already combined */
    if (key->opcode == IR_MUL && user->class == IR_CLASS_SUM && sum->slots > 0 && sum->unit != f->s->code[i].unit)
        join_product(&f->s->code[i], &f->s->code[f->user[i]]);
    else if (by_constant && key->opcode == IR_SHL && is_simple(user))
        drop(&f->s->code[i], f->s->code[i].latency / 2);
    else if (by_constant && key->opcode != IR_SHL && user->opcode == IR_AND &&
             all[f->user[i]].constants & IRPROF_CONSTANT)
        drop(&f->s->code[i], 0); /* ubfx */
}

/* A floating-point number is the first element of its register. The load itself can put a value into another element
 * (ld1). */
static void fuse_element(struct fuser *f, uint32_t i, uint32_t first)
{
    const struct irprof_instruction *in = &f->s->p->instructions[i];
    const struct ir_key *key = schedule_key(f->s, i);
    if (key->opcode != IR_INSERTELEMENT || !in->n_operands)
        return;
    uint32_t value = f->s->p->operands[in->first_operand + in->n_operands - 1].producer;
    bool begins = in->n_operands == 1 && key->type.kind == IR_TYPE_FLOAT;
    bool loads = value != IRPROF_NONE && value >= first && f->users[value] == 1 && f->s->code[value].load;
    if (begins || loads)
        drop(&f->s->code[i], begins ? 0 : f->s->code[i].latency);
}

static uint32_t operand_maker(const struct fuser *f, uint32_t i, uint32_t operand)
{
    const struct irprof_instruction *in = &f->s->p->instructions[i];
    return operand < in->n_operands ? f->s->p->operands[in->first_operand + operand].producer : IRPROF_NONE;
}

static bool takes(const struct fuser *f, uint32_t i, uint32_t maker)
{
    bool is = false;
    for (uint32_t k = 0; k < f->s->p->instructions[i].n_operands; k++)
        is |= operand_maker(f, i, k) == maker;
    return is;
}

static bool is_made_by(const struct fuser *f, uint32_t maker, enum ir_opcode opcode)
{
    return maker != IRPROF_NONE && schedule_key(f->s, maker)->opcode == opcode;
}

/* Is it an extended number in all elements of a vector? That is a shuffle of its insertion. LLVM moves it to its uses,
 * and the product selects an element. */
static bool is_extended_splat(const struct fuser *f, uint32_t maker)
{
    uint32_t inserted = is_made_by(f, maker, IR_SHUFFLEVECTOR) ? operand_maker(f, maker, 0) : IRPROF_NONE;
    uint32_t number = is_made_by(f, inserted, IR_INSERTELEMENT) ? operand_maker(f, inserted, 0) : IRPROF_NONE;
    return number != IRPROF_NONE && schedule_key(f->s, number)->class == IR_CLASS_EXTENSION;
}

/* Is this factor widened for the product, in its block? */
static bool is_extended(const struct fuser *f, uint32_t maker, uint32_t first)
{
    if (maker == IRPROF_NONE)
        return false;
    /* LLVM selects instructions block by block, so an extension before the loop stays */
    return (schedule_key(f->s, maker)->class == IR_CLASS_EXTENSION && maker >= first) || is_extended_splat(f, maker);
}

/* Are all factors extended? One of two may be a constant. */
static bool is_widening(const struct fuser *f, uint32_t i, uint32_t first)
{
    const struct irprof_instruction *in = &f->s->p->instructions[i];
    bool by_constant = in->n_operands == 1 && in->constants == IRPROF_CONSTANT;
    if (schedule_key(f->s, i)->opcode != IR_MUL || !(in->n_operands == 2 || by_constant))
        return false;
    for (uint32_t k = 0; k < in->n_operands; k++)
        if (!is_extended(f, operand_maker(f, i, k), first))
            return false;
    return true;
}

/* The instruction that extends this operand; IRPROF_NONE: none. */
static uint32_t extension_of(const struct fuser *f, const struct irprof_operand *o)
{
    bool extends = o->producer != IRPROF_NONE && schedule_key(f->s, o->producer)->class == IR_CLASS_EXTENSION;
    return extends ? o->producer : IRPROF_NONE;
}

/* A load that sign-extends 32 bits gives 64 bits, so a product of two such values has 64 bits. */
static bool is_signed_load(const struct fuser *f, uint32_t extension)
{
    const struct irprof_profile *p = f->s->p;
    const struct irprof_instruction *in = &p->instructions[extension];
    uint32_t from = in->n_operands == 1 ? p->operands[in->first_operand].producer : IRPROF_NONE;
    return from != IRPROF_NONE && schedule_key(f->s, extension)->opcode == IR_SEXT && f->users[from] == 1 &&
           schedule_key(f->s, from)->opcode == IR_LOAD && schedule_key(f->s, from)->type.bits == 32;
}

/* The extensions whose values a 64-bit product multiplies: two, or one and a constant. 0: not such a product. */
static size_t narrow_factors(const struct fuser *f, uint32_t i, uint32_t factors[2])
{
    const struct irprof_instruction *in = &f->s->p->instructions[i];
    const struct ir_key *key = schedule_key(f->s, i);
    bool by_constant = in->n_operands == 1 && in->constants == IRPROF_CONSTANT;
    if (key->opcode != IR_MUL || key->type.lanes || key->type.bits != 64 || !(in->n_operands == 2 || by_constant))
        return 0;
    for (uint32_t k = 0; k < in->n_operands; k++)
        if ((factors[k] = extension_of(f, &f->s->p->operands[in->first_operand + k])) == IRPROF_NONE)
            return 0;
    bool loaded = in->n_operands == 2 && factors[0] != factors[1] && is_signed_load(f, factors[0]) &&
                  is_signed_load(f, factors[1]);
    return loaded ? 0 : in->n_operands;
}

/* A 64-bit product of two 32-bit numbers (smull, umull) costs what a 32-bit product does, and includes the
 * extensions. */
static void fuse_narrow(struct fuser *f, uint32_t i)
{
    uint32_t factors[2];
    size_t n = narrow_factors(f, i, factors);
    if (!n)
        return;
    bool square = n == 2 && factors[0] == factors[1];
    for (size_t k = 0; k < n; k++)
        if (f->users[factors[k]] == 1 + (uint32_t)square)
            drop(&f->s->code[factors[k]], 0);
    struct cycles pitch, latency;
    costs_of_typed(&pitch, &latency, f->s->est->costs, IR_MUL, "i32");
    f->s->code[i].pitch = (float)cycles_pick(&pitch, f->bound);
    f->s->code[i].latency = (float)cycles_pick(&latency, f->bound);
}

/* The upper one of two registers makes no code: 128-bit products compute it. */
static void fuse_upper_half(struct fuser *f, uint32_t i)
{
    const struct ir_key *key = schedule_key(f->s, i);
    bool by_constant = key->opcode == IR_LSHR && f->s->p->instructions[i].constants & IRPROF_CONSTANT;
    bool wide = key->type.kind == IR_TYPE_INTEGER && !key->type.lanes && key->type.bits == 128;
    if (by_constant && wide && f->users[i] == 1 && schedule_key(f->s, f->user[i])->opcode == IR_TRUNC)
        drop(&f->s->code[i], 0);
}

/* A product in two registers takes two instructions, for its lower and its upper half. */
static void multiply_long(const struct schedule *s, struct code *c)
{
    struct cycles pitch, latency;
    costs_of_typed(&pitch, &latency, s->est->costs, IR_MUL, "i64");
    c->slots = (float)(2 * s->issue);
    c->pitch = (float)(2 * pitch.typical);
    c->latency = (float)(latency.typical + pitch.typical);
}

/* No target here multiplies vectors of 64-bit elements. Each pair is moved to registers, multiplied, and moved back. */
static void multiply_each(const struct schedule *s, const struct ir_key *key, struct code *c, enum bound bound)
{
    enum { INSTRUCTIONS = 4 };
    struct cycles pitch, latency, moved;
    costs_of_instruction(&pitch, &moved, s->est->costs, IR_EXTRACTELEMENT);
    costs_of_typed(&pitch, &latency, s->est->costs, IR_MUL, "i64");
    c->slots = (float)(INSTRUCTIONS * key->type.lanes * s->issue);
    c->pitch = c->slots;
    c->latency = (float)(cycles_pick(&latency, bound) + cycles_pick(&moved, bound));
}

/* Vectors of extended elements are multiplied in their original width (pmaddwd, smull): one instruction per piece. */
static void fuse_widening(struct fuser *f, uint32_t i, bool vectors, uint32_t first)
{
    const struct irprof_profile *p = f->s->p;
    const struct irprof_instruction *in = &p->instructions[i];
    const struct ir_key *key = schedule_key(f->s, i);
    bool integer = key->type.kind == IR_TYPE_INTEGER, wide = integer && !key->type.lanes && key->type.bits == 128;
    if (!(wide || (vectors && is_vector(key))))
        return;
    if (!is_widening(f, i, wide ? 0 : first)) {
        if (!wide && integer && key->type.bits == 64 && key->opcode == IR_MUL && !f->s->out_of_order)
            multiply_each(f->s, key, &f->s->code[i], f->bound);
        return;
    }
    uint32_t extension = IRPROF_NONE;
    for (uint32_t k = 0; k < in->n_operands; k++) {
        uint32_t maker = operand_maker(f, i, k);
        if (schedule_key(f->s, maker)->class != IR_CLASS_EXTENSION)
            continue;
        extension = extension == IRPROF_NONE ? maker : extension;
        if (wide || f->users[maker] == 1)
            drop(&f->s->code[maker], 0);
    }
    if (extension == IRPROF_NONE)
        return;
    if (wide) {
        multiply_long(f->s, &f->s->code[i]);
        return;
    }
    struct cycles pitch, latency;
    struct code *c = &f->s->code[i];
    costs_of_typed(&pitch, &latency, f->s->est->costs, IR_MUL, "v4i32");
    if (integer && key->type.bits == 64) /* not the four instructions that long elements would take */
        c->slots /= 4;
    c->pitch = c->slots;
    if (f->s->out_of_order || !integer)
        return;
    /* products are twice as long as their factors, and are widened further afterwards */
    unsigned times = schedule_widening(f->s, extension);
    c->slots *= times > 2 ? 2 - 2 / (float)times : 1;
    c->pitch = c->slots / (float)f->s->issue * (float)cycles_pick(&pitch, f->bound);
    c->latency = (float)cycles_pick(&latency, f->bound);
}

/* Can it take an operand from memory? These can besides the simple ones. */
static bool takes_memory(const struct ir_key *k)
{
    switch (k->class) {
    case IR_CLASS_COMPARE:
    case IR_CLASS_PRODUCT:
    case IR_CLASS_FSUM:
        return true;
    case IR_CLASS_FPRODUCT:
    case IR_CLASS_FDIVISION: /* remainders and intrinsics are calls */
        return k->opcode == IR_FMUL || k->opcode == IR_FDIV;
    default:
        return false;
    }
}

/* Combines an operation with a load whose value only it uses. */
static void fuse_load(struct fuser *f, uint32_t i, uint32_t first, uint32_t end)
{
    if (!f->s->code[i].load || f->users[i] != 1 || f->user[i] < first || f->user[i] >= end)
        return;
    const struct ir_key *user = schedule_key(f->s, f->user[i]);
    if (is_simple(user) || takes_memory(user))
        f->s->code[i].slots /= 2;
}

/* Values that are used after a call and computed before it: so many registers are saved and restored, plus two for the
 * frame. The call's own result is not one of them. */
static uint32_t saved_registers(const struct schedule *s, uint32_t first, uint32_t end, uint32_t *mark)
{
    const struct irprof_profile *p = s->p;
    uint32_t n = 0, calls = 0;
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t k = 0; k < p->instructions[i].n_operands; k++) {
            uint32_t producer = p->operands[p->instructions[i].first_operand + k].producer;
            if (producer == IRPROF_NONE || producer >= i || mark[producer] == UINT32_MAX || mark[producer] == calls)
                continue;
            mark[producer] = UINT32_MAX;
            n++;
        }
        calls += s->code[i].barrier;
        mark[i] = s->code[i].slots > 0 || schedule_is_phi(s, i) ? calls : UINT32_MAX;
    }
    return calls ? (n < 10 ? n : 10) + 2 : 0;
}

/* Registers are saved in pairs: half a store each at the entry, half a load each at the return. */
static void save_registers(struct schedule *s, uint32_t first, uint32_t end, uint32_t *mark)
{
    uint32_t n = saved_registers(s, first, end, mark);
    for (uint32_t i = first; i < end; i++)
        if (schedule_key(s, i)->opcode == IR_RET)
            s->code[i].slots += (float)(n * (s->store_pitch + s->load_pitch) / 2);
}

/* Branches compare numbers themselves. The result is made where something else in the block uses it, yet the branch does not
 * wait for it. For phis and other blocks it is made on the way there. */
static void fuse_compare(struct fuser *f, uint32_t branch, uint32_t first)
{
    uint32_t i = schedule_key(f->s, branch)->form == IR_CONDITIONAL ? operand_maker(f, branch, 0) : IRPROF_NONE;
    if (i == IRPROF_NONE || i < first || i > branch || schedule_key(f->s, i)->opcode != IR_ICMP)
        return;
    bool used = false;
    for (uint32_t k = i + 1; k < branch; k++)
        used |= takes(f, k, i);
    if (!used)
        drop(&f->s->code[i], 0);
    else
        f->s->code[i].latency = 0;
}

/* Atomic operations that are calls (__aarch64_ldadd4_relax): nothing moves across them, and values that are used
 * afterwards are saved. */
static void call_atomics(struct fuser *f, uint32_t i)
{
    enum ir_opcode opcode = schedule_key(f->s, i)->opcode;
    if (opcode == IR_ATOMICRMW || opcode == IR_CMPXCHG)
        f->s->code[i].barrier = true;
}

const struct target *schedule_target_of(const struct irprof_profile *p, uint32_t function)
{
    return target_find(p->n_modules ? p->modules[p->functions[function].module].target : "");
}

static void fuse_block(struct fuser *f, const struct block *block)
{
    const struct target *target = schedule_target_of(f->s->p, block->function);
    const uint32_t first = block->first, end = block->first + block->n;
    for (uint32_t i = first; i < end; i++) {
        if (target_has(target, TARGET_FUSES_COMPARE))
            fuse_compare(f, i, first);
        if (target_has(target, TARGET_CALLS_ATOMICS))
            call_atomics(f, i);
        if (!f->s->optimised[block->function])
            continue;
        fuse_upper_half(f, i);
        if (target_has(target, TARGET_WIDENS_PRODUCT))
            fuse_narrow(f, i);
        if (target_has(target, TARGET_FUSES_PRODUCT)) {
            fuse_product(f, i, first, end);
            fuse_element(f, i, first);
        }
        if (target_has(target, TARGET_FUSES_LOAD))
            fuse_load(f, i, first, end);
        fuse_widening(f, i, target_has(target, TARGET_WIDENS_VECTORS), first);
    }
}

void schedule_target(struct schedule *s, enum bound bound)
{
    const struct irprof_profile *p = s->p;
    if (!p->n_modules)
        return;
    struct fuser f = {s, xcalloc(p->n_instructions, sizeof *f.users), xcalloc(p->n_instructions, sizeof *f.user),
                      bound};
    uint32_t *mark = xcalloc(p->n_instructions, sizeof *mark);
    find_users(&f);
    for (size_t b = 0; b < s->n_blocks; b++)
        fuse_block(&f, &s->blocks[b]);
    for (size_t b = 0, first = 0; b < s->n_blocks; b++) {
        if (b + 1 < s->n_blocks && s->blocks[b + 1].function == s->blocks[b].function)
            continue;
        save_registers(s, s->blocks[first].first, s->blocks[b].first + s->blocks[b].n, mark);
        first = b + 1;
    }
    free(f.users);
    free(f.user);
    free(mark);
}
