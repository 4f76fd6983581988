/*
 * window_events.c - cuts the run into windows of so many accesses to memory (irprof instrument --windows).
 *
 * A segment that accesses memory takes its number of accesses off what is left of the window before anything of it is
 * counted. Where too few are left, a window ends there: a window is of whole segments. An access is a load, a store, an
 * atomic operation, or one call of memcpy and the like.
 */
#include <string.h>

#include "irprof/events/events.h"
#include "irprof/events/state.h"
#include "irprof/module/llvm.h"
#include "irprof/runtime/rt_events.h"

enum { MEMBER_CUT, MEMBER_LEFT };

static bool accesses_memory(LLVMValueRef i)
{
    size_t n;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMCall: {
        const char *name = llvm_intrinsic_name(LLVMGetCalledValue(i), &n);
        return name && (strncmp(name, "llvm.mem", 8) == 0 || strncmp(name, "llvm.masked.", 12) == 0);
    }
    default:
        return false;
    }
}

static uint64_t accesses_of(const struct plan_segment *s)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s->instructions.n; i++)
        n += accesses_memory(s->instructions.at[i].value);
    return n;
}

struct cutter {
    LLVMContextRef context;
    LLVMTypeRef word;
    struct state state;
    LLVMValueRef take; /* void (state, n) */
};

/* Emits: left -= n; if (left < 0) CUT(state, n); */
static LLVMValueRef add_take(struct cutter *w, LLVMModuleRef module)
{
    LLVMTypeRef parameters[] = {LLVMPointerTypeInContext(w->context, 0), w->word};
    LLVMValueRef cut = state_add_call(&w->state, "__irprof_window_cut", MEMBER_CUT, parameters, 2), a[2];
    LLVMValueRef f = state_add_inline(module, "__irprof_window_take", LLVMVoidTypeInContext(w->context), parameters, 2);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->context);
    LLVMGetParams(f, a);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef place = LLVMBuildStructGEP2(b, w->state.type, a[0], MEMBER_LEFT, "");
    LLVMValueRef left = LLVMBuildSub(b, LLVMBuildLoad2(b, w->word, place, ""), a[1], "");
    LLVMBuildStore(b, left, place);
    state_jump(b, LLVMBuildICmp(b, LLVMIntSGE, left, LLVMConstNull(w->word), ""), done, call);
    LLVMPositionBuilderAtEnd(b, call);
    state_call(b, cut, a, 2);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

static void begin(struct cutter *w, LLVMModuleRef module, uint64_t accesses)
{
    w->context = LLVMGetModuleContext(module);
    w->word = LLVMInt64TypeInContext(w->context);
    LLVMTypeRef members[] = {LLVMPointerTypeInContext(w->context, 0), w->word};
    LLVMValueRef field = LLVMConstInt(w->word, accesses, 0);
    LLVMValueRef model =
        state_add_constant(module, "__irprof_window_model", LLVMConstStructInContext(w->context, &field, 1, 0));
    state_make(&w->state, module, LLVMStructTypeInContext(w->context, members, 2, 0), "windows", "irprof_rt_windows",
               model);
    w->take = add_take(w, module);
}

void window_insert(struct plan *plan, const struct place_target *t)
{
    struct cutter w = {0};
    uint64_t each = plan->options ? plan->options->windows : 0;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(t->module));
    for (size_t k = 0; each && k < plan->functions.n; k++) {
        const struct plan_function *f = &plan->functions.at[k];
        for (size_t i = 0; i < f->segments.n; i++) {
            uint64_t n = accesses_of(&f->segments.at[i]);
            if (!n || f->not_counted)
                continue;
            if (!plan->windows)
                begin(&w, t->module, each);
            plan->windows = true;
            LLVMValueRef a[] = {state_in(&w.state, f->function), LLVMConstInt(w.word, n, 0)};
            LLVMPositionBuilderBefore(b, f->segments.at[i].at);
            state_call(b, w.take, a, 2);
        }
    }
    LLVMDisposeBuilder(b);
}
