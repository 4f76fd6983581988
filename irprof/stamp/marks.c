/* marks.c - marks inserted instructions by metadata, and removes attributes of functions that do not hold any more. */
#include <stdlib.h>
#include <string.h>

#include "irprof/stamp/work.h"

static unsigned kind_of(LLVMContextRef context, const char *name)
{
    return LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
}

static void mark(const struct work *w, LLVMValueRef instruction, const char *kind, unsigned point)
{
    LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(w->half, point, 0));
    LLVMMetadataRef node = LLVMMDNodeInContext2(w->context, &number, 1);
    LLVMSetMetadata(instruction, kind_of(w->context, kind), LLVMMetadataAsValue(w->context, node));
}

void mark_stamp(const struct work *w, LLVMValueRef instruction, unsigned point)
{
    if (LLVMIsAInstruction(instruction))
        mark(w, instruction, STAMP_METADATA, point);
}

void mark_guard(const struct work *w, LLVMValueRef instruction, unsigned point)
{
    mark(w, instruction, STAMP_GUARD, point);
}

bool is_marked(LLVMValueRef instruction)
{
    LLVMContextRef context =
        LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction))));
    return LLVMGetMetadata(instruction, kind_of(context, STAMP_METADATA)) != 0;
}

bool has_stamps(LLVMModuleRef module)
{
    return LLVMGetNamedMetadataNumOperands(module, STAMP_LIST) != 0;
}

/* "function fir begin". */
static char *point_text(const struct point *p)
{
    static const char *const words[] = {" begin", " end", "", ""};
    return xasprintf("%s%s", p->name, words[p->kind]);
}

void list_points(const struct work *w)
{
    static const char *const modes[] = STAMP_MODE_WORDS;
    const char *mode = modes[w->options->mode];
    for (size_t i = 0; i < w->points.n; i++) {
        char *text = point_text(&w->points.at[i]);
        LLVMMetadataRef parts[] = {
            LLVMValueAsMetadata(LLVMConstInt(w->half, i, 0)),
            LLVMMDStringInContext2(w->context, text, strlen(text)),
            LLVMMDStringInContext2(w->context, mode, strlen(mode)),
        };
        LLVMMetadataRef node = LLVMMDNodeInContext2(w->context, parts, 3);
        LLVMAddNamedMetadataOperand(w->module, STAMP_LIST, LLVMMetadataAsValue(w->context, node));
        free(text);
    }
}

/* ---- attributes ---- */

static const char *const claims[] = {"memory", "nosync", "nofree", "willreturn", "norecurse", "speculatable"};
enum { CLAIMS = sizeof claims / sizeof *claims };

static bool claims_anything(LLVMValueRef function)
{
    for (size_t i = 0; i < CLAIMS; i++)
        if (llvm_function_has(function, claims[i]))
            return true;
    return false;
}

/* Functions with attributes that do not hold any more. */
struct changed {
    VEC(LLVMValueRef) all;
};

static void add_changed(struct changed *c, LLVMValueRef function)
{
    for (size_t i = 0; i < c->all.n; i++)
        if (c->all.at[i] == function)
            return;
    vec_push(&c->all, function);
}

/* Removes attributes at the calls of a function, and collects the functions that contain the calls. */
static void drop_at_calls(LLVMValueRef function, struct changed *c)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if ((!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) || LLVMGetCalledValue(call) != function)
            continue;
        for (size_t i = 0; i < CLAIMS; i++)
            llvm_call_drop(call, claims[i]);
        LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
        if (claims_anything(caller))
            add_changed(c, caller);
    }
}

void drop_claims(struct work *w)
{
    struct changed c = {0};
    for (size_t i = 0; i < w->functions.n; i++)
        add_changed(&c, w->functions.at[i].function);
    for (size_t i = 0; i < c.all.n; i++) {
        for (size_t k = 0; k < CLAIMS; k++)
            llvm_function_drop(c.all.at[i], claims[k]);
        drop_at_calls(c.all.at[i], &c);
    }
    vec_release(&c.all);
}
