/*
 * branch_events.c - simulates conditional branches. Each has a number, a hash of its place, and code before it that
 * predicts it (sim/branch/branch.h). A correct prediction that only changes the history is some eight instructions in
 * place; anything else is a call. A branch through a register is predicted to go where the latest one with the same
 * table entry went, all in place.
 */
#include <assert.h>
#include <string.h>

#include "base/instructions.h"
#include "base/map.h"
#include "irprof/events/branch_private.h"
#include "irprof/events/events.h"
#include "irprof/module/condition.h"
#include "irprof/module/llvm.h"
#include "irprof/module/options.h"
#include "irprof/runtime/rt_events.h"
#include "irprof/events/state.h"

size_t branch_add_counters(struct plan *plan, struct plan_part *part)
{
    size_t first = plan->n_counters;
    struct str name = STR_INIT;
    for (size_t k = 0; k < plan->options->n_predictors; k++) {
        str_clear(&name);
        str_add(&name, IRPROF_MISPREDICTED);
        if (k) {
            str_addch(&name, ':');
            predictor_describe(&name, &plan->options->predictors[k]);
        }
        plan_add_event(plan, part, str_text(&name), plan_add_counter(plan), 1);
    }
    str_release(&name);
    return first;
}

size_t branch_counters_of(struct plan *plan, struct plan_part *part)
{
    size_t event = map_number(&plan->events, IRPROF_MISPREDICTED);
    for (size_t k = 0; k < part->events.n; k++)
        if (part->events.at[k].event == event)
            return part->events.at[k].value;
    return branch_add_counters(plan, part);
}

/* Branches of one part share counters. */
void branch_plan(struct plan *plan, struct plan_part *part, LLVMValueRef i)
{
    if (!plan->options->n_predictors || LLVMGetInstructionOpcode(i) != LLVMBr || !LLVMIsConditional(i))
        return;
    if (LLVMGetSuccessor(i, 0) == LLVMGetSuccessor(i, 1))
        return; /* makes no branch in the code */
    vec_push(&plan->branches, (struct plan_site){.at = i, .value = branch_counters_of(plan, part), .code = {.n = 1}});
}

enum {
    MEMBER_LEARN,
    MEMBER_TARGETS, /* number of entries */
    MEMBER_LAST,
    MEMBER_HISTORY,
    MEMBER_TABLE_MASK,
    MEMBER_HISTORY_MASK,
    MEMBER_SCHEME,
    MEMBER_COUNTERS
};

struct branch_inserter {
    const struct place_target *target;
    struct irprof_rt_predictor_model model;
    struct sim_predictor_kind kind; /* of the first predictor */
    bool in_place;                  /* there is only one predictor, and inserted code looks up its predictions */
    LLVMContextRef context;
    LLVMTypeRef pointer, word, byte; /* `word`: 32 bits */
    struct state state;
    LLVMValueRef predict; /* inlined */
    uint64_t next_jump;
};

static LLVMValueRef word(const struct branch_inserter *w, uint64_t v)
{
    return LLVMConstInt(w->word, v, 0);
}

/* struct irprof_rt_predictor_model of runtime/rt_events.h: nothing but words of 32 bits. */
static LLVMValueRef model(struct branch_inserter *w)
{
    enum { WORDS = sizeof w->model / sizeof(uint32_t) };
    uint32_t words[WORDS];
    LLVMValueRef fields[WORDS];
    memcpy(words, &w->model, sizeof words);
    for (size_t i = 0; i < WORDS; i++)
        fields[i] = word(w, words[i]);
    return state_add_constant(w->target->module, "__irprof_predictor_model",
                              LLVMConstStructInContext(w->context, fields, WORDS, 0));
}

static LLVMValueRef member(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef state, unsigned number)
{
    return LLVMBuildStructGEP2(b, w->state.type, state, number, "");
}

/* Returns the index of the two-bit counter, and adds the branch's direction to the history. */
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

/* Predicts in place; calls if the counter must change. */
static void predict_in_place(struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef a[5],
                             LLVMValueRef learn)
{
    LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(w->context, f, "");
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
}

/* void (state, number, i1 taken, flags, counter) */
static LLVMValueRef add_predict(struct branch_inserter *w, LLVMValueRef learn)
{
    LLVMTypeRef parameters[] = {w->pointer, w->word, LLVMInt1TypeInContext(w->context), w->word, w->pointer};
    LLVMValueRef f =
        state_add_inline(w->target->module, "__irprof_predict", LLVMVoidTypeInContext(w->context), parameters, 5);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->context);
    LLVMValueRef a[5];
    LLVMGetParams(f, a);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(w->context, f, ""));
    if (w->in_place)
        predict_in_place(w, b, f, a, learn);
    else
        state_call(b, learn, (LLVMValueRef[]){a[0], a[1], LLVMBuildZExt(b, a[2], w->word, ""), a[3], a[4]}, 5);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

static void take_predictors(struct branch_inserter *w, const struct instrument_options *o)
{
    static_assert((int)INSTRUMENT_PREDICTORS_MAX == (int)RT_PREDICTORS_MAX, "the runtime has room for as many");
    static_assert((int)OPTIONS_TARGETS_MAX == (int)RT_TARGETS_MAX, "likewise");
    w->model = (struct irprof_rt_predictor_model){
        .cold = o->cold_regions, .n = (uint32_t)o->n_predictors, .targets = options_targets(o)};
    for (size_t i = 0; i < o->n_predictors; i++) {
        w->model.at[i].kind = o->predictors[i].kind;
        w->model.at[i].seen = (uint32_t)((UINT64_C(1) << o->predictors[i].place_bits) - 1);
    }
    w->kind = w->model.at[0].kind;
    w->in_place = rt_predicts_in_place(&w->model);
}

static uint64_t module_hash(LLVMModuleRef module)
{
    size_t n;
    const char *path = LLVMGetSourceFileName(module, &n), *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    return hash_bytes(HASH_START, name, strlen(name));
}

static void begin(struct branch_inserter *w, const struct plan *plan, const struct place_target *target)
{
    LLVMContextRef context = LLVMGetModuleContext(target->module);
    *w = (struct branch_inserter){.target = target, .context = context};
    take_predictors(w, plan->options);
    w->pointer = LLVMPointerTypeInContext(context, 0);
    w->word = LLVMInt32TypeInContext(context);
    w->byte = LLVMInt8TypeInContext(context);
    /* struct irprof_rt_predictor, its table and struct sim_predictor */
    LLVMTypeRef members[] = {
        w->pointer, w->pointer, LLVMArrayType2(LLVMInt64TypeInContext(context), w->model.targets), w->word, w->word,
        w->word,    w->word,    LLVMArrayType2(w->byte, UINT64_C(1) << w->kind.table_bits)};
    state_make(&w->state, target->module, LLVMStructTypeInContext(context, members, w->in_place ? 8 : 3, 0),
               "predictor", "irprof_rt_predictor", model(w));
    LLVMTypeRef learn[] = {w->pointer, w->word, w->word, w->word, w->pointer};
    w->predict = add_predict(w, state_add_call(&w->state, "__irprof_learn", MEMBER_LEARN, learn, 5));
    w->next_jump = module_hash(target->module) >> 1;
}

/* A number for the branch's place. It is the same wherever and whenever the same sources are built. */
static uint32_t number_of(LLVMValueRef branch, uint64_t module_hash, unsigned block)
{
    size_t n;
    const char *name = LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(branch)), &n);
    uint64_t hash = hash_bytes(hash_bytes(module_hash, name, n), &block, sizeof block);
    return (uint32_t)(hash ^ hash >> 32);
}

void branch_predict(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef arguments[5])
{
    LLVMValueRef seen[5];
    memcpy(seen, arguments, sizeof seen);
    if (w->in_place)
        seen[1] = word(w, LLVMConstIntGetZExtValue(arguments[1]) & w->model.at[0].seen);
    state_call(b, w->predict, seen, 5);
}

/* Adds `wrong` (0 or 1) to a counter. */
static void add(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef counter, LLVMValueRef wrong)
{
    if (w->target->kind == IRPROF_COUNTERS_ATOMIC) {
        LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpAdd, counter, wrong, LLVMAtomicOrderingMonotonic, 0);
        return;
    }
    LLVMValueRef sum = LLVMBuildLoad2(b, LLVMTypeOf(wrong), counter, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, sum, wrong, ""), counter);
}

/* Gives i64 1 if the entry holds another target, and stores this one in it. */
static LLVMValueRef look_up_target(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef state,
                                   uint64_t number, LLVMValueRef target)
{
    LLVMTypeRef wide = LLVMTypeOf(target);
    if (!w->model.targets)
        return LLVMConstInt(wide, 1, 0);
    LLVMValueRef at[] = {word(w, 0), word(w, MEMBER_LAST), word(w, number % w->model.targets)};
    LLVMValueRef place = LLVMBuildInBoundsGEP2(b, w->state.type, state, at, 3, "");
    LLVMValueRef wrong = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildLoad2(b, wide, place, ""), target, "");
    LLVMBuildStore(b, target, place);
    return LLVMBuildZExt(b, wrong, wide, "");
}

void branch_jump(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef state, uint64_t number,
                 LLVMValueRef target, LLVMValueRef counter)
{
    LLVMValueRef wrong = look_up_target(w, b, state, number, target);
    for (uint32_t k = 0; k < w->model.n; k++) { /* the same for each predictor */
        LLVMValueRef which = word(w, k);
        add(w, b, LLVMBuildInBoundsGEP2(b, LLVMTypeOf(target), counter, &which, 1, ""), wrong);
    }
}

uint64_t branch_jump_number(struct branch_inserter *w)
{
    return w->next_jump++;
}

/* ---- a condition that is several branches: a function of (state, flags, counter, the leaves ...) ---- */

enum { LEAF_STATE, LEAF_FLAGS, LEAF_COUNTER, LEAF_FIRST };

struct leaves {
    const struct condition *condition;
    const struct plan_branches *code;
    uint32_t number; /* of the first branch */
    LLVMValueRef function, a[LEAF_FIRST + CONDITION_LEAVES_MAX];
    LLVMBasicBlockRef blocks[CONDITION_LEAVES_MAX + 1]; /* the last one: the condition is decided */
};

static void add_leaves_function(struct branch_inserter *w, struct leaves *l)
{
    size_t n = l->condition->n;
    LLVMTypeRef types[LEAF_FIRST + CONDITION_LEAVES_MAX] = {w->pointer, w->word, w->pointer};
    for (size_t i = 0; i < n; i++)
        types[LEAF_FIRST + i] = LLVMInt1TypeInContext(w->context);
    l->function = state_add_inline(w->target->module, "__irprof_leaves", LLVMVoidTypeInContext(w->context), types,
                                   LEAF_FIRST + (unsigned)n);
    LLVMGetParams(l->function, l->a);
    for (size_t i = 0; i <= n; i++)
        l->blocks[i] = LLVMAppendBasicBlockInContext(w->context, l->function, "");
}

static LLVMBasicBlockRef leaf_block(const struct leaves *l, size_t leaf)
{
    return l->blocks[leaf < l->condition->n ? leaf : l->condition->n];
}

/* Predicts a leaf's branch, and goes where the leaf leads. */
static void predict_leaf(const struct branch_inserter *w, LLVMBuilderRef b, const struct leaves *l, unsigned i)
{
    const struct condition_leaf *leaf = &l->condition->leaves[i];
    LLVMPositionBuilderAtEnd(b, l->blocks[i]);
    LLVMValueRef holds = l->a[LEAF_FIRST + i];
    LLVMValueRef taken = l->code->inverted >> i & 1 ? LLVMBuildNot(b, holds, "") : holds;
    branch_predict(
        w, b, (LLVMValueRef[]){l->a[LEAF_STATE], word(w, l->number + i), taken, l->a[LEAF_FLAGS], l->a[LEAF_COUNTER]});
    LLVMBuildCondBr(b, holds, leaf_block(l, leaf->if_true), leaf_block(l, leaf->if_not));
}

static LLVMValueRef leaves_function(struct branch_inserter *w, const struct condition *c,
                                    const struct plan_branches *code, uint32_t number)
{
    struct leaves l = {.condition = c, .code = code, .number = number};
    add_leaves_function(w, &l);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->context);
    for (unsigned i = 0; i < c->n; i++)
        predict_leaf(w, b, &l, i);
    LLVMPositionBuilderAtEnd(b, l.blocks[c->n]);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return l.function;
}

/* `one`: as for branch_predict, for the whole condition. */
static void predict_leaves(struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef branch,
                           const struct plan_branches *code, LLVMValueRef one[5])
{
    struct condition c;
    condition_read(&c, branch, code->depth);
    LLVMValueRef a[LEAF_FIRST + CONDITION_LEAVES_MAX] = {one[0], one[3], one[4]};
    /* operands that the original code does not evaluate may be poison, hence the freeze */
    for (size_t i = 0; i < c.n; i++)
        a[LEAF_FIRST + i] = LLVMBuildFreeze(b, c.leaves[i].value, "");
    uint32_t number = (uint32_t)LLVMConstIntGetZExtValue(one[1]);
    state_call(b, leaves_function(w, &c, code, number), a, LEAF_FIRST + (unsigned)c.n);
}

static void insert_branches(struct branch_inserter *w, const struct plan *plan, LLVMBuilderRef b, LLVMValueRef flags)
{
    LLVMValueRef function = 0;
    uint64_t hash = module_hash(w->target->module);
    unsigned number = 0;
    for (size_t i = 0; i < plan->branches.n; i++) {
        LLVMValueRef branch = plan->branches.at[i].at;
        LLVMValueRef parent = LLVMGetBasicBlockParent(LLVMGetInstructionParent(branch));
        number = parent == function ? number + 1 : 0; /* number of the branch in its function */
        function = parent;
        const struct plan_branches *code = &plan->branches.at[i].code;
        if (!code->n)
            continue;
        LLVMPositionBuilderBefore(b, branch);
        LLVMValueRef counter = place_counter(w->target, b, plan->branches.at[i].value);
        LLVMValueRef arguments[] = {state_in(&w->state, function), word(w, number_of(branch, hash, number)),
                                    LLVMGetCondition(branch), flags, counter};
        if (code->n > 1) {
            predict_leaves(w, b, branch, code, arguments);
            continue;
        }
        if (code->inverted)
            arguments[2] = LLVMBuildNot(b, arguments[2], "");
        branch_predict(w, b, arguments);
    }
}

static void insert_switches(struct branch_inserter *w, const struct plan *plan, LLVMBuilderRef b, LLVMValueRef flags)
{
    const char *word = ir_instruction(IR_SWITCH)->name;
    uint64_t hash = hash_bytes(module_hash(w->target->module), word, strlen(word));
    for (size_t i = 0; i < plan->switches.n; i++) {
        const struct plan_site *site = &plan->switches.at[i];
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(site->at));
        LLVMValueRef simulate = switch_function(w, w->target->module, site, number_of(site->at, hash, (unsigned)i));
        LLVMPositionBuilderBefore(b, site->at);
        LLVMTypeRef wide = LLVMInt64TypeInContext(w->context);
        LLVMValueRef arguments[] = {state_in(&w->state, function),
                                    LLVMBuildSExt(b, LLVMGetOperand(site->at, 0), wide, ""), flags,
                                    place_counter(w->target, b, site->value)};
        state_call(b, simulate, arguments, 4);
    }
}

static void insert_jumps(struct branch_inserter *w, const struct plan *plan, LLVMBuilderRef b)
{
    for (size_t i = 0; i < plan->jumps.n; i++) {
        const struct plan_site *site = &plan->jumps.at[i];
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(site->at));
        LLVMPositionBuilderBefore(b, site->at);
        branch_jump(w, b, state_in(&w->state, function), branch_jump_number(w), jump_target(b, site->at),
                    place_counter(w->target, b, site->value));
    }
}

void branch_insert(const struct plan *plan, const struct place_target *t)
{
    struct branch_inserter w;
    if (!plan->branches.n && !plan->switches.n && !plan->jumps.n)
        return;
    begin(&w, plan, t);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w.context);
    LLVMValueRef flags = word(&w, t->kind == IRPROF_COUNTERS_ATOMIC ? RT_ATOMIC : 0);
    insert_branches(&w, plan, b, flags);
    insert_switches(&w, plan, b, flags);
    insert_jumps(&w, plan, b);
    LLVMDisposeBuilder(b);
}
