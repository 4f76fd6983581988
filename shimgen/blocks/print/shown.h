/* shown.h - what tables and pages for people show of blocks: a mean step, or the whole run, never both; equal cores
 * once; rows with cycles. Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_PRINT_SHOWN_H
#define SHIMGEN_BLOCKS_PRINT_SHOWN_H

#include "shimgen/blocks/print_blocks.h"

/* Cores that all rows cost the same on. */
struct shown_core {
    size_t core; /* the first */
    char *names; /* owned; "A53_0, A53_1" */
};
struct shown {
    struct shown_core *cores; /* owned */
    size_t n_cores;
    const struct blocks_row **rows; /* owned; the most expensive first */
    size_t n_rows;
    size_t n_empty;     /* rows without cycles that are left out */
    size_t n_cut;       /* rows that are left out by --top */
    double *cut_cycles; /* owned; theirs, of each of `cores` */
};
void shown_make(struct shown *s, const struct blocks_print *p);
void shown_release(struct shown *s);

/* Of a mean step? Else of the whole run; so are these. */
bool shown_steps(const struct blocks_print *p);
/* Are measured cycles there, which are of the whole run? */
bool shown_measured(const struct blocks_print *p);
double shown_cycles(const struct blocks_print *p, const struct blocks_row *row, size_t core);
double shown_total(const struct blocks_print *p, size_t core);
double shown_inclusive(const struct blocks_print *p, const struct blocks_row *row, size_t core);
double shown_share(const struct blocks_print *p, const struct blocks_row *row, size_t core);
/* Executions, bytes. */
double shown_count(const struct blocks_print *p, uint64_t in_run, uint64_t in_steps);

#endif
