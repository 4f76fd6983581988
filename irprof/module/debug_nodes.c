/* debug_nodes.c - walks the debug information of a module for the files and functions that it names. */
#include "irprof/module/debug_nodes.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Nodes refer to each other in cycles, so each is visited once. */
struct walk {
    LLVMContextRef context;
    LLVMMetadataRef *seen; /* owned; a hash table with open addressing */
    size_t n_seen, slots;
    VEC(LLVMMetadataRef) waiting;
    struct map *files, *functions;
};

static size_t slot_of(const struct walk *w, LLVMMetadataRef node)
{
    size_t at = (size_t)hash_bytes(HASH_START, &node, sizeof node) & (w->slots - 1);
    while (w->seen[at] && w->seen[at] != node)
        at = (at + 1) & (w->slots - 1);
    return at;
}

static void grow(struct walk *w)
{
    LLVMMetadataRef *old = w->seen;
    size_t n = w->slots;
    w->slots = n ? 2 * n : 256;
    w->seen = xcalloc(w->slots, sizeof(LLVMMetadataRef));
    for (size_t i = 0; i < n; i++)
        if (old[i])
            w->seen[slot_of(w, old[i])] = old[i];
    free(old);
}

static void meet(struct walk *w, LLVMMetadataRef node)
{
    if (!node)
        return;
    if (2 * w->n_seen >= w->slots)
        grow(w);
    size_t at = slot_of(w, node);
    if (w->seen[at])
        return;
    w->seen[at] = node;
    w->n_seen++;
    vec_push(&w->waiting, node);
}

static void note_file(const struct walk *w, LLVMMetadataRef file)
{
    char *name = llvm_file_name(file);
    if (name)
        map_number(w->files, name);
    free(name);
}

/* The name is the third operand of a function's description. */
static void note_function(const struct walk *w, const LLVMValueRef *operands, unsigned n)
{
    unsigned length;
    const char *text = n > 2 && operands[2] && LLVMIsAMDString(operands[2]) ? LLVMGetMDString(operands[2], &length) : 0;
    char *name = text ? xstrndup(text, length) : 0;
    if (name && *name)
        map_number(w->functions, name);
    free(name);
}

static void look_at(struct walk *w, LLVMMetadataRef node)
{
    LLVMMetadataKind kind = LLVMGetMetadataKind(node);
    LLVMValueRef value = LLVMMetadataAsValue(w->context, node);
    if (kind == LLVMDIFileMetadataKind && w->files)
        note_file(w, node);
    if (kind == LLVMMDStringMetadataKind || kind == LLVMDIFileMetadataKind || !LLVMIsAMDNode(value) ||
        kind == LLVMConstantAsMetadataMetadataKind || kind == LLVMLocalAsMetadataMetadataKind)
        return;
    unsigned n = LLVMGetMDNodeNumOperands(value);
    LLVMValueRef *operands = xcalloc(n + 1, sizeof(LLVMValueRef));
    LLVMGetMDNodeOperands(value, operands);
    if (kind == LLVMDISubprogramMetadataKind && w->functions)
        note_function(w, operands, n);
    for (unsigned i = 0; i < n; i++)
        if (operands[i] && LLVMIsAMDNode(operands[i]))
            meet(w, LLVMValueAsMetadata(operands[i]));
    free(operands);
}

/* Starts with what functions and their instructions refer to. */
static void begin_function(struct walk *w, LLVMValueRef function)
{
    meet(w, LLVMGetSubprogram(function));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            meet(w, LLVMInstructionGetDebugLoc(i));
}

static void begin_named(struct walk *w, LLVMModuleRef module, const char *name)
{
    unsigned n = LLVMGetNamedMetadataNumOperands(module, name);
    LLVMValueRef *operands = xcalloc(n + 1, sizeof(LLVMValueRef));
    LLVMGetNamedMetadataOperands(module, name, operands);
    for (unsigned i = 0; i < n; i++)
        meet(w, LLVMValueAsMetadata(operands[i]));
    free(operands);
}

void debug_names(LLVMModuleRef module, struct map *files, struct map *functions)
{
    struct walk w = {.context = LLVMGetModuleContext(module), .files = files, .functions = functions};
    begin_named(&w, module, "llvm.dbg.cu");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        begin_function(&w, f);
    while (w.waiting.n)
        look_at(&w, w.waiting.at[--w.waiting.n]);
    vec_release(&w.waiting);
    free(w.seen);
}
