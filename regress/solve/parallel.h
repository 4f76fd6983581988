/*
 * parallel.h - the same job many times, in threads. Which worker does what is fixed (job k by worker k % workers), a
 * job writes only what is its own, so the result is the same, bit for bit, for any number of workers.
 */
#ifndef REGRESS_SOLVE_PARALLEL_H
#define REGRESS_SOLVE_PARALLEL_H

#include <stddef.h>

#include "base/error.h"

typedef enum status parallel_job(void *context, size_t worker, size_t k, struct error *e);

/* asked, or for 0 one for each processor that this process may use; at most `jobs`, and at least 1. */
size_t parallel_workers(size_t asked, size_t jobs);
/* job(context, worker, k) for each k below n. Where some fail, `e` is that of the first of them. */
enum status parallel_run(size_t workers, size_t n, parallel_job *job, void *context, struct error *e) MUST_CHECK;

#endif
