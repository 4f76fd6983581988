/* step_regions.c - instruments functions whose calls are counted one by one, as regions "NAME#". */
#include "irprof/module/step_regions.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "irprof/profile/format.h"

/* Names of the texts that are passed to the marks. */
static const char step_name[] = "__irprof_step";

struct marker {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b;
    LLVMTypeRef type; /* void (ptr) */
    LLVMValueRef name;
};

/* shim_region_begin or shim_region_end: the source's own declaration, or the runtime's. */
static LLVMValueRef callee(const struct marker *m, const char *name)
{
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(m->module, name, m->type);
    llvm_function_add(f, "nounwind");
    return f;
}

static void call_before(const struct marker *m, LLVMValueRef place, const char *name)
{
    LLVMPositionBuilderBefore(m->b, place);
    LLVMValueRef argument = m->name;
    LLVMBuildCall2(m->b, m->type, callee(m, name), &argument, 1, "");
}

/* The place after the allocas of local variables, which must stay at the beginning. */
static LLVMValueRef entry_of(LLVMValueRef function)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(i) || LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void mark_ends(const struct marker *m, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (!last || (!LLVMIsAReturnInst(last) && !LLVMIsAResumeInst(last)))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && i != last; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && llvm_is_musttail(i))
                last = i;
        call_before(m, last, "shim_region_end");
    }
}

static void mark(struct marker *m, LLVMValueRef function, const char *name)
{
    static const char *const claims[] = {"memory", "nosync", "nofree", "willreturn", "norecurse"};
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        llvm_function_drop(function, claims[i]); /* it now calls a function in another module */
    char *text = xasprintf("%s%c", name, FORMAT_STEPS);
    LLVMPositionBuilderBefore(m->b, entry_of(function));
    LLVMSetCurrentDebugLocation2(
        m->b, scope ? LLVMDIBuilderCreateDebugLocation(m->context, LLVMDISubprogramGetLine(scope), 0, scope, 0) : 0);
    m->name = LLVMBuildGlobalStringPtr(m->b, text, step_name);
    call_before(m, entry_of(function), "shim_region_begin");
    mark_ends(m, function);
    free(text);
}

static void mark_function(struct marker *m, const char *name)
{
    LLVMValueRef f = *name ? LLVMGetNamedFunction(m->module, name) : 0;
    if (f && !LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage)
        mark(m, f, name);
}

/* "ref_step<-controller_step:12"; a second call on that line is "ref_step<-controller_step:12.2". */
static char *call_region(struct map *seen, LLVMValueRef call, const char *callee)
{
    size_t length, times;
    unsigned line;
    char *file;
    const char *caller = LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)), &length);
    llvm_instruction_place(call, &file, &line);
    char *name = xasprintf("%s" FORMAT_CALLS "%.*s:%u", callee, (int)length, caller, line);
    times = map_get(seen, name, &times) ? times + 1 : 1;
    map_put(seen, name, times);
    char *full = times > 1 ? xasprintf("%s.%zu", name, times) : xstrdup(name);
    free(name);
    free(file);
    return full;
}

static void mark_call(struct marker *m, LLVMValueRef call, const char *callee, struct map *seen)
{
    char *region = call_region(seen, call, callee);
    LLVMPositionBuilderBefore(m->b, call);
    LLVMSetCurrentDebugLocation2(m->b, LLVMInstructionGetDebugLoc(call));
    m->name = LLVMBuildGlobalStringPtr(m->b, region, step_name);
    call_before(m, call, "shim_region_begin");
    call_before(m, LLVMGetNextInstruction(call), "shim_region_end");
    free(region);
}

/* Marks each direct call of it, in whatever module it is. */
static void mark_calls(struct marker *m, const char *name)
{
    LLVMValueRef callee = *name ? LLVMGetNamedFunction(m->module, name) : 0;
    struct map seen = {0};
    for (LLVMValueRef f = callee ? LLVMGetFirstFunction(m->module) : 0; f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i) && LLVMGetCalledValue(i) == callee && !llvm_is_musttail(i)) {
                    mark_call(m, i, name, &seen);
                    i = LLVMGetNextInstruction(i); /* skips the mark of its end */
                }
    map_release(&seen);
}

char *steps_and_instances(const char *steps, const char *instances)
{
    struct str all = STR_INIT;
    char **each = words_of(instances ? instances : "", ",");
    str_add(&all, steps ? steps : "");
    for (char **name = each; *name; name++)
        str_addf(&all, "%s%s" FORMAT_CALLS, all.len ? "," : "", *name);
    words_free(each);
    return str_detach(&all);
}

void steps_mark(LLVMModuleRef module, const char *names)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    struct marker m = {.module = module, .context = context, .b = LLVMCreateBuilderInContext(context)};
    m.type = LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, 0);
    char **each = words_of(names, ",");
    for (char **name = each; *name; name++) {
        char *calls = strstr(*name, FORMAT_CALLS);
        if (calls)
            *calls = 0;
        if (calls)
            mark_calls(&m, *name);
        else
            mark_function(&m, *name);
    }
    words_free(each);
    LLVMDisposeBuilder(m.b);
}

static bool is_mark(LLVMValueRef i)
{
    size_t length;
    if (!LLVMIsACallInst(i) || LLVMGetNumArgOperands(i) != 1 || !LLVMIsAGlobalVariable(LLVMGetArgOperand(i, 0)))
        return false;
    const char *name = LLVMGetValueName2(LLVMGetArgOperand(i, 0), &length);
    return length >= strlen(step_name) && memcmp(name, step_name, strlen(step_name)) == 0;
}

void steps_unmark(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_mark(i))
                    LLVMInstructionEraseFromParent(i);
            }
}
