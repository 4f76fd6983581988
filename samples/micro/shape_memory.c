/* shape_memory.c - loads, stores, addresses, blocks of memory. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "samples/micro/private.h"

/* Working sets. micro.cells: zeros, except for pointers in its second half, which never change. micro.stores: for
 * stores. micro.l2 and micro.memory: rings of pointers through all of their lines. */
enum { POINTERS = CELLS / 2 };

static LLVMValueRef working_set(struct module *m, const struct micro_recipe *r)
{
    if (r->level == L1)
        return module_bytes(m, "micro.cells", CELLS);
    enum { LAST_ITERATION = 4096 }; /* may reach beyond the end */
    return module_bytes(m, r->level == L2 ? "micro.l2" : "micro.memory", r->size + LAST_ITERATION);
}

/* ---- a ring of pointers through all lines of a working set, in an order that no prefetcher follows ---- */

/* Emits for (i = 0; i < n; i++) line[i].next = &line[(i * STEP + 1) % n]. It is a single ring if n is a power of 2 and
 * STEP is 1 modulo 4 (Hull, Dobell, "Random number generators", 1962). */
static void add_ring_loop(struct module *m, LLVMBuilderRef b, LLVMValueRef f)
{
    enum { STEP = 20077 };
    LLVMTypeRef word = module_word(m), byte = LLVMInt8TypeInContext(m->context);
    LLVMValueRef base = LLVMGetParam(f, 0), n = LLVMGetParam(f, 1), one = LLVMConstInt(word, 1, false);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, f, "entry");
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(m->context, f, "loop");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(m->context, f, "done");
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef i = LLVMBuildPhi(b, word, "i");
    LLVMValueRef to = LLVMBuildMul(b, i, LLVMConstInt(word, STEP, false), "");
    to = LLVMBuildAnd(b, LLVMBuildAdd(b, to, one, ""), LLVMBuildSub(b, n, one, ""), "");
    LLVMValueRef line = LLVMConstInt(word, LINE, false), from = LLVMBuildMul(b, i, line, "");
    to = LLVMBuildMul(b, to, line, "");
    LLVMBuildStore(b, LLVMBuildGEP2(b, byte, base, &to, 1, ""), LLVMBuildGEP2(b, byte, base, &from, 1, ""));
    LLVMValueRef next = LLVMBuildAdd(b, i, one, ""), zero = LLVMConstInt(word, 0, false);
    LLVMAddIncoming(i, &zero, &entry, 1);
    LLVMAddIncoming(i, &next, &loop, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, next, n, ""), loop, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
}

static LLVMValueRef ring_function(struct module *m)
{
    static const char name[] = "micro.ring";
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (f)
        return f;
    LLVMTypeRef args[] = {type_llvm(m->context, PTR), module_word(m)};
    f = LLVMAddFunction(m->module, name, LLVMFunctionType(type_llvm(m->context, VOID), args, 2, false));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    add_ring_loop(m, b, f);
    LLVMDisposeBuilder(b);
    return f;
}

/* Where a walk through a ring continues: each region of a case starts where the previous one has ended. */
static LLVMValueRef ring_place(struct module *m, const struct micro_recipe *r)
{
    return module_bytes(m, r->level == L2 ? "micro.l2.at" : "micro.memory.at", 8);
}

static void prepare(struct module *m, const struct micro_case *c)
{
    const struct micro_recipe *r = c->recipe;
    LLVMValueRef base = working_set(m, r);
    if (r->level == L1) { /* these pointers point to themselves */
        LLVMTypeRef byte = LLVMInt8TypeInContext(m->context), word = module_word(m);
        LLVMValueRef index = LLVMConstInt(word, POINTERS, false);
        LLVMValueRef self = LLVMBuildGEP2(m->main, byte, base, &index, 1, "");
        LLVMSetVolatile(LLVMBuildStore(m->main, self, self), true);
        return;
    }
    LLVMValueRef f = ring_function(m);
    LLVMValueRef args[] = {base, LLVMConstInt(module_word(m), r->size / LINE, false)};
    LLVMBuildCall2(m->main, LLVMGlobalGetValueType(f), f, args, 2, "");
    LLVMSetVolatile(LLVMBuildStore(m->main, base, ring_place(m, r)), true);
}

/* ---- dependent loads ---- */

static LLVMValueRef self_pointer(struct body *x)
{
    return body_opaque(x, body_at(x, working_set(x->m, x->r), POINTERS));
}

static void chain_enter(struct body *x)
{
    const struct micro_recipe *r = x->r;
    if (r->level != L1) {
        body_add_acc(x, body_load(x, body_type(x, PTR), ring_place(x->m, r)));
    } else if (r->type == PTR) {
        body_add_acc(x, self_pointer(x));
    } else {
        enum type carried = type_is_real(r->type) ? r->type : type_word(x->m->target);
        body_add_acc(x, body_opaque(x, body_number(x, carried, (struct number){0, 0})));
        body_add_fix(x, body_opaque(x, working_set(x->m, r)));
    }
}

static LLVMValueRef as_word(struct body *x, LLVMValueRef v)
{
    return LLVMBuildIntCast2(x->b, v, body_word(x), false, "");
}

static LLVMValueRef as_index(struct body *x, LLVMValueRef v, enum type t)
{
    if (!type_is_real(t))
        return v;
    /* 0.0: all bits are zero */
    return as_word(x, LLVMBuildBitCast(x->b, v, body_type(x, type_bits(t) == 32 ? I32 : I64), ""));
}

static void chain_copy(struct body *x, unsigned j)
{
    const struct micro_recipe *r = x->r;
    LLVMValueRef *acc = body_acc(x, j), p = *acc;
    if (r->type != PTR) {
        LLVMValueRef index = as_index(x, p, r->type);
        p = LLVMBuildGEP2(x->b, body_type(x, I8), body_fix(x, 0), &index, 1, "");
    }
    LLVMValueRef v = LLVMBuildLoad2(x->b, body_type(x, r->type), p, "");
    bool integer = !type_is_real(r->type) && r->type != PTR; /* the instruction that extends it is part of the load */
    if (integer && body_is_pair(x, LLVMTypeOf(v)))
        v = body_opaque(x, v); /* loads all of it */
    *acc = body_opaque(x, integer ? as_word(x, v) : v);
}

static void chain_finish(struct body *x)
{
    if (x->r->level != L1)
        body_store(x, x->acc[0], ring_place(x->m, x->r));
}

const struct shape shape_load_chain = {
    .enter = chain_enter, .copy = chain_copy, .finish = chain_finish, .prepare = prepare};

/* ---- independent loads and stores ---- */

/* Beyond L1, an iteration is k lines farther on than the previous one, and starts over at the end of the working
 * set. */
static void stream_begin(struct body *x, bool stores)
{
    LLVMValueRef base =
        stores && x->r->level == L1 ? module_bytes(x->m, "micro.stores", CELLS) : working_set(x->m, x->r);
    body_add_fix(x, body_opaque(x, base));
    body_add_fix(x, body_fix(x, 0)); /* where this iteration starts */
    if (x->r->level != L1)
        body_add_acc(x, body_opaque(x, body_size(x, 0)));
}

static void stream_enter(struct body *x)
{
    stream_begin(x, false);
}

static void stream_iteration(struct body *x)
{
    if (x->r->level == L1)
        return;
    LLVMValueRef step = body_size(x, (uint64_t)x->k * LINE);
    LLVMValueRef mask = body_size(x, x->r->size - 1);
    LLVMValueRef at = x->acc[x->first_acc];
    x->fix[x->first_fix + 1] = LLVMBuildGEP2(x->b, body_type(x, I8), body_fix(x, 0), &at, 1, "");
    x->acc[x->first_acc] = LLVMBuildAnd(x->b, LLVMBuildAdd(x->b, at, step, ""), mask, "");
}

static LLVMValueRef stream_place(struct body *x, unsigned j)
{
    unsigned size = type_bits(x->r->type) / 8;
    if (type_is_vector(x->r->type))
        size = 16;
    uint64_t at = x->r->level == L1 ? (uint64_t)j % 32 * size : (uint64_t)j * LINE;
    return body_at(x, body_fix(x, 1), at);
}

static void load_copy(struct body *x, unsigned j)
{
    body_use(x, LLVMBuildLoad2(x->b, body_type(x, x->r->type), stream_place(x, j), ""));
    body_memory(x);
}

static void store_enter(struct body *x)
{
    stream_begin(x, true);
    body_add_fix(x, x->r->type == PTR ? body_opaque(x, working_set(x->m, x->r))
                                      : body_opaque(x, body_number(x, x->r->type, (struct number){0, 0})));
}

static void store_copy(struct body *x, unsigned j)
{
    LLVMBuildStore(x->b, body_fix(x, 2), stream_place(x, j));
    body_memory(x);
}

const struct shape shape_load_stream = {
    .enter = stream_enter, .iteration = stream_iteration, .copy = load_copy, .prepare = prepare};
const struct shape shape_store = {
    .enter = store_enter, .iteration = stream_iteration, .copy = store_copy, .prepare = prepare};

/* A store, and a load that depends on it. */
static void forward_enter(struct body *x)
{
    body_add_acc(x, x->r->type == PTR ? self_pointer(x)
                                      : body_opaque(x, body_number(x, x->r->type, (struct number){0, 0})));
    body_add_fix(x, body_opaque(x, module_bytes(x->m, "micro.stores", CELLS)));
}

static void forward_copy(struct body *x, unsigned j)
{
    LLVMValueRef *acc = body_acc(x, j);
    LLVMBuildStore(x->b, *acc, body_fix(x, 0));
    body_memory(x);
    *acc = body_opaque(x, LLVMBuildLoad2(x->b, body_type(x, x->r->type), body_fix(x, 0), ""));
}

const struct shape shape_forward = {.enter = forward_enter, .copy = forward_copy, .prepare = prepare};

/* ---- addresses ---- */

static void gep_enter(struct body *x)
{
    for (unsigned i = 0; i < x->r->streams; i++)
        body_add_acc(x, body_opaque(x, module_bytes(x->m, "micro.cells", CELLS)));
    body_add_fix(x, x->r->flags & CONSTANT ? body_size(x, 8) : body_opaque(x, body_size(x, 1)));
}

static void gep_copy(struct body *x, unsigned j)
{
    LLVMValueRef *acc = body_acc(x, j), index = body_fix(x, 0);
    LLVMTypeRef element = body_type(x, x->r->flags & SCALED ? type_word(x->m->target) : I8);
    *acc = body_opaque(x, LLVMBuildGEP2(x->b, element, *acc, &index, 1, ""));
}

const struct shape shape_gep = {.enter = gep_enter, .copy = gep_copy};

/* An address base + index that only the load of a word needs. */
static void gep_load_enter(struct body *x)
{
    body_add_fix(x, body_opaque(x, module_bytes(x->m, "micro.cells", CELLS)));
    body_add_acc(x, body_opaque(x, body_size(x, 1)));
}

static void gep_load_copy(struct body *x, unsigned j)
{
    LLVMValueRef *acc = body_acc(x, j);
    LLVMValueRef p = LLVMBuildGEP2(x->b, body_word(x), body_fix(x, 0), acc, 1, "");
    body_use(x, LLVMBuildLoad2(x->b, body_word(x), p, ""));
    body_memory(x);
    *acc = body_opaque(x, *acc);
}

const struct shape shape_gep_load = {.enter = gep_load_enter, .copy = gep_load_copy};

/* ---- alloca: in the entry block it is part of the frame; elsewhere it moves the stack pointer ---- */

static void alloca_enter(struct body *x)
{
    body_add_fix(x, body_opaque(x, body_size(x, 32)));
}

static void alloca_iteration(struct body *x)
{
    LLVMTypeRef pointer = body_type(x, PTR);
    x->fix[1] = body_call(x, "llvm.stacksave", &pointer, 1, NULL, 0);
}

static void alloca_copy(struct body *x, unsigned j)
{
    (void)j;
    body_use(x, LLVMBuildArrayAlloca(x->b, body_type(x, I8), body_fix(x, 0), ""));
}

static void alloca_leave(struct body *x)
{
    LLVMTypeRef pointer = body_type(x, PTR);
    body_call(x, "llvm.stackrestore", &pointer, 1, &x->fix[1], 1);
}

const struct shape shape_alloca = {
    .enter = alloca_enter, .iteration = alloca_iteration, .copy = alloca_copy, .leave = alloca_leave};

/* Each iteration calls a function that has k variables on the stack and stores to each of them. */
static LLVMValueRef frame_function(struct body *x)
{
    char *name = xasprintf("micro.frame/alloca/%u", x->k);
    LLVMTypeRef type = LLVMFunctionType(body_type(x, VOID), NULL, 0, false);
    LLVMValueRef f = LLVMAddFunction(x->m->module, name, type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    struct body inner = *x;
    inner.b = LLVMCreateBuilderInContext(x->m->context);
    inner.function = f;
    LLVMPositionBuilderAtEnd(inner.b, body_block(&inner, "entry"));
    LLVMValueRef variables[80];
    for (unsigned i = 0; i < x->k + 1; i++)
        variables[i] = LLVMBuildAlloca(inner.b, body_type(x, I32), "");
    for (unsigned i = 0; i < x->k + 1; i++)
        body_store(&inner, body_number(x, I32, (struct number){1, 0}), variables[i]);
    LLVMBuildRetVoid(inner.b);
    LLVMDisposeBuilder(inner.b);
    free(name);
    return f;
}

static void nothing(struct body *x)
{
    (void)x;
}

static void no_copy(struct body *x, unsigned j)
{
    (void)x, (void)j;
}

static void frame_leave(struct body *x)
{
    LLVMValueRef f = frame_function(x);
    LLVMBuildCall2(x->b, LLVMGlobalGetValueType(f), f, NULL, 0, "");
}

const struct shape shape_alloca_static = {
    .enter = nothing, .copy = no_copy, .leave = frame_leave, .code = "micro.frame/alloca"};

/* ---- memcpy, memmove, memset; flag CONSTANT: the size is a constant ---- */

static void block_enter(struct body *x)
{
    const struct micro_recipe *r = x->r;
    body_add_fix(x, body_opaque(x, module_bytes(x->m, "micro.to", 65536)));
    body_add_fix(x, body_opaque(x, module_bytes(x->m, "micro.from", 65536)));
    LLVMValueRef size = body_size(x, r->size);
    body_add_fix(x, r->flags & CONSTANT ? size : body_opaque(x, size));
    body_add_fix(x, body_opaque(x, body_number(x, I8, (struct number){1, 0})));
}

static void block_copy(struct body *x, unsigned j)
{
    (void)j;
    LLVMTypeRef pointer = body_type(x, PTR), word = body_word(x);
    bool set = strcmp(x->r->name, "llvm.memset") == 0;
    LLVMTypeRef overloads[] = {pointer, set ? word : pointer, word};
    LLVMValueRef no = LLVMConstInt(body_type(x, I1), 0, false);
    LLVMValueRef args[] = {body_fix(x, 0), set ? body_fix(x, 3) : body_fix(x, 1), body_fix(x, 2), no};
    body_call(x, x->r->name, overloads, set ? 2 : 3, args, 4);
    body_memory(x);
}

const struct shape shape_block = {.enter = block_enter, .copy = block_copy};

/* ---- atomic accesses ---- */

static LLVMValueRef ordered(const struct body *x, LLVMValueRef access)
{
    const struct micro_recipe *r = x->r;
    LLVMSetOrdering(access, r->ordering);
    LLVMSetAlignment(access, r->type == PTR ? x->m->target->pointer : type_bits(r->type) / 8);
    return access;
}

static void atomic_copy(struct body *x, unsigned j)
{
    const struct micro_recipe *r = x->r;
    LLVMValueRef *acc = body_acc(x, j), p = body_fix(x, 0), v;
    switch (r->op) {
    case LLVMFence:
        LLVMBuildFence(x->b, r->ordering, false, "");
        return;
    case LLVMStore:
        ordered(x, LLVMBuildStore(x->b, *acc, p));
        return;
    case LLVMLoad:
        body_use(x, ordered(x, LLVMBuildLoad2(x->b, body_type(x, r->type), p, "")));
        return;
    case LLVMAtomicRMW:
        v = LLVMBuildAtomicRMW(x->b, (LLVMAtomicRMWBinOp)r->size, p, *acc, r->ordering, false);
        break;
    default:
        v = LLVMBuildAtomicCmpXchg(x->b, p, *acc, *acc, r->ordering, r->ordering, false);
        v = LLVMBuildExtractValue(x->b, v, 0, "");
    }
    *acc = body_opaque(x, v);
}

const struct shape shape_atomic = {.enter = forward_enter, .copy = atomic_copy, .prepare = prepare};
