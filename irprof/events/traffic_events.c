/* traffic_events.c - reports each access and call with its place in the source, to find which place hands bytes to
 * which. */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "irprof/events/events.h"
#include "irprof/events/memory_reports.h"
#include "irprof/module/llvm.h"

struct reporter {
    struct memory_reports to;
    LLVMTypeRef place;
    LLVMValueRef read, written, fresh, call, back; /* void (address, size, place) ... */
    LLVMTypeRef access_type, call_type, back_type;
    struct map numbers;       /* of places; the key is what they are */
    VEC(LLVMValueRef) places; /* struct irprof_rt_place of runtime/rt_events.h */
};

/* ---- which instructions ---- */

/* Is the call reported? Inline assembly and marks of regions are not, nor intrinsics that neither copy nor fill
 * memory. */
static bool is_reported_call(LLVMValueRef i)
{
    size_t n;
    LLVMValueRef f = LLVMGetCalledValue(i);
    if (LLVMIsAInvokeInst(i))
        return false;
    if (!LLVMIsAFunction(f))
        return !LLVMIsAInlineAsm(f);
    const char *intrinsic = llvm_intrinsic_name(f, &n);
    if (intrinsic)
        return strncmp(intrinsic, "llvm.mem", 8) == 0;
    const char *name = LLVMGetValueName2(f, &n);
    return strcmp(name, "shim_region_begin") != 0 && strcmp(name, "shim_region_end") != 0;
}

void traffic_plan(struct plan *plan)
{
    memory_reports_plan(plan, is_reported_call, &plan->traffic);
}

/* ---- calls to the runtime ---- */

static void add_report(void *user, enum memory_report what, LLVMValueRef at, LLVMValueRef address, LLVMValueRef size);

static void begin(struct reporter *r, LLVMModuleRef module)
{
    struct memory_reports *to = &r->to;
    *r = (struct reporter){0};
    memory_reports_begin(to, module);
    to->add = add_report;
    to->user = r;
    LLVMTypeRef members[] = {to->pointer, to->pointer, to->number, to->number, to->number};
    r->place = LLVMStructTypeInContext(to->context, members, 5, 0);
    LLVMTypeRef access[] = {to->pointer, to->size, to->pointer};
    r->access_type = LLVMFunctionType(to->nothing, access, 3, 0);
    r->call_type = LLVMFunctionType(to->number, &to->pointer, 1, 0);
    r->back_type = LLVMFunctionType(to->nothing, &to->number, 1, 0);
    r->read = memory_reports_runtime(module, "__irprof_traffic_read", r->access_type);
    r->written = memory_reports_runtime(module, "__irprof_traffic_written", r->access_type);
    r->fresh = memory_reports_runtime(module, "__irprof_traffic_fresh", r->access_type);
    r->call = memory_reports_runtime(module, "__irprof_traffic_call", r->call_type);
    r->back = memory_reports_runtime(module, "__irprof_traffic_back", r->back_type);
}

/* ---- places ---- */

static LLVMValueRef text_constant(struct reporter *r, const char *text)
{
    LLVMValueRef bytes = llvm_constant_bytes(r->to.context, text, strlen(text) + 1),
                 g = LLVMAddGlobal(r->to.module, LLVMTypeOf(bytes), "__irprof_file");
    LLVMSetInitializer(g, bytes);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(g, 1);
    return g;
}

/* The number of a place. parent, and the result: 1 + number of the place that this code was inlined into; 0: none. */
static size_t place_number(struct reporter *r, const char *file, unsigned line, size_t parent)
{
    char *key = xasprintf("%s:%u:%zu", file ? file : "", line, parent);
    size_t n = map_number(&r->numbers, key);
    free(key);
    if (n < r->places.n)
        return n + 1;
    LLVMValueRef fields[] = {
        text_constant(r, file ? file : ""), parent ? r->places.at[parent - 1] : LLVMConstNull(r->to.pointer),
        LLVMConstInt(r->to.number, line, 0), LLVMConstNull(r->to.number), LLVMConstNull(r->to.number)};
    LLVMValueRef g = LLVMAddGlobal(r->to.module, r->place, "__irprof_place");
    LLVMSetInitializer(g, LLVMConstStructInContext(r->to.context, fields, 5, 0));
    LLVMSetLinkage(g, LLVMInternalLinkage);
    vec_push(&r->places, g);
    return n + 1;
}

static size_t place_of_location(struct reporter *r, LLVMMetadataRef at)
{
    LLVMMetadataRef outer = LLVMDILocationGetInlinedAt(at);
    LLVMMetadataRef source = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
    size_t parent = outer ? place_of_location(r, outer) : 0;
    char *file = source ? llvm_file_name(source) : 0;
    size_t place = place_number(r, file, LLVMDILocationGetLine(at), parent);
    free(file);
    return place;
}

static LLVMValueRef place_of_function(struct reporter *r, LLVMValueRef function)
{
    char *file;
    unsigned line;
    llvm_function_place(function, &file, &line);
    size_t place = place_number(r, file, line, 0);
    free(file);
    return r->places.at[place - 1];
}

static LLVMValueRef place_of(struct reporter *r, LLVMValueRef i)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);
    if (!at)
        return place_of_function(r, LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
    size_t place = place_of_location(r, at);
    return r->places.at[place - 1];
}

/* ---- what is reported ---- */

static void add_report(void *user, enum memory_report what, LLVMValueRef at, LLVMValueRef address, LLVMValueRef size)
{
    struct reporter *r = user;
    LLVMValueRef place = LLVMIsAFunction(at) ? place_of_function(r, at) : place_of(r, at);
    LLVMValueRef a[] = {address, size, place};
    LLVMValueRef callee = what == REPORT_READ ? r->read : what == REPORT_WRITTEN ? r->written : r->fresh;
    LLVMBuildCall2(r->to.b, r->access_type, callee, a, 3, "");
}

/* Accesses of the called function count for this place too. */
static void report_call(struct reporter *r, LLVMValueRef call)
{
    LLVMBuilderRef b = r->to.b;
    if (!memory_reports_call(&r->to, call))
        return;
    LLVMValueRef place = place_of(r, call);
    LLVMValueRef before = LLVMBuildCall2(b, r->call_type, r->call, &place, 1, "");
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(call));
    LLVMBuildCall2(b, r->back_type, r->back, &before, 1, "");
}

void traffic_insert(const struct plan *plan, const struct place_target *t)
{
    struct reporter r;
    if (!plan->traffic.n)
        return;
    begin(&r, t->module);
    for (size_t k = 0; k < plan->traffic.n; k++) {
        LLVMValueRef i = plan->traffic.at[k];
        if (LLVMIsAFunction(i))
            memory_reports_parameters(&r.to, i);
        else if (!memory_reports_insert(&r.to, i))
            report_call(&r, i);
    }
    memory_reports_end(&r.to);
    map_release(&r.numbers);
    vec_release(&r.places);
}
