/*
 * job.h - runs `shimgen estimate`: estimates profiles one after the other, on one or several cores, as the lines of a
 * table, with notes for the user about what they rest on.
 *
 *     estimate_job_start(&job, &spec, e)
 *     estimate_job_add(&job, "irprof.out", e) ...            job.notes grows, also when a call fails
 *     estimate_print(&job.table, ...)
 *     estimate_job_release(&job)
 */
#ifndef SHIMGEN_ESTIMATE_JOB_H
#define SHIMGEN_ESTIMATE_JOB_H

#include "base/alloc.h"
#include "boards/boards.h"
#include "shimgen/estimate/annotate.h"
#include "shimgen/estimate/folded.h"
#include "shimgen/estimate/print_estimate.h"
#include "shimgen/estimate/intervals/trust.h"

struct estimate_spec {    /* borrowed texts, NULL where not given */
    const char *shim;     /* the SHIM file; NULL: values come from the board */
    const char *core;     /* name or id; "all": those that differ; NULL: the first */
    const char *method;   /* NULL: what the SHIM file says */
    const char *by;       /* "program", "function", "line", "loop", "block", "region" */
    const char *region;   /* NULL: the whole program */
    const char *model;    /* for intervals, instead of the SHIM file's; trust.h */
    const char *dataset;  /* with the model */
    const char *board;    /* method compiled */
    const char *timing;   /* with board: a core's model file instead of the board's own timing */
    const char *programs; /* method compiled: the IR, spaces between */
    const char *sources;  /* with annotate: the folder of the sources; NULL: where they were compiled */
    bool annotate;        /* sources with their cycles, too: `annotation` */
    bool folded;          /* cycles by call path, too: `folded` */
    bool ranges;          /* estimates by best and worst values, too */
    bool no_demangle;     /* names of functions as the linker has them */
};
struct estimate_job {
    const struct estimate_spec *spec;
    const struct estimator *method;
    struct trust trust;
    struct estimate_table table;
    struct annotation annotation;
    struct str folded; /* folded.h; owned */
    struct costs *cores;
    struct board_args programs;
    VEC(char *) notes; /* sentences, in the order they came up; owned */
    bool incomplete;   /* an executed instruction has no value */
};
/* Values, model. estimate_job_release in any case. */
enum status estimate_job_start(struct estimate_job *job, const struct estimate_spec *spec, struct error *e) MUST_CHECK;
/* PROFILE or NAME=PROFILE; a file whose own name has a '=' is still a file. */
enum status estimate_job_add(struct estimate_job *job, const char *operand, struct error *e) MUST_CHECK;
void estimate_job_release(struct estimate_job *job);

#endif
