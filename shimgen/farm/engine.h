/*
 * engine.h - who runs the tasks of a plan: programs that exist queue them, place them and try them again. An engine starts
 * them and waits.
 *
 *     engine_open(&g, "slurm:boards", &e);
 *     engine_run(g, &batch, &e);        as often as needed
 *     engine_close(g);
 *
 * Task N leaves <folder>/results/N.pack, the place where it began <folder>/results/N.pack.place, what it said
 * <folder>/logs/N.txt. What has no result was lost.
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
 * engine is not here, or has nothing to run tasks on; what to do. engine_close frees *out. */
enum status engine_open(struct engine **out, const char *on, struct error *e) MUST_CHECK;
void engine_close(struct engine *g);              /* NULL is fine */
size_t engine_processors(const struct engine *g); /* tasks at a time, 1 at least */
size_t engine_most_tasks(const struct engine *g); /* in one batch; 0: any number */
/* The places by name; none where the engine tells them only as it takes them. Borrowed. */
size_t engine_places(const struct engine *g, const char *const **places);
/* Runs the tasks and waits for the last. OK however they end: results tell. ERR_SYSTEM: they could not be started.
 * ERR_CANCELLED: after a signal; those under way were ended. */
enum status engine_run(const struct engine *g, const struct engine_batch *b, struct error *e) MUST_CHECK;

/* Paths that belong to a task; the caller frees. */
char *engine_result(const char *folder, size_t task);
char *engine_log(const char *folder, size_t task);

#endif
