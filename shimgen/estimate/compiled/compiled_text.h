/*
 * compiled_text.h - labels in assembly: where a block of the machine code begins, and where the code of another
 * instruction of the IR does. Labels are symbols, so they are where the linker has put the code, whatever it made
 * shorter on the way.
 *
 *     irprof.b.M.K.N:   block K of module M is block N of the IR; "x" for N: it is the code generator's own
 *     irprof.t.M.K.N:   the same, and a jump table leads there
 *     irprof.l.M.K.N:   what follows is of the instruction with number N; 0: of none
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_TEXT_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_TEXT_H

#include "base/str.h"

/* K counts from 0 in a module. */
#define COMPILED_BLOCK  "irprof.b."
#define COMPILED_TARGET "irprof.t."
#define COMPILED_PLACE  "irprof.l."

/* Appends the assembly `text`, as clang-19 -S wrote it of a module that irprof_label has marked, with its labels. */
void compiled_text_label(struct str *out, const char *text, unsigned module);

#endif
