/*
 * engine.h - what runs the tasks of a plan. Other programs, such as Slurm, queue the tasks, place them and retry them. An
 * engine starts such a program and waits.
 *
 *     engine_open(&g, "slurm:boards", &e);
 *     engine_run(g, &batch, &e);        as often as needed
 *     engine_close(g);
 *
 * Task N writes its result to <folder>/results/N.pack, its place to <folder>/results/N.pack.place, and its output to
 * <folder>/logs/N.txt. A task without a result was lost.
 */
#ifndef SHIMGEN_FARM_ENGINE_H
#define SHIMGEN_FARM_ENGINE_H

#include <stddef.h>

#include "base/error.h"

struct engine;
struct engine_batch {
    const char *folder; /* absolute; has plan.json, results/ and logs/ */
    const size_t *tasks;
    size_t n;
    const char *const *places; /* only on these; of engine_places */
    size_t n_places;           /* 0: anywhere */
};

/* `on`: "slurm[:PARTITION]", "command:FILE", "parallel:LOGINS". ERR_USAGE: none of these. ERR_INPUT, ERR_SYSTEM: the
 * engine is not installed, or has nothing to run tasks on; the message says what to do. engine_close frees *out. */
enum status engine_open(struct engine **out, const char *on, struct error *e) MUST_CHECK;
void engine_close(struct engine *g);              /* NULL is fine */
size_t engine_processors(const struct engine *g); /* tasks at a time, 1 at least */
size_t engine_most_tasks(const struct engine *g); /* in one batch; 0: any number */
/* The names of the places; none if the engine only names a place when it reserves it. Borrowed. */
size_t engine_places(const struct engine *g, const char *const **places);
/* Runs the tasks and waits for the last. OK however they end: see their results. ERR_SYSTEM: they could not be started.
 * ERR_CANCELLED: after a signal; running tasks were ended. */
enum status engine_run(const struct engine *g, const struct engine_batch *b, struct error *e) MUST_CHECK;

/* Paths that belong to a task; the caller frees. */
char *engine_result(const char *folder, size_t task);
char *engine_log(const char *folder, size_t task);

#endif
