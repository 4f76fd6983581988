/* merge_two.h - the values of a fitted model into the instructions of SHIM 2.0. Private to shim-xml. */
#ifndef SHIMXML_VALUES_MERGE_TWO_H
#define SHIMXML_VALUES_MERGE_TWO_H

#include "base/instructions.h"
#include "shim-xml/values/merge_model.h"
#include "shim-xml/values/units.h"

/* What an instruction costs whatever its widths are. */
struct merged_values {
    struct shimxml_range pitch[IR_LISTED], latency[IR_LISTED];
};

/* Into a CommonInstructionSet: an Instruction of widths that the model has executed keys of gets the mean of these, any
 * other scalar one what the instruction costs; vectors that the model does not know stay. What is missing is added, in
 * the first FunctionalUnit. ERR_INPUT: the instructions are in another file. */
enum status merge_two(struct shimxml_node *set, const struct model *m, const struct merged_values *values,
                      const struct shimxml_units *which, struct error *e) MUST_CHECK;

#endif
