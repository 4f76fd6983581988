/*
 * sample_coverage.h - what a board's dataset has seen: the figures of regress/design/coverage.h with
 * what this program knows besides: roles and kinds of the samples, the instructions of a
 * SHIM file, the microbenchmarks. The report and `shimgen coverage` print it.
 */
#ifndef SHIMGEN_COVERAGE_SAMPLE_COVERAGE_H
#define SHIMGEN_COVERAGE_SAMPLE_COVERAGE_H

#include "regress/design/coverage.h"
#include "samples/manifest.h"

/* Where the value of an instruction of the SHIM file comes from. */
enum coverage_source {
    COVERAGE_SEEN,  /* programs execute it */
    COVERAGE_MICRO, /* no program does, a microbenchmark does */
    COVERAGE_CLASS, /* the value of its class, which other instructions have shown */
    COVERAGE_LIKE,  /* a microbenchmark was not to be made: the value of another instruction, by name */
    COVERAGE_NONE,  /* no evidence even for its class: the mean of all */
    COVERAGE_NEVER  /* and C programs do not execute it */
};
struct coverage_instruction {
    const char *name; /* static, as in the SHIM file */
    double count, dependent;
    size_t programs;
    enum coverage_source source;
    char *from;        /* variable, key of the microbenchmark or other instruction; NULL: none of them */
    const char *makes; /* what in C becomes it, or why nothing does; static */
};

struct coverage {
    struct regress_coverage *of;
    struct regress_candidate *candidates; /* of the pool */
    size_t n_candidates;
    struct coverage_instruction *instructions;
    size_t n_instructions;
    char **help;      /* per variable: which sample would help; NULL: none is needed */
    size_t test_rows; /* of test programs: not looked at */
};

struct coverage_input {
    const struct regress_data *data;
    const struct regress_classes *classes; /* NULL with a model */
    const struct regress_model *model;     /* NULL: values are fitted here */
    const struct regress_data *pool;       /* programs that were counted only; NULL: none */
    const struct samples *samples;         /* roles, domains; NULL or of another set: not known */
    const char *micro;                     /* micro.csv; NULL: none */
    const char *target;                    /* column; NULL: cycles */
    bool absolute;                         /* rows as they are; false: each divided by its target */
    size_t most;                           /* candidates to name */
};
/* Rows of test programs are not looked at. Statuses as regress_coverage. coverage_release frees, whatever came out. */
enum status coverage_make(struct coverage *out, const struct coverage_input *in, struct error *e) MUST_CHECK;
void coverage_release(struct coverage *c);

const char *coverage_source_text(enum coverage_source s); /* "programs", "microbenchmark" ...; static */
/* Parts of `out`, counted: instructions with this source. */
size_t coverage_count(const struct coverage *c, enum coverage_source s);

#endif
