/*
 * unit.h - one sample program at one optimisation level on its way through the line:
 * from one optimised IR to a counted and to a measured executable, and its profile.
 *
 *     <work>/<set>/<program>@<level>/  counted  measured  profile  *.bc  prepared.stamp
 *
 * Each step is skipped when its stamp says that nothing it depends on has changed: sources, headers, flags, the tools
 * themselves.
 */
#ifndef SHIMGEN_UNIT_H
#define SHIMGEN_UNIT_H

#include <stdint.h>

#include "base/error.h"
#include "boards/boards.h"
#include "shimgen/samples.h"

struct unit {
    const struct sample *sample;       /* borrowed */
    const char *level;                 /* borrowed: "O2" */
    const struct board_args *simulate; /* borrowed: options of irprof instrument; NULL: none */
    char *name;                        /* "paper/sum@O2" */
    char *folder;
    char *counted, *measured, *profile; /* paths; they exist after unit_prepare */
};
struct units {
    struct unit *at;
    size_t n;
};

/* All samples at all levels of the board; folders are made below `work`. `simulate`: what is simulated while they are
 * counted, see compile_counters. */
enum status units_plan(struct units *out, const struct samples *s, const struct board *b, const char *work,
                       const struct board_args *simulate, struct error *e) MUST_CHECK;
void units_release(struct units *u);

/* What all units depend on: compiler, irprof, the runtimes. */
enum status unit_tools_hash(uint64_t *hash, const struct board *b, struct error *e) MUST_CHECK;

/* Compiles, instruments, links, runs the counted program once. Nothing is done when the stamp is fresh, unless `again`.
 */
enum status unit_prepare(const struct unit *u, const struct board *b, uint64_t tools, bool again,
                         struct error *e) MUST_CHECK;

/* Stamps: a step's inputs as a hash, in <folder>/<step>.stamp. */
bool stamp_fresh(const struct unit *u, const char *step, uint64_t hash);
enum status stamp_set(const struct unit *u, const char *step, uint64_t hash, struct error *e) MUST_CHECK;
void stamp_clear(const struct unit *u, const char *step);

#endif
