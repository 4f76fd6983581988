/*
 * opencl_kernels.h - kernels of OpenCL C, run on this machine's processor and counted. Internal to irprof.
 *
 * In the order of use:
 *     kernel_load(&m, "fft.cl", "O2", e)        compiled, or read if it is IR; functions of OpenCL C become instructions
 *     kernel_build(&p, &m, "fft.cl", &launch, e)  instrumented, with the launches, as a program
 *     kernel_execute(&r, &p, false, e)          run once: profile, totals, results
 *     kernel_table_add(&t, ...)                 a row for each kernel
 */
#ifndef IRPROF_KERNEL_OPENCL_KERNELS_H
#define IRPROF_KERNEL_OPENCL_KERNELS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/map.h"
#include "base/str.h"
#include "irprof/irprof.h"
#include "irprof/kernel/launch.h"
#include "irprof/module/llvm.h"

/* Reads IR, or compiles a file that ends in .cl at this level ("O2"), and prepares it: functions of OpenCL C become
 * instructions and intrinsics, kernels ordinary functions. ERR_INPUT: it does not compile, or is for another target.
 * ERR_UNSUPPORTED: it calls what cannot be run here. llvm_release *m. */
enum status kernel_load(struct llvm_module *m, const char *path, const char *level, struct error *e) MUST_CHECK;
/* The second half of it, for a module that has been read already: what it must be for, functions, calling conventions. */
enum status kernel_prepare(LLVMModuleRef module, const char *path, struct error *e) MUST_CHECK;

/* A program that runs the kernels of one module. */
struct kernel_program {
    char *folder;                /* owned; removed with all that is in it by kernel_program_release */
    char *ir;                    /* owned; path of the prepared IR, as it was before counters were added */
    char *path;                  /* owned; the program */
    char *stamps;                /* owned; a file in the folder that takes the stamps of its kernels; NULL: none */
    const struct launch *launch; /* borrowed */
};
/* Makes it; `m` is instrumented by this. `path` stands in messages. ERR_INPUT: the launches do not fit the kernels.
 * kernel_program_release frees, also after an error. */
enum status kernel_build(struct kernel_program *p, struct llvm_module *m, const char *path, const struct launch *launch,
                         struct error *e) MUST_CHECK;
void kernel_program_release(struct kernel_program *p);

/* What the launches of one kernel were, together. */
struct kernel_total {
    char *kernel; /* owned */
    uint64_t launches, items, groups;
    uint64_t barriers; /* calls of barrier, by all work-items */
};
struct kernel_run {
    struct irprof_profile *profile;  /* a region for each kernel */
    VEC(struct kernel_total) totals; /* in the order of their first launch */
    struct str *results; /* owned; of each buffer of the launch: its bytes at the end; empty if it is no result */
    size_t n_results;
};
/* Runs the program. `flip`: stamped kernels are given irprof_never = 1. `limit`: seconds of processor time. ERR_INPUT: a
 * kernel does what it must not; the message says which work-item. kernel_run_release frees, also after an error. */
enum status kernel_execute(struct kernel_run *r, const struct kernel_program *p, bool flip, unsigned limit,
                           struct error *e) MUST_CHECK;
void kernel_run_release(struct kernel_run *r);

/* Removes a temporary folder with all that is in it, and frees its name; NULL is fine. */
void kernel_drop(char *folder);

/* host_text.c: the tables of a program, in C. `m` has the kernels. ERR_INPUT: a launch does not fit its kernel. */
enum status host_text(struct str *out, LLVMModuleRef m, const char *path, const struct launch *l,
                      struct error *e) MUST_CHECK;

/* Calls `visit` for each instruction of the module that is counted, with how often it was executed in the region; in the
 * order of the IR. `ir` is the module as it was before counters were added. ERR_INPUT: `p` is of another module. */
typedef void executions_visit(void *data, LLVMValueRef instruction, uint64_t executions);
enum status executions_each(const struct llvm_module *ir, const struct irprof_profile *p, size_t region,
                            executions_visit *visit, void *data, struct error *e) MUST_CHECK;

/* A table of counts: a row for each kernel (docs/formats/kernel-counts.md). Zeroed is empty. */
struct kernel_table {
    struct map columns;
    VEC(struct kernel_row) rows;
};
/* Adds the kernels of a run. `program` is the name in the first column. */
enum status kernel_table_add(struct kernel_table *t, const char *program, const struct kernel_program *p,
                             const struct kernel_run *r, struct error *e) MUST_CHECK;
/* As CSV; `by_item`: all counts divided by the number of work-items. */
void kernel_table_write(const struct kernel_table *t, bool by_item, FILE *f);
void kernel_table_release(struct kernel_table *t);

#endif
