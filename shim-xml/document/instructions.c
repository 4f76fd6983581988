/* instructions.c - the LLVM instructions: names, result and operand widths. */
#include "shim-xml/document/instructions.h"

#include <string.h>

#include "base/instructions.h"

enum { USUAL_BITS = 32 }; /* of what is no instruction of LLVM */

struct shimxml_node *instruction_next(const struct shimxml_node *core, const struct shimxml_node *before)
{
    return shimxml_following(shimxml_child(core, "CommonInstructionSet"), before, "Instruction");
}

const char *instruction_name(const struct shimxml_node *instruction)
{
    const char *operation = shimxml_get(instruction, "operation");
    return operation ? operation : shimxml_get(instruction, "name");
}

void instruction_bits(const char *name, int *input, int *output)
{
    enum ir_opcode opcode = ir_opcode(name, strlen(name));
    *input = opcode ? ir_instruction(opcode)->in : USUAL_BITS;
    *output = opcode ? ir_instruction(opcode)->out : USUAL_BITS;
}
