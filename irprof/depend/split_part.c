/* split_part.c - copies one part of a function into a function of its own: its instructions, and as much control flow
 * as they need. */
#include "irprof/depend/split.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>

struct copying {
    const struct splitting *s;
    size_t part;
    LLVMValueRef function;
    LLVMBasicBlockRef *block; /* owned; copy of each block; NULL: the part does not need it */
    LLVMValueRef *copy;       /* owned; for each spot: its copy, or its value as loaded at the begin */
    LLVMBuilderRef begin, b;
};

static const struct spot *spot_at(const struct copying *c, size_t i)
{
    return &c->s->x->spots.at[i];
}

static LLVMValueRef ends_of(const struct copying *c, size_t block)
{
    return LLVMGetBasicBlockTerminator(c->s->blocks[block]);
}

/* Does the part decide where this block leads? */
static bool decides(const struct copying *c, size_t block)
{
    size_t spot;
    return depend_number_of(&c->s->x->values, ends_of(c, block), &spot) && spot_at(c, spot)->part == c->part;
}

/* The block in which all paths from a block meet again, if the part does not decide between them. GRAPH_NONE: they
 * leave the function. */
static size_t meeting_of(const struct copying *c, size_t block)
{
    const struct graph *flow = &c->s->x->flow;
    size_t to = graph_n_next(flow, block) == 1 ? graph_next(flow, block, 0) + 1 : c->s->back.dominator[block + 1];
    return to == 0 || to == GRAPH_NONE ? GRAPH_NONE : to - 1;
}

static LLVMTypeRef void_function(const struct copying *c)
{
    return LLVMFunctionType(LLVMVoidTypeInContext(c->s->context), 0, 0, 0);
}

/* ---- blocks ---- */

static void reach(struct copying *c, size_t block)
{
    VEC(size_t) todo = {0};
    vec_push(&todo, block);
    while (todo.n) {
        size_t b = todo.at[--todo.n];
        if (b == GRAPH_NONE || c->block[b])
            continue;
        c->block[b] = LLVMAppendBasicBlockInContext(c->s->context, c->function, "");
        if (decides(c, b)) {
            for (size_t k = 0; k < graph_n_next(&c->s->x->flow, b); k++)
                vec_push(&todo, graph_next(&c->s->x->flow, b, k));
        } else {
            vec_push(&todo, meeting_of(c, b));
        }
    }
    vec_release(&todo);
}

/* ---- values ---- */

static LLVMValueRef mapped(struct copying *c, LLVMValueRef v)
{
    size_t i;
    if (depend_number_of(&c->s->x->values, v, &i)) {
        if (!c->copy[i])
            c->copy[i] = depend_split_value(c->s, c->begin, v);
        return c->copy[i];
    }
    return depend_split_value(c->s, c->begin, v);
}

static void map_operands(struct copying *c, LLVMValueRef copy)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(copy); k++) {
        LLVMValueRef v = LLVMGetOperand(copy, k);
        if (LLVMIsAInstruction(v) || LLVMIsAArgument(v))
            LLVMSetOperand(copy, k, mapped(c, v));
    }
}

static void keep(struct copying *c, size_t i)
{
    if (c->s->cells[i])
        LLVMBuildStore(c->b, c->copy[i], c->s->cells[i]);
}

/* ---- instructions ---- */

static void copy_block(struct copying *c, size_t block)
{
    const struct looking *x = c->s->x;
    VEC(size_t) meetings = {0};
    LLVMPositionBuilderAtEnd(c->b, c->block[block]);
    for (LLVMValueRef v = LLVMGetFirstInstruction(c->s->blocks[block]); v; v = LLVMGetNextInstruction(v)) {
        size_t i;
        if (!LLVMIsAPHINode(v)) {
            for (size_t k = 0; k < meetings.n; k++)
                keep(c, meetings.at[k]);
            meetings.n = 0;
        }
        if (!depend_number_of(&x->values, v, &i) || spot_at(c, i)->part != c->part || LLVMIsATerminatorInst(v))
            continue;
        if (LLVMIsAPHINode(v)) {
            c->copy[i] = LLVMBuildPhi(c->b, LLVMTypeOf(v), "");
            vec_push(&meetings, i);
            continue;
        }
        c->copy[i] = LLVMInstructionClone(v);
        LLVMInsertIntoBuilder(c->b, c->copy[i]);
        LLVMInstructionSetDebugLoc(c->copy[i], 0);
        keep(c, i);
    }
    vec_release(&meetings);
}

static void copy_end(struct copying *c, size_t block)
{
    LLVMPositionBuilderAtEnd(c->b, c->block[block]);
    LLVMValueRef end = ends_of(c, block);
    if (decides(c, block)) {
        LLVMValueRef copy = LLVMInstructionClone(end);
        LLVMInsertIntoBuilder(c->b, copy);
        LLVMInstructionSetDebugLoc(copy, 0);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            LLVMSetSuccessor(copy, k, c->block[graph_next(&c->s->x->flow, block, k)]);
        map_operands(c, copy);
        return;
    }
    size_t to = meeting_of(c, block);
    if (to != GRAPH_NONE)
        LLVMBuildBr(c->b, c->block[to]);
    else if (LLVMIsAUnreachableInst(end))
        LLVMBuildUnreachable(c->b);
    else
        LLVMBuildRetVoid(c->b);
}

static LLVMBasicBlockRef copy_of(const struct copying *c, LLVMBasicBlockRef block)
{
    size_t i;
    return depend_number_of(&c->s->x->blocks, block, &i) ? c->block[i] : 0;
}

static void connect(struct copying *c, size_t i)
{
    LLVMValueRef v = spot_at(c, i)->value;
    if (!LLVMIsAPHINode(v)) {
        map_operands(c, c->copy[i]);
        return;
    }
    for (unsigned k = 0; k < LLVMCountIncoming(v); k++) {
        LLVMBasicBlockRef from = copy_of(c, LLVMGetIncomingBlock(v, k));
        LLVMValueRef value = LLVMGetIncomingValue(v, k);
        if (!from)
            continue;
        if (LLVMIsAInstruction(value) || LLVMIsAArgument(value))
            value = mapped(c, value);
        LLVMAddIncoming(c->copy[i], &value, &from, 1);
    }
}

/* ---- the function ---- */

static void copy_all(struct copying *c)
{
    const struct looking *x = c->s->x;
    LLVMBasicBlockRef first = LLVMAppendBasicBlockInContext(c->s->context, c->function, "");
    LLVMPositionBuilderAtEnd(c->begin, first);
    reach(c, 0);
    for (size_t b = 0; b < x->flow.n; b++)
        if (c->block[b])
            copy_block(c, b);
    for (size_t i = 0; i < x->spots.n; i++)
        if (x->spots.at[i].part == c->part && c->copy[i])
            connect(c, i);
    for (size_t b = 0; b < x->flow.n; b++)
        if (c->block[b])
            copy_end(c, b);
    LLVMBuildBr(c->begin, c->block[0]);
}

/* Was every instruction of the part copied, except unreachable ones? */
static bool is_whole(const struct copying *c)
{
    const struct looking *x = c->s->x;
    for (size_t i = 0; i < x->spots.n; i++)
        if (x->spots.at[i].part == c->part && !c->block[x->spots.at[i].block] &&
            x->flow.place[x->spots.at[i].block] != GRAPH_NONE)
            return false;
    return true;
}

/* Parts get the function's attributes. */
static void copy_attributes(const struct copying *c)
{
    const LLVMAttributeIndex all = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned n = LLVMGetAttributeCountAtIndex(c->s->x->function, all);
    LLVMAttributeRef *list = xcalloc(n + 1, sizeof *list);
    LLVMGetAttributesAtIndex(c->s->x->function, all, list);
    for (unsigned i = 0; i < n; i++)
        LLVMAddAttributeAtIndex(c->function, all, list[i]);
    free(list);
}

enum status depend_split_part(struct splitting *s, size_t part, struct error *e)
{
    struct copying c = {.s = s, .part = part};
    char name[40];
    snprintf(name, sizeof name, "map_unit_%zu", part);
    c.function = LLVMAddFunction(s->module, name, void_function(&c));
    c.block = xcalloc(s->x->flow.n + 1, sizeof *c.block);
    c.copy = xcalloc(s->x->spots.n + 1, sizeof *c.copy);
    c.begin = LLVMCreateBuilderInContext(s->context);
    c.b = LLVMCreateBuilderInContext(s->context);
    copy_attributes(&c);
    copy_all(&c);
    bool right = is_whole(&c) && !LLVMVerifyFunction(c.function, LLVMReturnStatusAction);
    LLVMDisposeBuilder(c.begin);
    LLVMDisposeBuilder(c.b);
    free(c.block);
    free(c.copy);
    return right ? OK
                 : error_set(e, ERR_INPUT, NOWHERE,
                             "its control flow cannot be taken apart (goto into a loop?); write it without goto");
}
