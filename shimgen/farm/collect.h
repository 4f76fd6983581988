/* collect.h - reads the results of a farm's tasks, keeps them until all are there, and moves them into a build's folder. */
#ifndef SHIMGEN_FARM_COLLECT_H
#define SHIMGEN_FARM_COLLECT_H

#include <stdbool.h>

#include "shimgen/farm/task.h"
#include "shimgen/units/unit.h"

struct collected {
    size_t task;
    struct task_result r;
};
/* All zeros is an empty one. */
struct collection {
    VEC(struct collected) results;
    double spread; /* between boards; agree_widen */
    bool silent;   /* results that cannot be used are not noted */
};

/* Reads the result of a task, if there is one. ERR_INPUT: it cannot be used; this is noted and the file removed. ERR_SYSTEM:
 * there is none. `folder`: of the farm's files. */
enum status collect_task(struct collection *c, const struct farm_plan *p, size_t task, const char *folder,
                         struct error *e) MUST_CHECK;
bool collection_has(const struct collection *c, size_t task);
bool collection_has_place(const struct collection *c, const char *place);
const struct measurements *collection_rows(const struct collection *c, size_t task); /* NULL: none; borrowed */
void collection_drop(struct collection *c, size_t task);
/* Moves files into the units' folders, rows into <work>/measurements.csv (measure_adopt), and takes the units that failed
 * there out of `u`. findings: a warning about boards that differ among them becomes a note of the conditions; NULL: none.
 * The collection is empty then, but for which tasks it has had. */
enum status collect_adopt(struct collection *c, struct units *u, const struct board *b, const char *work,
                          const struct findings *findings, struct losses *losses, struct error *e) MUST_CHECK;
void collection_release(struct collection *c);

/* Why a task has no result: the last line that it printed. The caller frees it. */
char *collect_reason(const char *folder, size_t task);
/* Where it began; NULL: it is not known. The caller frees. */
char *collect_place(const char *folder, size_t task);

#endif
