/* annotate.h - the source with the cycles of each line beside it: text, or lcov's format for editors and code review. */
#ifndef SHIMGEN_ESTIMATE_ANNOTATE_H
#define SHIMGEN_ESTIMATE_ANNOTATE_H

#include "base/alloc.h"
#include "shimgen/estimate/estimate.h"

struct annotated_line {
    uint32_t line;
    double cycles;
    uint64_t instructions;
};
struct annotated_file {
    char *program, *path;             /* owned; path: as it was compiled */
    char *found;                      /* owned; where it is now; NULL: nowhere */
    const char *state;                /* what is wrong with it: "changed since"; NULL: nothing */
    VEC(struct annotated_line) lines; /* ascending */
    double cycles, share;             /* of all lines; of the program */
};
struct annotation {
    VEC(struct annotated_file) files; /* of a program, the one with the most cycles first */
};
/* The lines of an estimate; folder: where the sources are, NULL: where they were. ERR_SYSTEM: one cannot be read. */
enum status annotation_add(struct annotation *a, const struct estimate *est, const char *folder,
                           struct error *e) MUST_CHECK;
void annotation_release(struct annotation *a);
/* lcov: its DA records, with the cycles as counts. path "-": standard output. */
enum status annotation_print(const struct annotation *a, bool lcov, const char *path, struct error *e) MUST_CHECK;

#endif
