/* part_choose.h - of the programs that fit a part, those that determine a classification's values best. */
#ifndef SHIMGEN_KIT_PART_CHOOSE_H
#define SHIMGEN_KIT_PART_CHOOSE_H

#include "shimgen/kit/part_fit.h"

struct part_choice {
    const char *classes; /* classification */
    size_t n;            /* programs, each at all levels at which it fits */
    long jobs;
};
/* Counts what fits (as for a build, below `work`) and chooses by D-optimality (regress/design). Programs that are not
 * chosen get a reason in `why`. */
enum status part_choose(struct part_fit *fit, const struct board *b, const struct part_choice *c, const char *work,
                        struct error *e) MUST_CHECK;

#endif
