/* spots.c - maps numbers carried by machine code to segments and parts of the profile. */
#include "irprof/codegen/spots.h"

#include <stdlib.h>

#include "irprof/module/instruction_key.h"
#include "irprof/module/llvm.h"
#include "irprof/codegen/spill_compile.h"

static size_t part_of(struct plan *plan, const struct plan_segment *s, LLVMValueRef i)
{
    char *file;
    unsigned line;
    size_t number = 0;
    llvm_instruction_place(i, &file, &line);
    bool known = !file || map_get(&plan->files, file, &number);
    number = file ? number + 1 : 0;
    free(file);
    for (size_t k = 0; known && k < s->parts.n; k++)
        if (s->parts.at[k].file == number && s->parts.at[k].line == line)
            return k;
    return SPOT_NONE;
}

void spots_find(spots *out, struct plan *plan, const struct plan_function *f)
{
    size_t next = 0, block = 0;
    *out = (spots){0};
    vec_push(out, (struct spot){SPOT_NONE, SPOT_NONE, SPOT_NONE});
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b), block++) {
        size_t segment = SPOT_NONE;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const struct plan_segment *s = next < f->segments.n ? &f->segments.at[next] : 0;
            if (s && s->block == block && (s->number == 0 || s->at == i))
                segment = next++;
            struct spot at = {block, segment, SPOT_NONE};
            if (segment != SPOT_NONE && key_counted(i))
                at.part = part_of(plan, &f->segments.at[segment], i);
            if (spill_numbered(i))
                vec_push(out, at);
        }
    }
}
