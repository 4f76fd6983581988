/*
 * compiled_build.h - a program compiled for a board once more, with labels that lead from its machine code back to the
 * IR: by the board's compiler, with the board's flags, from the same IR that was counted.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_BUILD_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_BUILD_H

#include "boards/boards.h"
#include "irprof/codegen/label.h"
#include "shimgen/estimate/compiled/compiled_elf.h"

struct compiled_program {
    struct irprof_labels *labels; /* owned; of each module */
    size_t n;
    char *steps;    /* owned; functions whose calls were counted one by one, with commas between; or NULL */
    struct elf elf; /* linked as the board's programs are */
};
/* The labels alone. `modules`: bitcode (.bc, .ll), NULL-terminated; `steps`: as out->steps, borrowed. ERR_INPUT: none,
 * or not for the board's target. compiled_program_release. */
enum status compiled_labels(struct compiled_program *out, const struct board *b, const char *const *modules,
                            const char *steps, struct error *e) MUST_CHECK;
/* Then the executable. ERR_SYSTEM: the compiler refuses. */
enum status compiled_build(struct compiled_program *out, const struct board *b, const char *const *modules,
                           struct error *e) MUST_CHECK;
void compiled_program_release(struct compiled_program *p);

#endif
