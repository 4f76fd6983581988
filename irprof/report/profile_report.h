/* profile_report.h - counts for people (text) and programs (CSV, JSON, callgrind). Internal to irprof. */
#ifndef IRPROF_REPORT_PROFILE_REPORT_H
#define IRPROF_REPORT_PROFILE_REPORT_H

#include <stdio.h>

#include "irprof/irprof.h"
#include "irprof/report/section.h"

enum report_format { REPORT_TEXT, REPORT_CSV, REPORT_JSON, REPORT_CALLGRIND };

/* One profile and the name it is to have. */
struct report_program {
    const char *name; /* borrowed */
    const struct irprof_profile *profile;
};
struct report {
    const struct report_program *programs;
    size_t n_programs;
    enum report_by by; /* callgrind: not looked at */
    enum report_format format;
    bool
        mangled; /* names of C++ functions as the linker has them, and nothing beside; CSV and JSON always have these */
    const char *region; /* this one only; NULL: all that the programs mark, and their totals; callgrind: the total */
};

/* Writes the whole report to f. ERR_INPUT before anything is written if r->region is unknown or unusable. Unusable
 * regions that were not named are left out; *flawed is then set and says which, and why. */
enum status profile_report_write(const struct report *r, FILE *f, struct error *flawed, struct error *e) MUST_CHECK;
/* Can the region's counts be used? If not, *flawed tells of it too. */
bool is_usable(const struct irprof_profile *p, size_t region, struct error *flawed);

/* One region of one program in callgrind's format (docs/formats/callgrind.md). ERR_INPUT: the region is not usable. */
enum status callgrind_write(const struct report_program *program, size_t region, bool mangled, FILE *f,
                            struct error *e) MUST_CHECK;

#endif
