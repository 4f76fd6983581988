/*
 * unit.h - one sample program at one optimisation level on its way through the line:
 * from one optimised IR to a counted and to a measured executable, and its profile.
 *
 *     <work>/<set>/<program>@<level>/  counted  measured  profile  *.bc  built.stamp  counted.stamp
 *
 * Each step is skipped when its stamp says that nothing it depends on has changed: sources, headers, flags, the tools
 * themselves.
 */
#ifndef SHIMGEN_UNIT_H
#define SHIMGEN_UNIT_H

#include <stdint.h>

#include "base/error.h"
#include "boards/boards.h"
#include "boards/run.h"
#include "shimgen/samples.h"

struct unit {
    const struct sample *sample;       /* borrowed */
    const char *level;                 /* borrowed: "O2" */
    const struct board_args *simulate; /* borrowed: options of irprof instrument; NULL: none */
    char *name;                        /* "paper/sum@O2" */
    char *folder;
    char *counted, *measured; /* paths of the executables; they exist after unit_build */
    char *profile;            /* exists after unit_count */
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

/* What all units depend on: compiler, irprof, the runtimes; for a foreign target these are compiled here, below `work`,
 * so that unit_build can be called side by side afterwards. */
enum status unit_tools_hash(uint64_t *hash, const struct board *b, const char *work, struct error *e) MUST_CHECK;

/* Compiles, instruments, links. Nothing is done when the stamp is fresh, unless `again`. A board whose measurements are
 * imported has no measured program. */
enum status unit_build(const struct unit *u, const struct board *b, const char *work, uint64_t tools, bool again,
                       struct error *e) MUST_CHECK;
/* Runs the counted program once, where counted programs run (RUN_COUNTED); nothing when the stamp is fresh. */
enum status unit_count(const struct unit *u, struct runner *place, bool again, struct error *e) MUST_CHECK;
/* What unit_count would do is done already. */
bool unit_is_counted(const struct unit *u);

/* Stamps: a step's inputs as a hash, in <folder>/<step>.stamp. */
bool stamp_fresh(const struct unit *u, const char *step, uint64_t hash);
enum status stamp_set(const struct unit *u, const char *step, uint64_t hash, struct error *e) MUST_CHECK;
void stamp_clear(const struct unit *u, const char *step);

#endif
