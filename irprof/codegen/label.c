/* label.c - copies a module with labels that let machine code be mapped back to its blocks and instructions. */
#include "irprof/codegen/label.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "irprof/irprof.h"
#include "irprof/module/llvm.h"
#include "irprof/module/plan.h"
#include "irprof/codegen/spill_compile.h"
#include "irprof/codegen/spots.h"
#include "irprof/module/step_regions.h"

static uint32_t number(size_t n)
{
    return n == SPOT_NONE ? IRPROF_NONE : (uint32_t)n;
}

static void describe_function(struct irprof_label_function *to, struct plan *plan, const struct plan_function *f)
{
    size_t length;
    const char *name = LLVMGetValueName2(f->function, &length);
    *to = (struct irprof_label_function){.name = xstrndup(name, length), .n_segments = f->segments.n};
    to->n_blocks = LLVMCountBasicBlocks(f->function);
    to->segments = xcalloc(f->segments.n, sizeof *to->segments);
    for (size_t i = 0; i < f->segments.n; i++) {
        const struct plan_segment *s = &f->segments.at[i];
        to->segments[i] = (struct irprof_label_segment){number(s->block), number(s->number), number(s->parts.n)};
    }
    spots list;
    spots_find(&list, plan, f);
    to->spots = xcalloc(list.n, sizeof *to->spots);
    to->n_spots = list.n;
    for (size_t i = 0; i < list.n; i++)
        to->spots[i] =
            (struct irprof_spot){number(list.at[i].block), number(list.at[i].segment), number(list.at[i].part)};
    vec_release(&list);
}

static void describe_module(struct irprof_labels *labels, struct plan *plan, LLVMModuleRef module)
{
    size_t length;
    const char *name = LLVMGetSourceFileName(module, &length);
    labels->module = xstrndup(name, length);
    labels->target = xstrdup(LLVMGetTarget(module));
    labels->unoptimised = spill_unoptimised(module);
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

static void mark(LLVMModuleRef module, const struct plan *plan)
{
    spill_mark(module, plan, false);
    steps_unmark(module);
    rename_locals(module);
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
    if (out)
        mark(m.module, &plan);
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
