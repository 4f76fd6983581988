/*
 * Where a counter is. Global counters stand in one array. Those of a thread stand in
 * an array that the runtime gives it, and a thread-local variable says where:
 *
 *         thread_local struct { ptr array; i32 asked; } __irprof_mine = {__irprof_counters, 0};
 *
 * A counted function has its thread's array as a value from its beginning on, so that
 * there is one access to thread-local storage per call, which is expensive in shared libraries:
 *
 *         array = __irprof_mine.array
 *         if (!__irprof_mine.asked)                the thread's first time in this module
 *             array = __irprof_here()              cold
 *
 * The question is left out where only counted functions of the module are the callers.
 * Should a thread come there all the same (coroutines that change their thread), it counts
 * in the common array __irprof_counters. The arrays themselves are not thread-local, since
 * threads with small stacks have no room for them, and the counts must outlive the thread.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/module/llvm.h"
#include "irprof/module/plan.h"

const char counter_mine_name[] = "__irprof_mine";

LLVMValueRef counter_add_mine(LLVMModuleRef module, LLVMValueRef array)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef flag = LLVMInt32TypeInContext(context);
    LLVMValueRef initial = LLVMConstStructInContext(context, (LLVMValueRef[]){array, LLVMConstInt(flag, 0, 0)}, 2, 0);
    LLVMValueRef mine = LLVMAddGlobal(module, LLVMTypeOf(initial), counter_mine_name);
    LLVMSetInitializer(mine, initial);
    LLVMSetLinkage(mine, LLVMInternalLinkage);
    LLVMSetThreadLocal(mine, 1);
    return mine;
}

/* Until counter_finish, the thread's array is a plain load of the variable, as the function's very first instruction
 * (state.c relies on it). */
static bool is_placeholder(LLVMValueRef i, const struct place_target *t)
{
    return i && LLVMGetInstructionOpcode(i) == LLVMLoad && LLVMGetOperand(i, 0) == t->mine;
}

static LLVMValueRef thread_array(const struct place_target *t, LLVMBuilderRef b)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(b));
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    if (is_placeholder(first, t))
        return first;
    LLVMBuilderRef at = LLVMCreateBuilderInContext(LLVMGetModuleContext(t->module));
    LLVMPositionBuilder(at, LLVMGetEntryBasicBlock(function), first);
    LLVMValueRef placeholder = LLVMBuildLoad2(at, LLVMTypeOf(t->mine), t->mine, "");
    LLVMDisposeBuilder(at);
    return placeholder;
}

LLVMValueRef place_counter(const struct place_target *t, LLVMBuilderRef b, size_t counter)
{
    LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetModuleContext(t->module));
    LLVMValueRef number = LLVMConstInt(word, counter, 0);
    if (t->kind == IRPROF_COUNTERS_THREAD)
        return LLVMBuildInBoundsGEP2(b, word, thread_array(t, b), &number, 1, "");
    return LLVMConstInBoundsGEP2(word, t->array, &number, 1);
}

void place_add(const struct place_target *t, LLVMBuilderRef b, size_t counter, LLVMValueRef amount)
{
    LLVMValueRef address = place_counter(t, b, counter);
    if (t->kind == IRPROF_COUNTERS_ATOMIC) {
        LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpAdd, address, amount, LLVMAtomicOrderingMonotonic, 0);
        return;
    }
    LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(amount), address, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, old, amount, ""), address);
}

static LLVMValueRef asked_flag(LLVMBuilderRef b, const struct place_target *t, LLVMValueRef mine)
{
    return LLVMBuildStructGEP2(b, LLVMGlobalGetValueType(t->mine), mine, 1, "");
}

/* ptr @__irprof_here(): asks the runtime for the calling thread's array. Without a runtime, it returns the common
 * array. */
static LLVMValueRef add_here(const struct place_target *t, LLVMValueRef data)
{
    LLVMContextRef context = LLVMGetModuleContext(t->module);
    LLVMTypeRef pointer = LLVMTypeOf(t->mine);
    LLVMTypeRef parameters[] = {pointer, pointer};
    LLVMTypeRef runtime_type = LLVMFunctionType(pointer, parameters, 2, 0);
    LLVMValueRef runtime = LLVMAddFunction(t->module, "irprof_rt_thread", runtime_type);
    LLVMSetLinkage(runtime, LLVMExternalWeakLinkage);
    LLVMValueRef here = LLVMAddFunction(t->module, "__irprof_here", LLVMFunctionType(pointer, 0, 0, 0));
    LLVMSetLinkage(here, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(here, llvm_cold_convention(t->module));
    static const char *const attributes[] = {"cold", "noinline", "nounwind"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        llvm_function_add(here, attributes[i]);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, here, "");
    LLVMBasicBlockRef ask = LLVMAppendBasicBlockInContext(context, here, "");
    LLVMBasicBlockRef alone = LLVMAppendBasicBlockInContext(context, here, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef mine = llvm_thread_address(b, t->mine);
    LLVMBuildCondBr(b, LLVMBuildIsNotNull(b, runtime, ""), ask, alone);
    LLVMPositionBuilderAtEnd(b, ask);
    LLVMBuildRet(b, LLVMBuildCall2(b, runtime_type, runtime, (LLVMValueRef[]){data, mine}, 2, ""));
    LLVMPositionBuilderAtEnd(b, alone);
    LLVMBuildStore(b, LLVMConstInt(LLVMInt32TypeInContext(context), 1, 0), asked_flag(b, t, mine));
    LLVMBuildRet(b, t->array);
    LLVMDisposeBuilder(b);
    return here;
}

/* Moves static allocas, which must be in the entry block. */
static void move_allocas(LLVMBuilderRef b, LLVMBasicBlockRef from)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(from), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMGetInstructionOpcode(i) != LLVMAlloca || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(b, i);
    }
}

/* Adds blocks before the function in which it gets its thread's array. Returns that array. */
static LLVMValueRef add_beginning(const struct place_target *t, LLVMValueRef function, LLVMValueRef here)
{
    LLVMContextRef context = LLVMGetModuleContext(t->module);
    LLVMTypeRef pointer = LLVMTypeOf(t->mine);
    LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(function);
    LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(context, old, "");
    LLVMBasicBlockRef found = LLVMInsertBasicBlockInContext(context, old, "");
    LLVMBasicBlockRef cold = LLVMAppendBasicBlockInContext(context, function, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(b, entry);
    move_allocas(b, old);
    LLVMValueRef address = llvm_thread_address(b, t->mine);
    LLVMValueRef there = LLVMBuildLoad2(b, pointer, address, "");
    LLVMValueRef asked = LLVMBuildLoad2(b, LLVMInt32TypeInContext(context), asked_flag(b, t, address), "");
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, asked, ""), cold, found);
    LLVMPositionBuilderAtEnd(b, cold);
    LLVMValueRef given = LLVMBuildCall2(b, LLVMGlobalGetValueType(here), here, 0, 0, "");
    LLVMSetInstructionCallConv(given, LLVMGetFunctionCallConv(here));
    LLVMBuildBr(b, found);
    LLVMPositionBuilderAtEnd(b, found);
    LLVMValueRef mine = LLVMBuildPhi(b, pointer, "");
    LLVMAddIncoming(mine, (LLVMValueRef[]){there, given}, (LLVMBasicBlockRef[]){entry, cold}, 2);
    LLVMBuildBr(b, old);
    LLVMDisposeBuilder(b);
    return mine;
}

/* ---- resolvers ---- */

struct functions {
    VEC(LLVMValueRef) all;
};

static bool has_function(const struct functions *set, LLVMValueRef f)
{
    for (size_t i = 0; i < set->all.n; i++)
        if (set->all.at[i] == f)
            return true;
    return false;
}

static void add_function(struct functions *set, LLVMValueRef f)
{
    if (LLVMIsAFunction(f) && !has_function(set, f))
        vec_push(&set->all, f);
}

/* Collects the functions that resolvers of ifuncs call, directly or not. In statically linked programs they run before
 * thread-local storage exists. */
static void find_early(LLVMModuleRef module, struct functions *early)
{
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i; i = LLVMGetNextGlobalIFunc(i))
        add_function(early, LLVMGetGlobalIFuncResolver(i));
    for (size_t k = 0; k < early->all.n; k++) {
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(early->all.at[k]);
        for (; block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
                    add_function(early, LLVMGetCalledValue(i));
    }
}

/* ---- what replaces the placeholders ---- */

enum beginning { UNCOUNTED, EARLY, INNER, OUTER };

static LLVMValueRef placeholder_of(const struct place_target *t, LLVMValueRef function)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    return is_placeholder(first, t) ? first : 0;
}

/* Do only counted functions of this module call the function? Then a caller has already asked for the counters. */
static bool is_inner(const struct place_target *t, LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if ((!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) || LLVMGetCalledValue(call) != function)
            return false;
        unsigned n = LLVMGetNumArgOperands(call);
        for (unsigned i = 0; i < n; i++)
            if (LLVMGetOperand(call, i) == function)
                return false;
        if (!placeholder_of(t, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))))
            return false;
    }
    return true;
}

static void settle(const struct place_target *t, LLVMValueRef function, enum beginning kind, LLVMValueRef here)
{
    LLVMValueRef placeholder = placeholder_of(t, function), mine = t->array;
    if (kind == OUTER) {
        mine = add_beginning(t, function, here);
    } else if (kind == INNER) {
        LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(t->module));
        LLVMPositionBuilderBefore(b, placeholder);
        mine = LLVMBuildLoad2(b, LLVMTypeOf(t->mine), llvm_thread_address(b, t->mine), "");
        LLVMDisposeBuilder(b);
    }
    LLVMReplaceAllUsesWith(placeholder, mine);
    LLVMInstructionEraseFromParent(placeholder);
}

void counter_finish(const struct place_target *t, LLVMValueRef data)
{
    struct functions early = {0};
    VEC(enum beginning) kinds = {0};
    if (t->kind != IRPROF_COUNTERS_THREAD)
        return;
    find_early(t->module, &early);
    for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f)) {
        bool counted = !LLVMIsDeclaration(f) && placeholder_of(t, f);
        vec_push(&kinds, !counted ? UNCOUNTED : has_function(&early, f) ? EARLY : is_inner(t, f) ? INNER : OUTER);
    }
    LLVMValueRef f = LLVMGetFirstFunction(t->module), here = 0;
    for (size_t i = 0; i < kinds.n; i++, f = LLVMGetNextFunction(f)) {
        if (kinds.at[i] == OUTER && !here)
            here = add_here(t, data); /* comes after the functions that are visited */
        if (kinds.at[i] != UNCOUNTED)
            settle(t, f, kinds.at[i], here);
    }
    vec_release(&early.all);
    vec_release(&kinds);
}
