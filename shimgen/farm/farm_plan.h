/*
 * farm_plan.h - what a farm is to do: a build's board, settings and programs as tasks that need nothing of each other, in one
 * file that a task reads wherever it runs. docs/formats/pack.md has the file.
 */
#ifndef SHIMGEN_FARM_FARM_PLAN_H
#define SHIMGEN_FARM_FARM_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"
#include "boards/boards.h"

struct plan_task {
    char **units; /* "paper/sum@O2"; owned */
    size_t n;
};
/* All texts are owned. */
struct farm_plan {
    char *id;        /* checksum of the file; results carry it */
    char *directory; /* where the build was started: relative paths begin there */
    char *board;     /* as it was named */
    char *samples;   /* folder of sample sets; NULL: the product's own */
    long runs;       /* this and the next ones: struct board_overrides; NULL: as described */
    double precision;
    char *levels, *cache, *core, *source, *ssh;
    struct board_args simulate; /* options of irprof instrument */
    uint64_t tools;             /* unit_tools_hash of the build: a task whose tools are others refuses */
    uint64_t settings;          /* farm_settings_hash, likewise */
    VEC(struct plan_task) tasks;
};

/* Assigns n units, those that take longest first, to `tasks` tasks, or to fewer if there are fewer units. Tasks are begun
 * in their order, one by each processor at a time. The first ones are large, the last ones small, so that all processors
 * are done at about the same time: of four batches they have 4, 3, 2 and 1 tenths of the units. Each has long and short
 * units in the same proportion. With few units all tasks have as many. */
void farm_plan_assign(struct farm_plan *p, const char *const *units, size_t n, size_t tasks, size_t processors);
/* One more task; its number. */
size_t farm_plan_add_task(struct farm_plan *p, const char *const *units, size_t n);
/* How many tasks: each processor of the farm gets a few, so that a slow one holds up little; at most `most` (0: any). */
size_t farm_plan_tasks(size_t units, size_t processors, size_t most);

enum status farm_plan_write(struct farm_plan *p, const char *path, struct error *e) MUST_CHECK; /* sets p->id */
/* ERR_INPUT: not such a file. farm_plan_release in any case. */
enum status farm_plan_read(struct farm_plan *p, const char *path, struct error *e) MUST_CHECK;
void farm_plan_release(struct farm_plan *p);

/* Of everything besides the tools that a result depends on: board's settings, simulator, this program. Not the address of
 * a board: boards of one kind are alike. */
enum status farm_settings_hash(uint64_t *hash, const struct board *b, struct error *e) MUST_CHECK;

#endif
