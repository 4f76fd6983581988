/* exclusions.c - instructions and keys without a case, and the reason, by the table of instructions. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/instructions.h"
#include "samples/micro/private.h"

static const char *const patterns[IR_OPCODES] = {
#define INSTRUCTION(id_, name_, ...) [IR_##id_] = name_ "*",
#include "base/instructions.def"
};

/* C has no such instruction, or it makes no code, or it costs as much as its first stand-in. */
static struct micro_exclusion of_instruction(enum ir_opcode opcode)
{
    const struct ir_instruction *in = ir_instruction(opcode);
    return (struct micro_exclusion){patterns[opcode], ir_instruction(in->like[0])->key, in->no_case};
}

struct micro_exclusion *micro_exclusions(size_t *n)
{
    size_t n_keys;
    const struct ir_key_like *keys = ir_key_likes(&n_keys);
    struct micro_exclusion *list = xcalloc(IR_OPCODES + n_keys, sizeof *list);
    *n = 0;
    for (int op = IR_NONE + 1; op < IR_OPCODES; op++)
        if (ir_instruction((enum ir_opcode)op)->no_case)
            list[(*n)++] = of_instruction((enum ir_opcode)op);
    for (size_t i = 0; i < n_keys; i++)
        list[(*n)++] = (struct micro_exclusion){keys[i].pattern, keys[i].like, keys[i].why};
    return list;
}
