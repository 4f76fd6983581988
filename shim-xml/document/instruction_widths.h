/* instruction_widths.h - what is known of LLVM's instructions beside their names. Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_INSTRUCTION_WIDTHS_H
#define SHIMXML_DOCUMENT_INSTRUCTION_WIDTHS_H

#include "shim-xml/shim.h"
#include "shim-xml/shimxml.h"

/* The next Instruction of a core after `before` (NULL: the first), in whatever FunctionalUnit; NULL: none. */
struct shimxml_node *instruction_next(const struct shimxml_node *core, const struct shimxml_node *before);
/* What it does: its operation in SHIM 2.0, else its name. NULL: it does not say. */
const char *instruction_name(const struct shimxml_node *instruction);
/* A new one of this name, without values: of SHIM 2.0 in the first FunctionalUnit, with these widths (NULL: those of its
 * commonest form). */
struct shimxml_node *instruction_add(struct shimxml_node *set, const char *name, const char *input, const char *output);

/* "Pitch" or "Latency" of a Performance, in single precision, as the schema says: so a file means the same when a tool
 * that keeps no more has rewritten it. NAN: not given. */
struct shimxml_range performance_range(const struct shimxml_node *performance, const char *which);

/* Bits of the operands and of the result of the commonest form of an instruction (base/instructions.def). */
void instruction_bits(const char *name, int *input, int *output);

#endif
