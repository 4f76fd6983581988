/* report.h - counts for people (text) and programs (CSV, JSON). Internal to irprof. */
#ifndef IRPROF_REPORT_H
#define IRPROF_REPORT_H

#include <stdio.h>

#include "irprof/irprof.h"

enum report_by { REPORT_OPCODE, REPORT_FUNCTION, REPORT_LINE, REPORT_BLOCK, REPORT_REGION };
enum report_format { REPORT_TEXT, REPORT_CSV, REPORT_JSON };

/* One profile and the name it is to have. */
struct report_program {
    const char *name; /* borrowed */
    const struct irprof_profile *profile;
};
struct report {
    const struct report_program *programs;
    size_t n_programs;
    enum report_by by;
    enum report_format format;
    const char *region; /* this one only; NULL: all that the programs mark, and their totals */
};

/* Writes the whole report to f. ERR_INPUT before anything is written if a region is unknown or unusable. */
enum status report_write(const struct report *r, FILE *f, struct error *e) MUST_CHECK;

#endif
