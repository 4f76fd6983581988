/*
 * What rotated, unrolled and vectorised loops look like after optimisation: a phi of
 * the header, an add (or getelementptr) of a constant, an icmp, a branch:
 *
 *     header: %i = phi [ %start, %before ], [ %next, %latch ]
 *     latch:  %next = add nuw nsw %i, STEP
 *             %on = icmp ne %next, %bound
 *             br %on, %header, %out
 *
 * Without wrapping (nsw, nuw, inbounds say so) `start + k STEP` must pass the bound; if the test is ne, it must meet
 * it, which steps of one do, and others where they divide the distance.
 */
#include "irprof/count/trips.h"

#include <llvm-c/Target.h>
#include <stdint.h>
#include <stdlib.h>

#include "irprof/module/llvm.h"

static bool is_opcode(LLVMValueRef v, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == opcode;
}

static bool inside(const struct cfg *g, size_t loop, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && graph_loop_has(&g->graph, loop, cfg_number(g, LLVMGetInstructionParent(v)));
}

/* Bits of an integer or a pointer; 0: another type, or too wide. */
static unsigned width_of(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return 64;
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64 ? LLVMGetIntTypeWidth(type)
                                                                                           : 0;
}

/* Is `next` the sum of `phi` and a constant? wraps: whether the sum may wrap (0: no; 1: as a signed number; 2: as an
 * unsigned one). */
enum { WRAPS_SIGNED = 1, WRAPS_UNSIGNED = 2 };
static bool step_of(LLVMValueRef next, LLVMValueRef phi, long long *step, unsigned *wraps)
{
    if (is_opcode(next, LLVMAdd) && LLVMGetOperand(next, 0) == phi && LLVMIsAConstantInt(LLVMGetOperand(next, 1))) {
        *step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
        *wraps = (LLVMGetNSW(next) ? 0 : WRAPS_SIGNED) | (LLVMGetNUW(next) ? 0 : WRAPS_UNSIGNED);
        return *step != 0 && *step != INT64_MIN;
    }
    if (is_opcode(next, LLVMGetElementPtr) && LLVMGetNumOperands(next) == 2 && LLVMGetOperand(next, 0) == phi &&
        LLVMIsAConstantInt(LLVMGetOperand(next, 1))) {
        LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(next)));
        LLVMTypeRef element = LLVMGetGEPSourceElementType(next);
        long long size = (long long)LLVMABISizeOfType(LLVMGetModuleDataLayout(module), element);
        *wraps = LLVMIsInBounds(next) ? 0 : WRAPS_SIGNED | WRAPS_UNSIGNED;
        return !__builtin_mul_overflow(LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1)), size, step) && *step != 0 &&
               *step != INT64_MIN;
    }
    return false;
}

/* Number of low bits that are known to be zero. */
static unsigned trailing_zeros(LLVMValueRef v, unsigned depth)
{
    if (LLVMIsAConstantInt(v)) {
        unsigned long long n = LLVMConstIntGetZExtValue(v);
        return n ? (unsigned)__builtin_ctzll(n) : 64;
    }
    if (!depth || !LLVMIsAInstruction(v) || LLVMGetNumOperands(v) != 2)
        return 0;
    unsigned a = trailing_zeros(LLVMGetOperand(v, 0), depth - 1), b = trailing_zeros(LLVMGetOperand(v, 1), depth - 1);
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
        return a > b ? a : b;
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        return a < b ? a : b;
    case LLVMMul:
        return a + b > 64 ? 64 : a + b;
    default:
        return 0;
    }
}

/* Does the step hit the bound exactly? */
static bool divides(const struct trip *t, unsigned wraps)
{
    unsigned long long step = (unsigned long long)(t->step < 0 ? -t->step : t->step);
    if (step == 1 || wraps != (WRAPS_SIGNED | WRAPS_UNSIGNED))
        return true; /* a loop that never wraps and has no other exit must hit it */
    if ((step & (step - 1)) != 0)
        return false;
    unsigned a = trailing_zeros(t->start, 4), b = trailing_zeros(t->bound, 4);
    return (a < b ? a : b) >= (unsigned)__builtin_ctzll(step);
}

static bool must_fail(const struct trip *t, unsigned wraps)
{
    switch (t->stays) {
    case LLVMIntNE:
        return divides(t, wraps);
    case LLVMIntSLT:
    case LLVMIntSLE:
        return t->step > 0 && !(wraps & WRAPS_SIGNED);
    case LLVMIntULT:
    case LLVMIntULE:
        return t->step > 0 && !(wraps & WRAPS_UNSIGNED);
    case LLVMIntSGT:
    case LLVMIntSGE:
        return t->step < 0 && !(wraps & WRAPS_SIGNED);
    case LLVMIntUGT:
    case LLVMIntUGE: /* a sum with a negative number wraps as an unsigned one */
    default:
        return false;
    }
}

static LLVMIntPredicate swapped(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntUGT:
        return LLVMIntULT;
    case LLVMIntUGE:
        return LLVMIntULE;
    case LLVMIntULT:
        return LLVMIntUGT;
    case LLVMIntULE:
        return LLVMIntUGE;
    case LLVMIntSGT:
        return LLVMIntSLT;
    case LLVMIntSGE:
        return LLVMIntSLE;
    case LLVMIntSLT:
        return LLVMIntSGT;
    case LLVMIntSLE:
        return LLVMIntSGE;
    default:
        return p;
    }
}

static LLVMIntPredicate inverse(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntEQ:
        return LLVMIntNE;
    case LLVMIntNE:
        return LLVMIntEQ;
    case LLVMIntUGT:
        return LLVMIntULE;
    case LLVMIntUGE:
        return LLVMIntULT;
    case LLVMIntULT:
        return LLVMIntUGE;
    case LLVMIntULE:
        return LLVMIntUGT;
    case LLVMIntSGT:
        return LLVMIntSLE;
    case LLVMIntSGE:
        return LLVMIntSLT;
    case LLVMIntSLT:
        return LLVMIntSGE;
    default:
        return LLVMIntSGT;
    }
}

/* The values of a phi of the header in the first iteration and in the next one. Returns false if there is more than one
 * entry or back edge. */
static bool phi_values(const struct cfg *g, size_t loop, LLVMValueRef phi, LLVMValueRef *start, LLVMValueRef *next)
{
    if (LLVMCountIncoming(phi) != 2)
        return false;
    bool first_inside = graph_loop_has(&g->graph, loop, cfg_number(g, LLVMGetIncomingBlock(phi, 0)));
    bool second_inside = graph_loop_has(&g->graph, loop, cfg_number(g, LLVMGetIncomingBlock(phi, 1)));
    *start = LLVMGetIncomingValue(phi, first_inside);
    *next = LLVMGetIncomingValue(phi, !first_inside);
    return first_inside != second_inside;
}

/* Is `v` the loop's variable or its next value, and is `bound` invariant? */
static bool variable(const struct cfg *g, size_t loop, LLVMValueRef v, LLVMValueRef bound, struct trip *t,
                     unsigned *wraps)
{
    LLVMBasicBlockRef header = g->blocks[g->graph.loops.at[loop].header].block;
    LLVMValueRef phi = LLVMIsAInstruction(v) && !LLVMIsAPHINode(v) ? LLVMGetOperand(v, 0) : v, next;
    if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != header || inside(g, loop, bound) || !width_of(bound))
        return false;
    if (!phi_values(g, loop, phi, &t->start, &next) || (v != phi && v != next))
        return false;
    t->bound = bound;
    t->tests_next = v == next;
    return step_of(next, phi, &t->step, wraps);
}

/* Reads the test at the end of block `number`, if it may leave the loop. */
static bool read_test(const struct cfg *g, size_t loop, size_t number, struct trip *t)
{
    LLVMValueRef br = g->blocks[number].terminator;
    if (LLVMGetInstructionOpcode(br) != LLVMBr || !LLVMIsConditional(br) || !is_opcode(LLVMGetCondition(br), LLVMICmp))
        return false;
    bool stays[2];
    for (unsigned k = 0; k < 2; k++)
        stays[k] = graph_loop_has(&g->graph, loop, cfg_number(g, LLVMGetSuccessor(br, k)));
    if (stays[0] == stays[1])
        return false;
    LLVMValueRef compare = LLVMGetCondition(br), a = LLVMGetOperand(compare, 0), b = LLVMGetOperand(compare, 1);
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    unsigned wraps = 0;
    if (variable(g, loop, a, b, t, &wraps))
        t->stays = p;
    else if (variable(g, loop, b, a, t, &wraps))
        t->stays = swapped(p);
    else
        return false;
    if (!stays[0])
        t->stays = inverse(t->stays);
    return must_fail(t, wraps);
}

static bool only_exit(const struct cfg *g, size_t loop, size_t test)
{
    const struct graph_loop *l = &g->graph.loops.at[loop];
    for (size_t i = 0; i < l->nodes.n; i++) {
        size_t b = l->nodes.at[i];
        for (size_t k = 0; k < graph_n_next(&g->graph, b) && b != test; k++)
            if (!graph_loop_has(&g->graph, loop, graph_next(&g->graph, b, k)))
                return false;
    }
    return true;
}

struct trip trip_find(const struct cfg *g, size_t loop)
{
    const struct graph_loop *l = &g->graph.loops.at[loop];
    struct trip none = {0};
    if (l->latches.n != 1)
        return none;
    size_t latch = l->latches.at[0];
    /* candidates are the blocks that every iteration passes: those that dominate the latch */
    for (size_t b = latch;; b = g->graph.dominator[b]) {
        struct trip t = {0};
        if (read_test(g, loop, b, &t)) {
            t.ends = true;
            t.computable = b == latch && only_exit(g, loop, b);
            return t;
        }
        if (b == l->header)
            return none;
    }
}

/* An address that is a number becomes it: since LLVM 22 builders do not know how wide pointers are. It is the same for
 * pointers of any width from 32 bits on. */
static LLVMValueRef as_integer(LLVMBuilderRef b, LLVMValueRef v)
{
    LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind)
        return v;
    LLVMValueRef number = LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMIntToPtr ? LLVMGetOperand(v, 0) : NULL;
    if (number && LLVMIsAConstantInt(number) && LLVMGetIntTypeWidth(LLVMTypeOf(number)) <= 64 &&
        LLVMConstIntGetZExtValue(number) <= UINT32_MAX)
        return LLVMConstInt(word, LLVMConstIntGetZExtValue(number), false);
    return LLVMBuildPtrToInt(b, v, word, "");
}

/* Let s be the first value compared. The test holds K times, where K >= 0 is the smallest number for which it fails for
 * `s + K step`. The loop jumps back K times. */
LLVMValueRef trip_build(const struct trip *t, LLVMBuilderRef b, LLVMModuleRef module)
{
    LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
    LLVMValueRef bound = as_integer(b, t->bound), s = as_integer(b, t->start);
    LLVMTypeRef type = LLVMTypeOf(s);
    if (t->tests_next)
        s = LLVMBuildAdd(b, s, LLVMConstInt(type, (unsigned long long)t->step, 1), "");
    LLVMValueRef distance = t->step > 0 ? LLVMBuildSub(b, bound, s, "") : LLVMBuildSub(b, s, bound, "");
    LLVMValueRef one = LLVMConstInt(type, 1, 0);
    LLVMValueRef step = LLVMConstInt(word, (unsigned long long)(t->step > 0 ? t->step : -t->step), 0);
    if (t->stays == LLVMIntNE)
        return LLVMBuildUDiv(b, LLVMBuildZExt(b, distance, word, ""), step, "");
    bool strict = t->stays == LLVMIntSLT || t->stays == LLVMIntULT || t->stays == LLVMIntSGT;
    LLVMValueRef stays = LLVMBuildICmp(b, t->stays, s, bound, "");
    if (strict)
        distance = LLVMBuildSub(b, distance, one, "");
    LLVMValueRef iterations = LLVMBuildUDiv(b, LLVMBuildZExt(b, distance, word, ""), step, "");
    iterations = LLVMBuildAdd(b, iterations, LLVMConstInt(word, 1, 0), "");
    return LLVMBuildSelect(b, stays, iterations, LLVMConstNull(word), "");
}
