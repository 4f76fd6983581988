/* label.c - copies a module with labels that let machine code be mapped back to its blocks and instructions. */
#include "irprof/codegen/label.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "irprof/codegen/generator.h"
#include "irprof/irprof.h"
#include "irprof/module/instruction_key.h"
#include "irprof/module/llvm.h"
#include "irprof/module/plan.h"
#include "irprof/codegen/spill_compile.h"
#include "irprof/module/step_regions.h"

/* ---- meaning of an instruction's number ---- */

static uint32_t part_of(struct plan *plan, const struct plan_segment *s, LLVMValueRef i)
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
            return (uint32_t)k;
    return IRPROF_NONE;
}

size_t label_spots(struct irprof_spot **out, struct plan *plan, const struct plan_function *f)
{
    VEC(struct irprof_spot) list = {0};
    uint32_t next = 0, block = 0;
    vec_push(&list, (struct irprof_spot){IRPROF_NONE, IRPROF_NONE, IRPROF_NONE});
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b), block++) {
        uint32_t segment = IRPROF_NONE;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const struct plan_segment *s = next < f->segments.n ? &f->segments.at[next] : 0;
            if (s && s->block == block && (s->number == 0 || s->at == i))
                segment = next++;
            struct irprof_spot at = {block, segment, IRPROF_NONE};
            if (segment != IRPROF_NONE && key_counted(i))
                at.part = part_of(plan, &f->segments.at[segment], i);
            if (spill_numbered(i))
                vec_push(&list, at);
        }
    }
    *out = list.at;
    return list.n;
}

/* ---- the labels ---- */

static void describe_function(struct irprof_label_function *to, struct plan *plan, const struct plan_function *f)
{
    size_t length;
    const char *name = LLVMGetValueName2(f->function, &length);
    *to = (struct irprof_label_function){.name = xstrndup(name, length), .n_segments = f->segments.n};
    to->n_blocks = LLVMCountBasicBlocks(f->function);
    to->segments = xcalloc(f->segments.n, sizeof *to->segments);
    for (size_t i = 0; i < f->segments.n; i++) {
        const struct plan_segment *s = &f->segments.at[i];
        to->segments[i] = (struct irprof_label_segment){(uint32_t)s->block, (uint32_t)s->number, (uint32_t)s->parts.n};
    }
    to->n_spots = label_spots(&to->spots, plan, f);
}

static void describe_module(struct irprof_labels *labels, struct plan *plan, LLVMModuleRef module)
{
    size_t length;
    const char *name = LLVMGetSourceFileName(module, &length);
    labels->module = xstrndup(name, length);
    labels->target = xstrdup(LLVMGetTarget(module));
    labels->unoptimised = generator_is_plain(module);
    labels->functions = xcalloc(plan->functions.n, sizeof *labels->functions);
    labels->n = plan->functions.n;
    for (size_t i = 0; i < labels->n; i++)
        describe_function(&labels->functions[i], plan, &plan->functions.at[i]);
}

static void rename_local(LLVMValueRef v)
{
    LLVMLinkage linkage = LLVMGetLinkage(v);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return;
    size_t length;
    const char *name = LLVMGetValueName2(v, &length);
    char *other = xasprintf(LABEL_LOCAL "%.*s", (int)length, name);
    LLVMSetValueName2(v, other, strlen(other));
    free(other);
}

static void rename_locals(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        rename_local(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        rename_local(g);
}

enum status irprof_label(struct irprof_labels *labels, const char *in, const char *out, const char *steps,
                         struct error *e)
{
    struct llvm_module m;
    *labels = (struct irprof_labels){0};
    enum status s = llvm_load(&m, in, e);
    if (s)
        return s;
    static const struct instrument_options nothing;
    struct plan plan;
    if (steps)
        steps_mark(m.module, steps);
    plan_make(&plan, m.module, &nothing);
    describe_module(labels, &plan, m.module);
    if (out) {
        spill_mark(m.module, &plan, false);
        steps_unmark(m.module);
        rename_locals(m.module);
    }
    plan_release(&plan);
    if (out)
        s = llvm_store(&m, out, e);
    llvm_release(&m);
    if (s)
        irprof_labels_release(labels);
    return s;
}

void irprof_labels_release(struct irprof_labels *labels)
{
    for (size_t i = 0; i < labels->n; i++) {
        free(labels->functions[i].name);
        free(labels->functions[i].segments);
        free(labels->functions[i].spots);
    }
    free(labels->functions);
    free(labels->module);
    free(labels->target);
    *labels = (struct irprof_labels){0};
}
