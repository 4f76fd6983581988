/*
 * task.h - one task of a farm's plan, where it runs: its programs compiled, counted, measured, the result one pack. And
 * that pack read and checked, where the build runs.
 */
#ifndef SHIMGEN_FARM_TASK_H
#define SHIMGEN_FARM_TASK_H

#include <stddef.h>

#include "base/error.h"
#include "boards/boards.h"
#include "shimgen/farm/farm_plan.h"
#include "shimgen/units/losses.h"

struct task_options {
    const char *plan;  /* path of the plan */
    long task;         /* its number, from 0 */
    const char *out;   /* where the result goes */
    const char *place; /* a name for where it runs; NULL: the machine's name */
    const char *ssh;   /* "user@host" of the board; NULL: as the plan says */
};
/* ERR_INPUT, ERR_SYSTEM, ERR_UNSUPPORTED: nothing was done, or none of it can be used; why. Programs that fail are no
 * error: the result says so. The folder that the process runs in changes to the plan's. */
enum status task_run(const struct task_options *o, struct error *e) MUST_CHECK;

/* A result, read. */
struct task_result {
    char *place;
    char *folder;                  /* unpacked; the unit "paper/sum@O2" has its files in <folder>/units/paper/sum@O2 */
    struct measurements *measured; /* NULL: no program could be measured */
    struct losses losses;
};
/* Unpacks into `folder`, which must be empty. ERR_INPUT: cut, damaged, of another plan, task or board; it has rows or files
 * of programs that are not of this task, or a program of the task is neither measured nor among the losses.
 * task_result_release in any case. */
enum status task_result_read(struct task_result *r, const char *path, const struct farm_plan *p, size_t task,
                             const char *folder, struct error *e) MUST_CHECK;
void task_result_release(struct task_result *r);

#endif
