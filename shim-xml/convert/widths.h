/* widths.h - the instructions of a core as SHIM 2.0 has them: by operation and width, in functional units. Private to
 * shim-xml. */
#ifndef SHIMXML_CONVERT_WIDTHS_H
#define SHIMXML_CONVERT_WIDTHS_H

#include "shim-xml/convert/convert.h"

/* A CommonInstructionSet of SHIM 1.0. Each Instruction has the widths of its commonest form, since SHIM 1.0 knows none,
 * and all are in the unit "Core", since it knows no units. With a model there is one for each width that the model has
 * executed keys of (the means of those, weighted by how often), in the unit that is called as the model's variable of
 * the commonest of them. */
void widths_add_instructions(struct converting *c, struct shimxml_node *master, const struct shimxml_node *set);

#endif
