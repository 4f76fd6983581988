/* run_kernels.c - runs both modules of kernels with the same launches: counted, and with never = 1. */
#include <stdlib.h>

#include "irprof/kernel/opencl_kernels.h"
#include "irprof/prove/executed.h"
#include "irprof/prove/stamp_marks.h"

struct side {
    struct kernel_program program;
    struct executed *executed;
    struct written plain, flipped;
};

static void take_results(struct written *w, const struct kernel_run *r, const struct launch *l)
{
    for (size_t i = 0; i < r->n_results; i++)
        if (l->buffers.at[i].result)
            written_add(w, l->buffers.at[i].name, str_text(&r->results[i]), r->results[i].len);
}

static enum status count(struct side *s, const struct kernel_run *r, struct error *e)
{
    struct llvm_module ir;
    s->executed = executed_new();
    enum status status = llvm_load(&ir, s->program.ir, e);
    if (!status)
        status = executed_add(s->executed, &ir, r->profile, r->profile->n_regions - 1, e);
    llvm_release(&ir);
    return status;
}

static enum status run_once(struct side *s, const struct launch *l, bool flip, unsigned limit, struct error *e)
{
    struct kernel_run r;
    enum status status = kernel_execute(&r, &s->program, flip, limit, e);
    if (!status && !flip)
        status = count(s, &r, e);
    if (!status)
        take_results(flip ? &s->flipped : &s->plain, &r, l);
    kernel_run_release(&r);
    return status;
}

static enum status make(struct side *s, const char *path, const struct launch *l, struct error *e)
{
    struct llvm_module m = {0};
    enum status status = executed_load(&m, path, e);
    if (!status)
        status = kernel_prepare(m.module, path, e);
    if (!status)
        status = kernel_build(&s->program, &m, path, l, e);
    llvm_release(&m);
    return status;
}

static void side_release(struct side *s)
{
    kernel_program_release(&s->program);
    executed_free(s->executed);
    written_release(&s->plain);
    written_release(&s->flipped);
}

static enum status replaces(bool *yes, const char *stamped, struct error *e)
{
    struct llvm_module m;
    struct marks marks = {0};
    enum status s = llvm_load(&m, stamped, e);
    if (s)
        return s;
    s = marks_read(&marks, m.module, stamped, e);
    *yes = marks_have(&marks, "replace");
    marks_release(&marks);
    llvm_release(&m);
    return s;
}

/* Is the failure a finding? A stamped kernel that does something forbidden (accesses memory outside its buffers, never
 * ends) does not do the original's work. */
static bool is_finding(struct prove_report *r, enum status s, const struct error *e)
{
    if (s != ERR_INPUT)
        return false;
    for (int k = PROVE_EXECUTED; k <= PROVE_FLIP; k++)
        r->findings[k] =
            (struct prove_finding){PROVE_DOES_NOT, xasprintf("the stamped kernels cannot be run: %s", e->message)};
    return true;
}

enum status prove_kernels(struct prove_report *r, const char *base, const char *stamped, const struct prove_options *o,
                          struct error *e)
{
    struct launch l = {0};
    struct side a = {0}, b = {0};
    struct error of_stamped = ERROR_INIT;
    bool replaced = false;
    enum status s = replaces(&replaced, stamped, e);
    if (!s)
        s = launch_read(&l, o->launch, e);
    if (!s)
        s = make(&a, base, &l, e);
    if (!s)
        s = run_once(&a, &l, false, (unsigned)o->limit, e);
    if (!s)
        s = make(&b, stamped, &l, e);
    if (!s) {
        enum status t = run_once(&b, &l, false, (unsigned)o->limit, &of_stamped);
        if (!t)
            t = run_once(&b, &l, true, (unsigned)o->limit, &of_stamped);
        if (!t) {
            executed_judge(&r->findings[PROVE_EXECUTED], a.executed, b.executed);
            flip_judge(&r->findings[PROVE_FLIP], &a.plain, &b.flipped, replaced ? 0 : &b.plain);
        } else if (!is_finding(r, t, &of_stamped)) {
            s = error_set(e, t, NOWHERE, "%s", of_stamped.message);
        }
    }
    error_release(&of_stamped);
    side_release(&a);
    side_release(&b);
    launch_release(&l);
    return s;
}
