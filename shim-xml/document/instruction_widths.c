/* instruction_widths.c - LLVM instructions in SHIM: names, and widths of results and operands. */
#include "shim-xml/document/instruction_widths.h"

#include <math.h>
#include <string.h>

#include "base/instructions.h"
#include "shim-xml/document/doc.h"

enum { USUAL_BITS = 32 }; /* for names that are not instructions of LLVM */

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

static double single(const struct shimxml_node *n, const char *attribute)
{
    return (double)(float)shimxml_number(n, attribute);
}

/* The schema allows "INF" and "NaN"; parse_double reads both. */
struct shimxml_range performance_range(const struct shimxml_node *performance, const char *which)
{
    const struct shimxml_node *n = shimxml_child(performance, which);
    if (!n)
        return (struct shimxml_range){NAN, NAN, NAN};
    return (struct shimxml_range){single(n, "best"), single(n, "typical"), single(n, "worst")};
}

/* Where a new instruction goes: in SHIM 2.0 into the first FunctionalUnit, in SHIM 1.0 into the set, which is created
 * if need be. */
static struct shimxml_node *place_of_new(struct shimxml_node *set)
{
    if (doc_of(set)->schema == &schema1)
        return set;
    struct shimxml_node *units = shimxml_need(set, "FunctionalUnitSet");
    struct shimxml_node *unit = shimxml_child(units, "FunctionalUnit");
    if (unit)
        return unit;
    unit = shimxml_add(units, "FunctionalUnit");
    shimxml_set(unit, "name", "Core");
    return unit;
}

struct shimxml_node *instruction_add(struct shimxml_node *set, const char *name, const char *input, const char *output)
{
    struct shimxml_node *n = shimxml_add(place_of_new(set), "Instruction");
    int in, out;
    shimxml_set(n, "name", name);
    if (doc_of(set)->schema == &schema1)
        return n;
    instruction_bits(name, &in, &out);
    shimxml_set(n, "operation", name);
    shimxml_setf(n, "inputBitWidth", "%d", in);
    shimxml_setf(n, "outputBitWidth", "%d", out);
    if (input)
        shimxml_set(n, "inputBitWidth", input);
    if (output)
        shimxml_set(n, "outputBitWidth", output);
    return n;
}
