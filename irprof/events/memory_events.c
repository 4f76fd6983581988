/*
 * Accesses to memory: what an instruction reads and writes, and the code that
 * simulates it.
 *
 * Where an access hits and changes nothing (sim_recent of sim/cache/cache.h), which is nearly
 * always, that code is some six instructions in place; all else is a call. How
 * many accesses there are follows from how often the segment is executed, so that
 * counters are only needed for what the call finds: misses, and lines beyond the first.
 */
#include <string.h>

#include <llvm-c/Target.h>

#include "irprof/events/events.h"
#include "irprof/module/llvm.h"
#include "irprof/module/options.h"
#include "irprof/runtime/rt_events.h"
#include "irprof/events/state.h"

enum access_kind {
    ONE,    /* one access of `bytes`, at most a line */
    RANGE,  /* an access of `size` bytes, or of `bytes` if that is NULL */
    PACKED, /* as many consecutive elements as `mask` has bits set */
    MASKED, /* the elements of an array whose bit in `mask` is set */
    LANES   /* each element has its own address */
};
struct access {
    enum access_kind kind;
    bool write;
    bool wide;            /* ONE: it may cross a line's border */
    unsigned times;       /* ONE: number of accesses that it counts as */
    uint64_t bytes;       /* of an element, in the last three kinds */
    unsigned elements;    /* number of elements, in the last three kinds */
    LLVMTypeRef scalable; /* RANGE: a type whose size is known at run time only; else NULL */
    LLVMValueRef address, size, mask;
};

/* ---- what an instruction accesses ---- */

static LLVMModuleRef module_of(LLVMValueRef i)
{
    return LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
}

static uint64_t size_of(LLVMValueRef i, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module_of(i)), type);
}

/* An access of `bytes` from an address that is a multiple of `align`. */
static struct access fixed(LLVMValueRef address, uint64_t bytes, uint64_t align, bool write, uint32_t line)
{
    struct access a = {
        .kind = bytes <= line ? ONE : RANGE, .write = write, .times = 1, .bytes = bytes, .address = address};
    a.wide = bytes > (align < line ? align : line);
    return a;
}

static struct access typed(LLVMValueRef i, LLVMValueRef address, LLVMTypeRef type, bool write, uint32_t line)
{
    if (LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind)
        return (struct access){.kind = RANGE, .write = write, .address = address, .scalable = type};
    return fixed(address, size_of(i, type), LLVMGetAlignment(i), write, line);
}

static struct access ranged(LLVMValueRef address, LLVMValueRef size, bool write, uint32_t line)
{
    if (LLVMIsAConstantInt(size))
        return fixed(address, LLVMConstIntGetZExtValue(size), 1, write, line);
    return (struct access){.kind = RANGE, .write = write, .address = address, .size = size};
}

/* Some elements of a vector of at most 64. Scalable vectors are left out. */
static size_t vector(struct access *a, LLVMValueRef i, enum access_kind kind, LLVMValueRef address, LLVMTypeRef type,
                     LLVMValueRef mask, bool write)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) > 64)
        return 0;
    *a = (struct access){.kind = kind, .write = write, .address = address, .mask = mask};
    a->bytes = size_of(i, LLVMGetElementType(type));
    a->elements = LLVMGetVectorSize(type);
    return 1;
}

static bool is_word(const char *name, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(name, word, n) == 0;
}

static size_t accesses_of_call(struct access a[2], LLVMValueRef i, uint32_t line)
{
    size_t n;
    const char *name = llvm_intrinsic_name(LLVMGetCalledValue(i), &n);
    if (!name)
        return 0;
#define ARGUMENT(k) LLVMGetOperand(i, k)
/* Counted from the last one: until LLVM 21 an alignment stands before masks. */
#define LAST(k) LLVMGetOperand(i, LLVMGetNumArgOperands(i) - 1 - (k))
    if (is_word(name, n, "llvm.memset") || is_word(name, n, "llvm.memset.inline")) {
        a[0] = ranged(ARGUMENT(0), ARGUMENT(2), true, line);
        return 1;
    }
    if (is_word(name, n, "llvm.memcpy") || is_word(name, n, "llvm.memcpy.inline") || is_word(name, n, "llvm.memmove")) {
        a[0] = ranged(ARGUMENT(1), ARGUMENT(2), false, line);
        a[1] = ranged(ARGUMENT(0), ARGUMENT(2), true, line);
        return 2;
    }
    if (is_word(name, n, "llvm.masked.load"))
        return vector(a, i, MASKED, ARGUMENT(0), LLVMTypeOf(i), LAST(1), false);
    if (is_word(name, n, "llvm.masked.store"))
        return vector(a, i, MASKED, ARGUMENT(1), LLVMTypeOf(ARGUMENT(0)), LAST(0), true);
    if (is_word(name, n, "llvm.masked.expandload"))
        return vector(a, i, PACKED, ARGUMENT(0), LLVMTypeOf(i), ARGUMENT(1), false);
    if (is_word(name, n, "llvm.masked.compressstore"))
        return vector(a, i, PACKED, ARGUMENT(1), LLVMTypeOf(ARGUMENT(0)), ARGUMENT(2), true);
    if (is_word(name, n, "llvm.masked.gather"))
        return vector(a, i, LANES, ARGUMENT(0), LLVMTypeOf(i), LAST(1), false);
    if (is_word(name, n, "llvm.masked.scatter"))
        return vector(a, i, LANES, ARGUMENT(1), LLVMTypeOf(ARGUMENT(0)), LAST(0), true);
#undef ARGUMENT
#undef LAST
    return 0;
}

/* Is the pointer an address? In other address spaces (x86: fs and gs) it is not. */
static bool is_plain_pointer(LLVMValueRef address)
{
    LLVMTypeRef type = LLVMTypeOf(address);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetPointerAddressSpace(type) == 0;
}

/* The accesses of an instruction, in order: at most two. */
static size_t accesses_of(struct access a[2], LLVMValueRef i, uint32_t line)
{
    size_t n = 1;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        a[0] = typed(i, LLVMGetOperand(i, 0), LLVMTypeOf(i), false, line);
        break;
    case LLVMStore:
        a[0] = typed(i, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)), true, line);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: /* a load and a store of the same line */
        a[0] = typed(i, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)), true, line);
        a[0].times = 2;
        break;
    case LLVMCall:
        n = accesses_of_call(a, i, line);
        break;
    default:
        return 0;
    }
    size_t plain = 0;
    for (size_t k = 0; k < n; k++)
        if (is_plain_pointer(a[k].address) && (a[k].kind != ONE || a[k].bytes))
            a[plain++] = a[k];
    return plain;
}

/* ---- the plan ---- */

void memory_plan(struct plan *plan, struct plan_part *part, LLVMValueRef instruction)
{
    struct access a[2];
    const struct instrument_options *o = plan->options;
    size_t n = o->memory ? accesses_of(a, instruction, o->levels.l1d.line) : 0;
    if (!n)
        return;
    /* one after the other, in the order that the runtime expects */
    struct plan_site site = {.at = instruction, .value = plan_event_counter(plan, part, "L1D_CACHE_REFILL")};
    if (o->levels.l2.size) {
        plan_event_counter(plan, part, "L2D_CACHE");
        plan_event_counter(plan, part, "L2D_CACHE_REFILL");
    }
    if (o->levels.prefetch.streams)
        plan_event_counter(plan, part, "L1D_CACHE_REFILL_HWPRF");
    if (o->levels.prefetch.streams && o->levels.l2.size)
        plan_event_counter(plan, part, "L2D_CACHE_REFILL_HWPRF");
    for (size_t k = 0; k < n; k++) {
        if (a[k].kind == ONE)
            plan_event_times(plan, part, "L1D_CACHE", a[k].times);
        if (a[k].kind != ONE || a[k].wide)
            site.lines = plan_event_counter(plan, part, "L1D_CACHE");
    }
    vec_push(&plan->accesses, site);
}

/* ---- the code ---- */

enum { MEMBER_ACCESS, MEMBER_MASKED, MEMBER_READ, MEMBER_WRITTEN };

struct inserter {
    const struct plan *plan;
    const struct place_target *target;
    LLVMContextRef context;
    LLVMBuilderRef b;
    LLVMTypeRef pointer, word, size, flags; /* `size` has the width of an address */
    struct state state;
    LLVMValueRef access, masked;  /* functions that are called */
    LLVMValueRef inlined[2][2];   /* by write and wide; each is made when it is first needed */
    const struct plan_site *site; /* held back, since the next access may be to the same line; or NULL */
    struct access waiting;
};

/* struct irprof_rt_cache_model of runtime/rt_events.h. */
static LLVMValueRef model(struct inserter *w)
{
    const struct sim_cache_levels *levels = &w->plan->options->levels;
    const struct sim_cache *caches[] = {&levels->l1d, &levels->l2};
    LLVMTypeRef byte = LLVMInt8TypeInContext(w->context);
    LLVMValueRef all[3];
    for (size_t i = 0; i < 2; i++) {
        LLVMValueRef fields[] = {
            LLVMConstInt(w->word, caches[i]->size, 0),
            LLVMConstInt(w->flags, caches[i]->ways, 0),
            LLVMConstInt(w->flags, caches[i]->line, 0),
            LLVMConstInt(w->flags, caches[i]->replacement, 0),
        };
        all[i] = LLVMConstStructInContext(w->context, fields, 4, 0);
    }
    LLVMValueRef prefetch[] = {
        LLVMConstInt(byte, levels->prefetch.streams, 0),
        LLVMConstInt(byte, levels->prefetch.trigger, 0),
        LLVMConstInt(byte, levels->prefetch.ahead, 0),
        LLVMConstInt(byte, levels->prefetch.stride, 0),
    };
    all[2] = LLVMConstStructInContext(w->context, prefetch, 4, 0);
    LLVMValueRef fields[] = {LLVMConstStructInContext(w->context, all, 3, 0),
                             LLVMConstInt(w->flags, w->plan->options->cold_regions, 0)};
    return state_add_constant(w->target->module, "__irprof_cache_model",
                              LLVMConstStructInContext(w->context, fields, 2, 0));
}

static void begin(struct inserter *w, const struct plan *plan, const struct place_target *target)
{
    LLVMContextRef context = LLVMGetModuleContext(target->module);
    *w =
        (struct inserter){.plan = plan, .target = target, .context = context, .b = LLVMCreateBuilderInContext(context)};
    w->pointer = LLVMPointerTypeInContext(context, 0);
    w->word = LLVMInt64TypeInContext(context);
    w->flags = LLVMInt32TypeInContext(context);
    w->size = LLVMIntPtrTypeInContext(context, LLVMGetModuleDataLayout(target->module));
    LLVMTypeRef recent = LLVMArrayType2(w->size, SIM_RECENT);
    LLVMTypeRef members[] = {w->pointer, w->pointer, recent, recent};
    state_make(&w->state, target->module, LLVMStructTypeInContext(context, members, 4, 0), "caches", "irprof_rt_caches",
               model(w));
    LLVMTypeRef access[] = {w->pointer, w->size, w->size, w->flags, w->pointer, w->pointer};
    w->access = state_add_call(&w->state, "__irprof_access", MEMBER_ACCESS, access, 6);
    LLVMTypeRef masked[] = {w->pointer, w->size, w->word, w->flags, w->pointer, w->pointer};
    w->masked = state_add_call(&w->state, "__irprof_access_masked", MEMBER_MASKED, masked, 6);
}

/* void (state, ptr address, size, flags, counters, lines): returns if it is a hit that changes nothing, else calls. */
static LLVMValueRef add_inlined(struct inserter *w, bool write, bool wide)
{
    static const char *const names[2][2] = {{"__irprof_read", "__irprof_read_wide"},
                                            {"__irprof_write", "__irprof_write_wide"}};
    const struct sim_cache_levels *levels = &w->plan->options->levels;
    LLVMTypeRef parameters[] = {w->pointer, w->pointer, w->size, w->flags, w->pointer, w->pointer};
    LLVMValueRef f =
        state_add_inline(w->target->module, names[write][wide], LLVMVoidTypeInContext(w->context), parameters, 6);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->context);
    LLVMValueRef a[6], shift = LLVMConstInt(w->size, sim_caches_shift(levels), 0);
    LLVMGetParams(f, a);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef address = LLVMBuildPtrToInt(b, a[1], w->size, "");
    LLVMValueRef line = LLVMBuildLShr(b, address, shift, "");
    LLVMValueRef place[] = {LLVMConstInt(w->flags, 0, 0),
                            LLVMConstInt(w->flags, write ? MEMBER_WRITTEN : MEMBER_READ, 0),
                            LLVMBuildAnd(b, line, LLVMConstInt(w->size, sim_caches_mask(levels), 0), "")};
    LLVMValueRef seen = LLVMBuildLoad2(b, w->size, LLVMBuildInBoundsGEP2(b, w->state.type, a[0], place, 3, ""), "");
    LLVMValueRef hit = LLVMBuildICmp(b, LLVMIntEQ, seen, line, "");
    if (wide) {
        LLVMValueRef last = LLVMBuildAdd(b, address, LLVMBuildSub(b, a[2], LLVMConstInt(w->size, 1, 0), ""), "");
        LLVMValueRef one = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildLShr(b, last, shift, ""), line, "");
        hit = LLVMBuildAnd(b, hit, one, "");
    }
    state_jump(b, hit, done, call);
    LLVMPositionBuilderAtEnd(b, call);
    state_call(b, w->access, (LLVMValueRef[]){a[0], address, a[2], a[3], a[4], a[5]}, 6);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

static LLVMValueRef flags_of(struct inserter *w, const struct access *a)
{
    unsigned flags = a->write ? RT_WRITE : 0;
    if (w->target->kind == IRPROF_COUNTERS_ATOMIC)
        flags |= RT_ATOMIC;
    if (a->kind != ONE)
        flags |= RT_ALL_LINES;
    if (a->kind == MASKED)
        flags |= (unsigned)a->bytes * RT_ELEMENT;
    return LLVMConstInt(w->flags, flags, 0);
}

/* The mask as an integer: bit n for element n. */
static LLVMValueRef mask_bits(struct inserter *w, const struct access *a)
{
    LLVMTypeRef type = LLVMIntTypeInContext(w->context, a->elements);
    return LLVMBuildZExt(w->b, LLVMBuildBitCast(w->b, a->mask, type, ""), w->word, "");
}

static LLVMValueRef bytes(struct inserter *w, uint64_t n)
{
    return LLVMConstInt(w->size, n, 0);
}

static LLVMValueRef size_of_packed(struct inserter *w, const struct access *a)
{
    static const char name[] = "llvm.ctpop";
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef ctpop = LLVMGetIntrinsicDeclaration(w->target->module, id, &w->word, 1);
    LLVMValueRef bits = mask_bits(w, a);
    LLVMValueRef n = LLVMBuildCall2(w->b, LLVMGlobalGetValueType(ctpop), ctpop, &bits, 1, "");
    return LLVMBuildMul(w->b, LLVMBuildIntCast2(w->b, n, w->size, 0, ""), bytes(w, a->bytes), "");
}

/* The size in bytes of a RANGE or PACKED access. */
static LLVMValueRef size_of_range(struct inserter *w, const struct access *a)
{
    if (a->kind == PACKED)
        return size_of_packed(w, a);
    if (a->scalable) {
        LLVMValueRef one = LLVMConstInt(w->flags, 1, 0);
        LLVMValueRef end = LLVMBuildGEP2(w->b, a->scalable, LLVMConstNull(w->pointer), &one, 1, "");
        return LLVMBuildPtrToInt(w->b, end, w->size, "");
    }
    return a->size ? LLVMBuildIntCast2(w->b, a->size, w->size, 0, "") : bytes(w, a->bytes);
}

static void insert_lanes(struct inserter *w, const struct access *a, LLVMValueRef arguments[6])
{
    for (unsigned k = 0; k < a->elements; k++) {
        LLVMValueRef lane = LLVMConstInt(w->flags, k, 0);
        LLVMValueRef address = LLVMBuildExtractElement(w->b, a->address, lane, "");
        LLVMValueRef active = LLVMBuildExtractElement(w->b, a->mask, lane, "");
        arguments[1] = LLVMBuildPtrToInt(w->b, address, w->size, "");
        arguments[2] = LLVMBuildSelect(w->b, active, bytes(w, a->bytes), bytes(w, 0), "");
        state_call(w->b, w->access, arguments, 6);
    }
}

static void insert_access(struct inserter *w, const struct plan_site *site, const struct access *a)
{
    LLVMPositionBuilderBefore(w->b, site->at);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(site->at));
    LLVMValueRef counters = place_counter(w->target, w->b, site->value), lines = LLVMConstNull(w->pointer);
    if (a->kind != ONE || a->wide)
        lines = place_counter(w->target, w->b, site->lines);
    LLVMValueRef arguments[] = {
        state_in(&w->state, function), a->address, bytes(w, a->bytes), flags_of(w, a), counters, lines};
    if (a->kind == ONE) {
        LLVMValueRef *inlined = &w->inlined[a->write][a->wide];
        if (!*inlined)
            *inlined = add_inlined(w, a->write, a->wide);
        state_call(w->b, *inlined, arguments, 6);
        return;
    }
    if (a->kind == LANES) {
        insert_lanes(w, a, arguments);
        return;
    }
    arguments[1] = LLVMBuildPtrToInt(w->b, a->address, w->size, "");
    arguments[2] = a->kind == MASKED ? mask_bits(w, a) : size_of_range(w, a);
    state_call(w->b, a->kind == MASKED ? w->masked : w->access, arguments, 6);
}

static void insert_waiting(struct inserter *w)
{
    if (w->site)
        insert_access(w, w->site, &w->waiting);
    w->site = 0;
}

/* Can nothing be simulated between the access that was held back and `i`, and can control not leave there? */
static bool directly_after(const struct inserter *w, LLVMValueRef i)
{
    LLVMValueRef at = w->site->at;
    for (at = LLVMGetNextInstruction(at); at && at != i; at = LLVMGetNextInstruction(at)) {
        size_t n;
        if (LLVMIsACallInst(at) && !llvm_intrinsic_name(LLVMGetCalledValue(at), &n))
            return false;
    }
    return at == i;
}

/* Is the access within a line, and to the same address as the one before it? Then it hits in any cache, and the only
 * possible change is that the line becomes dirty. */
static bool joins(const struct inserter *w, const struct plan_site *site, const struct access *a)
{
    return w->site && a->kind == ONE && !a->wide && a->address == w->waiting.address && directly_after(w, site->at);
}

void memory_insert(const struct plan *plan, const struct place_target *t)
{
    struct inserter w;
    if (!plan->accesses.n)
        return;
    begin(&w, plan, t);
    for (size_t i = 0; i < plan->accesses.n; i++) {
        const struct plan_site *site = &plan->accesses.at[i];
        struct access a[2];
        size_t n = accesses_of(a, site->at, plan->options->levels.l1d.line);
        for (size_t k = 0; k < n; k++) {
            if (joins(&w, site, &a[k])) {
                w.waiting.write |= a[k].write;
                continue;
            }
            insert_waiting(&w);
            if (a[k].kind == ONE && !a[k].wide) {
                w.site = site;
                w.waiting = a[k];
            } else {
                insert_access(&w, site, &a[k]);
            }
        }
    }
    insert_waiting(&w);
    LLVMDisposeBuilder(w.b);
}
