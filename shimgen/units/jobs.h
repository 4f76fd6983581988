/*
 * jobs.h - independent tasks side by side, each in a worker process: what a task does to memory stays there, what it
 * writes to files counts.
 */
#ifndef SHIMGEN_UNITS_JOBS_H
#define SHIMGEN_UNITS_JOBS_H

#include <stddef.h>

#include "base/error.h"

/* Does task `index`; its status and error come back to the caller of jobs_run. */
typedef enum status (*job_fn)(size_t index, void *context, struct error *e);
/* Called in the calling process as each task ends. */
typedef void (*job_done_fn)(size_t index, size_t done, size_t total, void *context);

/* Runs tasks 0 .. n-1 in up to `workers` processes. After the first failure no new task is begun; those under way end,
 * and the failure of the lowest index that failed is returned. */
enum status jobs_run(size_t n, size_t workers, job_fn run, job_done_fn done, void *context, struct error *e) MUST_CHECK;
/* Called in the calling process when a task has failed. OK: this failure is dealt with and the others go on; else all
 * ends with this status and the error. It may release or replace `e`. */
typedef enum status (*job_failed_fn)(size_t index, enum status s, void *context, struct error *e);
/* jobs_run in which a task may fail. */
enum status jobs_try(size_t n, size_t workers, job_fn run, job_done_fn done, job_failed_fn failed, void *context,
                     struct error *e) MUST_CHECK;
/* How many processors this process may use. */
size_t jobs_processors(void);

#endif
