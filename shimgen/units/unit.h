/*
 * unit.h - a unit of a build: one sample program at one optimisation level. From one optimised IR come a counted and a
 * measured executable, and the profile.
 *
 *     <work>/<set>/<program>@<level>/  profile  N.bc  built.stamp  counted.stamp  measured.stamp
 *                                      counted  measured: until they have run; then their hashes, *.hash
 *
 * A step is skipped if its stamp shows that its inputs are unchanged: sources, headers, flags, the tools themselves.
 * The executables are deleted after their runs: they are linked statically, a megabyte each, and made in a tenth of a
 * second.
 */
#ifndef SHIMGEN_UNITS_UNIT_H
#define SHIMGEN_UNITS_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/stamp.h"
#include "boards/boards.h"
#include "boards/run/run.h"
#include "samples/manifest.h"

/* Processor time that counting several units may take together, also in processes of their own that are forked later. */
struct count_budget;
struct count_budget *count_budget_new(double seconds);
bool count_budget_is_spent(const struct count_budget *b);
void count_budget_free(struct count_budget *b); /* NULL is fine */

struct unit {
    const struct sample *sample;       /* borrowed; NULL: of microbenchmarks */
    const char *level;                 /* borrowed: "O2" */
    const struct board_args *simulate; /* borrowed: options of irprof instrument; NULL: none */
    char *name;                        /* "paper/sum@O2" */
    char *folder;
    char *counted, *measured; /* paths of the executables; they exist after unit_build, where they still have to run */
    char *profile;            /* exists after unit_count */
    unsigned count_cpu_limit_s;        /* processor time [s] of the counted program; 0: no limit of its own */
    struct count_budget *count_budget; /* borrowed; all units that have it share it; NULL: none */
    bool wanted;      /* it is of the selection; the others are there if what is known of them still holds */
    bool is_measured; /* its measurement of an earlier run holds: no executable is needed for it */
};
struct units {
    struct unit *at;
    size_t n;
};

/* All samples at all levels of the board, all wanted. `simulate`: what is simulated while they are counted, see
 * compile_counters. */
void units_plan(struct units *out, const struct samples *s, const struct board *b, const char *work,
                const struct board_args *simulate);
void units_release(struct units *u);
/* Keeps those for which keep(u, context) says so. */
void units_filter(struct units *u, bool (*keep)(const struct unit *u, void *context), void *context);

/* What all units depend on: compiler, irprof, the runtimes; for a foreign target these are compiled here, below `work`,
 * so that unit_build can be called side by side afterwards. */
enum status unit_tools_hash(uint64_t *hash, const struct board *b, const char *work, struct error *e) MUST_CHECK;

/* Compiles, instruments, links. Nothing is done when the stamp is fresh, unless `again`. A board whose measurements are
 * imported has no measured program. */
enum status unit_build(const struct unit *u, const struct board *b, const char *work, uint64_t tools, bool again,
                       struct error *e) MUST_CHECK;
/* Runs the counted program once, where counted programs run (RUN_COUNTED); nothing when the stamp is fresh. */
enum status unit_count(const struct unit *u, struct runner *place, bool again, struct error *e) MUST_CHECK;
/* What unit_count would do is done already, and the profile is whole. */
bool unit_is_counted(const struct unit *u);
/* The results of unit_count are up to date. A missing or damaged profile is made again. */
bool unit_was_counted(const struct unit *u);
/* Its manifest, or its profile if it has one, says that main cannot run twice: it was counted in its only run
 * (irprof.h, `once`). */
bool unit_ran_once(const struct unit *u);
/* The results of unit_build are up to date, for the same inputs. Damaged files are made again. */
bool unit_was_built(const struct unit *u, const struct board *b, uint64_t tools);

/* Of an executable (`path`: u->counted or u->measured), also of one that was removed after it had run. */
enum status unit_program_hash(uint64_t *hash, const char *path, struct error *e) MUST_CHECK;
/* The same with the arguments that it is run with. */
enum status unit_run_hash(uint64_t *hash, const struct unit *u, const char *path, struct error *e) MUST_CHECK;
/* Removes one that has run; its hash stays. */
enum status unit_remove_program(const char *path, struct error *e) MUST_CHECK;

/* Stamps (base/stamp.h) of the steps in a folder: <folder>/<step>.stamp. `files`: what the step makes, NULL ends them.
 * Files that were damaged since are named in a note, which says that they are made again: by the caller. */
enum stamp_state step_state(const char *folder, const char *step, uint64_t inputs, const char *const *files);
bool step_is_fresh(const char *folder, const char *step, uint64_t inputs, const char *const *files);
enum status step_done(const char *folder, const char *step, uint64_t inputs, const char *const *files,
                      struct error *e) MUST_CHECK;
void step_undone(const char *folder, const char *step);

#endif
