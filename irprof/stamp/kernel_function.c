/* kernel_function.c - adds arguments to a kernel: a new function takes over the old one's blocks. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/stamp/kernel.h"

enum { GLOBAL_SPACE = 1, MOST_NEW = 2 };

static bool is_called(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user))
            return true;
    }
    return false;
}

static void copy_attributes(LLVMValueRef to, LLVMValueRef from, unsigned n_arguments)
{
    for (unsigned k = 0; k < n_arguments + 2; k++) {
        LLVMAttributeIndex index = k == n_arguments + 1 ? (LLVMAttributeIndex)LLVMAttributeFunctionIndex : k;
        unsigned n = LLVMGetAttributeCountAtIndex(from, index);
        LLVMAttributeRef *all = xcalloc(n + 1, sizeof(LLVMAttributeRef));
        LLVMGetAttributesAtIndex(from, index, all);
        for (unsigned i = 0; i < n; i++)
            LLVMAddAttributeAtIndex(to, index, all[i]);
        free(all);
    }
}

/* ---- clang's metadata about arguments: one entry for each ---- */

struct added {
    const char *kind;
    const char *stamps, *never;     /* as texts */
    unsigned stamps_number, number; /* as numbers, where the texts are NULL */
};
static const struct added descriptions[] = {
    {"kernel_arg_addr_space", 0, 0, GLOBAL_SPACE, 0}, {"kernel_arg_access_qual", "none", "none", 0, 0},
    {"kernel_arg_type", "uint*", "int", 0, 0},        {"kernel_arg_base_type", "uint*", "int", 0, 0},
    {"kernel_arg_type_qual", "", "", 0, 0},           {"kernel_arg_name", "irprof_stamps", "irprof_never", 0, 0},
};

static LLVMMetadataRef entry(const struct work *w, const struct added *a, bool stamps)
{
    const char *text = stamps ? a->stamps : a->never;
    if (text)
        return LLVMMDStringInContext2(w->context, text, strlen(text));
    return LLVMValueAsMetadata(LLVMConstInt(w->half, stamps ? a->stamps_number : a->number, 0));
}

static LLVMMetadataRef longer(const struct kernel *k, LLVMMetadataRef node, const struct added *a)
{
    LLVMContextRef context = k->w->context;
    LLVMValueRef value = LLVMMetadataAsValue(context, node);
    unsigned n = (unsigned)LLVMGetMDNodeNumOperands(value);
    LLVMValueRef *old = xcalloc(n + 1, sizeof(LLVMValueRef));
    LLVMMetadataRef *all = xcalloc(n + MOST_NEW, sizeof(LLVMMetadataRef));
    LLVMGetMDNodeOperands(value, old);
    for (unsigned i = 0; i < n; i++)
        all[i] = LLVMValueAsMetadata(old[i]);
    if (k->w->options->mode == STAMP_ADD)
        all[n++] = entry(k->w, a, true);
    all[n++] = entry(k->w, a, false);
    LLVMMetadataRef made = LLVMMDNodeInContext2(context, all, n);
    free(old);
    free(all);
    return made;
}

static void copy_metadata(const struct kernel *k, LLVMValueRef to, LLVMValueRef from)
{
    size_t n;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(from, &n);
    for (unsigned i = 0; i < n; i++) {
        unsigned kind = LLVMValueMetadataEntriesGetKind(all, i);
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(all, i);
        for (size_t d = 0; d < sizeof descriptions / sizeof *descriptions; d++)
            if (kind ==
                LLVMGetMDKindIDInContext(k->w->context, descriptions[d].kind, (unsigned)strlen(descriptions[d].kind)))
                node = longer(k, node, &descriptions[d]);
        LLVMGlobalSetMetadata(to, kind, node);
    }
    LLVMDisposeValueMetadataEntries(all);
    LLVMGlobalClearMetadata(from); /* a subprogram describes only one function */
}

static void copy_traits(const struct kernel *k, LLVMValueRef to, LLVMValueRef from)
{
    LLVMSetFunctionCallConv(to, LLVMGetFunctionCallConv(from));
    LLVMSetLinkage(to, LLVMGetLinkage(from));
    LLVMSetVisibility(to, LLVMGetVisibility(from));
    LLVMSetUnnamedAddress(to, LLVMGetUnnamedAddress(from));
    if (LLVMGetSection(from))
        LLVMSetSection(to, LLVMGetSection(from));
    LLVMSetAlignment(to, LLVMGetAlignment(from));
    copy_attributes(to, from, LLVMCountParams(from));
    copy_metadata(k, to, from);
}

static void move_body(LLVMValueRef to, LLVMValueRef from, LLVMContextRef context)
{
    LLVMBasicBlockRef first = LLVMAppendBasicBlockInContext(context, to, ""), last = first;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(from), next; b; b = next) {
        next = LLVMGetNextBasicBlock(b);
        LLVMMoveBasicBlockAfter(b, last);
        last = b;
    }
    LLVMDeleteBasicBlock(first);
    for (unsigned i = 0; i < LLVMCountParams(from); i++) {
        LLVMValueRef old = LLVMGetParam(from, i), new = LLVMGetParam(to, i);
        LLVMReplaceAllUsesWith(old, new);
        size_t n;
        const char *name = LLVMGetValueName2(old, &n);
        LLVMSetValueName2(new, name, n);
    }
}

enum status kernel_arguments(struct kernel *k, struct error *e)
{
    struct work *w = k->w;
    LLVMValueRef old = k->function;
    char *name = function_name(old);
    LLVMTypeRef type = LLVMGlobalGetValueType(old);
    unsigned n = LLVMCountParams(old), more = 0;
    if (is_called(old)) {
        enum status s = error_set(e, ERR_INPUT, AT_FILE(w->path),
                                  "the kernel '%s' is called by other code: it cannot get arguments", name);
        free(name);
        return s;
    }
    LLVMTypeRef *types = xcalloc(n + MOST_NEW, sizeof(LLVMTypeRef));
    LLVMGetParamTypes(type, types);
    if (w->options->mode == STAMP_ADD)
        types[n + more++] = LLVMPointerTypeInContext(w->context, w->target == ON_CPU ? 0 : GLOBAL_SPACE);
    types[n + more++] = w->half;
    k->function = LLVMAddFunction(w->module, "", LLVMFunctionType(LLVMGetReturnType(type), types, n + more, 0));
    copy_traits(k, k->function, old);
    move_body(k->function, old, w->context);
    LLVMReplaceAllUsesWith(old, k->function);
    LLVMDeleteFunction(old);
    LLVMSetValueName2(k->function, name, strlen(name));
    k->never_argument = LLVMGetParam(k->function, n + more - 1);
    LLVMSetValueName2(k->never_argument, "irprof_never", 12);
    if (w->options->mode == STAMP_ADD) {
        k->stamps_argument = LLVMGetParam(k->function, n);
        LLVMSetValueName2(k->stamps_argument, "irprof_stamps", 13);
    }
    free(types);
    free(name);
    return OK;
}

/* ---- registers ---- */

struct phis {
    VEC(LLVMValueRef) all;
};

static void note_phis(struct phis *p, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
            vec_push(&p->all, i);
}

static void mark_new(const struct work *w, const struct phis *old, LLVMValueRef function, unsigned point)
{
    struct phis now = {0};
    note_phis(&now, function);
    for (size_t i = 0; i < now.all.n; i++) {
        bool known = false;
        for (size_t p = 0; p < old->all.n && !known; p++)
            known = old->all.at[p] == now.all.at[i];
        if (!known)
            mark_stamp(w, now.all.at[i], point);
    }
    vec_release(&now.all);
}

void kernel_registers(struct work *w)
{
    struct phis phis = {0};
    for (size_t i = 0; i < w->functions.n; i++)
        note_phis(&phis, w->functions.at[i].function);
    llvm_run(w->module, "function(mem2reg)");
    for (size_t i = 0; i < w->functions.n; i++)
        if (w->functions.at[i].kernel && w->functions.at[i].sites.n)
            mark_new(w, &phis, w->functions.at[i].function, w->functions.at[i].sites.at[0].point);
    vec_release(&phis.all);
}
