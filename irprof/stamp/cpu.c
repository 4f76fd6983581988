/*
 * cpu.c - a stamp on a CPU. At the function's entry one call finds the thread's state; a stamp then is a straight
 * sequence without a branch, so the program's blocks stay what they are:
 *
 *     slot = min(count, limit); records[slot] = {clock, point, processor}; last = clock; count = count + 1
 *
 * The count is stored last, with release: whoever writes the thread's records at the end of the program finds them
 * whole.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "irprof/stamp/work.h"

struct cpu {
    struct work *w;
    LLVMValueRef state, never;
    unsigned point; /* the current point */
};

static LLVMValueRef marked(const struct cpu *c, LLVMValueRef v)
{
    mark_stamp(c->w, v, c->point);
    return v;
}

static LLVMValueRef offset(const struct cpu *c, LLVMValueRef from, LLVMValueRef bytes)
{
    return marked(c, LLVMBuildInBoundsGEP2(c->w->b, c->w->byte, from, &bytes, 1, ""));
}

static LLVMValueRef at(const struct cpu *c, LLVMValueRef from, unsigned bytes)
{
    return bytes ? offset(c, from, LLVMConstInt(c->w->word, bytes, 0)) : from;
}

static LLVMValueRef load(const struct cpu *c, LLVMTypeRef type, LLVMValueRef address)
{
    return marked(c, LLVMBuildLoad2(c->w->b, type, address, ""));
}

static LLVMValueRef store(const struct cpu *c, LLVMValueRef value, LLVMValueRef address)
{
    return marked(c, LLVMBuildStore(c->w->b, value, address));
}

/* Inserted at the function's entry. */
static void find_state(struct cpu *c)
{
    static const char name[] = "irprof_stamp_thread";
    struct work *w = c->w;
    LLVMTypeRef type = LLVMFunctionType(w->pointer, 0, 0, 0);
    LLVMValueRef f = LLVMGetNamedFunction(w->module, name);
    if (!f) {
        f = LLVMAddFunction(w->module, name, type);
        llvm_function_add(f, "nounwind");
    }
    c->state = marked(c, LLVMBuildCall2(w->b, type, f, 0, 0, ""));
}

static void load_never(struct cpu *c)
{
    static const char name[] = "irprof_stamp_never";
    struct work *w = c->w;
    LLVMValueRef flag = LLVMGetNamedGlobal(w->module, name);
    if (!flag)
        flag = LLVMAddGlobal(w->module, w->byte, name);
    LLVMValueRef byte = load(c, w->byte, flag);
    LLVMSetVolatile(byte, 1);
    c->never = marked(c, LLVMBuildICmp(w->b, LLVMIntNE, byte, LLVMConstNull(w->byte), ""));
}

static void take(struct cpu *c, const struct site *s)
{
    struct work *w = c->w;
    c->point = s->point;
    LLVMPositionBuilderBefore(w->b, s->at);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(s->at));
    LLVMValueRef count = load(c, w->word, c->state), limit = load(c, w->word, at(c, c->state, STAMP_AT_LIMIT));
    LLVMValueRef fits = marked(c, LLVMBuildICmp(w->b, LLVMIntULT, count, limit, ""));
    LLVMValueRef slot = marked(c, LLVMBuildSelect(w->b, fits, count, limit, ""));
    /* a record has 16 bytes */
    LLVMValueRef bytes = marked(c, LLVMBuildShl(w->b, slot, LLVMConstInt(w->word, 4, 0), ""));
    LLVMValueRef record = offset(c, at(c, c->state, STAMP_AT_RECORDS), bytes);
    LLVMValueRef clock = clock_read(w, s->point);
    store(c, clock, record);
    store(c, clock, at(c, c->state, STAMP_AT_LAST));
    LLVMValueRef first = load(c, w->half, at(c, w->data, offsetof(struct stamp_module, first)));
    LLVMValueRef point = marked(c, LLVMBuildAdd(w->b, first, LLVMConstInt(w->half, s->point, 0), ""));
    store(c, point, at(c, record, offsetof(struct stamp_record, point)));
    LLVMValueRef place = load(c, w->pointer, at(c, c->state, STAMP_AT_PROCESSOR));
    LLVMValueRef processor = load(c, w->half, place);
    LLVMSetVolatile(processor, 1);
    store(c, processor, at(c, record, offsetof(struct stamp_record, processor)));
    LLVMValueRef more = marked(c, LLVMBuildAdd(w->b, count, LLVMConstInt(w->word, 1, 0), ""));
    LLVMValueRef done = store(c, more, c->state);
    LLVMSetAlignment(done, 8);
    LLVMSetOrdering(done, LLVMAtomicOrderingRelease);
}

enum status cpu_stamp(struct work *w, struct stamped_function *f, struct error *e)
{
    struct cpu c = {.w = w, .point = f->sites.at[0].point};
    struct results results = {0};
    bool replace = w->options->mode == STAMP_REPLACE;
    enum status s = replace ? results_find(w, &results, f->function, e) : OK;
    if (s)
        return s;
    LLVMValueRef entry = first_place(LLVMGetEntryBasicBlock(f->function));
    LLVMPositionBuilderBefore(w->b, entry);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(entry));
    find_state(&c);
    if (results.all.n)
        load_never(&c);
    w->n_results += results.all.n;
    for (size_t i = 0; i < f->sites.n; i++)
        take(&c, &f->sites.at[i]);
    for (size_t i = 0; i < results.all.n; i++) {
        const struct result *r = &results.all.at[i];
        c.point = r->point;
        LLVMPositionBuilderBefore(w->b, r->store);
        LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(r->store));
        result_replace(w, r, c.never, load(&c, w->word, at(&c, c.state, STAMP_AT_LAST)));
    }
    vec_release(&results.all);
    return OK;
}
