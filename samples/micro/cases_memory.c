/* cases_memory.c - loads, stores, addresses, variables on the stack, blocks of memory, atomics. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "samples/micro/private.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
static const enum type scalars[] = {I8, I16, I32, I64, I128, PTR, F32, F64};

static void accesses(struct list *l, enum type t)
{
    char load[32];
    strcat(strcpy(load, "load."), type_name(t));
    bool index = target_has(l->target, TARGET_INDEXES);
    struct draft chain = {
        .condition = "chain", .typical = true, .recipe = {.shape = &shape_load_chain, .type = t, .streams = 1}};
    if (t != PTR && !index)
        chain.with = "getelementptr.ptr";
    if (word_of(l) == I32 && t == I64) /* a load of two words cannot be an address */
        chain.with = "getelementptr.ptr";
    /* its bits would be the next address, which a load of this type cannot give */
    if (type_is_real(t) && word_of(l) == I32)
        chain.with = t == F64 ? "bitcast.i64 getelementptr.ptr" : "bitcast.i32 getelementptr.ptr";
    else if (type_is_real(t))
        chain.with = t == F64 ? index ? "bitcast.i64" : "bitcast.i64 getelementptr.ptr"
                     : index  ? "bitcast.i32"
                              : "bitcast.i32 zext.i64 getelementptr.ptr";
    if (chain.with)
        chain.share = MICRO_MINUS;
    bool address = !type_is_vector(t) && t != I128; /* the loaded value can be an address */
    if (address)
        add_typed(l, chain, "load", t);
    struct draft stream = {.condition = "stream",
                           .quantity = MICRO_PITCH,
                           .typical = true,
                           .recipe = {.shape = &shape_load_stream, .type = t}};
    add_typed(l, stream, "load", t);
    stream.recipe.shape = &shape_store;
    add_typed(l, stream, "store", t);
    /* A vector returns through a load of a floating-point register; a double's is known by itself. */
    struct draft forward = {.condition = "chain",
                            .with = type_is_vector(t) ? "load.double" : load,
                            .share = MICRO_MINUS,
                            .typical = true,
                            .recipe = {.shape = &shape_forward, .type = t, .streams = 1}};
    if (address || type_is_vector(t))
        add_typed(l, forward, "store", t);
}

static void levels(struct list *l, enum level level, size_t size, const char *chain, const char *stream)
{
    struct draft d = {
        .condition = chain,
        .apart = true,
        .step = 8,
        .trips = 64,
        .recipe = {.shape = &shape_load_chain, .type = PTR, .streams = 1, .level = level, .size = (unsigned)size}};
    if (!size)
        return;
    add_typed(l, d, "load", PTR);
    d.condition = stream;
    d.quantity = MICRO_PITCH;
    d.recipe.type = I64;
    d.recipe.shape = &shape_load_stream;
    add_typed(l, d, "load", I64);
    d.recipe.shape = &shape_store;
    add_typed(l, d, "store", I64);
}

static void addresses(struct list *l)
{
    static const struct {
        const char *words;
        unsigned flags;
        bool typical;
    } ways[] = {{"", SCALED, true}, {",bytes", 0, false}, {",constant", CONSTANT, false}};
    for (size_t i = 0; i < COUNT(ways); i++)
        for (unsigned stream = 0; stream < 2; stream++) {
            char condition[32];
            strcat(strcpy(condition, stream ? "stream" : "chain"), ways[i].words);
            struct draft d = {
                .key = "getelementptr.ptr",
                .condition = condition,
                .typical = ways[i].typical,
                .quantity = stream ? MICRO_PITCH : MICRO_LATENCY,
                .recipe = {.shape = &shape_gep, .type = PTR, .flags = ways[i].flags, .streams = stream ? STREAMS : 1}};
            add_case(l, &d);
        }
    struct draft d = {.key = "getelementptr.ptr",
                      .condition = "stream,load",
                      .with = word_of(l) == I32 ? "load.i32" : "load.i64",
                      .share = MICRO_MINUS,
                      .quantity = MICRO_PITCH,
                      .recipe = {.shape = &shape_gep_load, .type = PTR}};
    add_case(l, &d);
}

static void frames(struct list *l)
{
    struct draft d = {.key = "alloca.ptr",
                      .condition = "stream",
                      .with = "store.i32",
                      .share = MICRO_MINUS,
                      .quantity = MICRO_PITCH,
                      .typical = true,
                      .recipe = {.shape = &shape_alloca_static}};
    add_case(l, &d);
    d.with = NULL;
    d.share = MICRO_ALONE;
    d.condition = "stream,dynamic";
    d.typical = false;
    d.recipe.shape = &shape_alloca;
    add_case(l, &d);
}

static void blocks(struct list *l)
{
    static const struct {
        const char *name;
        unsigned usual;
    } functions[] = {{"llvm.memcpy", 16}, {"llvm.memmove", 16}, {"llvm.memset", 16}};
    static const unsigned fixed[] = {4, 8, 16, 32, 64, 256}, open[] = {16, 64, 256, 1024, 4096, 16384};
    for (size_t f = 0; f < COUNT(functions); f++)
        for (size_t i = 0; i < COUNT(fixed) + COUNT(open); i++) {
            bool constant = i < COUNT(fixed);
            unsigned size = constant ? fixed[i] : open[i - COUNT(fixed)];
            char *key = xasprintf("call.%s", functions[f].name);
            char *condition = xasprintf(constant ? "stream,size=%u,constant" : "stream,size=%u", size);
            struct draft d = {
                .key = key,
                .condition = condition,
                .quantity = MICRO_PITCH,
                .step = constant && size < 256 ? 16 : 4,
                .trips = size > 1024 ? 16 : 64,
                .typical = constant && size == functions[f].usual,
                .recipe = {
                    .shape = &shape_block, .name = functions[f].name, .size = size, .flags = constant ? CONSTANT : 0}};
            add_case(l, &d);
            free(key);
            free(condition);
        }
}

/* Read-modify-write: C11's atomic_fetch_add and its kind; clang's builtins for what C11 lacks. */
static void atomic_changes(struct list *l)
{
    static const struct {
        const char *words;
        LLVMAtomicRMWBinOp op;
        LLVMAtomicOrdering ordering;
    } ways[] = {{"chain", LLVMAtomicRMWBinOpAdd, LLVMAtomicOrderingSequentiallyConsistent},
                {"chain,relaxed", LLVMAtomicRMWBinOpAdd, LLVMAtomicOrderingMonotonic},
                {"chain,sub", LLVMAtomicRMWBinOpSub, LLVMAtomicOrderingSequentiallyConsistent},
                {"chain,xchg", LLVMAtomicRMWBinOpXchg, LLVMAtomicOrderingSequentiallyConsistent},
                {"chain,and", LLVMAtomicRMWBinOpAnd, LLVMAtomicOrderingSequentiallyConsistent},
                {"chain,nand", LLVMAtomicRMWBinOpNand, LLVMAtomicOrderingSequentiallyConsistent},
                {"chain,or", LLVMAtomicRMWBinOpOr, LLVMAtomicOrderingSequentiallyConsistent},
                {"chain,xor", LLVMAtomicRMWBinOpXor, LLVMAtomicOrderingSequentiallyConsistent},
                {"chain,max", LLVMAtomicRMWBinOpMax, LLVMAtomicOrderingSequentiallyConsistent},
                {"chain,umin", LLVMAtomicRMWBinOpUMin, LLVMAtomicOrderingSequentiallyConsistent}};
    static const enum type types[] = {I8, I16, I32, I64};
    for (size_t k = 0; k < COUNT(types); k++)
        for (size_t i = 0; i < COUNT(ways); i++) {
            struct draft d = {.condition = ways[i].words,
                              .typical = i == 0,
                              .step = 4,
                              .trips = 64,
                              .recipe = {.shape = &shape_atomic,
                                         .op = LLVMAtomicRMW,
                                         .type = types[k],
                                         .size = ways[i].op,
                                         .ordering = ways[i].ordering,
                                         .streams = 1}};
            add_typed(l, d, "atomicrmw", types[k]);
        }
    for (enum type t = F32; t <= F64; t++) { /* a compare-and-swap loop: += of an _Atomic float */
        struct draft d = {.condition = "chain",
                          .typical = true,
                          .step = 4,
                          .trips = 64,
                          .recipe = {.shape = &shape_atomic,
                                     .op = LLVMAtomicRMW,
                                     .type = t,
                                     .size = LLVMAtomicRMWBinOpFAdd,
                                     .ordering = LLVMAtomicOrderingSequentiallyConsistent,
                                     .streams = 1}};
        add_typed(l, d, "atomicrmw", t);
    }
}

static void compare_and_swap(struct list *l)
{
    static const enum type types[] = {I8, I16, I32, I64, PTR};
    for (size_t k = 0; k < COUNT(types); k++) {
        char condition[32];
        strcat(strcpy(condition, "chain,"), type_name(types[k]));
        struct draft d = {.key = "cmpxchg.agg",
                          .condition = condition,
                          .typical = types[k] == I32,
                          .step = 4,
                          .trips = 64,
                          .recipe = {.shape = &shape_atomic,
                                     .op = LLVMAtomicCmpXchg,
                                     .type = types[k],
                                     .ordering = LLVMAtomicOrderingSequentiallyConsistent,
                                     .streams = 1}};
        add_case(l, &d);
    }
}

/* Atomic loads and stores have the keys of ordinary ones, but are no condition of those, so they are separate cases. */
static void atomic_accesses(struct list *l)
{
    static const enum type types[] = {I8, I16, I32, I64, PTR};
    for (size_t k = 0; k < COUNT(types); k++)
        for (unsigned way = 0; way < 4; way++) {
            bool store = way / 2, relaxed = way % 2;
            struct draft d = {
                .condition = relaxed ? "stream,atomic,relaxed" : "stream,atomic",
                .quantity = MICRO_PITCH,
                .apart = true,
                .step = 4,
                .trips = 64,
                .recipe = {.shape = &shape_atomic,
                           .op = store ? LLVMStore : LLVMLoad,
                           .type = types[k],
                           .ordering = relaxed ? LLVMAtomicOrderingMonotonic : LLVMAtomicOrderingSequentiallyConsistent,
                           .streams = 1}};
            add_typed(l, d, store ? "store" : "load", types[k]);
        }
}

static void fences(struct list *l)
{
    static const struct {
        const char *words;
        LLVMAtomicOrdering ordering;
    } ways[] = {{"stream", LLVMAtomicOrderingSequentiallyConsistent},
                {"stream,acquire", LLVMAtomicOrderingAcquire},
                {"stream,release", LLVMAtomicOrderingRelease}};
    for (size_t i = 0; i < COUNT(ways); i++) {
        struct draft d = {
            .key = "fence",
            .condition = ways[i].words,
            .quantity = MICRO_PITCH,
            .typical = i == 0,
            .step = 4,
            .recipe = {
                .shape = &shape_atomic, .type = I32, .op = LLVMFence, .ordering = ways[i].ordering, .streams = 1}};
        add_case(l, &d);
    }
}

void cases_memory(struct list *l)
{
    for (size_t i = 0; i < COUNT(scalars); i++)
        accesses(l, scalars[i]);
    if (has_vectors(l))
        accesses(l, V4I32);
    levels(l, L2, l->l2, "chain,L2", "stream,L2");
    levels(l, MEMORY, l->memory, "chain,memory", "stream,memory");
    addresses(l);
    frames(l);
    blocks(l);
    atomic_changes(l);
    compare_and_swap(l);
    atomic_accesses(l);
    fences(l);
}
