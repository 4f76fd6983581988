/* instructions.c - the LLVM instructions: names, result and operand widths. */
#include "shim-xml/document/instructions.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *type;
} instructions[] = {
#define INSTRUCTION(name, type) {#name, type},
#include "shim-xml/document/instructions.def"
#undef INSTRUCTION
};

/* Where operands and result are not of one width. */
static const struct {
    const char *name;
    int input, output;
} mixed[] = {{"icmp", 32, 1},    {"fcmp", 64, 1},     {"trunc", 64, 32},  {"zext", 32, 64},
             {"sext", 32, 64},   {"fptrunc", 64, 32}, {"fpext", 32, 64},  {"fptoui", 64, 32},
             {"fptosi", 64, 32}, {"uitofp", 32, 64},  {"sitofp", 32, 64}, {"load", 64, 32}};

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
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++) {
        if (strcmp(mixed[i].name, name) != 0)
            continue;
        *input = mixed[i].input;
        *output = mixed[i].output;
        return;
    }
    *input = *output = 32;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        const char *t = instructions[i].type;
        if (strcmp(instructions[i].name, name) != 0)
            continue;
        if (strcmp(t, ".double") == 0 || strcmp(t, ".ptr") == 0 || strcmp(t, ".i64") == 0)
            *input = *output = 64;
        else if (strcmp(t, ".v4i32") == 0)
            *input = *output = 128;
    }
}
