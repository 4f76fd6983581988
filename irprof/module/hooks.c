/* hooks.c - constructors and destructors of a module that call a runtime. */
#include "irprof/module/hooks.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

LLVMValueRef hook_add(LLVMModuleRef module, const char *name, const char *callee_name, LLVMValueRef data)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef nothing = LLVMVoidTypeInContext(context), pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef type = LLVMFunctionType(nothing, 0, 0, 0);
    LLVMTypeRef callee_type = LLVMFunctionType(nothing, &pointer, 1, 0);
    LLVMValueRef callee = LLVMGetNamedFunction(module, callee_name);
    if (!callee) {
        callee = LLVMAddFunction(module, callee_name, callee_type);
        LLVMSetLinkage(callee, LLVMExternalWeakLinkage);
    }
    LLVMValueRef hook = LLVMAddFunction(module, name, type);
    LLVMSetLinkage(hook, LLVMInternalLinkage);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, hook, "");
    LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(context, hook, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(context, hook, "");
    LLVMBuilderRef at = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(at, entry);
    LLVMValueRef there = LLVMBuildICmp(at, LLVMIntNE, callee, LLVMConstNull(pointer), "");
    LLVMBuildCondBr(at, there, call, done);
    LLVMPositionBuilderAtEnd(at, call);
    LLVMBuildCall2(at, callee_type, callee, &data, 1, "");
    LLVMBuildBr(at, done);
    LLVMPositionBuilderAtEnd(at, done);
    LLVMBuildRetVoid(at);
    LLVMDisposeBuilder(at);
    return hook;
}

void hook_list(LLVMModuleRef module, const char *list_name, LLVMValueRef hook)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    LLVMValueRef fields[] = {LLVMConstInt(LLVMInt32TypeInContext(context), 1, 0), hook, LLVMConstNull(pointer)};
    LLVMValueRef entry = LLVMConstStructInContext(context, fields, 3, 0);
    LLVMTypeRef type = LLVMTypeOf(entry);
    VEC(LLVMValueRef) entries = {0};
    LLVMValueRef old = LLVMGetNamedGlobal(module, list_name);
    if (old && LLVMGetInitializer(old)) {
        LLVMValueRef initial = LLVMGetInitializer(old);
        unsigned n = LLVMGetArrayLength(LLVMTypeOf(initial));
        for (unsigned i = 0; i < n; i++)
            vec_push(&entries, LLVMGetAggregateElement(initial, i));
    }
    vec_push(&entries, entry);
    LLVMValueRef list = LLVMConstArray(type, entries.at, (unsigned)entries.n);
    vec_release(&entries);
    LLVMValueRef g = LLVMAddGlobal(module, LLVMTypeOf(list), "");
    LLVMSetInitializer(g, list);
    LLVMSetLinkage(g, LLVMAppendingLinkage);
    if (old)
        LLVMDeleteGlobal(old);
    LLVMSetValueName2(g, list_name, strlen(list_name));
}
