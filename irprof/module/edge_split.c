/* edge_split.c - puts a block on an edge between two blocks. */
#include "irprof/module/edge_split.h"

#include "irprof/module/llvm.h"

/* Phis name the blocks that control comes from. The C API cannot change such a name, so a phi is made again. Its first
 * entry for `from` now names `middle`, and `drop` further entries are removed. */
static LLVMValueRef phi_again(LLVMBuilderRef b, LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef middle,
                              unsigned drop)
{
    LLVMPositionBuilderBefore(b, phi);
    LLVMValueRef fresh = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
    unsigned n = LLVMCountIncoming(phi);
    bool moved = false;
    for (unsigned i = 0; i < n; i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (block == from && !moved) {
            block = middle;
            moved = true;
        } else if (block == from && drop) {
            drop--;
            continue;
        }
        if (value == phi)
            value = fresh;
        LLVMAddIncoming(fresh, &value, &block, 1);
    }
    llvm_copy_traits(fresh, phi);
    return fresh;
}

LLVMValueRef edge_split(LLVMBuilderRef b, LLVMValueRef terminator, unsigned successor, bool together, edge_moved *moved,
                        void *data)
{
    LLVMBasicBlockRef to = LLVMGetSuccessor(terminator, successor), from = LLVMGetInstructionParent(terminator);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(terminator));
    LLVMBasicBlockRef middle = LLVMInsertBasicBlockInContext(context, to, "");
    unsigned more = 0;
    LLVMPositionBuilderAtEnd(b, middle);
    LLVMValueRef jump = LLVMBuildBr(b, to);
    LLVMSetSuccessor(terminator, successor, middle);
    for (unsigned k = successor + 1; together && k < LLVMGetNumSuccessors(terminator); k++)
        if (LLVMGetSuccessor(terminator, k) == to) {
            LLVMSetSuccessor(terminator, k, middle);
            more++;
        }
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to), next; phi && LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMValueRef fresh = phi_again(b, phi, from, middle, more);
        if (moved)
            moved(data, phi, fresh);
        LLVMReplaceAllUsesWith(phi, fresh);
        LLVMInstructionEraseFromParent(phi);
    }
    return jump;
}
