/* section.h - a section of a report: one region of one program, summed. report.c makes them, the formats print them. */
#ifndef IRPROF_REPORT_SECTION_H
#define IRPROF_REPORT_SECTION_H

#include "base/alloc.h"
#include "irprof/irprof.h"

enum report_by { REPORT_OPCODE, REPORT_FUNCTION, REPORT_LINE, REPORT_BLOCK, REPORT_REGION, REPORT_BRANCH, REPORT_LOOP };
struct section {
    bool mangled;
    const char *program;
    const struct irprof_profile *profile;
    size_t region;
    struct irprof_groups *groups; /* owned */
    uint64_t total;               /* instructions */
    uint64_t *events;             /* owned; profile->n_events */
};
struct sections {
    enum report_by by;
    VEC(struct section) all;
    const char **events; /* owned; those of all programs, sorted; the names are borrowed */
    size_t n_events;
};

const struct irprof_region *section_region(const struct section *s);
const char *section_file(const struct section *s, uint32_t file);         /* "" if unknown */
const char *section_function(const struct section *s, uint32_t function); /* "" for IRPROF_NONE */
/* For people: demangled, if it is to be. The caller frees. */
char *section_words(const struct section *s, uint32_t function);
/* The name that the source has, where it is another and is wanted; NULL otherwise. The caller frees. */
char *section_readable(const struct section *s, uint32_t function);
/* "a.c:3", "a.c (no line)", "(no line)"; the caller frees. */
char *section_place(const struct section *s, uint32_t file, uint32_t line);

#endif
