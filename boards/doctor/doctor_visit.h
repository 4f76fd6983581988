/* doctor_visit.h - the parts of board_doctor. Private to boards/doctor. */
#ifndef BOARDS_DOCTOR_DOCTOR_VISIT_H
#define BOARDS_DOCTOR_DOCTOR_VISIT_H

#include "boards/boards.h"

struct doctor_visit {
    const struct board *b;
    const char *root;
    struct board_machine machine;
    char *status; /* /proc/self/status, "" when absent */
    int core;
    struct findings *out;
};
void doctor_arm(struct doctor_visit *v); /* events that the PMU lacks, kinds of cores, what the Pi's firmware does */

/* What must be there on this machine to build and run the board's programs: compilers, runtimes, emulators, ssh. */
void doctor_place(const struct board *b, struct findings *out);

#endif
