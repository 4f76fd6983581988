/*
 * step_names.h - are the functions there whose calls are to be counted one by one? Asked of all modules of a program
 * together.
 */
#ifndef IRPROF_CC_STEP_NAMES_H
#define IRPROF_CC_STEP_NAMES_H

#include "base/error.h"
#include "base/map.h"

/* Zeroed: no module yet. step_names_release. */
struct step_names {
    struct map defined; /* functions that the modules have code of */
    struct map written; /* functions that their debug information names */
};
/* Adds an IR file. */
enum status step_names_add(struct step_names *n, const char *ir, struct error *e) MUST_CHECK;
/* names: "step0,step1", given with `option`. ERR_INPUT: one has no code in any module; the message says why, and what to do. */
enum status step_names_check(const struct step_names *n, const char *option, const char *names,
                             struct error *e) MUST_CHECK;
void step_names_release(struct step_names *n);

/* "-force-attribute=NAME:noinline" for each name: what LLVM is told to keep these functions' calls. The caller frees
 * with words_free. */
char **step_names_kept(const char *names);

#endif
