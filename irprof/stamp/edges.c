/* edges.c - a block of its own on an edge between two blocks. */
#include <llvm-c/DebugInfo.h>

#include "irprof/stamp/work.h"

/* Phis name the blocks that control comes from, and the C API cannot change a name: each is made again. Of its entries for `from`
 * the first now comes from `middle`, and `drop` more vanish. A rebuilt phi is the program's own, and carries no mark. */
static void rebuild_phi(struct work *w, LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef middle,
                        unsigned drop)
{
    LLVMPositionBuilderBefore(w->b, phi);
    LLVMValueRef fresh = LLVMBuildPhi(w->b, LLVMTypeOf(phi), "");
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
    LLVMReplaceAllUsesWith(phi, fresh);
    LLVMInstructionEraseFromParent(phi);
}

static bool can_split(LLVMValueRef terminator, LLVMBasicBlockRef to)
{
    LLVMValueRef first = LLVMGetFirstInstruction(to);
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    bool pad = LLVMIsALandingPadInst(first) || LLVMIsACatchPadInst(first) || LLVMIsACleanupPadInst(first) ||
               LLVMIsACatchSwitchInst(first);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(terminator);
    return !pad && opcode != LLVMIndirectBr && opcode != LLVMCallBr;
}

LLVMValueRef edge_place(struct work *w, LLVMValueRef terminator, unsigned successor, unsigned point)
{
    LLVMBasicBlockRef to = LLVMGetSuccessor(terminator, successor), from = LLVMGetInstructionParent(terminator);
    unsigned more = 0;
    if (!can_split(terminator, to))
        return 0;
    LLVMBasicBlockRef middle = LLVMInsertBasicBlockInContext(w->context, to, "");
    LLVMPositionBuilderAtEnd(w->b, middle);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(terminator));
    LLVMValueRef jump = LLVMBuildBr(w->b, to);
    mark_stamp(w, jump, point);
    LLVMSetSuccessor(terminator, successor, middle);
    for (unsigned k = successor + 1; k < LLVMGetNumSuccessors(terminator); k++)
        if (LLVMGetSuccessor(terminator, k) == to) {
            LLVMSetSuccessor(terminator, k, middle);
            more++;
        }
    for (LLVMValueRef i = LLVMGetFirstInstruction(to), next; i && LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        rebuild_phi(w, i, from, middle, more);
    }
    return jump;
}
