/* Instructions on vectors, aggregates and memory. */
#include "decode.h"

#include <stdlib.h>

/* ---- vectors and aggregates ---- */

void decode_shuffle(struct decoder *d, LLVMValueRef v)
{
    unsigned n = LLVMGetNumMaskElements(v), lanes = lanes_of(LLVMTypeOf(LLVMGetOperand(v, 0)));
    uint32_t a = operand_at(d, v, 0), b = operand_at(d, v, 1), *list = xcalloc(n + 1, sizeof *list);
    struct op *o;

    for (unsigned i = 0; i < n; i++) {
        int from = LLVMGetMaskValue(v, i);
        list[i] = from == LLVMGetUndefMaskElem() ? UINT32_MAX
                  : (unsigned)from < lanes       ? a + (unsigned)from * SLOT
                                                 : b + ((unsigned)from - lanes) * SLOT;
    }
    o = emit(d, OP_SHUFFLE);
    o->lanes = (uint16_t)n;
    o->dst = offset_of(d, v);
    o->u.list = list;
}

void decode_element(struct decoder *d, LLVMValueRef v, bool inserts)
{
    uint32_t a = operand_at(d, v, 0), b = operand_at(d, v, 1), c = inserts ? operand_at(d, v, 2) : 0;
    struct op *o = emit(d, inserts ? OP_INSERT : OP_EXTRACT);

    o->a = a;
    o->b = b;
    o->c = c;
    o->lanes = (uint16_t)lanes_of(LLVMTypeOf(LLVMGetOperand(v, 0)));
    o->dst = offset_of(d, v);
}

/* Where in the frame's layout of aggregate type t the indices lead. */
static uint32_t member_offset(LLVMValueRef v, LLVMTypeRef t)
{
    const unsigned *indices = LLVMGetIndices(v);
    uint32_t at = 0;

    for (unsigned i = 0; i < LLVMGetNumIndices(v); i++) {
        if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            for (unsigned k = 0; k < indices[i]; k++)
                at += frame_size(LLVMStructGetTypeAtIndex(t, k));
            t = LLVMStructGetTypeAtIndex(t, indices[i]);
        } else {
            t = LLVMGetElementType(t);
            at += indices[i] * frame_size(t);
        }
    }
    return at;
}

void decode_extract_value(struct decoder *d, LLVMValueRef v)
{
    uint32_t a = operand_at(d, v, 0) + member_offset(v, LLVMTypeOf(LLVMGetOperand(v, 0)));
    struct op *o = emit(d, OP_COPY);

    o->a = a;
    o->dst = offset_of(d, v);
    o->u.count = frame_size(LLVMTypeOf(v));
}

void decode_insert_value(struct decoder *d, LLVMValueRef v)
{
    uint32_t at = member_offset(v, LLVMTypeOf(v)) / SLOT, size = frame_size(LLVMTypeOf(v)) / SLOT;
    uint32_t inserted = frame_size(LLVMTypeOf(LLVMGetOperand(v, 1))) / SLOT;
    uint32_t a = operand_at(d, v, 0), b = operand_at(d, v, 1), *list = xcalloc(size + 1, sizeof *list);
    struct op *o;

    for (uint32_t i = 0; i < size; i++)
        list[i] = i >= at && i < at + inserted ? b + (i - at) * SLOT : a + i * SLOT;
    o = emit(d, OP_SHUFFLE);
    o->lanes = (uint16_t)size;
    o->dst = offset_of(d, v);
    o->u.list = list;
}

/* ---- memory ---- */

/* The leaves of a type that is read or written; refuses vectors whose elements do not fill their bytes. */
static struct shape memory_shape(LLVMValueRef v, LLVMTypeRef t)
{
    struct shape s = shape_of(t);
    if (is_vector(t) && LLVMStoreSizeOfType(layout, t) != s.leaves.n * LLVMABISizeOfType(layout, element_of(t)))
        refuse_value(v, "vectors of elements packed closer than bytes are not supported in memory");
    return s;
}

static enum op_code access_code(const struct leaf *l, bool stores)
{
    switch (l->kind == LEAF_LONG_DOUBLE ? 0 : l->bits) {
    case 8:
        return stores ? OP_STORE8 : OP_LOAD8;
    case 16:
        return stores ? OP_STORE16 : OP_LOAD16;
    case 32:
        return stores ? OP_STORE32 : OP_LOAD32;
    case 64:
        return stores ? OP_STORE64 : OP_LOAD64;
    default:
        return stores ? OP_STOREX : OP_LOADX;
    }
}

void decode_access(struct decoder *d, LLVMValueRef v, bool stores)
{
    LLVMTypeRef t = stores ? LLVMTypeOf(LLVMGetOperand(v, 0)) : LLVMTypeOf(v);
    struct shape s = memory_shape(v, t);
    bool single = s.leaves.n == 1 && s.leaves.at[0].offset == 0;
    uint32_t a = operand_at(d, v, 0), b = stores ? operand_at(d, v, 1) : 0;
    struct op *o = emit(d, single ? access_code(&s.leaves.at[0], stores) : stores ? OP_STORES : OP_LOADS);

    o->a = a;
    o->b = b;
    if (!stores)
        o->dst = offset_of(d, v);
    if (single)
        o->u.leaf = s.leaves.at;
    else
        o->u.shape = xmemdup(&s, sizeof s);
}

/* base + constant + sum of index * scale */
struct address_parts {
    uint64_t constant;
    VEC(struct gep_index) indices;
    bool vector;
};

static void add_index(struct decoder *d, struct address_parts *p, LLVMValueRef index, uint64_t scale)
{
    LLVMTypeRef t = LLVMTypeOf(index);
    unsigned bits = LLVMGetIntTypeWidth(element_of(t));

    if (LLVMIsAConstantInt(index) && bits <= 64) {
        p->constant += (uint64_t)LLVMConstIntGetSExtValue(index) * scale;
        return;
    }
    if (bits > 64)
        refuse_value(index, "indices of more than 64 bits are not supported");
    vec_push(&p->indices, (struct gep_index){offset_of(d, index), bits, is_vector(t), scale});
    p->vector |= is_vector(t);
}

void decode_gep(struct decoder *d, LLVMValueRef v)
{
    struct address_parts p = {0, {0, 0, 0}, is_vector(LLVMTypeOf(v))};
    LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
    uint32_t a = operand_at(d, v, 0);
    struct op *o;

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(v); i++) {
        LLVMValueRef index = LLVMGetOperand(v, i);
        if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            if (is_vector(LLVMTypeOf(index)))
                index = LLVMGetAggregateElement(index, 0); /* all the same */
            p.constant += LLVMOffsetOfElement(layout, t, (unsigned)LLVMConstIntGetZExtValue(index));
            t = LLVMStructGetTypeAtIndex(t, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (i > 1)
            t = LLVMGetElementType(t);
        add_index(d, &p, index, LLVMABISizeOfType(layout, t));
    }
    o = emit(d, p.vector || p.indices.n > 1 ? OP_GEPN : p.indices.n ? OP_GEP1 : OP_GEP0);
    o->a = a;
    o->mask = p.constant;
    o->dst = offset_of(d, v);
    if (o->code == OP_GEP1) {
        o->b = p.indices.at[0].offset;
        o->c = p.indices.at[0].bits;
        o->u.scale = p.indices.at[0].scale;
        vec_release(&p.indices);
    } else if (o->code == OP_GEPN) {
        struct gep g = {(uint32_t)p.indices.n, lanes_of(LLVMTypeOf(v)), is_vector(LLVMTypeOf(LLVMGetOperand(v, 0))),
                        p.indices.at};
        o->u.gep = xmemdup(&g, sizeof g);
    }
}

void decode_alloca(struct decoder *d, LLVMValueRef v)
{
    uint32_t a = operand_at(d, v, 0);
    struct op *o = emit(d, OP_ALLOCA);

    o->a = a;
    o->c = LLVMGetAlignment(v);
    o->mask = LLVMABISizeOfType(layout, LLVMGetAllocatedType(v));
    o->dst = offset_of(d, v);
}

/* Without threads an atomic access is a plain one. */
void decode_atomic(struct decoder *d, LLVMValueRef v, bool exchanges)
{
    struct leaf l = scalar_leaf(LLVMTypeOf(LLVMGetOperand(v, 1)));
    uint32_t a = operand_at(d, v, 0), b = operand_at(d, v, 1), c = exchanges ? operand_at(d, v, 2) : 0;
    struct op *o;

    if (l.slots != 1 || (!exchanges && l.kind != LEAF_INT)) {
        emit_refusal(d, v, "this atomic operation is not supported");
        return;
    }
    o = emit(d, exchanges ? OP_CMPXCHG : OP_ATOMICRMW);
    o->a = a;
    o->b = b;
    o->c = c;
    o->lanes = exchanges ? 0 : (uint16_t)LLVMGetAtomicRMWBinOp(v);
    o->mask = mask_of(l.bits);
    o->dst = offset_of(d, v);
    o->u.leaf = xmemdup(&l, sizeof l);
}
