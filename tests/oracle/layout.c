/* How values look in a frame and in memory. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

LLVMTargetDataRef layout;

bool is_vector(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind;
}
unsigned lanes_of(LLVMTypeRef t)
{
    return is_vector(t) ? LLVMGetVectorSize(t) : 1;
}
LLVMTypeRef element_of(LLVMTypeRef t)
{
    return is_vector(t) ? LLVMGetElementType(t) : t;
}
uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

struct leaf scalar_leaf(LLVMTypeRef t)
{
    unsigned bits;

    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        bits = LLVMGetIntTypeWidth(t);
        if (bits > MAX_INTEGER_BITS)
            refuse("integers of %u bits are not supported", bits);
        return (struct leaf){LEAF_INT, bits, (bits + 63) / 64, 0};
    case LLVMPointerTypeKind:
        return (struct leaf){LEAF_POINTER, 64, 1, 0};
    case LLVMFloatTypeKind:
        return (struct leaf){LEAF_FLOAT, 32, 1, 0};
    case LLVMDoubleTypeKind:
        return (struct leaf){LEAF_DOUBLE, 64, 1, 0};
    case LLVMX86_FP80TypeKind:
        return (struct leaf){LEAF_LONG_DOUBLE, 80, 2, 0};
    default:
        refuse("values of LLVM type kind %d are not supported", (int)LLVMGetTypeKind(t));
    }
}

static void add_leaves(struct shape *s, LLVMTypeRef t, uint64_t offset)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    LLVMTypeRef of;
    struct leaf l;

    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            add_leaves(s, LLVMStructGetTypeAtIndex(t, i), offset + LLVMOffsetOfElement(layout, t, i));
    } else if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
        uint64_t n = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
        of = LLVMGetElementType(t);
        for (uint64_t i = 0; i < n; i++)
            add_leaves(s, of, offset + i * LLVMABISizeOfType(layout, of));
    } else {
        l = scalar_leaf(t);
        l.offset = offset;
        vec_push(&s->leaves, l);
        s->size += l.slots * SLOT;
    }
}

struct shape shape_of(LLVMTypeRef t)
{
    struct shape s = {{0, 0, 0}, 0};
    if (LLVMGetTypeKind(t) != LLVMVoidTypeKind)
        add_leaves(&s, t, 0);
    return s;
}

unsigned frame_size(LLVMTypeRef t)
{
    struct shape s = shape_of(t);
    unsigned size = s.size;
    vec_release(&s.leaves);
    return size;
}

static unsigned memory_bytes(const struct leaf *l)
{
    return l->kind == LEAF_LONG_DOUBLE ? 10 : (l->bits + 7) / 8;
}

void leaf_load(void *slot, const struct leaf *l, const char *memory)
{
    memset(slot, 0, l->slots * SLOT);
    memcpy(slot, memory + l->offset, memory_bytes(l));
    if (l->kind == LEAF_INT && l->bits % 8) {
        uint64_t word;
        char *last = (char *)slot + (l->bits / 64) * SLOT;
        memcpy(&word, last, sizeof word);
        word &= mask_of(l->bits % 64);
        memcpy(last, &word, sizeof word);
    }
}

void leaf_store(const void *slot, const struct leaf *l, char *memory)
{
    memcpy(memory + l->offset, slot, memory_bytes(l));
}
