/*
 * manifest.h - the sample programs: share/shimgen/samples/<set>/manifest.csv.
 *
 * A manifest has the columns program, domain, role, sources, work, stresses: `role` is train or test (a test program is
 * never fitted on), `sources` are files in the set's folder, separated by spaces, `work` is a lower bound of the IR
 * instructions its regions execute at any optimisation level. docs/formats/manifest.md has these columns, and those that
 * may be there: main, include, define, arguments.
 */
#ifndef SAMPLES_MANIFEST_H
#define SAMPLES_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct sample {
    char *name;     /* "paper/sum" */
    char *domain;   /* "numerics" */
    char *stresses; /* what it executes much of, for people: "float division; table loads"; "" where it is not said */
    bool test;      /* held out from every fit */
    bool once;      /* main runs once: counted and measured without a run before */
    char **sources; /* absolute paths */
    size_t n_sources;
    char **includes;  /* folders, absolute paths; this list and the next two end with NULL */
    char **defines;   /* "N=100" */
    char **arguments; /* of main, after the program's name */
    double work;      /* [IR instructions] */
};
struct samples {
    struct sample *at;
    size_t n;
};

/* Reads the manifests of all sets (folders) in `folder`; keeps samples whose name matches one of the globs (comma-
 * separated; NULL: all). Manifest errors carry file and line; a source that does not exist is one. */
enum status samples_read(struct samples *out, const char *folder, const char *globs, struct error *e) MUST_CHECK;
void samples_release(struct samples *s);
/* Takes the sample of this name out; false: there is none. */
bool samples_take_out(struct samples *s, const char *name);
/* The sample of a table's program name ("paper/sum@O0"), or NULL. */
const struct sample *samples_find(const struct samples *s, const char *program);

#endif
