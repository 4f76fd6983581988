/* build_steps.h - the steps of a build: announced as they begin, and how long each took. */
#ifndef SHIMGEN_BUILD_BUILD_STEPS_H
#define SHIMGEN_BUILD_BUILD_STEPS_H

#include "base/alloc.h"

struct step {
    const char *what; /* static */
    double from, seconds;
};
struct steps {
    VEC(struct step) list;
};
/* The one before ends. what: static. */
void steps_begin(struct steps *s, const char *what);
void steps_end(struct steps *s);
/* "compile and count 41 s, measure 3 min 2 s, ..."; those below a second are left out; the caller frees. */
char *steps_text(const struct steps *s);
void steps_release(struct steps *s);

#endif
