/* shape_control.c - branches, switch, calls. */
#include <stdlib.h>

#include "base/alloc.h"
#include "samples/micro/private.h"

static LLVMValueRef word(struct body *x, int64_t n)
{
    return body_size(x, (uint64_t)n);
}

/* Makes the bits that decide in each iteration: all ones, all zeros, alternating, or 64 random ones. acc[0]: the
 * previous word, or the place in the random ones. fix[1 ...]: the random words, or a 0 that the compiler cannot know
 * for AGAIN. */
static void bits_enter(struct body *x)
{
    enum pattern p = x->r->pattern;
    body_add_acc(x, body_opaque(x, word(x, p == TAKEN ? -1 : 0)));
    body_add_fix(x, body_opaque(x, module_random(x->m)));
    if (p != RANDOM)
        body_add_fix(x, x->r->flags & AGAIN ? body_opaque(x, word(x, 0)) : word(x, 0));
}

enum { RANDOM_BITS = 64 };
static unsigned word_bits(const struct body *x)
{
    return 8 * x->m->target->pointer;
}

static void bits_iteration(struct body *x)
{
    LLVMValueRef *acc = &x->acc[0];
    if (x->r->pattern == ALTERNATING)
        *acc = LLVMBuildNot(x->b, *acc, "");
    if (x->r->pattern != RANDOM)
        return;
    LLVMValueRef at = *acc;
    LLVMValueRef p = LLVMBuildGEP2(x->b, body_type(x, I64), body_fix(x, 0), &at, 1, "");
    x->n_fix = 1;
    for (unsigned i = 0; i < RANDOM_BITS / word_bits(x); i++)
        body_add_fix(x, LLVMBuildLoad2(x->b, body_word(x), body_at(x, p, i * x->m->target->pointer), ""));
    *acc = LLVMBuildAnd(x->b, LLVMBuildAdd(x->b, at, word(x, 1), ""), word(x, RANDOM_WORDS - 1), "");
}

/* The bit of the j-th copy. */
static LLVMValueRef decision(struct body *x, unsigned j)
{
    if (x->r->pattern != RANDOM) {
        x->acc[0] = body_opaque(x, x->acc[0]);
        return LLVMBuildICmp(x->b, LLVMIntNE, x->acc[0], body_fix(x, 1), "");
    }
    LLVMValueRef *random = &x->fix[1 + j / word_bits(x)];
    *random = body_opaque(x, *random);
    LLVMValueRef bit = LLVMBuildLShr(x->b, *random, word(x, j % word_bits(x)), "");
    bit = LLVMBuildAnd(x->b, bit, word(x, 1), "");
    return LLVMBuildICmp(x->b, LLVMIntNE, bit, word(x, 0), "");
}

/* A branch over a nop; FAR: over two. One that is never taken leads out of the loop. */
static void branch_copy(struct body *x, unsigned j)
{
    LLVMValueRef bit = decision(x, j);
    LLVMBasicBlockRef next = body_block(x, "next");
    if (x->r->pattern == NOT_TAKEN) {
        LLVMBuildCondBr(x->b, bit, body_away(x), next);
        LLVMPositionBuilderAtEnd(x->b, next);
        return;
    }
    LLVMBasicBlockRef over = LLVMInsertBasicBlockInContext(x->m->context, next, "over");
    LLVMBuildCondBr(x->b, bit, next, over);
    LLVMPositionBuilderAtEnd(x->b, over);
    body_nop(x);
    if (x->r->flags & FAR)
        body_nop(x);
    LLVMBuildBr(x->b, next);
    LLVMPositionBuilderAtEnd(x->b, next);
}

const struct shape shape_branch = {.enter = bits_enter, .iteration = bits_iteration, .copy = branch_copy};

/* A comparison that is needed by a branch alone, which is not taken. */
static void compare_branch_enter(struct body *x)
{
    const struct micro_recipe *r = x->r;
    bool p = r->from == PTR;
    LLVMValueRef cells = module_bytes(x->m, "micro.cells", CELLS);
    body_add_acc(x, body_opaque(x, p ? cells : body_number(x, r->from, r->start)));
    body_add_fix(x, body_opaque(x, p ? body_at(x, cells, LINE) : body_number(x, r->from, r->other)));
}

static void compare_branch_copy(struct body *x, unsigned j)
{
    (void)j;
    const struct micro_recipe *r = x->r;
    LLVMValueRef *acc = &x->acc[0], other = body_fix(x, 0);
    LLVMValueRef bit = type_is_real(r->from) ? LLVMBuildFCmp(x->b, (LLVMRealPredicate)r->op, *acc, other, "")
                                             : LLVMBuildICmp(x->b, (LLVMIntPredicate)r->op, *acc, other, "");
    LLVMBasicBlockRef next = body_block(x, "next");
    LLVMBuildCondBr(x->b, bit, body_away(x), next);
    LLVMPositionBuilderAtEnd(x->b, next);
    *acc = body_opaque(x, *acc);
}

const struct shape shape_compare_branch = {.enter = compare_branch_enter, .copy = compare_branch_copy};

/* A place that counts as code for the compiler but not for the machine. Places with different numbers differ. */
static void place(struct body *x, unsigned number)
{
    char *text = xasprintf("%s %u", x->m->target->comment, number);
    body_asm(x, text, "", body_type(x, VOID), NULL, 0);
    free(text);
}

/* An unconditional branch to the next block. */
static void fallthrough_enter(struct body *x)
{
    (void)x;
}

static void fallthrough_copy(struct body *x, unsigned j)
{
    place(x, j);
    LLVMBasicBlockRef next = body_block(x, "next");
    LLVMBuildBr(x->b, next);
    LLVMPositionBuilderAtEnd(x->b, next);
}

const struct shape shape_fallthrough = {.enter = fallthrough_enter, .copy = fallthrough_copy};

/* if (bit) nop; else jump over it: a branch that is not taken, and an unconditional jump. */
static void jump_copy(struct body *x, unsigned j)
{
    LLVMValueRef bit = decision(x, j);
    LLVMBasicBlockRef next = body_block(x, "next");
    LLVMBasicBlockRef other = LLVMInsertBasicBlockInContext(x->m->context, next, "other");
    LLVMBasicBlockRef here = LLVMInsertBasicBlockInContext(x->m->context, other, "here");
    LLVMBuildCondBr(x->b, bit, other, here);
    LLVMPositionBuilderAtEnd(x->b, here);
    place(x, j);
    LLVMBuildBr(x->b, next);
    LLVMPositionBuilderAtEnd(x->b, other);
    body_nop(x);
    body_nop(x);
    LLVMBuildBr(x->b, next);
    LLVMPositionBuilderAtEnd(x->b, next);
}

const struct shape shape_jump = {.enter = bits_enter, .iteration = bits_iteration, .copy = jump_copy};

/* A switch with `size` destinations, at most 16. Each leads to the next copy. */
static void switch_copy(struct body *x, unsigned j)
{
    enum { BITS = 4 };
    unsigned at = j * BITS;
    LLVMValueRef from = x->r->pattern == RANDOM ? x->fix[1 + at / word_bits(x)] : x->acc[0];
    LLVMValueRef v = LLVMBuildLShr(x->b, from, word(x, at % word_bits(x)), "");
    v = LLVMBuildAnd(x->b, v, word(x, x->r->size - 1), "");
    v = LLVMBuildIntCast2(x->b, v, body_type(x, x->r->type), false, "");
    v = body_opaque(x, v);
    LLVMBasicBlockRef next = body_block(x, "next");
    LLVMValueRef s = LLVMBuildSwitch(x->b, v, body_away(x), x->r->size);
    for (unsigned i = 0; i < x->r->size; i++) {
        LLVMBasicBlockRef way = LLVMInsertBasicBlockInContext(x->m->context, next, "way");
        LLVMAddCase(s, body_number(x, x->r->type, (struct number){i, 0}), way);
        LLVMPositionBuilderAtEnd(x->b, way);
        place(x, j * x->r->size + i);
        LLVMBuildBr(x->b, next);
    }
    LLVMPositionBuilderAtEnd(x->b, next);
}

const struct shape shape_switch = {.enter = bits_enter, .iteration = bits_iteration, .copy = switch_copy};

/* ---- calls; args: "" no parameters; "x" returns its argument; "xooooo" returns the first of six ---- */

static LLVMValueRef callee(struct module *m, unsigned n)
{
    char *name = xasprintf("micro.callee.%u", n);
    LLVMTypeRef w = module_word(m), types[8] = {w, w, w, w, w, w, w, w};
    LLVMTypeRef result = n ? w : type_llvm(m->context, VOID);
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (!f) {
        f = LLVMAddFunction(m->module, name, LLVMFunctionType(result, types, n, false));
        LLVMSetLinkage(f, LLVMInternalLinkage);
        LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
        LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(m->context, f, ""));
        if (n)
            LLVMBuildRet(b, LLVMGetParam(f, 0));
        else
            LLVMBuildRetVoid(b);
        LLVMDisposeBuilder(b);
    }
    free(name);
    return f;
}

static void call_enter(struct body *x)
{
    LLVMValueRef f = callee(x->m, x->r->size);
    body_add_fix(x, x->r->op ? body_opaque(x, f) : f);
    body_add_fix(x, body_opaque(x, word(x, 1)));
    for (unsigned i = 0; x->r->size && i < x->r->streams; i++)
        body_add_acc(x, body_opaque(x, word(x, 1)));
}

static void call_copy(struct body *x, unsigned j)
{
    unsigned n = x->r->size;
    LLVMValueRef args[8], *acc = body_acc(x, j);
    for (unsigned i = 0; i < n; i++)
        args[i] = i ? body_fix(x, 1) : *acc;
    LLVMTypeRef type = LLVMGlobalGetValueType(callee(x->m, n));
    LLVMValueRef v = LLVMBuildCall2(x->b, type, body_fix(x, 0), args, n, "");
    if (n)
        *acc = body_opaque(x, v);
}

const struct shape shape_call = {.enter = call_enter, .copy = call_copy};

/* Emits word f(word n) { return n ? f(n - 1) + 1 : 0; } */
static LLVMValueRef recursive(struct module *m)
{
    static const char name[] = "micro.recursive";
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (f)
        return f;
    LLVMTypeRef w = module_word(m), type = LLVMFunctionType(w, &w, 1, false);
    f = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, f, "entry");
    LLVMBasicBlockRef deeper = LLVMAppendBasicBlockInContext(m->context, f, "deeper");
    LLVMBasicBlockRef bottom = LLVMAppendBasicBlockInContext(m->context, f, "bottom");
    LLVMValueRef n = LLVMGetParam(f, 0), zero = LLVMConstInt(w, 0, false), one = LLVMConstInt(w, 1, false);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, n, zero, ""), bottom, deeper);
    LLVMPositionBuilderAtEnd(b, deeper);
    LLVMValueRef less = LLVMBuildSub(b, n, one, ""), v = LLVMBuildCall2(b, type, f, &less, 1, "");
    LLVMBuildRet(b, LLVMBuildAdd(b, v, one, ""));
    LLVMPositionBuilderAtEnd(b, bottom);
    LLVMBuildRet(b, zero);
    LLVMDisposeBuilder(b);
    return f;
}

static void recursion_enter(struct body *x)
{
    body_add_fix(x, body_opaque(x, word(x, x->k)));
}

static void recursion_copy(struct body *x, unsigned j)
{
    (void)x, (void)j;
}

/* One call per iteration, which recurses k times. */
static void recursion_leave(struct body *x)
{
    LLVMValueRef f = recursive(x->m), n = body_fix(x, 0);
    body_use(x, LLVMBuildCall2(x->b, LLVMGlobalGetValueType(f), f, &n, 1, ""));
}

const struct shape shape_recursion = {
    .enter = recursion_enter, .copy = recursion_copy, .leave = recursion_leave, .code = ""};
