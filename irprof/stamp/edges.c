/* edges.c - a place for a stamp on an edge between two blocks. */
#include <llvm-c/DebugInfo.h>

#include "irprof/module/edge_split.h"
#include "irprof/stamp/work.h"

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
    if (!can_split(terminator, LLVMGetSuccessor(terminator, successor)))
        return 0;
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(terminator));
    LLVMValueRef jump = edge_split(w->b, terminator, successor, true, 0, 0);
    mark_stamp(w, jump, point);
    return jump;
}
