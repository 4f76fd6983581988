/*
 * values_core.h - a core's timing from the instruction values of a SHIM file: what an instruction of the IR costs there
 * tells what the machine instruction costs that it becomes, and some cases of the microbenchmarks how soon results can be
 * used. So `compiled` needs no model of the core. docs/method/core.md, "Made of a SHIM file".
 */
#ifndef SHIMGEN_CORE_VALUES_CORE_H
#define SHIMGEN_CORE_VALUES_CORE_H

#include "base/str.h"
#include "shimgen/core/core_file.h"

struct values_core {
    const char *shim,
        *core;          /* the file, and which core of it, by name or id; NULL: the first with an instruction set */
    const char *target; /* triple that programs are compiled for; of an architecture with a decoder */
    const char *cpu;    /* as clang's -mcpu names it */
    const struct core_figures *figures; /* for what the SHIM file does not say; NULL: none */
};
/* What the file's build compiled for ("aarch64-linux-gnu", "cortex-a53"); both owned, NULL: the file does not say. */
enum status values_core_target(char **target, char **cpu, const char *shim, const char *core,
                               struct error *e) MUST_CHECK;
/* The text of a model file. It has the interval of estimates, if the file says it of the same target and processor. ERR_UNSUPPORTED: the target's cores were never tried. ERR_INPUT: no such core; a value that
 * a core needs is missing (named); it issues out of order. The caller releases *text, also after an error. */
enum status values_core_text(struct str *text, const struct values_core *v, struct error *e) MUST_CHECK;

#endif
