/* loops.h - the loops of loops.txt, between what generate.awk makes of it and run.c. */
#ifndef TESTS_A53_LOOPS_H
#define TESTS_A53_LOOPS_H

#include <stddef.h>

struct loop {
    const char *row, *kind, *seed; /* columns of loops.txt; "latency" or "throughput" */
    void (*code)(void);            /* to be entered by loop_enter only */
    int operations;                /* in a round */
    const char *minus;
};
extern const struct loop loops[];
extern const size_t n_loops;

#endif
