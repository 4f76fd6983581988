/* depend_inline.c - joins several functions into one, and inlines functions that are called once, so that their code
 * can be analysed. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "irprof/depend/effects.h"

/* The module is only analysed, so the user's attributes about inlining do not matter. */
static void demand_inlining(LLVMValueRef function)
{
    llvm_function_drop(function, "noinline");
    llvm_function_drop(function, "optnone");
    llvm_function_add(function, "alwaysinline");
}

static void call_last(LLVMBuilderRef b, LLVMValueRef from, LLVMValueRef callee, unsigned *first)
{
    unsigned n = LLVMCountParams(callee);
    LLVMValueRef *a = xcalloc(n + 1, sizeof(LLVMValueRef));
    for (unsigned k = 0; k < n; k++)
        a[k] = LLVMGetParam(from, *first + k);
    *first += n;
    LLVMBuildCall2(b, LLVMGlobalGetValueType(callee), callee, a, n, "");
    free(a);
}

/* void (parameters of all) */
static LLVMTypeRef joined_type(LLVMModuleRef module, char **names)
{
    VEC(LLVMTypeRef) parameters = {0};
    bool all = true;
    for (char **name = names; *name && all; name++) {
        LLVMValueRef f = LLVMGetNamedFunction(module, *name);
        all = f && !LLVMIsDeclaration(f);
        for (unsigned k = 0; all && k < LLVMCountParams(f); k++)
            vec_push(&parameters, LLVMTypeOf(LLVMGetParam(f, k)));
    }
    LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
    LLVMTypeRef type = all ? LLVMFunctionType(nothing, parameters.at, (unsigned)parameters.n, 0) : 0;
    vec_release(&parameters);
    return type;
}

LLVMValueRef depend_joined(LLVMModuleRef module, char **names)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type = joined_type(module, names);
    unsigned first = 0;
    if (!type)
        return 0;
    LLVMValueRef all = LLVMAddFunction(module, "__irprof_steps", type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, all, ""));
    for (char **name = names; *name; name++) {
        LLVMValueRef f = LLVMGetNamedFunction(module, *name);
        demand_inlining(f);
        call_last(b, all, f, &first);
    }
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    llvm_run(module, "always-inline");
    return all;
}

/* ---- functions that are called once ---- */

struct inlining {
    LLVMModuleRef module;
    struct depend_inlines *out;
    VEC(LLVMValueRef) reached;   /* the function under analysis, and what it calls, directly or not */
    VEC(LLVMValueRef) functions; /* functions of `out` */
};

static bool is_reached(const struct inlining *x, LLVMValueRef function)
{
    for (size_t i = 0; i < x->reached.n; i++)
        if (x->reached.at[i] == function)
            return true;
    return false;
}

static void reach(struct inlining *x, LLVMValueRef function)
{
    vec_push(&x->reached, function);
    for (size_t i = 0; i < x->reached.n; i++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(x->reached.at[i]); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef k = LLVMGetFirstInstruction(b); k; k = LLVMGetNextInstruction(k)) {
                LLVMValueRef callee = LLVMIsACallInst(k) ? LLVMIsAFunction(LLVMGetCalledValue(k)) : 0;
                if (callee && !LLVMIsDeclaration(callee) && !is_reached(x, callee))
                    vec_push(&x->reached, callee);
            }
}

static LLVMValueRef caller_of(LLVMValueRef call)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
}

/* The call, if it is the only one among the reached functions; else NULL. */
static LLVMValueRef only_call(const struct inlining *x, LLVMValueRef function)
{
    LLVMValueRef call = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
            return 0; /* its address is used elsewhere */
        if (!is_reached(x, caller_of(user)))
            continue;
        if (call)
            return 0;
        call = user;
    }
    return call;
}

static size_t inlined_number(const struct inlining *x, LLVMValueRef function)
{
    for (size_t i = 0; i < x->functions.n; i++)
        if (x->functions.at[i] == function)
            return i;
    return DEPEND_NONE;
}

/* Inlines one function that is called once, by the first of `reached` or by what has been inlined. */
static bool take_one(struct inlining *x)
{
    for (size_t i = 1; i < x->reached.n; i++) {
        LLVMValueRef f = x->reached.at[i], call = only_call(x, f), from = call ? caller_of(call) : 0;
        size_t in = from ? inlined_number(x, from) : DEPEND_NONE, n;
        if (!from || from == f || inlined_number(x, f) != DEPEND_NONE ||
            (from != x->reached.at[0] && in == DEPEND_NONE))
            continue;
        const char *name = LLVMGetValueName2(f, &n);
        struct depend_inlined one = {.name = xstrndup(name, n), .in = in};
        llvm_instruction_place(call, &one.file, &one.line);
        vec_push(&x->out->at, one);
        vec_push(&x->functions, f);
        demand_inlining(f);
        return true;
    }
    return false;
}

void depend_inline(struct depend_inlines *out, LLVMModuleRef module, LLVMValueRef function)
{
    struct inlining x = {.module = module, .out = out};
    reach(&x, function);
    while (take_one(&x))
        ;
    if (out->at.n)
        llvm_run(module, "always-inline");
    vec_release(&x.reached);
    vec_release(&x.functions);
}

void depend_inlines_release(struct depend_inlines *x)
{
    for (size_t i = 0; i < x->at.n; i++) {
        free(x->at.at[i].name);
        free(x->at.at[i].file);
    }
    vec_release(&x->at);
}
