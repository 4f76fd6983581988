/* parallel.c - runs independent jobs in threads, with results that do not depend on their number. */
#include "regress/solve/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"

#define MOST_WORKERS 64

size_t parallel_workers(size_t asked, size_t jobs)
{
    cpu_set_t set;
    if (asked == 0)
        asked = sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
    asked = asked < MOST_WORKERS ? asked : MOST_WORKERS;
    asked = asked < jobs ? asked : jobs;
    return asked ? asked : 1;
}

struct worker {
    size_t number, workers, n;
    parallel_job *job;
    void *context;
    size_t failed; /* the job that failed; n: none */
    enum status status;
    struct error error;
    pthread_t thread;
    bool started;
};

static void *work(void *given)
{
    struct worker *w = given;
    w->failed = w->n;
    for (size_t k = w->number; k < w->n && !w->status; k += w->workers) {
        w->status = w->job(w->context, w->number, k, &w->error);
        if (w->status)
            w->failed = k;
    }
    return 0;
}

enum status parallel_run(size_t workers, size_t n, parallel_job *job, void *context, struct error *e)
{
    struct worker *all = xcalloc(workers, sizeof *all);
    for (size_t i = 0; i < workers; i++)
        all[i] = (struct worker){.number = i, .workers = workers, .n = n, .job = job, .context = context};
    for (size_t i = 1; i < workers; i++)
        all[i].started = pthread_create(&all[i].thread, 0, work, &all[i]) == 0;
    for (size_t i = 0; i < workers; i++)
        if (!all[i].started) /* the first worker, and those for which no thread could be started */
            work(&all[i]);
    size_t first = 0;
    for (size_t i = 0; i < workers; i++) {
        if (all[i].started)
            pthread_join(all[i].thread, 0);
        if (all[i].failed < all[first].failed)
            first = i;
    }
    enum status s = all[first].status;
    if (s)
        error_set(e, s, AT(all[first].error.file, all[first].error.line), "%s", all[first].error.message);
    for (size_t i = 0; i < workers; i++)
        error_release(&all[i].error);
    free(all);
    return s;
}
