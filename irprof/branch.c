/*
 * Conditional branches: each has a number, a hash of where it stands, and code before
 * it that predicts it (sim/branch.h). A right prediction that changes nothing but the
 * history is some eight instructions in place; all else is a call.
 */
#include <string.h>

#include "base/map.h"
#include "irprof/branch_switch.h"
#include "irprof/events.h"
#include "irprof/options.h"
#include "irprof/runtime/rt_events.h"
#include "irprof/state.h"

void branch_plan(struct plan *plan, struct plan_part *part, LLVMValueRef i)
{
    if (!plan->options->branches || LLVMGetInstructionOpcode(i) != LLVMBr || !LLVMIsConditional(i))
        return;
    if (LLVMGetSuccessor(i, 0) == LLVMGetSuccessor(i, 1))
        return; /* no branch in the code */
    size_t event = map_number(&plan->events, "BR_MIS_PRED"), counter = PLAN_SEGMENT;
    for (size_t k = 0; k < part->events.n; k++)
        if (part->events.at[k].event == event)
            counter = part->events.at[k].value;
    if (counter == PLAN_SEGMENT) {
        counter = plan_add_counter(plan);
        plan_add_event(plan, part, "BR_MIS_PRED", counter, 1);
    }
    vec_push(&plan->branches, (struct plan_site){.at = i, .value = counter});
}

enum { MEMBER_LEARN, MEMBER_RESERVED, MEMBER_HISTORY, MEMBER_TABLE_MASK, MEMBER_HISTORY_MASK, MEMBER_COUNTERS };

struct branch_inserter {
    const struct place_target *target;
    struct sim_predictor_kind kind;
    bool cold;     /* forgets at the begin of a region */
    uint32_t seen; /* the bits of a branch's number that the predictor sees */
    LLVMContextRef context;
    LLVMTypeRef pointer, word, byte; /* `word`: 32 bits */
    struct state state;
    LLVMValueRef predict; /* inlined */
};

static LLVMValueRef word(const struct branch_inserter *w, uint64_t v)
{
    return LLVMConstInt(w->word, v, 0);
}

/* struct irprof_rt_predictor_model of runtime/rt_events.h. */
static LLVMValueRef model(struct branch_inserter *w)
{
    LLVMValueRef fields[] = {word(w, w->kind.scheme), word(w, w->kind.table_bits), word(w, w->kind.history_bits)};
    LLVMValueRef both[] = {LLVMConstStructInContext(w->context, fields, 3, 0), word(w, w->cold)};
    return state_add_constant(w->target->module, "__irprof_predictor_model",
                              LLVMConstStructInContext(w->context, both, 2, 0));
}

static LLVMValueRef member(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef state, unsigned number)
{
    return LLVMBuildStructGEP2(b, w->state.type, state, number, "");
}

/* The number of the two-bit counter; keeps in mind which way the branch goes. */
static LLVMValueRef look_up(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef state, LLVMValueRef number,
                            LLVMValueRef taken)
{
    if (w->kind.scheme == SIM_GSHARE) {
        LLVMValueRef place = member(w, b, state, MEMBER_HISTORY), history = LLVMBuildLoad2(b, w->word, place, "");
        LLVMValueRef longer = LLVMBuildOr(b, LLVMBuildShl(b, history, word(w, 1), ""), taken, "");
        number = LLVMBuildXor(b, number, history, "");
        LLVMBuildStore(b, LLVMBuildAnd(b, longer, word(w, (UINT64_C(1) << w->kind.history_bits) - 1), ""), place);
    }
    return LLVMBuildAnd(b, number, word(w, (UINT64_C(1) << w->kind.table_bits) - 1), "");
}

/* void (state, number, i1 taken, flags, counter) */
static LLVMValueRef add_predict(struct branch_inserter *w, LLVMValueRef learn)
{
    LLVMTypeRef parameters[] = {w->pointer, w->word, LLVMInt1TypeInContext(w->context), w->word, w->pointer};
    LLVMValueRef f =
        state_add_inline(w->target->module, "__irprof_predict", LLVMVoidTypeInContext(w->context), parameters, 5);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->context);
    LLVMValueRef a[5];
    LLVMGetParams(f, a);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef taken = LLVMBuildZExt(b, a[2], w->word, "");
    LLVMValueRef number = look_up(w, b, a[0], a[1], taken);
    LLVMValueRef place[] = {word(w, 0), word(w, MEMBER_COUNTERS), number};
    LLVMValueRef counter = LLVMBuildLoad2(b, w->byte, LLVMBuildInBoundsGEP2(b, w->state.type, a[0], place, 3, ""), "");
    LLVMValueRef sure = LLVMBuildSelect(b, a[2], LLVMConstInt(w->byte, SIM_COUNTER_MAX, 0), LLVMConstNull(w->byte), "");
    state_jump(b, LLVMBuildICmp(b, LLVMIntEQ, counter, sure, ""), done, call);
    LLVMPositionBuilderAtEnd(b, call);
    state_call(b, learn, (LLVMValueRef[]){a[0], number, taken, a[3], a[4]}, 5);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

static void begin(struct branch_inserter *w, const struct plan *plan, const struct place_target *target)
{
    LLVMContextRef context = LLVMGetModuleContext(target->module);
    *w = (struct branch_inserter){.target = target, .kind = plan->options->predictor, .context = context};
    w->cold = plan->options->cold_regions;
    w->seen = (UINT32_C(1) << plan->options->place_bits) - 1;
    w->pointer = LLVMPointerTypeInContext(context, 0);
    w->word = LLVMInt32TypeInContext(context);
    w->byte = LLVMInt8TypeInContext(context);
    /* struct irprof_rt_predictor and struct sim_predictor */
    LLVMTypeRef members[] = {w->pointer, w->pointer, w->word,
                             w->word,    w->word,    LLVMArrayType2(w->byte, UINT64_C(1) << w->kind.table_bits)};
    state_make(&w->state, target->module, LLVMStructTypeInContext(context, members, 6, 0), "predictor",
               "irprof_rt_predictor", model(w));
    LLVMTypeRef learn[] = {w->pointer, w->word, w->word, w->word, w->pointer};
    w->predict = add_predict(w, state_add_call(&w->state, "__irprof_learn", MEMBER_LEARN, learn, 5));
}

/* Where a branch stands: the same wherever and whenever the program is built from the same sources. */
static uint32_t number_of(LLVMValueRef branch, uint64_t module_hash, unsigned block)
{
    size_t n;
    const char *name = LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(branch)), &n);
    uint64_t hash = hash_bytes(hash_bytes(module_hash, name, n), &block, sizeof block);
    return (uint32_t)(hash ^ hash >> 32);
}

static uint64_t module_hash(LLVMModuleRef module)
{
    size_t n;
    const char *path = LLVMGetSourceFileName(module, &n), *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    return hash_bytes(HASH_START, name, strlen(name));
}

void branch_predict(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef arguments[5])
{
    LLVMValueRef seen[5];
    memcpy(seen, arguments, sizeof seen);
    seen[1] = word(w, LLVMConstIntGetZExtValue(arguments[1]) & w->seen);
    state_call(b, w->predict, seen, 5);
}

static void insert_branches(struct branch_inserter *w, const struct plan *plan, LLVMBuilderRef b, LLVMValueRef flags)
{
    LLVMValueRef function = 0;
    uint64_t hash = module_hash(w->target->module);
    unsigned number = 0;
    for (size_t i = 0; i < plan->branches.n; i++) {
        LLVMValueRef branch = plan->branches.at[i].at;
        LLVMValueRef parent = LLVMGetBasicBlockParent(LLVMGetInstructionParent(branch));
        number = parent == function ? number + 1 : 0; /* of the branch in its function */
        function = parent;
        LLVMPositionBuilderBefore(b, branch);
        LLVMValueRef counter = place_counter(w->target, b, plan->branches.at[i].value);
        LLVMValueRef arguments[] = {state_in(&w->state, function), word(w, number_of(branch, hash, number)),
                                    LLVMGetCondition(branch), flags, counter};
        branch_predict(w, b, arguments);
    }
}

static void insert_switches(struct branch_inserter *w, const struct plan *plan, LLVMBuilderRef b, LLVMValueRef flags)
{
    bool atomic = w->target->kind == IRPROF_COUNTERS_ATOMIC;
    uint64_t hash = hash_bytes(module_hash(w->target->module), "switch", strlen("switch"));
    for (size_t i = 0; i < plan->switches.n; i++) {
        const struct plan_site *site = &plan->switches.at[i];
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(site->at));
        LLVMValueRef simulate =
            switch_function(w, w->target->module, site->at, number_of(site->at, hash, (unsigned)i), atomic);
        LLVMPositionBuilderBefore(b, site->at);
        LLVMTypeRef wide = LLVMInt64TypeInContext(w->context);
        LLVMValueRef arguments[] = {state_in(&w->state, function),
                                    LLVMBuildSExt(b, LLVMGetOperand(site->at, 0), wide, ""), flags,
                                    place_counter(w->target, b, site->value), place_counter(w->target, b, site->lines)};
        state_call(b, simulate, arguments, 5);
    }
}

void branch_insert(const struct plan *plan, const struct place_target *t)
{
    struct branch_inserter w;
    if (!plan->branches.n && !plan->switches.n)
        return;
    begin(&w, plan, t);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w.context);
    LLVMValueRef flags = word(&w, t->kind == IRPROF_COUNTERS_ATOMIC ? RT_ATOMIC : 0);
    insert_branches(&w, plan, b, flags);
    insert_switches(&w, plan, b, flags);
    LLVMDisposeBuilder(b);
}
