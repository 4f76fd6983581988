/* executions.c - how often each instruction of a module was executed, according to a profile of the module. */
#include <stdlib.h>
#include <string.h>

#include "irprof/codegen/label.h"
#include "irprof/codegen/spill_compile.h"
#include "irprof/kernel/opencl_kernels.h"
#include "irprof/module/instruction_key.h"
#include "irprof/module/plan.h"

/* The function's number in the profile, or n_functions. */
static size_t find_function(const struct irprof_profile *p, const char *name)
{
    size_t i = 0;
    while (i < p->n_functions && strcmp(p->functions[i].name, name) != 0)
        i++;
    return i;
}

struct function_segments {
    size_t first, n;
};

static struct function_segments segments_of(const struct irprof_profile *p, size_t function)
{
    struct function_segments r = {0, 0};
    while (r.first < p->n_segments && p->segments[r.first].function != function)
        r.first++;
    while (r.first + r.n < p->n_segments && p->segments[r.first + r.n].function == function)
        r.n++;
    return r;
}

/* Visits one function. Returns false if the profile's function is a different one. */
static bool visit_function(struct plan *plan, const struct plan_function *f, const struct irprof_profile *p,
                           const uint64_t *executed, executions_visit *visit, void *data)
{
    struct irprof_spot *spots;
    size_t length, number = 0;
    const char *name = LLVMGetValueName2(f->function, &length);
    size_t found = find_function(p, name);
    if (found == p->n_functions)
        return false;
    struct function_segments s = segments_of(p, found);
    size_t n = label_spots(&spots, plan, f);
    bool fine = s.n == f->segments.n;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); fine && b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!spill_numbered(i) || ++number >= n)
                continue;
            if (key_counted(i) && spots[number].segment != IRPROF_NONE)
                visit(data, i, executed[s.first + spots[number].segment]);
        }
    free(spots);
    return fine;
}

enum status executions_each(const struct llvm_module *ir, const struct irprof_profile *p, size_t region,
                            executions_visit *visit, void *data, struct error *e)
{
    static const struct instrument_options nothing;
    struct plan plan;
    enum status s = OK;
    plan_make(&plan, ir->module, &nothing);
    for (size_t i = 0; !s && i < plan.functions.n; i++) {
        const struct plan_function *f = &plan.functions.at[i];
        if (!f->not_counted && !visit_function(&plan, f, p, p->regions[region].executions, visit, data))
            s = error_set(e, ERR_INPUT, AT_FILE(p->path), "is not a profile of the IR at hand: function '%s' differs",
                          LLVMGetValueName(f->function));
    }
    plan_release(&plan);
    return s;
}
