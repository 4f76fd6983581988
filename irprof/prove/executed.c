/*
 * executed.c - how often the instructions of a module are executed, without its stamps. A later compiler would delete
 * computations whose results are not used. So code without effect is removed from both modules first (LLVM's
 * instsimplify and adce, also loops). A stamped module that stores stamps in place of results without a guard loses its
 * computation here, as it would there. Keys have no "_d", since a stamp may stand between two instructions of the
 * original.
 */
#include "irprof/prove/executed.h"

#include <inttypes.h>
#include <llvm-c/Support.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "irprof/kernel/opencl_kernels.h"
#include "irprof/module/instruction_key.h"
#include "irprof/prove/stamp_marks.h"

struct executed {
    struct map names; /* keys "FUNCTION KEY" */
    VEC(uint64_t) counts;
    uint64_t all, stamps;
};

enum status executed_load(struct llvm_module *m, const char *path, struct error *e)
{
    /* not loop-deletion, which first gives each loop blocks and phis of its own, and they are counted */
    static const char *const options[] = {"irprof", "-adce-remove-loops"};
    static bool said;
    if (!said)
        LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, "");
    said = true;
    enum status s = llvm_load(m, path, e);
    if (!s)
        llvm_run(m->module, "function(instsimplify,adce)");
    return s;
}

struct executed *executed_new(void)
{
    return xcalloc(1, sizeof(struct executed));
}

void executed_free(struct executed *x)
{
    if (!x)
        return;
    map_release(&x->names);
    vec_release(&x->counts);
    free(x);
}

static void visit(void *data, LLVMValueRef i, uint64_t n)
{
    struct executed *x = data;
    const char *function = LLVMGetValueName(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
    if (mark_is_stamp(i) || mark_is_own(function)) {
        x->stamps += n;
        return;
    }
    char *key = key_of(i, 0), *name = xasprintf("%s %s", function, key);
    size_t number = map_number(&x->names, name);
    while (x->counts.n <= number)
        vec_push(&x->counts, 0);
    x->counts.at[number] += n;
    x->all += n;
    free(key);
    free(name);
}

enum status executed_add(struct executed *x, const struct llvm_module *ir, const struct irprof_profile *p,
                         size_t region, struct error *e)
{
    return executions_each(ir, p, region, visit, x, e);
}

static uint64_t count_of(const struct executed *x, const char *name)
{
    size_t number;
    return map_get(&x->names, name, &number) ? x->counts.at[number] : 0;
}

/* The first row of `a` that has another count in `b`; NULL: none. */
static const char *first_difference(const struct executed *a, const struct executed *b)
{
    for (size_t i = 0; i < a->names.n; i++)
        if (a->counts.at[i] != count_of(b, a->names.keys[i]))
            return a->names.keys[i];
    return 0;
}

bool executed_equal(const struct executed *a, const struct executed *b)
{
    return !first_difference(a, b) && !first_difference(b, a);
}

void executed_judge(struct prove_finding *f, const struct executed *base, const struct executed *stamped)
{
    const char *name = first_difference(base, stamped);
    if (!name)
        name = first_difference(stamped, base);
    if (!base->all) {
        *f = (struct prove_finding){PROVE_NOT, xstrdup("the original has executed nothing that is counted")};
    } else if (!name) {
        *f = (struct prove_finding){
            PROVE_HOLDS,
            xasprintf("%" PRIu64 " instructions of the original, each as often as there; %" PRIu64 " of stamps",
                      base->all, stamped->stamps)};
    } else {
        size_t n = strcspn(name, " ");
        *f = (struct prove_finding){
            PROVE_DOES_NOT, xasprintf("%" PRIu64 " instructions without the stamps, the original executes %" PRIu64
                                      "; '%s' in '%.*s': %" PRIu64 " in place of %" PRIu64,
                                      stamped->all, base->all, name + n + 1, (int)n, name, count_of(stamped, name),
                                      count_of(base, name))};
    }
}
