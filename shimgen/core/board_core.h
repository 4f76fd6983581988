/* board_core.h - the trials of a core (trials.h) compiled for a board, run there, and their cycles. */
#ifndef SHIMGEN_CORE_BOARD_CORE_H
#define SHIMGEN_CORE_BOARD_CORE_H

#include "boards/boards.h"
#include "shimgen/core/trials.h"
#include "shimgen/estimate/compiled/compiled_elf.h"

/* A program of the trials, and its machine code. */
struct core_program {
    char *path;     /* owned */
    size_t from, n; /* trials */
    struct elf code;
};
struct core_run {
    struct core_trials trials;
    struct core_program *programs; /* owned */
    size_t n_programs;
    char *counter;    /* the event that gives cycles; owned */
    bool ticks;       /* it does not count them: ticks of another clock, in cycles of a chain of additions */
    char *conditions; /* "Cortex-A53 (simulated), 1 run of each"; owned */
    char *cpu;        /* the processor that the board's flags name; owned, "" */
};
/* Compiles all trials below `folder` and measures them. ERR_INPUT: no table for the board's target; its counter is not
 * of core cycles; no hardware. core_run_release, also after an error. */
enum status core_run_measure(struct core_run *r, const struct board *b, const char *folder, struct error *e) MUST_CHECK;
void core_run_release(struct core_run *r);
/* The same for trials that were added since, in further programs. */
enum status core_run_more(struct core_run *r, const struct board *b, const char *folder, struct error *e) MUST_CHECK;
/* Its two halves, for who runs the trials otherwise: all trials of a table, nothing compiled; the assembly of a program. It
 * refers to core_memory and core_other. */
void core_run_init(struct core_run *r, const struct core_kernels *k);
/* Programs for the trials that are in none. */
void core_run_plan(struct core_run *r);
void core_run_assembly(struct str *to, const struct core_run *r, size_t which);
/* FOLDER/trials.csv: what each trial took, and what it takes by a model, in cycles of a unit; error: their difference, 1 is
 * as far as can be told, below explained. Empty: it did not run. */
enum status core_run_write(const struct core_run *r, const double *predicted, const double *errors, const char *folder,
                           struct error *e) MUST_CHECK;
/* Notes what cycles were measured by. ERR_UNSUPPORTED: it is not the core's own clock, or there are none. */
enum status core_run_counter(struct core_run *r, const struct board *b, const struct measurements *m,
                             struct error *e) MUST_CHECK;
/* ERR_UNSUPPORTED: additions in a chain, which take a cycle each on all cores of the target, did not: what was counted are not
 * the core's cycles. */
enum status core_run_check(const struct core_run *r, const struct board *b, struct error *e) MUST_CHECK;
/* The function of a trial's short (0) or long (1) form; NULL: none. */
const struct elf_function *core_run_code(const struct core_run *r, size_t trial, int form, const struct elf **of);

#endif
