/* run_programs.c - builds and runs both programs: counted, with never = 1, and alternately for their run times. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/proc.h"
#include "irprof/cc/cc.h"
#include "irprof/instrument/instrument.h"
#include "irprof/kernel/opencl_kernels.h"
#include "irprof/prove/executed.h"
#include "irprof/prove/stamp_marks.h"

struct side {
    const char *path; /* path of the IR */
    bool stamped;
    char *ir, *counted, *plain; /* owned: the counted IR; programs with and without counters */
    struct executed *executed;
};

/* ---- building ---- */

static enum status link_program(const struct prove_options *o, const struct side *side, const char *ir, bool counted,
                                const char *out, struct error *e)
{
    const char *flags[LINK_WORDS];
    char *owned;
    struct proc_result r = PROC_RESULT_INIT;
    VEC(const char *) words = {0};
    const char *const first[] = {cc_compiler(), "-O2", "-w", "-Xclang", "-disable-llvm-passes", ir};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        vec_push(&words, first[i]);
    size_t n = link_flags(flags, &owned);
    for (size_t i = 0; counted && i < n; i++)
        vec_push(&words, flags[i]);
    for (size_t i = 0; side->stamped && i < o->n_link_stamped; i++)
        vec_push(&words, o->link_stamped[i]);
    for (size_t i = 0; i < o->n_link; i++)
        vec_push(&words, o->link[i]);
    const char *const last[] = {"-lm", "-lpthread", "-o", out, 0};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        vec_push(&words, last[i]);
    struct proc p = {.argv = words.at, .capture = true, .cpu = -1};
    enum status s = proc_must(&p, &r, e);
    if (s)
        error_context(e, "%s cannot be linked", side->path);
    proc_result_release(&r);
    vec_release(&words);
    free(owned);
    return s;
}

static enum status make_counted(const struct prove_options *o, struct side *side, const char *folder, struct error *e)
{
    static const struct instrument_options options = {.counters = IRPROF_COUNTERS_THREAD};
    const char *name = side->stamped ? "stamped" : "base";
    char *counted = xasprintf("%s/%s.i.bc", folder, name);
    struct llvm_module m = {0};
    side->ir = xasprintf("%s/%s.bc", folder, name);
    side->counted = xasprintf("%s/%s.counted", folder, name);
    enum status s = executed_load(&m, side->path, e);
    if (!s)
        s = llvm_store(&m, side->ir, e);
    if (!s)
        s = instrument(&m, side->path, &options, e);
    if (!s)
        s = llvm_store(&m, counted, e);
    if (!s)
        s = link_program(o, side, counted, true, side->counted, e);
    llvm_release(&m);
    free(counted);
    return s;
}

/* ---- running ---- */

struct run {
    struct written written;
    double seconds; /* of processor time */
};

static void add_number(struct written *w, const char *name, long value)
{
    char *text = xasprintf("%ld", value);
    written_add(w, name, text, strlen(text));
    free(text);
}

static enum status take_files(struct written *w, const struct prove_options *o, struct error *e)
{
    for (size_t i = 0; i < o->n_results; i++) {
        struct str bytes = STR_INIT;
        enum status s = file_read(&bytes, o->results[i], FILE_LIMIT, e);
        if (s)
            return s;
        written_add(w, o->results[i], str_text(&bytes), bytes.len);
        str_release(&bytes);
    }
    return OK;
}

static enum status run_once(struct run *run, const struct prove_options *o, const char *program, const char *profile,
                            bool flip, struct error *e)
{
    char *out = xasprintf("IRPROF_OUT=%s", profile), *stamps = xasprintf("IRPROF_STAMP_OUT=%s.stamps", profile);
    const char *environment[] = {out, stamps, flip ? "IRPROF_STAMP_FLIP=1" : "IRPROF_STAMP_FLIP=0", 0};
    VEC(const char *) words = {0};
    struct proc_result r = PROC_RESULT_INIT;
    *run = (struct run){0};
    vec_push(&words, program);
    for (size_t i = 0; i < o->n_arguments; i++)
        vec_push(&words, o->arguments[i]);
    vec_push(&words, 0);
    struct proc p = {.argv = words.at,
                     .environment = environment,
                     .in_path = o->input,
                     .capture = true,
                     .cpu = -1,
                     .cpu_limit_s = (unsigned)o->limit};
    enum status s = proc_run(&p, &r, e);
    if (!s) {
        written_add(&run->written, "standard output", str_text(&r.out), r.out.len);
        add_number(&run->written, "the exit status", r.signal ? -r.signal : r.exit_code);
        run->seconds = r.cpu_s;
        s = take_files(&run->written, o, e);
    }
    proc_result_release(&r);
    vec_release(&words);
    free(out);
    free(stamps);
    return s;
}

/* Runs the counted program. Its counts go to *x. */
static enum status count(struct executed **x, struct run *run, const struct prove_options *o, const struct side *side,
                         const char *folder, bool flip, struct error *e)
{
    char *profile = path_join(folder, "profile");
    struct irprof_profile *p = 0;
    struct llvm_module ir = {0};
    enum status s = run_once(run, o, side->counted, profile, flip, e);
    if (!s && x) {
        *x = executed_new();
        s = irprof_read(&p, profile, e);
        if (!s)
            s = llvm_load(&ir, side->ir, e);
        if (!s)
            s = executed_add(*x, &ir, p, p->n_regions - 1, e);
    }
    irprof_free(p);
    llvm_release(&ir);
    free(profile);
    return s;
}

/* ---- the verdicts ---- */

static enum status judge(struct prove_report *r, const struct prove_options *o, struct side *a, struct side *b,
                         const char *folder, bool replaced, struct error *e)
{
    struct executed *again = 0;
    struct run first = {0}, second = {0}, stamped = {0}, flipped = {0};
    enum status s = count(&a->executed, &first, o, a, folder, false, e);
    if (!s)
        s = count(&again, &second, o, a, folder, false, e);
    if (!s)
        s = count(&b->executed, &stamped, o, b, folder, false, e);
    if (!s)
        s = count(0, &flipped, o, b, folder, true, e);
    if (!s) {
        char *moves = written_differ(&first.written, &second.written);
        if (executed_equal(a->executed, again))
            executed_judge(&r->findings[PROVE_EXECUTED], a->executed, b->executed);
        else
            r->findings[PROVE_EXECUTED] = (struct prove_finding){
                PROVE_NOT,
                xstrdup("two runs of the original do not execute the same: there is nothing to compare with")};
        if (moves)
            r->findings[PROVE_FLIP] =
                (struct prove_finding){PROVE_NOT, xasprintf("two runs of the original do not agree: %s", moves)};
        else
            flip_judge(&r->findings[PROVE_FLIP], &first.written, &flipped.written, replaced ? 0 : &stamped.written);
        free(moves);
    }
    executed_free(again);
    written_release(&first.written);
    written_release(&second.written);
    written_release(&stamped.written);
    written_release(&flipped.written);
    return s;
}

static enum status measure(struct prove_report *r, const struct prove_options *o, struct side *a, struct side *b,
                           const char *folder, struct error *e)
{
    struct side *sides[] = {a, b};
    char *profile = path_join(folder, "none");
    double *percent = xcalloc((size_t)o->pairs, sizeof *percent);
    enum status s = OK;
    for (int k = 0; !s && k < 2; k++) {
        sides[k]->plain = xasprintf("%s/%s.plain", folder, k ? "stamped" : "base");
        s = link_program(o, sides[k], sides[k]->path, false, sides[k]->plain, e);
    }
    for (long i = 0; !s && i < o->pairs; i++) {
        double seconds[2] = {0, 0};
        for (int k = 0; !s && k < 2; k++) {
            int which = k ^ (int)(i % 2); /* alternates which one is first */
            struct run run;
            s = run_once(&run, o, sides[which]->plain, profile, false, e);
            seconds[which] = run.seconds;
            written_release(&run.written);
        }
        if (!s && !(seconds[0] > 0))
            s = error_set(e, ERR_INPUT, AT_FILE(a->path), "runs for too short a time to be measured");
        percent[i] = s ? 0 : 100 * (seconds[1] - seconds[0]) / seconds[0];
    }
    if (!s)
        time_judge(&r->findings[PROVE_TIME], percent, (size_t)o->pairs, o->most);
    free(percent);
    free(profile);
    return s;
}

static void side_release(struct side *s)
{
    free(s->ir);
    free(s->counted);
    free(s->plain);
    executed_free(s->executed);
}

enum status prove_programs(struct prove_report *r, const char *base, const char *stamped, const struct prove_options *o,
                           struct error *e)
{
    struct side a = {.path = base}, b = {.path = stamped, .stamped = true};
    struct llvm_module m = {0};
    struct marks marks = {0};
    char *folder = 0;
    enum status s = llvm_load(&m, stamped, e);
    if (!s)
        s = marks_read(&marks, m.module, stamped, e);
    if (!s)
        s = temp_directory(&folder, "irprof-prove", e);
    if (!s)
        s = make_counted(o, &a, folder, e);
    if (!s)
        s = make_counted(o, &b, folder, e);
    if (!s)
        s = judge(r, o, &a, &b, folder, marks_have(&marks, "replace"), e);
    if (!s && o->pairs)
        s = measure(r, o, &a, &b, folder, e);
    marks_release(&marks);
    llvm_release(&m);
    side_release(&a);
    side_release(&b);
    kernel_drop(folder);
    return s;
}
