/*
 * losses.h - what a build left out and why. A step that is not needed for the SHIM files
 * hands its failure to losses_take and the build goes on; what must end the build does not
 * get past it. The list is kept in losses.csv, so that a later `shimgen report` knows it.
 */
#ifndef SHIMGEN_UNITS_LOSSES_H
#define SHIMGEN_UNITS_LOSSES_H

#include <stdbool.h>

#include "base/alloc.h"
#include "base/error.h"

struct loss {
    char *step;  /* "measure": of the build */
    char *what;  /* "paper/sum@O0", "memory.csv", "classification mem" */
    char *cause; /* a sentence, perhaps with further lines */
};
struct losses {
    VEC(struct loss) list;
    bool silent;        /* what is added is not said at once */
    const char *folder; /* of the outputs: where nothing can be written any more, nothing is left out; NULL: any */
};

/* Says so on stderr, too. A second loss of the same thing in the same step is the same loss. */
void losses_add(struct losses *l, const char *step, const char *what, const char *cause);
/* OK when s is OK, or when the failure in `e` was noted (`e` is released). The status itself, with `e` as it was, where
 * the build must end: interrupted, used wrongly, or no room or no right to write in the folder of the outputs. l NULL:
 * every failure ends it. */
enum status losses_take(struct losses *l, const char *step, const char *what, enum status s,
                        struct error *e) MUST_CHECK;
/* The first of a step, as a sentence; "" without one; the caller frees. */
char *losses_first(const struct losses *l, const char *step);
/* Those of a step are found out again. */
void losses_remove(struct losses *l, const char *step);
/* No losses: no file. */
enum status losses_write(const struct losses *l, const char *path, struct error *e) MUST_CHECK;
/* Adds those of the file, silently; an absent file has none. */
enum status losses_read(struct losses *l, const char *path, struct error *e) MUST_CHECK;
/* "what: first line of the cause"; the caller frees. */
char *loss_text(const struct loss *x);
void losses_release(struct losses *l);

#endif
