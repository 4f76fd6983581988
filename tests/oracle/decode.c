/* IR instructions into operations: one for each. */
#include "decode.h"

#include <stdlib.h>
#include <string.h>

struct op *emit(struct decoder *d, enum op_code code)
{
    struct op o;
    memset(&o, 0, sizeof o);
    o.code = (uint16_t)code;
    o.sub = (uint16_t)code;
    o.lanes = 1;
    o.key = d->key;
    vec_push(&d->function->ops, o);
    return &d->function->ops.at[d->function->ops.n - 1];
}

struct op *emit_lanes(struct decoder *d, enum op_code code, LLVMTypeRef t)
{
    struct op *o = emit(d, is_vector(t) ? OP_LANES : code);
    o->sub = (uint16_t)code;
    o->lanes = (uint16_t)lanes_of(t);
    if (is_vector(t) && scalar_leaf(element_of(t)).slots != 1)
        refuse("vectors of elements wider than 64 bits are not supported");
    return o;
}

void emit_refusal(struct decoder *d, LLVMValueRef v, const char *what)
{
    char *text = LLVMPrintValueToString(v);
    emit(d, OP_REFUSE)->u.text = xasprintf("%s:%s", what, text);
    LLVMDisposeMessage(text);
}

uint32_t offset_of(struct decoder *d, LLVMValueRef v)
{
    struct function *f = d->function;
    unsigned size;
    char *value;
    uint64_t at;

    if (refs_get(&d->offsets, v, &at))
        return (uint32_t)at;
    if (!LLVMIsAConstant(v))
        refuse_value(v, "this operand is neither a value of the function nor a constant");
    size = frame_size(LLVMTypeOf(v));
    value = xcalloc(1, size + SLOT);
    constant_value(v, value);
    at = f->constants + f->constant_bytes.n;
    for (unsigned i = 0; i < size; i++)
        vec_push(&f->constant_bytes, value[i]);
    free(value);
    refs_put(&d->offsets, v, at);
    return (uint32_t)at;
}

uint32_t operand_at(struct decoder *d, LLVMValueRef instruction, unsigned i)
{
    return offset_of(d, LLVMGetOperand(instruction, i));
}

/* ---- control ---- */

/* The way from one block to another, with what the phis there take from it. */
static struct edge *make_edge(struct decoder *d, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    struct edge *e = xcalloc(1, sizeof *e);
    VEC(struct copy) copies = {0, 0, 0};
    LLVMValueRef before = NULL;

    for (LLVMValueRef v = LLVMGetFirstInstruction(to); v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        char *key = key_of(v, before);
        unsigned i = 0;
        struct copy c;
        while (LLVMGetIncomingBlock(v, i) != from)
            i++;
        c = (struct copy){offset_of(d, v), offset_of(d, LLVMGetIncomingValue(v, i)), frame_size(LLVMTypeOf(v)),
                          counter_of(key)};
        for (size_t k = 0; k < copies.n; k++)
            if (copies.at[k].dst < c.src + c.size && c.src < copies.at[k].dst + copies.at[k].size)
                e->crossed = true;
        vec_push(&copies, c);
        free(key);
        before = v;
    }
    e->copies = copies.at;
    e->n = (uint32_t)copies.n;
    vec_push(&d->edges, e);
    vec_push(&d->targets, to);
    return e;
}

static void decode_branch(struct decoder *d, LLVMValueRef v)
{
    LLVMBasicBlockRef here = LLVMGetInstructionParent(v);
    struct op *o;

    if (LLVMIsConditional(v)) {
        uint32_t condition = offset_of(d, LLVMGetCondition(v));
        o = emit(d, OP_CONDBR);
        o->a = condition;
        o->u.edges[0] = make_edge(d, here, LLVMGetSuccessor(v, 0));
        o->u.edges[1] = make_edge(d, here, LLVMGetSuccessor(v, 1));
    } else {
        o = emit(d, OP_BR);
        o->u.edge = make_edge(d, here, LLVMGetSuccessor(v, 0));
    }
}

/* Values that lie close together become a table. */
static void make_dense(struct cases *c)
{
    uint64_t low = UINT64_MAX, high = 0;
    struct edge **table;

    for (uint32_t i = 0; i < c->n; i++) {
        low = c->values[i] < low ? c->values[i] : low;
        high = c->values[i] > high ? c->values[i] : high;
    }
    if (c->n < 4 || high - low >= 8 * (uint64_t)c->n)
        return;
    table = xcalloc(high - low + 1, sizeof *table);
    for (uint64_t i = 0; i <= high - low; i++)
        table[i] = c->otherwise;
    for (uint32_t i = 0; i < c->n; i++)
        table[c->values[i] - low] = c->edges[i];
    free(c->edges);
    c->edges = table;
    c->low = low;
    c->n = (uint32_t)(high - low + 1);
    c->dense = true;
}

static void decode_switch(struct decoder *d, LLVMValueRef v)
{
    LLVMBasicBlockRef here = LLVMGetInstructionParent(v);
    struct cases *c = xcalloc(1, sizeof *c);
    unsigned n = LLVMGetNumSuccessors(v) - 1;
    struct op *o;
    uint32_t a = operand_at(d, v, 0);

    if (LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) > 64)
        refuse_value(v, "a switch on more than 64 bits is not supported");
    o = emit(d, OP_SWITCH);
    o->a = a;
    o->u.cases = c;
    c->n = n;
    c->values = xcalloc(n + 1, sizeof *c->values);
    c->edges = xcalloc(n + 1, sizeof(struct edge *));
    c->otherwise = make_edge(d, here, LLVMGetSwitchDefaultDest(v));
    for (unsigned i = 0; i < n; i++) { /* successor 0 is the default */
        c->values[i] = LLVMConstIntGetZExtValue(LLVMGetSwitchCaseValue(v, i + 1));
        c->edges[i] = make_edge(d, here, LLVMGetSuccessor(v, i + 1));
    }
    make_dense(c);
}

/* A switch on the address, which is that of LLVM's block object. */
static void decode_indirect_branch(struct decoder *d, LLVMValueRef v)
{
    LLVMBasicBlockRef here = LLVMGetInstructionParent(v);
    struct cases *c = xcalloc(1, sizeof *c);
    uint32_t a = operand_at(d, v, 0);
    struct op *o = emit(d, OP_SWITCH);

    o->a = a;
    o->u.cases = c;
    c->n = LLVMGetNumSuccessors(v);
    c->values = xcalloc(c->n + 1, sizeof *c->values);
    c->edges = xcalloc(c->n + 1, sizeof(struct edge *));
    for (unsigned i = 0; i < c->n; i++) {
        c->values[i] = (uint64_t)(uintptr_t)LLVMGetSuccessor(v, i);
        c->edges[i] = make_edge(d, here, LLVMGetSuccessor(v, i));
    }
}

static void decode_return(struct decoder *d, LLVMValueRef v)
{
    uint32_t a = 0, size = 0;
    struct op *o;

    if (LLVMGetNumOperands(v)) {
        a = operand_at(d, v, 0);
        size = frame_size(LLVMTypeOf(LLVMGetOperand(v, 0)));
    }
    o = emit(d, OP_RET);
    o->a = a;
    o->u.count = size;
}

/* ---- arithmetic ---- */

static enum op_code integer_code(LLVMOpcode op)
{
    switch (op) {
    case LLVMAdd:
        return OP_ADD;
    case LLVMSub:
        return OP_SUB;
    case LLVMMul:
        return OP_MUL;
    case LLVMUDiv:
        return OP_UDIV;
    case LLVMSDiv:
        return OP_SDIV;
    case LLVMURem:
        return OP_UREM;
    case LLVMSRem:
        return OP_SREM;
    case LLVMShl:
        return OP_SHL;
    case LLVMLShr:
        return OP_LSHR;
    case LLVMAShr:
        return OP_ASHR;
    case LLVMAnd:
        return OP_AND;
    case LLVMOr:
        return OP_OR;
    default:
        return OP_XOR;
    }
}

static enum op_code real_code(LLVMOpcode op, enum leaf_kind kind)
{
    bool is_double = kind == LEAF_DOUBLE;
    if (kind == LEAF_LONG_DOUBLE)
        return OP_LONG_DOUBLE;
    switch (op) {
    case LLVMFAdd:
        return is_double ? OP_FADD64 : OP_FADD32;
    case LLVMFSub:
        return is_double ? OP_FSUB64 : OP_FSUB32;
    case LLVMFMul:
        return is_double ? OP_FMUL64 : OP_FMUL32;
    case LLVMFDiv:
        return is_double ? OP_FDIV64 : OP_FDIV32;
    case LLVMFRem:
        return is_double ? OP_FREM64 : OP_FREM32;
    default:
        return is_double ? OP_FNEG64 : OP_FNEG32;
    }
}

static void decode_arithmetic(struct decoder *d, LLVMValueRef v)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    LLVMTypeRef t = LLVMTypeOf(v);
    struct leaf l = scalar_leaf(element_of(t));
    uint32_t a = operand_at(d, v, 0), b = LLVMGetNumOperands(v) > 1 ? operand_at(d, v, 1) : a;
    enum op_code code = l.kind != LEAF_INT ? real_code(opcode, l.kind) : l.bits > 64 ? OP_WIDE : integer_code(opcode);
    struct op *o = emit_lanes(d, code, t);

    o->a = a;
    o->b = b;
    o->c = l.bits;
    o->mask = mask_of(l.bits);
    o->dst = offset_of(d, v);
    if (code == OP_WIDE || code == OP_LONG_DOUBLE)
        o->u.how = opcode;
}

static void decode_integer_compare(struct decoder *d, LLVMValueRef v)
{
    static const enum op_code codes[] = {OP_EQ, OP_NE, OP_UGT, OP_UGE, OP_ULT, OP_ULE, OP_SGT, OP_SGE, OP_SLT, OP_SLE};
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(v, 0));
    struct leaf l = scalar_leaf(element_of(t));
    uint32_t a = operand_at(d, v, 0), b = operand_at(d, v, 1);
    struct op *o = emit_lanes(d, l.slots > 1 ? OP_WIDECMP : codes[LLVMGetICmpPredicate(v) - LLVMIntEQ], t);

    o->a = a;
    o->b = b;
    o->c = l.bits;
    o->dst = offset_of(d, v);
    if (l.slots > 1)
        o->u.how = LLVMGetICmpPredicate(v);
}

static void decode_real_compare(struct decoder *d, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(v, 0));
    enum leaf_kind kind = scalar_leaf(element_of(t)).kind;
    uint32_t a = operand_at(d, v, 0), b = operand_at(d, v, 1);
    struct op *o = emit_lanes(d, kind == LEAF_FLOAT ? OP_FCMP32 : kind == LEAF_DOUBLE ? OP_FCMP64 : OP_FCMP80, t);

    o->a = a;
    o->b = b;
    o->dst = offset_of(d, v);
    o->u.how = LLVMGetFCmpPredicate(v);
}

/* Operands have the same number of slots as the result has, unless the cast is one of wide integers or reals. */
static enum op_code cast_code(LLVMOpcode op, const struct leaf *from, const struct leaf *to)
{
    switch (op) {
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
        return OP_FPCAST;
    default:
        break;
    }
    if (from->slots > 1 || to->slots > 1)
        return OP_WIDECAST;
    return op == LLVMSExt ? OP_SEXT : OP_TRUNC;
}

static void decode_cast(struct decoder *d, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v), source = LLVMTypeOf(LLVMGetOperand(v, 0));
    struct cast c = {(uint16_t)LLVMGetInstructionOpcode(v), scalar_leaf(element_of(source)),
                     scalar_leaf(element_of(t))};
    enum op_code code = cast_code(c.opcode, &c.from, &c.to);
    uint32_t a = operand_at(d, v, 0);
    struct op *o = emit_lanes(d, code, c.from.slots > c.to.slots ? source : t);

    o->a = a;
    o->c = c.from.bits;
    o->mask = mask_of(c.to.bits);
    o->dst = offset_of(d, v);
    if (code == OP_FPCAST || code == OP_WIDECAST)
        o->u.cast = xmemdup(&c, sizeof c);
}

static void decode_bitcast(struct decoder *d, LLVMValueRef v)
{
    struct bitcast c = {shape_of(LLVMTypeOf(LLVMGetOperand(v, 0))), shape_of(LLVMTypeOf(v))};
    uint32_t a = operand_at(d, v, 0);
    struct op *o = emit(d, OP_BITCAST);

    o->a = a;
    o->dst = offset_of(d, v);
    o->u.bitcast = xmemdup(&c, sizeof c);
}

/* The value as it is: freeze, and intrinsics that only say something to the compiler. */
static void decode_copy(struct decoder *d, LLVMValueRef v, LLVMValueRef source)
{
    uint32_t a = offset_of(d, source), size = frame_size(LLVMTypeOf(v));
    struct op *o = emit(d, size == SLOT ? OP_MOVE : OP_COPY);

    o->a = a;
    o->dst = offset_of(d, v);
    o->u.count = size;
}

static void decode_select(struct decoder *d, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    bool by_lane = is_vector(LLVMTypeOf(LLVMGetOperand(v, 0)));
    uint32_t a = operand_at(d, v, 0), b = operand_at(d, v, 1), c = operand_at(d, v, 2), size = frame_size(t);
    struct op *o = by_lane ? emit_lanes(d, OP_SELECT, t) : emit(d, size == SLOT ? OP_SELECT : OP_CHOOSE);

    o->a = a;
    o->b = b;
    o->c = c;
    o->dst = offset_of(d, v);
    o->u.count = size;
}

/* ---- all of them ---- */

static void decode_instruction(struct decoder *d, LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    switch (op) { /* a table */
    case LLVMRet:
        decode_return(d, v);
        break;
    case LLVMBr:
        decode_branch(d, v);
        break;
    case LLVMSwitch:
        decode_switch(d, v);
        break;
    case LLVMIndirectBr:
        decode_indirect_branch(d, v);
        break;
    case LLVMUnreachable:
        emit_refusal(d, v, "the program came where it says it never comes");
        break;
    case LLVMICmp:
        decode_integer_compare(d, v);
        break;
    case LLVMFCmp:
        decode_real_compare(d, v);
        break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        decode_cast(d, v);
        break;
    case LLVMBitCast:
        decode_bitcast(d, v);
        break;
    case LLVMFreeze:
        decode_copy(d, v, LLVMGetOperand(v, 0));
        break;
    case LLVMSelect:
        decode_select(d, v);
        break;
    case LLVMLoad:
        decode_access(d, v, false);
        break;
    case LLVMStore:
        decode_access(d, v, true);
        break;
    case LLVMGetElementPtr:
        decode_gep(d, v);
        break;
    case LLVMAlloca:
        decode_alloca(d, v);
        break;
    case LLVMCall:
        decode_call(d, v);
        break;
    case LLVMExtractElement:
    case LLVMInsertElement:
        decode_element(d, v, op == LLVMInsertElement);
        break;
    case LLVMShuffleVector:
        decode_shuffle(d, v);
        break;
    case LLVMExtractValue:
        decode_extract_value(d, v);
        break;
    case LLVMInsertValue:
        decode_insert_value(d, v);
        break;
    case LLVMFence:
        emit(d, OP_NOTHING);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        decode_atomic(d, v, op == LLVMAtomicCmpXchg);
        break;
    default:
        if ((op >= LLVMAdd && op <= LLVMXor) || op == LLVMFNeg)
            decode_arithmetic(d, v);
        else
            emit_refusal(d, v, "this instruction is not supported");
        break;
    }
}

/* Arguments first, then the results, then the constants. */
static void place_values(struct decoder *d)
{
    struct function *f = d->function;
    uint32_t at = sizeof(struct frame);

    for (LLVMValueRef p = LLVMGetFirstParam(f->value); p; p = LLVMGetNextParam(p)) {
        refs_put(&d->offsets, p, at);
        at += frame_size(LLVMTypeOf(p));
    }
    f->args_size = at - (uint32_t)sizeof(struct frame);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->value); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
            if (kind == LLVMVoidTypeKind || kind == LLVMTokenTypeKind)
                continue;
            refs_put(&d->offsets, v, at);
            at += frame_size(LLVMTypeOf(v));
        }
    f->constants = at;
}

static void decode_block(struct decoder *d, LLVMBasicBlockRef b)
{
    LLVMValueRef before = NULL; /* result of the last counted instruction */

    refs_put(&d->blocks, b, d->function->ops.n);
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
        char *key;
        if (LLVMIsAPHINode(v)) { /* done, and counted, on the way in */
            before = v;
            continue;
        }
        key = key_of(v, before);
        d->key = key ? counter_of(key) : NOT_COUNTED;
        decode_instruction(d, v);
        if (key)
            before = v;
        free(key);
    }
}

void function_decode(struct function *f)
{
    struct decoder d;
    uint64_t at;

    memset(&d, 0, sizeof d);
    d.function = f;
    f->decoded = true;
    place_values(&d);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->value); b; b = LLVMGetNextBasicBlock(b))
        decode_block(&d, b);
    for (size_t i = 0; i < d.edges.n; i++) {
        refs_get(&d.blocks, d.targets.at[i], &at);
        d.edges.at[i]->target = (uint32_t)at;
    }
    f->frame_size = (f->constants + (uint32_t)f->constant_bytes.n + 15) / 16 * 16;
    vec_release(&d.edges);
    vec_release(&d.targets);
    refs_release(&d.offsets);
    refs_release(&d.blocks);
}
