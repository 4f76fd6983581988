/*
 * compiled.h - what the steps of the method compiled (compiled.c) hand to each other. Internal to it.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_H

#include "sim/core/core_model.h"
#include "shimgen/estimate/compiled/compiled_build.h"
#include "shimgen/estimate/compiled/compiled_cost.h"
#include "shimgen/estimate/compiled/compiled_flow.h"
#include "shimgen/estimate/compiled/compiled_library.h"
#include "shimgen/estimate/compiled/compiled_machine.h"
#include "shimgen/estimate/estimate.h"

/* What the IR's side says of a function of the machine code. */
struct counted {
    uint32_t function; /* in the profile */
    size_t first;      /* its first segment */
    const struct irprof_label_function *labels;
    double *executions, *mispredicted;
    struct flow_edge *edges;
    struct flow_ir ir;
};
struct compiled {
    struct estimate *out;
    const struct irprof_profile *profile;
    const struct irprof_region *region;
    struct iss_model *model;
    const char *triple; /* of the code; borrowed, "": this machine's */
    struct compiled_program program;
    struct machine machine;
    struct counted *counted;                 /* of each function of the machine code */
    struct flow *flows;                      /* likewise */
    struct step_costs *costs[ISS_QUOTIENTS]; /* likewise, by length of unknown quotients; NULL: as the mean */
    double *lengths;                         /* of each part: compiled_lengths */
    struct library *library;
    size_t *first_segment; /* of each function of the profile */
    size_t event;          /* BR_MIS_PRED in the profile, or n_events */
    bool warm, has_misses; /* the board is measured with warm caches; the profile has misses */
};

/* compiled_counts.c: is the profile of this IR? Then how often each instruction of the machine code was executed:
 * counted, flows. ERR_INPUT: it is of another build, or a module is missing. */
enum status compiled_check(struct compiled *w, struct error *e) MUST_CHECK;
void compiled_count(struct compiled *w);
void compiled_counts_release(struct compiled *w);

/* compiled_lengths.c: how long the quotients of each part's divisions were: 0 as ISS_QUOTIENT_SHORT, 1 as the mean, 2 as
 * ISS_QUOTIENT_LONG, and between. Parts without a division wait for those of their function: its mean. NAN: not known. */
double *compiled_lengths(const struct irprof_profile *p, const struct irprof_region *region,
                         const struct iss_model *model);

/* compiled_parts.c: the cycles of each part of the profile, into out->parts. */
void compiled_parts(struct compiled *w);

/* compiled_notes.c: what a user must know of it: guesses, what is missing. */
void compiled_notes(struct compiled *w);

#endif
