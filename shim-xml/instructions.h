/* instructions.h - what is known of LLVM's instructions beside their names. Private to shim-xml. */
#ifndef SHIMXML_INSTRUCTIONS_H
#define SHIMXML_INSTRUCTIONS_H

/* Bits of the operands and of the result of the commonest form of an instruction (instructions.def). */
void instruction_bits(const char *name, int *input, int *output);

#endif
