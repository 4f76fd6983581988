/* jobs.c - runs tasks side by side in worker processes. */
#include "shimgen/units/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

size_t jobs_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (size_t)n : 1;
}

/* What a worker sends when a task has ended. `text` bytes of message and `file` bytes of file name follow. */
struct result {
    size_t index;
    enum status status;
    unsigned long line;
    uint32_t text, file;
};

struct worker {
    pid_t pid;
    int tasks;   /* write end: indices of tasks for it */
    int results; /* read end: its results */
};

static bool read_all(int fd, void *p, size_t n)
{
    for (char *at = p; n;) {
        ssize_t got = read(fd, at, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

static bool write_all(int fd, const void *p, size_t n)
{
    for (const char *at = p; n;) {
        ssize_t put = write(fd, at, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        n -= (size_t)put;
    }
    return true;
}

static _Noreturn void work(int tasks, int results, job_fn run, void *context)
{
    size_t index;
    while (read_all(tasks, &index, sizeof index)) {
        struct error e = ERROR_INIT;
        struct result r = {.index = index, .status = run(index, context, &e), .line = e.line};
        r.text = e.message ? (uint32_t)strlen(e.message) : 0;
        r.file = e.file ? (uint32_t)strlen(e.file) : 0;
        bool told = write_all(results, &r, sizeof r) && write_all(results, e.message, r.text) &&
                    write_all(results, e.file, r.file);
        error_release(&e);
        if (!told)
            break;
    }
    _exit(0);
}

static enum status start(struct worker *w, job_fn run, void *context, struct error *e)
{
    *w = (struct worker){0, -1, -1}; /* may be ended whether it starts or not */
    int tasks[2], results[2];
    if (pipe2(tasks, O_CLOEXEC))
        return error_errno(e, NOWHERE, "no pipe for a worker");
    if (pipe2(results, O_CLOEXEC)) {
        close(tasks[0]);
        close(tasks[1]);
        return error_errno(e, NOWHERE, "no pipe for a worker");
    }
    pid_t pid = fork();
    if (pid == 0) {
        /* a killed caller cannot end it, and a worker holds the pipes of others open */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(tasks[1]);
        close(results[0]);
        work(tasks[0], results[1], run, context);
    }
    close(tasks[0]);
    close(results[1]);
    *w = (struct worker){pid, tasks[1], results[0]};
    return pid < 0 ? error_errno(e, NOWHERE, "no process for a worker") : OK;
}

/* Takes one result. If the worker died, its task has failed. */
static enum status take(struct worker *w, struct result *r, bool *died, struct error *e)
{
    *died = !read_all(w->results, r, sizeof *r);
    if (*died)
        return cancelled() ? error_set(e, ERR_CANCELLED, NOWHERE, "interrupted")
                           : error_set(e, ERR_SYSTEM, NOWHERE, "a worker process ended before its task");
    char *text = xcalloc(r->text + 1u, 1), *file = xcalloc(r->file + 1u, 1);
    enum status s = OK;
    if (!read_all(w->results, text, r->text) || !read_all(w->results, file, r->file))
        s = error_set(e, ERR_SYSTEM, NOWHERE, "a worker process ended before its task");
    else if (r->status)
        s = error_set(e, r->status, AT(r->file ? file : 0, r->line), "%s", text);
    free(text);
    free(file);
    return s;
}

struct pool {
    struct worker *workers;
    size_t n;
    size_t *busy_with; /* 1 + index of each worker's task; 0: idle */
    size_t next, done, total;
    bool stopping;
};

static void hand_out(struct pool *p)
{
    for (size_t i = 0; i < p->n && !p->stopping && p->next < p->total; i++) {
        if (p->busy_with[i])
            continue;
        p->busy_with[i] = p->next + 1;
        if (write_all(p->workers[i].tasks, &p->next, sizeof p->next))
            p->next++;
    }
}

/* Waits until a busy worker sends something. Returns its number. */
static size_t wait_for_one(struct pool *p)
{
    struct pollfd *fds = xcalloc(p->n, sizeof *fds);
    for (size_t i = 0; i < p->n; i++)
        fds[i] = (struct pollfd){p->busy_with[i] ? p->workers[i].results : -1, POLLIN, 0};
    size_t ready = p->n;
    while (ready == p->n) {
        if (poll(fds, (nfds_t)p->n, -1) < 0 && errno != EINTR)
            BUG("poll: %s", strerror(errno));
        for (size_t i = 0; i < p->n && ready == p->n; i++)
            if (fds[i].revents)
                ready = i;
    }
    free(fds);
    return ready;
}

static bool any_busy(const struct pool *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->busy_with[i])
            return true;
    return false;
}

static void end_worker(struct worker *w)
{
    close(w->tasks);
    close(w->results);
    while (w->pid > 0 && waitpid(w->pid, 0, 0) < 0 && errno == EINTR)
        ;
    *w = (struct worker){0, -1, -1};
}

/* Later workers hold the task pipes of earlier ones, so all are closed before the first worker is waited for. */
static void end_workers(struct pool *p)
{
    for (size_t i = 0; i < p->n; i++) {
        close(p->workers[i].tasks);
        close(p->workers[i].results);
    }
    for (size_t i = 0; i < p->n; i++)
        while (p->workers[i].pid > 0 && waitpid(p->workers[i].pid, 0, 0) < 0 && errno == EINTR)
            ;
    free(p->workers);
    free(p->busy_with);
}

struct tasks {
    job_fn run;
    job_done_fn done;
    job_failed_fn failed; /* NULL: a failure ends everything */
    void *context;
    size_t lowest; /* index of the failure that ends everything */
};

/* Handles a task's failure. A worker that died is replaced if the others continue. */
static enum status after_failure(struct pool *p, const struct tasks *t, size_t worker, size_t task, bool died,
                                 enum status s, struct error *one)
{
    if (!t->failed || s == ERR_CANCELLED)
        return s;
    s = t->failed(task, s, t->context, one);
    if (!s && died) {
        end_worker(&p->workers[worker]);
        s = start(&p->workers[worker], t->run, t->context, one);
    }
    return s;
}

/* Waits for a task to end. Returns the status of whatever has ended everything so far. */
static enum status take_next(struct pool *p, struct tasks *t, enum status before, struct error *e)
{
    size_t i = wait_for_one(p), task = p->busy_with[i] - 1;
    struct error one = ERROR_INIT;
    struct result r;
    bool died;
    enum status s = take(&p->workers[i], &r, &died, &one);
    p->busy_with[i] = 0;
    bool went_well = s == OK;
    if (s)
        s = after_failure(p, t, i, task, died, s, &one);
    if (s && task < t->lowest) {
        t->lowest = task;
        before = error_set(e, s, AT(one.file, one.line), "%s", one.message);
    }
    p->stopping |= s != OK || cancelled();
    p->done += s == OK;
    if (went_well && t->done)
        t->done(task, p->done, p->total, t->context);
    error_release(&one);
    return before;
}

enum status jobs_try(size_t n, size_t workers, job_fn run, job_done_fn done, job_failed_fn failed, void *context,
                     struct error *e)
{
    if (workers > n)
        workers = n;
    struct pool p = {.total = n};
    struct tasks t = {run, done, failed, context, n};
    p.workers = xcalloc(workers, sizeof *p.workers);
    p.busy_with = xcalloc(workers, sizeof *p.busy_with);
    enum status s = OK;
    for (; !s && p.n < workers; p.n++)
        s = start(&p.workers[p.n], run, context, e);
    p.stopping = s != OK;
    for (hand_out(&p); any_busy(&p); hand_out(&p))
        s = take_next(&p, &t, s, e);
    end_workers(&p);
    if (!s && cancelled())
        s = error_set(e, ERR_CANCELLED, NOWHERE, "interrupted");
    return s;
}

enum status jobs_run(size_t n, size_t workers, job_fn run, job_done_fn done, void *context, struct error *e)
{
    return jobs_try(n, workers, run, done, 0, context, e);
}
