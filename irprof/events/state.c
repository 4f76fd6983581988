/* state.c - gives an instrumented function access to its thread's state in the runtime. */
#include "irprof/events/state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "irprof/module/llvm.h"
#include "irprof/module/plan.h"

static LLVMTypeRef pointer_in(LLVMModuleRef module)
{
    return LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
}

static LLVMBasicBlockRef block_in(LLVMValueRef function)
{
    return LLVMAppendBasicBlockInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)), function, "");
}

static LLVMValueRef add_function(LLVMModuleRef module, const char *name, LLVMTypeRef result, LLVMTypeRef *parameters,
                                 unsigned n, const char *const attributes[])
{
    LLVMValueRef f = LLVMAddFunction(module, name, LLVMFunctionType(result, parameters, n, 0));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    for (size_t i = 0; attributes[i]; i++)
        llvm_function_add(f, attributes[i]);
    return f;
}

LLVMValueRef state_add_inline(LLVMModuleRef module, const char *name, LLVMTypeRef result, LLVMTypeRef *parameters,
                              unsigned n)
{
    static const char *const attributes[] = {"alwaysinline", "nounwind", 0};
    LLVMValueRef f = add_function(module, name, result, parameters, n, attributes);
    LLVMSetFunctionCallConv(f, llvm_cold_convention(module)); /* used where it is not inlined */
    return f;
}

static LLVMValueRef add_cold(LLVMModuleRef module, const char *name, LLVMTypeRef result, LLVMTypeRef *parameters,
                             unsigned n)
{
    static const char *const attributes[] = {"cold", "noinline", "nounwind", 0};
    LLVMValueRef f = add_function(module, name, result, parameters, n, attributes);
    LLVMSetFunctionCallConv(f, llvm_cold_convention(module));
    return f;
}

LLVMValueRef state_call(LLVMBuilderRef b, LLVMValueRef function, LLVMValueRef *arguments, unsigned n)
{
    LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, n, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
    return call;
}

void state_jump(LLVMBuilderRef b, LLVMValueRef condition, LLVMBasicBlockRef likely, LLVMBasicBlockRef unlikely)
{
    LLVMValueRef jump = LLVMBuildCondBr(b, condition, likely, unlikely);
    llvm_set_weights(jump, 2000, 1);
}

LLVMValueRef state_add_constant(LLVMModuleRef module, const char *name, LLVMValueRef value)
{
    LLVMValueRef g = LLVMAddGlobal(module, LLVMTypeOf(value), name);
    LLVMSetInitializer(g, value);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(g, 1);
    return g;
}

static LLVMValueRef add_variable(LLVMModuleRef module, LLVMTypeRef type, const char *name)
{
    LLVMValueRef g = LLVMAddGlobal(module, type, name);
    LLVMSetInitializer(g, LLVMConstNull(type));
    LLVMSetLinkage(g, LLVMInternalLinkage);
    return g;
}

/* ptr NAME(): gets the state from the runtime, or what replaces it without one, and keeps it in `variable`. */
static LLVMValueRef add_here(const struct state *s, const char *name, const char *runtime, LLVMValueRef variable,
                             LLVMValueRef model)
{
    LLVMTypeRef pointer = pointer_in(s->module), asked_type = LLVMFunctionType(pointer, &pointer, 1, 0);
    LLVMValueRef asked = LLVMAddFunction(s->module, runtime, asked_type);
    LLVMSetLinkage(asked, LLVMExternalWeakLinkage);
    LLVMValueRef nobody = add_variable(s->module, s->type, "__irprof_no_state");
    LLVMValueRef here = add_cold(s->module, name, pointer, 0, 0);
    LLVMBasicBlockRef entry = block_in(here), ask = block_in(here), done = block_in(here);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(s->module));
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildCondBr(b, LLVMBuildIsNotNull(b, asked, ""), ask, done);
    LLVMPositionBuilderAtEnd(b, ask);
    LLVMValueRef given = LLVMBuildCall2(b, asked_type, asked, &model, 1, "");
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMValueRef found = LLVMBuildPhi(b, pointer, "");
    LLVMAddIncoming(found, (LLVMValueRef[]){nobody, given}, (LLVMBasicBlockRef[]){entry, ask}, 2);
    LLVMBuildStore(b, found, llvm_thread_address(b, variable));
    LLVMBuildRet(b, found);
    LLVMDisposeBuilder(b);
    return here;
}

void state_make(struct state *s, LLVMModuleRef module, LLVMTypeRef type, const char *name, const char *runtime,
                LLVMValueRef model)
{
    LLVMTypeRef pointer = pointer_in(module);
    *s = (struct state){.module = module, .type = type};
    struct str text = STR_INIT;
    str_addf(&text, "__irprof_%s", name);
    LLVMValueRef variable = add_variable(module, pointer, str_text(&text));
    LLVMSetThreadLocal(variable, 1);
    str_add(&text, "_here");
    LLVMValueRef here = add_here(s, str_text(&text), runtime, variable, model);
    str_clear(&text);
    str_addf(&text, "__irprof_find_%s", name);
    s->find = state_add_inline(module, str_text(&text), pointer, 0, 0);
    str_release(&text);
    LLVMBasicBlockRef entry = block_in(s->find), done = block_in(s->find), cold = block_in(s->find);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef there = LLVMBuildLoad2(b, pointer, llvm_thread_address(b, variable), "");
    state_jump(b, LLVMBuildIsNotNull(b, there, ""), done, cold);
    LLVMPositionBuilderAtEnd(b, cold);
    LLVMValueRef given = state_call(b, here, 0, 0);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMValueRef found = LLVMBuildPhi(b, pointer, "");
    LLVMAddIncoming(found, (LLVMValueRef[]){there, given}, (LLVMBasicBlockRef[]){entry, cold}, 2);
    LLVMBuildRet(b, found);
    LLVMDisposeBuilder(b);
}

/* Inlining will cut the entry block after the call. Only allocas in the entry block are part of the frame. */
static void lift_allocas(LLVMValueRef call)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(
        LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)))));
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, 0);
    for (LLVMValueRef i = LLVMGetNextInstruction(call), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(b, i);
    }
    LLVMDisposeBuilder(b);
}

/* Inserts after the load that stands for the thread's counters until counter_finish. That must stay the first
 * instruction. */
static LLVMValueRef beginning_of(LLVMValueRef function)
{
    size_t n;
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    if (LLVMGetInstructionOpcode(first) != LLVMLoad || !LLVMIsAGlobalVariable(LLVMGetOperand(first, 0)))
        return first;
    const char *name = LLVMGetValueName2(LLVMGetOperand(first, 0), &n);
    return strcmp(name, counter_mine_name) == 0 ? LLVMGetNextInstruction(first) : first;
}

LLVMValueRef state_in(struct state *s, LLVMValueRef function)
{
    if (s->function == function)
        return s->found;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(s->module));
    LLVMPositionBuilderBefore(b, beginning_of(function));
    LLVMSetCurrentDebugLocation2(b, 0);
    s->function = function;
    s->found = state_call(b, s->find, 0, 0);
    lift_allocas(s->found);
    LLVMDisposeBuilder(b);
    return s->found;
}

LLVMValueRef state_add_call(const struct state *s, const char *name, unsigned member, LLVMTypeRef *parameters,
                            unsigned n)
{
    LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetModuleContext(s->module));
    LLVMValueRef f = add_cold(s->module, name, nothing, parameters, n);
    LLVMBasicBlockRef entry = block_in(f), call = block_in(f), done = block_in(f);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(s->module));
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef place = LLVMBuildStructGEP2(b, s->type, LLVMGetParam(f, 0), member, "");
    LLVMValueRef callee = LLVMBuildLoad2(b, pointer_in(s->module), place, "");
    state_jump(b, LLVMBuildIsNotNull(b, callee, ""), call, done);
    LLVMPositionBuilderAtEnd(b, call);
    LLVMValueRef *arguments = xcalloc(n, sizeof *arguments);
    LLVMGetParams(f, arguments);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(f), callee, arguments, n, "");
    free(arguments);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

/* Largest number of inlined calls per function. Each is two blocks when inlined, and back ends take many times as long
 * for a function of tens of thousands of blocks. */
enum { MOST_INLINED = 1000 };

/* Is it a simulating call that will be inlined? The one that finds the state, once per function, is not counted. */
static bool is_site(LLVMValueRef i)
{
    size_t n;
    if (!LLVMIsACallInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        return false;
    LLVMValueRef f = LLVMGetCalledValue(i);
    return LLVMIsAFunction(f) && strncmp(LLVMGetValueName2(f, &n), "__irprof_", strlen("__irprof_")) == 0 &&
           llvm_function_has(f, "alwaysinline");
}

/* Counts these calls. `keep`: marks them so that they are not inlined. */
static size_t go_through_sites(LLVMValueRef function, bool keep)
{
    size_t n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!is_site(i))
                continue;
            n++;
            if (keep)
                llvm_call_add(i, "noinline");
        }
    }
    return n;
}

void state_finish(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (go_through_sites(f, false) > MOST_INLINED)
            go_through_sites(f, true);
    llvm_run(module, "always-inline");
}
