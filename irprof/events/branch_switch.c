/*
 * branch_switch.c - predicts switches. Back ends compile a switch to a jump table or to comparisons (LLVM's
 * SwitchLowering): a tree down to three ranges of cases, which are compared one after the other. A table's jump is
 * predicted to go where it went last, as tables of indirect targets do. Comparisons are branches like others.
 */
#include <stdlib.h>
#include <string.h>

#include "base/target.h"
#include "irprof/events/branch_private.h"
#include "irprof/events/events.h"
#include "irprof/module/llvm.h"
#include "irprof/module/options.h"
#include "irprof/events/state.h"

/* Consecutive cases with one destination. */
struct range {
    int64_t low, high;
    unsigned to; /* the successor's number, from 1; a block that several cases lead to has one number */
};
struct cases {
    VEC(struct range) ranges; /* in ascending order */
    size_t n;                 /* number of values */
    unsigned other;           /* the default's successor */
    bool never;               /* the default is unreachable */
};

static bool is_wide(LLVMValueRef i)
{
    return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0))) > 64;
}

/* The blocks that a switch leads to, sorted, so that each one's first place among the successors can be found. */
struct successor {
    LLVMBasicBlockRef block;
    unsigned place;
};

static int by_block(const void *a, const void *b)
{
    const struct successor *x = a, *y = b;
    if (x->block != y->block)
        return (uintptr_t)x->block < (uintptr_t)y->block ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* The number of each successor: 1 + the first place of its block. The caller frees. */
static unsigned *number_successors(LLVMValueRef i)
{
    unsigned n = LLVMGetNumSuccessors(i);
    struct successor *all = xcalloc(n, sizeof *all);
    unsigned *numbers = xcalloc(n, sizeof *numbers);
    for (unsigned k = 0; k < n; k++)
        all[k] = (struct successor){LLVMGetSuccessor(i, k), k};
    qsort(all, n, sizeof *all, by_block);
    for (unsigned k = 0, first = 0; k < n; k++) {
        first = k && all[k].block == all[k - 1].block ? first : k;
        numbers[all[k].place] = all[first].place + 1;
    }
    free(all);
    return numbers;
}

static int by_value(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

static void cases_find(struct cases *c, LLVMValueRef i)
{
    *c = (struct cases){.n = (size_t)LLVMGetNumSuccessors(i) - 1, .other = 1};
    c->never = LLVMIsAUnreachableInst(LLVMGetFirstInstruction(LLVMGetSuccessor(i, 0))) != 0;
    unsigned *numbers = number_successors(i);
    for (unsigned k = 1; k <= c->n; k++) {
        int64_t value = LLVMConstIntGetSExtValue(LLVMGetSwitchCaseValue(i, k));
        vec_push(&c->ranges, (struct range){value, value, numbers[k]});
    }
    free(numbers);
    if (c->n)
        qsort(c->ranges.at, c->n, sizeof *c->ranges.at, by_value);
    size_t n = 0;
    for (size_t k = 0; k < c->n; k++) {
        struct range r = c->ranges.at[k];
        if (n && c->ranges.at[n - 1].to == r.to && c->ranges.at[n - 1].high + 1 == r.low)
            c->ranges.at[n - 1].high = r.high;
        else
            c->ranges.at[n++] = r;
    }
    c->ranges.n = n;
}

/* As LLVM's TargetLoweringBase: a minimum number of cases, and at least one in ten values has a case. */
static bool is_table(const struct cases *c, LLVMValueRef i)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    if (c->ranges.n < target_find(LLVMGetTarget(LLVMGetGlobalParent(function)))->table_cases)
        return false;
    uint64_t width = (uint64_t)c->ranges.at[c->ranges.n - 1].high - (uint64_t)c->ranges.at[0].low;
    return width / 10 < c->n;
}

void switch_plan(struct plan *plan, struct plan_part *part, LLVMValueRef i)
{
    const struct instrument_options *o = plan->options;
    if (!o->n_predictors || o->switches_known || LLVMGetInstructionOpcode(i) != LLVMSwitch || is_wide(i))
        return;
    vec_push(&plan->switches, (struct plan_site){.at = i, .value = branch_add_counters(plan, part)});
}

/* ---- code: a function (state, value, flags, counter) for each switch ---- */

struct switcher {
    struct branch_inserter *w;
    const struct cases *cases;
    LLVMBuilderRef b;
    LLVMTypeRef word; /* 64 bits wide, as counters are */
    LLVMValueRef function, a[4];
    uint32_t number; /* of the next branch */
};
enum { STATE, VALUE, FLAGS, COUNTER };

static LLVMValueRef constant(const struct switcher *s, int64_t v)
{
    return LLVMConstInt(s->word, (uint64_t)v, 1);
}

static LLVMBasicBlockRef block(const struct switcher *s)
{
    return LLVMAppendBasicBlockInContext(LLVMGetModuleContext(LLVMGetGlobalParent(s->function)), s->function, "");
}

static LLVMValueRef is_in(const struct switcher *s, const struct range *r)
{
    LLVMValueRef place = LLVMBuildSub(s->b, s->a[VALUE], constant(s, r->low), "");
    return LLVMBuildICmp(s->b, LLVMIntULE, place, constant(s, r->high - r->low), "");
}

static void predict(struct switcher *s, LLVMValueRef taken)
{
    LLVMValueRef number = LLVMConstInt(LLVMTypeOf(s->a[FLAGS]), s->number++, 0);
    branch_predict(s->w, s->b, (LLVMValueRef[]){s->a[STATE], number, taken, s->a[FLAGS], s->a[COUNTER]});
}

/* Emits comparisons for ranges [first, end). If there is nothing else, `last` needs no comparison. */
static void compare(struct switcher *s, size_t first, size_t end)
{
    enum { IN_A_ROW = 3 };
    const struct range *at = s->cases->ranges.at;
    if (end - first > IN_A_ROW) {
        size_t middle = first + (end - first) / 2;
        LLVMBasicBlockRef below = block(s), above = block(s);
        LLVMValueRef less = LLVMBuildICmp(s->b, LLVMIntSLT, s->a[VALUE], constant(s, at[middle].low), "");
        predict(s, less);
        LLVMBuildCondBr(s->b, less, below, above);
        LLVMPositionBuilderAtEnd(s->b, below);
        compare(s, first, middle);
        LLVMPositionBuilderAtEnd(s->b, above);
        compare(s, middle, end);
        return;
    }
    LLVMBasicBlockRef done = block(s);
    for (size_t k = first; k < end && !(s->cases->never && k + 1 == end); k++) {
        LLVMBasicBlockRef next = block(s);
        LLVMValueRef in = is_in(s, &at[k]);
        predict(s, in);
        LLVMBuildCondBr(s->b, in, done, next);
        LLVMPositionBuilderAtEnd(s->b, next);
    }
    LLVMBuildBr(s->b, done);
    LLVMPositionBuilderAtEnd(s->b, done);
    LLVMBuildRetVoid(s->b);
}

/* Where each value from the first to the last leads, as in the back end's own table. */
static LLVMValueRef table_of(const struct switcher *s, uint64_t width)
{
    const struct cases *c = s->cases;
    LLVMModuleRef module = LLVMGetGlobalParent(s->function);
    LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    LLVMValueRef *places = xcalloc(width + 1, sizeof(LLVMValueRef)), other = LLVMConstInt(number, c->other, 0);
    for (uint64_t k = 0; k <= width; k++)
        places[k] = other;
    for (size_t k = 0; k < c->ranges.n; k++)
        for (uint64_t v = 0; v <= (uint64_t)c->ranges.at[k].high - (uint64_t)c->ranges.at[k].low; v++)
            places[(uint64_t)c->ranges.at[k].low - (uint64_t)c->ranges.at[0].low + v] =
                LLVMConstInt(number, c->ranges.at[k].to, 0);
    LLVMValueRef table = LLVMConstArray2(number, places, width + 1);
    free(places);
    return state_add_constant(module, "__irprof_switch_table", table);
}

static LLVMValueRef destination(const struct switcher *s)
{
    const struct range *first = s->cases->ranges.at, *last = first + s->cases->ranges.n - 1;
    const struct range all = {first->low, last->high, 0};
    LLVMValueRef table = table_of(s, (uint64_t)all.high - (uint64_t)all.low), inside = is_in(s, &all);
    LLVMValueRef place = LLVMBuildSub(s->b, s->a[VALUE], constant(s, all.low), "");
    place = LLVMBuildSelect(s->b, inside, place, constant(s, 0), "");
    LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetModuleContext(LLVMGetGlobalParent(s->function)));
    LLVMValueRef to = LLVMBuildLoad2(s->b, number, LLVMBuildInBoundsGEP2(s->b, number, table, &place, 1, ""), "");
    return LLVMBuildSelect(s->b, inside, LLVMBuildZExt(s->b, to, s->word, ""), constant(s, s->cases->other), "");
}

/* A destination's number contains the switch's, since two switches may share an entry of the table. */
enum { DESTINATIONS_BITS = 32 };

static void jump(const struct switcher *s)
{
    uint64_t number = branch_jump_number(s->w);
    LLVMValueRef own = LLVMConstInt(s->word, number << DESTINATIONS_BITS, 0);
    LLVMValueRef to = LLVMBuildAdd(s->b, destination(s), own, "");
    branch_jump(s->w, s->b, s->a[STATE], number, to, s->a[COUNTER]);
    LLVMBuildRetVoid(s->b);
}

/* Emits the branches of a successor's route, then the jump. */
static void follow_route(struct switcher *s, const struct plan_route *route, unsigned successor, uint64_t jump_number)
{
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetModuleContext(LLVMGetGlobalParent(s->function)));
    for (unsigned k = 0; k < route->n; k++) {
        LLVMValueRef taken = LLVMConstInt(bit, (route->branches[k] & PLAN_ROUTE_TAKEN) != 0, 0);
        LLVMValueRef number =
            LLVMConstInt(LLVMTypeOf(s->a[FLAGS]), s->number + (route->branches[k] & (PLAN_ROUTE_TAKEN - 1u)), 0);
        branch_predict(s->w, s->b, (LLVMValueRef[]){s->a[STATE], number, taken, s->a[FLAGS], s->a[COUNTER]});
    }
    if (route->table)
        branch_jump(s->w, s->b, s->a[STATE], jump_number,
                    LLVMConstInt(s->word, (jump_number << DESTINATIONS_BITS) + successor, 0), s->a[COUNTER]);
    LLVMBuildRetVoid(s->b);
}

/* Emits the routes of values without a case, which depend on the value. */
static void follow_others(struct switcher *s, const struct plan_switch *ways, uint64_t jump_number)
{
    for (size_t k = ways->others.n; k-- > 1;) {
        LLVMBasicBlockRef here = block(s), below = block(s);
        LLVMValueRef less = LLVMBuildICmp(s->b, LLVMIntSLT, s->a[VALUE], constant(s, ways->others.at[k].from), "");
        LLVMBuildCondBr(s->b, less, below, here);
        LLVMPositionBuilderAtEnd(s->b, here);
        follow_route(s, &ways->others.at[k].route, 1, jump_number);
        LLVMPositionBuilderAtEnd(s->b, below);
    }
    follow_route(s, ways->others.n ? &ways->others.at[0].route : &ways->routes[0], 1, jump_number);
}

static LLVMBasicBlockRef *route_blocks(const struct switcher *s, LLVMValueRef at, const unsigned *numbers, unsigned n)
{
    LLVMBasicBlockRef *blocks = xcalloc(n, sizeof *blocks);
    for (unsigned k = 0; k < n; k++)
        blocks[k] = k == 0 || numbers[k] == k + 1 ? block(s) : blocks[numbers[k] - 1];
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(at, 0));
    LLVMValueRef all = LLVMBuildSwitch(s->b, LLVMBuildIntCast2(s->b, s->a[VALUE], type, 1, ""), blocks[0], n - 1);
    for (unsigned k = 1; k < n; k++)
        LLVMAddCase(all, LLVMGetSwitchCaseValue(at, k), blocks[k]);
    return blocks;
}

/* Emits what the target's code does: each successor has a route of its own. */
static void follow_routes(struct switcher *s, const struct plan_site *site)
{
    unsigned n = LLVMGetNumSuccessors(site->at), *numbers = number_successors(site->at);
    LLVMBasicBlockRef *blocks = route_blocks(s, site->at, numbers, n);
    bool table = false;
    for (unsigned k = 0; k < n; k++)
        table |= site->ways.routes[k].table;
    uint64_t jump_number = table ? branch_jump_number(s->w) : 0;
    LLVMPositionBuilderAtEnd(s->b, blocks[0]);
    follow_others(s, &site->ways, jump_number);
    for (unsigned k = 1; k < n; k++) {
        if (numbers[k] != k + 1)
            continue;
        LLVMPositionBuilderAtEnd(s->b, blocks[k]);
        follow_route(s, &site->ways.routes[k], k + 1, jump_number);
    }
    free(blocks);
    free(numbers);
}

LLVMValueRef switch_function(struct branch_inserter *w, LLVMModuleRef module, const struct plan_site *site,
                             uint32_t number)
{
    LLVMValueRef i = site->at;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef word = LLVMInt64TypeInContext(context), pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef types[] = {pointer, word, LLVMInt32TypeInContext(context), pointer};
    struct cases cases;
    cases_find(&cases, i);
    struct switcher s = {.w = w, .cases = &cases, .word = word, .number = number};
    s.b = LLVMCreateBuilderInContext(context);
    s.function =
        LLVMAddFunction(module, "__irprof_switch", LLVMFunctionType(LLVMVoidTypeInContext(context), types, 4, 0));
    LLVMSetLinkage(s.function, LLVMPrivateLinkage);
    llvm_function_add(s.function, "nounwind");
    LLVMGetParams(s.function, s.a);
    LLVMPositionBuilderAtEnd(s.b, block(&s));
    if (site->ways.routes)
        follow_routes(&s, site);
    else if (is_table(&cases, i))
        jump(&s);
    else
        compare(&s, 0, cases.ranges.n);
    LLVMDisposeBuilder(s.b);
    vec_release(&cases.ranges);
    return s.function;
}
