/*
 * profile_program.h - a program of the user's from source to profile on this machine: compiled
 * to optimised IR, with counters and simulations put in, run with its own input and
 * output.
 */
#ifndef SHIMGEN_PROFILE_PROFILE_PROGRAM_H
#define SHIMGEN_PROFILE_PROFILE_PROGRAM_H

#include "base/error.h"
#include "boards/boards.h"

/* All borrowed; lists are NULL-terminated. */
struct profile_job {
    const struct board *board; /* whose compiler and flags */
    const char *level;         /* "O2": one of the board's */
    const char *const *flags;  /* further ones for the compiler */
    const char *const *libraries;
    const char *const *options; /* of irprof instrument */
    const char *steps;          /* of these: the functions of --steps, which are kept out of line; NULL: none */
    const char *instances;      /* likewise of --instances */
    const char *const *sources; /* C, or IR (.bc, .ll) that is taken as it is */
    const char *const *arguments;
    bool keep_ir;       /* beside the profile (kept_ir.h) */
    const char *output; /* the profile; appears whole or not at all */
};
/* ERR_INPUT: a source is neither C nor IR. ERR_SYSTEM: it cannot be compiled; the program did not exit with 0 (the
 * profile is there, and the message says so) or left no profile. */
enum status profile_run(const struct profile_job *job, struct error *e) MUST_CHECK;

#endif
