/* executed.h - what two modules execute, and what they write. Internal to irprof/prove. */
#ifndef IRPROF_PROVE_EXECUTED_H
#define IRPROF_PROVE_EXECUTED_H

#include "base/alloc.h"
#include "base/str.h"
#include "irprof/irprof.h"
#include "irprof/module/llvm.h"
#include "irprof/prove/prove.h"

/* Loads a module and removes code without effect, as any compiler may. What is left is the module's work. */
enum status executed_load(struct llvm_module *m, const char *path, struct error *e) MUST_CHECK;

/* Numbers of executions by function and key, "FUNCTION KEY". Stamps are counted separately. */
struct executed;
struct executed *executed_new(void);
void executed_free(struct executed *x); /* NULL is fine */
/* Adds the counts of a region of a profile. `ir` is the module before counters were added. */
enum status executed_add(struct executed *x, const struct llvm_module *ir, const struct irprof_profile *p,
                         size_t region, struct error *e) MUST_CHECK;
bool executed_equal(const struct executed *a, const struct executed *b); /* without stamps */
void executed_judge(struct prove_finding *f, const struct executed *base, const struct executed *stamped);

/* What a run wrote. */
struct written {
    VEC(char *) names;      /* owned: a buffer, a file, "standard output", "exit status" */
    VEC(struct str) values; /* owned */
};
void written_add(struct written *w, const char *name, const char *bytes, size_t n);
void written_release(struct written *w);
/* The name of the first output that differs, and where it differs; the caller frees it. NULL: all are equal. */
char *written_differ(const struct written *a, const struct written *b);
size_t written_size(const struct written *w);

/* run_kernels.c, run_programs.c: the verdicts on what is executed and on the results. */
enum status prove_kernels(struct prove_report *r, const char *base, const char *stamped, const struct prove_options *o,
                          struct error *e) MUST_CHECK;
enum status prove_programs(struct prove_report *r, const char *base, const char *stamped, const struct prove_options *o,
                           struct error *e) MUST_CHECK;
/* flip.c: the verdict on results. `plain` is what the stamped module wrote with never = 0; NULL if stamps replace results. */
void flip_judge(struct prove_finding *f, const struct written *base, const struct written *flipped,
                const struct written *plain);
/* run_time.c: the verdict on time, from the differences R of n pairs of runs [%]. */
void time_judge(struct prove_finding *f, double *percent, size_t n, double most);

#endif
