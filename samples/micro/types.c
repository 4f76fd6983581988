/* types.c - LLVM's types for the types in keys. */
#include <string.h>

#include "samples/micro/private.h"

enum family { NOTHING, INTEGER, REAL, POINTER };
static const struct {
    const char *name;
    enum family family;
    unsigned bits, lanes; /* of an element; lanes 0: not a vector */
} types[N_TYPES] = {
    [VOID] = {"", NOTHING, 0, 0},        [I1] = {"i1", INTEGER, 1, 0},        [I8] = {"i8", INTEGER, 8, 0},
    [I16] = {"i16", INTEGER, 16, 0},     [I32] = {"i32", INTEGER, 32, 0},     [I64] = {"i64", INTEGER, 64, 0},
    [I128] = {"i128", INTEGER, 128, 0},  [F32] = {"float", REAL, 32, 0},      [F64] = {"double", REAL, 64, 0},
    [PTR] = {"ptr", POINTER, 64, 0},     [V16I8] = {"v16i8", INTEGER, 8, 16}, [V8I16] = {"v8i16", INTEGER, 16, 8},
    [V4I32] = {"v4i32", INTEGER, 32, 4}, [V2I64] = {"v2i64", INTEGER, 64, 2}, [V4F32] = {"v4f32", REAL, 32, 4},
    [V2F64] = {"v2f64", REAL, 64, 2},
};

const char *type_name(enum type t)
{
    return types[t].name;
}

bool type_is_real(enum type t)
{
    return types[t].family == REAL;
}

bool type_is_vector(enum type t)
{
    return types[t].lanes != 0;
}

unsigned type_bits(enum type t)
{
    return types[t].bits;
}

LLVMTypeRef type_llvm(LLVMContextRef context, enum type t)
{
    LLVMTypeRef element;
    if (types[t].family == NOTHING)
        return LLVMVoidTypeInContext(context);
    if (types[t].family == POINTER)
        return LLVMPointerTypeInContext(context, 0);
    if (types[t].family == INTEGER)
        element = LLVMIntTypeInContext(context, types[t].bits);
    else
        element = types[t].bits == 32 ? LLVMFloatTypeInContext(context) : LLVMDoubleTypeInContext(context);
    return types[t].lanes ? LLVMVectorType(element, types[t].lanes) : element;
}

enum type type_word(const struct target *t)
{
    return t->pointer == 4 ? I32 : I64;
}

enum status micro_target(const struct target **out, const char *triple, struct error *e)
{
    static const char *const names[] = {"x86_64", "aarch64", "riscv64", "arm"};
    *out = target_find(triple);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp((*out)->name, names[i]) == 0)
            return OK;
    return error_set(
        e, ERR_UNSUPPORTED, NOWHERE,
        "there are no microbenchmarks for the target '%s'; there are for x86_64, aarch64, riscv64 and 32-bit Arm",
        triple);
}
