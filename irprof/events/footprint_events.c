/*
 * footprint_events.c - reports each access to memory, and which functions are being executed when it happens, for the
 * bytes that functions touch, write, need and leave (runtime/rt_footprint.c).
 *
 * A function says at its beginning that it is entered, and after each of its calls that it goes on. So what an exception
 * or longjmp leaves without returning is left out again where the program goes on.
 */
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "irprof/events/events.h"
#include "irprof/events/memory_reports.h"
#include "irprof/module/llvm.h"

struct reporter {
    struct memory_reports to;
    LLVMTypeRef function; /* struct irprof_rt_foot_function of runtime/rt_footprint.h */
    LLVMTypeRef access_type, enter_type, back_type;
    LLVMValueRef read, written, fresh, heap, enter, back;
    LLVMValueRef mine; /* the result of entering the current function */
};

static bool is_reported_call(LLVMValueRef i)
{
    return LLVMIsAInvokeInst(i) || !LLVMIsAInlineAsm(LLVMGetCalledValue(i));
}

void footprint_plan(struct plan *plan)
{
    memory_reports_plan(plan, is_reported_call, &plan->footprint);
}

/* ---- calls of the runtime ---- */

static void call_access(struct reporter *r, LLVMValueRef callee, LLVMValueRef address, LLVMValueRef size)
{
    LLVMBuildCall2(r->to.b, r->access_type, callee, (LLVMValueRef[]){address, size}, 2, "");
}

static void add_report(void *user, enum memory_report what, LLVMValueRef at, LLVMValueRef address, LLVMValueRef size)
{
    struct reporter *r = user;
    (void)at;
    call_access(r, what == REPORT_READ ? r->read : what == REPORT_WRITTEN ? r->written : r->fresh, address, size);
}

static void begin(struct reporter *r, LLVMModuleRef module)
{
    struct memory_reports *to = &r->to;
    *r = (struct reporter){0};
    memory_reports_begin(to, module);
    to->add = add_report;
    to->user = r;
    LLVMTypeRef members[] = {to->pointer, to->number, to->number, to->number, to->number};
    r->function = LLVMStructTypeInContext(to->context, members, 5, 0);
    LLVMTypeRef access[] = {to->pointer, to->size};
    r->access_type = LLVMFunctionType(to->nothing, access, 2, 0);
    r->enter_type = LLVMFunctionType(to->number, &to->pointer, 1, 0);
    r->back_type = LLVMFunctionType(to->nothing, &to->number, 1, 0);
    r->read = memory_reports_runtime(module, "__irprof_footprint_read", r->access_type);
    r->written = memory_reports_runtime(module, "__irprof_footprint_written", r->access_type);
    r->fresh = memory_reports_runtime(module, "__irprof_footprint_fresh", r->access_type);
    r->heap = memory_reports_runtime(module, "__irprof_footprint_heap", r->access_type);
    r->enter = memory_reports_runtime(module, "__irprof_footprint_enter", r->enter_type);
    r->back = memory_reports_runtime(module, "__irprof_footprint_back", r->back_type);
}

/* ---- functions ---- */

static LLVMValueRef beginning_of(LLVMValueRef function)
{
    size_t n;
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    /* the load that stands for the thread's counters is the first instruction and must stay so (counter.c) */
    if (LLVMIsALoadInst(i) && LLVMIsAGlobalVariable(LLVMGetOperand(i, 0)) &&
        strcmp(LLVMGetValueName2(LLVMGetOperand(i, 0), &n), counter_mine_name) == 0)
        i = LLVMGetNextInstruction(i);
    while (LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* mine = enter(&function) */
static void report_function(struct reporter *r, LLVMValueRef function, LLVMValueRef data, size_t index)
{
    LLVMValueRef fields[] = {data, LLVMConstInt(r->to.number, index, 0), LLVMConstNull(r->to.number),
                             LLVMConstNull(r->to.number), LLVMConstNull(r->to.number)};
    LLVMValueRef g = LLVMAddGlobal(r->to.module, r->function, "__irprof_footprint");
    LLVMSetInitializer(g, LLVMConstStructInContext(r->to.context, fields, 5, 0));
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMPositionBuilderBefore(r->to.b, beginning_of(function));
    r->mine = LLVMBuildCall2(r->to.b, r->enter_type, r->enter, &g, 1, "");
}

/* Done last for each function: entering it comes before everything else that was inserted at its beginning. */
static void settle_function(struct reporter *r)
{
    if (!r->mine)
        return;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(r->mine));
    LLVMInstructionRemoveFromParent(r->mine);
    LLVMPositionBuilderBefore(r->to.b, beginning_of(function));
    LLVMInsertIntoBuilder(r->to.b, r->mine);
}

static void go_on(struct reporter *r, LLVMValueRef before)
{
    LLVMPositionBuilderBefore(r->to.b, before);
    LLVMBuildCall2(r->to.b, r->back_type, r->back, &r->mine, 1, "");
}

/* malloc, calloc, aligned_alloc: the memory holds nobody's values yet. */
static void report_allocation(struct reporter *r, LLVMValueRef call)
{
    size_t n;
    LLVMValueRef f = LLVMGetCalledValue(call), size = 0;
    const char *name = LLVMIsAFunction(f) ? LLVMGetValueName2(f, &n) : "";
    unsigned arguments = LLVMGetNumArgOperands(call);
    LLVMPositionBuilderBefore(r->to.b, LLVMGetNextInstruction(call));
    if (strcmp(name, "malloc") == 0 && arguments == 1)
        size = LLVMGetArgOperand(call, 0);
    else if (strcmp(name, "aligned_alloc") == 0 && arguments == 2)
        size = LLVMGetArgOperand(call, 1);
    else if (strcmp(name, "calloc") == 0 && arguments == 2)
        size = LLVMBuildMul(r->to.b, LLVMGetArgOperand(call, 0), LLVMGetArgOperand(call, 1), "");
    if (size)
        call_access(r, r->heap, call, LLVMBuildIntCast2(r->to.b, size, r->to.size, 0, ""));
}

static void report_call(struct reporter *r, LLVMValueRef call)
{
    if (!memory_reports_call(&r->to, call))
        return;
    report_allocation(r, call);
    go_on(r, LLVMGetNextInstruction(call));
}

static LLVMValueRef first_of(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* The function goes on in either of two blocks. */
static void report_invoke(struct reporter *r, LLVMValueRef invoke)
{
    memory_reports_copies(&r->to, invoke);
    go_on(r, first_of(LLVMGetNormalDest(invoke)));
    LLVMValueRef unwound = first_of(LLVMGetUnwindDest(invoke));
    if (!LLVMIsACatchSwitchInst(unwound))
        go_on(r, unwound);
}

void footprint_insert(const struct plan *plan, const struct place_target *t, LLVMValueRef data)
{
    struct reporter r;
    size_t index = 0;
    if (!plan->footprint.n)
        return;
    begin(&r, t->module);
    for (size_t k = 0; k < plan->footprint.n; k++) {
        LLVMValueRef i = plan->footprint.at[k];
        if (LLVMIsAFunction(i)) {
            while (plan->functions.at[index].function != i)
                index++;
            settle_function(&r);
            report_function(&r, i, data, index);
            memory_reports_parameters(&r.to, i);
        } else if (!memory_reports_insert(&r.to, i)) {
            if (LLVMIsAInvokeInst(i))
                report_invoke(&r, i);
            else
                report_call(&r, i);
        }
    }
    settle_function(&r);
    memory_reports_end(&r.to);
}
