/*
 * program_graph.h - the graph of blocks of a step function: cycles from a profile and the cores' values, edges from the
 * IR of its sources as written.
 *
 * A node is one or more blocks: those that the code interleaves, or one inside of a decision of another, are one node.
 */
#ifndef SHIMGEN_MAP_PROGRAM_PROGRAM_GRAPH_H
#define SHIMGEN_MAP_PROGRAM_PROGRAM_GRAPH_H

#include "irprof/depend/depend.h"
#include "shimgen/blocks/blocks.h"
#include "shimgen/estimate/intervals/trust.h"
#include "shimgen/map/mapping.h"

/* A step function, and in which steps it runs: each n-th. */
struct map_rate {
    char *step; /* owned */
    long every;
};
struct map_rates {
    VEC(struct map_rate) at; /* none: one rate, the profile's first step function */
    double period_s;         /* of the fastest; 0: unknown */
};
/* "10ms": of a step; "step0=1ms,step1=10ms": of several rates. ERR_USAGE: not so, or a period that is no multiple of the
 * shortest. map_rates_release in any case. */
enum status map_rates_read(struct map_rates *out, const char *text, struct error *e) MUST_CHECK;
void map_rates_release(struct map_rates *r);

/* All borrowed. */
struct map_program {
    const struct blocks *blocks;      /* of the profile, with steps of the first rate */
    const struct blocks *const *rate; /* the same for each rate */
    const struct map_rates *rates;    /* at least one */
    bool inside;           /* blocks inside of functions that are called at one place are parts of their own */
    const char *const *ir; /* modules as written, up to a NULL */
    bool one_kind;         /* the cycles of the blocks' one core are those of every core */
    const struct trust *trust;
    const struct irprof_profile
        *traffic;               /* a run's bytes between blocks; NULL: those of the variables that the code names */
    const char *emit;           /* folder for the modules with each block as a function; NULL: none */
    struct depend_split *split; /* what is written there */
};
/* ERR_INPUT: there are no steps, or no IR of the step function. map_graph_release in any case. */
enum status map_graph_of_program(struct map_graph *out, const struct map_program *p, struct error *e) MUST_CHECK;

/* Compiles the profile's C sources as written into a temporary folder. *ir up to a NULL; map_ir_release removes all. */
struct map_ir {
    char *folder; /* owned */
    char **paths; /* owned */
};
enum status map_ir_make(struct map_ir *out, const struct blocks *b, const char *flags, struct error *e) MUST_CHECK;
void map_ir_release(struct map_ir *ir);

/* From files: as the command has them. */
struct map_program_files {
    const char *shim, *core, *profile;                /* core NULL: all with an instruction set */
    const char *board;                                /* for method compiled: whose core has the cycles; NULL */
    const char *method, *step, *sources, *ir, *flags; /* NULL: as usual; ir: paths with spaces between */
    const char *traffic; /* profile of a run with --traffic; NULL: `profile`, if it has it */
    bool changed_sources, inside;
    struct map_rates *rates;    /* may have none */
    const char *emit;           /* as in map_program; the folder is made */
    struct depend_split *split; /* depend_split_release in any case; NULL without `emit` */
};
enum status map_program_read(struct map_graph *out, const struct map_program_files *f, struct error *e) MUST_CHECK;

/* ---- its parts ---- */

/* Which parts are one: number of the unit of each of n parts (from 0, in the order of the parts); returns how many. */
size_t map_unite(size_t *unit, const struct depend *d);

#endif
