/*
 * A program linked with --wrap=main runs twice: once for what that leaves in the simulated caches and predictors (and
 * in the program's own memory), as boards measure programs warm, then counted. Linked without it nothing here is
 * called; a program that wraps main itself keeps its own.
 *
 * Not every main can run twice: it ends the program, or finds what the first run has left, crashes, or does other work.
 * So the second run is a process of its own, a copy of the first one after main has returned; what it prints goes
 * nowhere. It writes the profile if it has executed what the first run has, each counter as often. Otherwise the first
 * process, which has run main once and goes on as without us, writes its own counts, and says so.
 */
#include "irprof/runtime/rt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "irprof/profile/format.h"

int __real_main(int argc, char **argv, char **envp) __attribute__((weak));
int __wrap_main(int argc, char **argv, char **envp) __attribute__((weak));

enum { HIGH = 200 }; /* descriptors from here on do not collide with the program's */
enum {
    LIMIT_MS = 10000,
    LIMIT_TIMES = 20
}; /* limits on the time of the second run: absolute, and relative to the first run */

static struct rt_region main_run = {.name = "main"}; /* what main has executed; it is in no list */
static uint64_t executed;                            /* a hash of that and of the regions, after the first run */
static long long began;                              /* [ms] */

static long long now_ms(void)
{
    struct timespec t = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* main may permute its arguments, so each call gets a fresh copy. */
static char **copy_of(int argc, char **argv)
{
    size_t size = sizeof *argv * ((size_t)argc + 1);
    char **copy = rt_memory(size);
    return copy ? memcpy(copy, argv, size) : argv;
}

/* Both runs call main from here, so the stack is at the same place in both. */
__attribute__((noinline)) static int run_main(int argc, char **argv, char **envp)
{
    int code = __real_main(argc, argv, envp);
    __asm__ volatile("" : "+r"(code)); /* prevents a tail call */
    return code;
}

/* ---- what a run has executed ---- */

static void begin_run(void)
{
    rt_lock();
    for (struct rt_sum *s = main_run.sums; s; s = s->next)
        memset(s->counts, 0, (size_t)s->record->n_counters * sizeof *s->counts);
    rt_region_add(&main_run, -1);
    rt_unlock();
}

static uint64_t hash_number(uint64_t h, uint64_t n)
{
    h = (h ^ n) * FORMAT_HASH_PRIME;
    return h ^ h >> 29;
}

/* Leaves out what is simulated: with warm caches there are fewer misses. */
static uint64_t hash_code(uint64_t h, const struct rt_region *r)
{
    for (const struct rt_sum *s = r->sums; s; s = s->next)
        for (uint64_t i = s->record->simulated; i < s->record->n_counters; i++)
            h = hash_number(h, s->counts[i]);
    return h;
}

static uint64_t end_run(void)
{
    rt_lock();
    rt_region_add(&main_run, 1);
    uint64_t h = hash_code(FORMAT_HASH_START, &main_run);
    for (const struct rt_region *r = rt_regions; r; r = r->next)
        h = hash_code(hash_number(h, r->entries), r);
    rt_unlock();
    return h;
}

/* ---- the second run ---- */

static int high(int fd)
{
    int to = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    return to < 0 ? fd : to;
}

static void be_silent(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return;
    rt_error = high(STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    if (rt_error != STDERR_FILENO)
        dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

static void be_second(const int ends[2])
{
    close(ends[0]);
    rt_phase = RT_AGAIN;
    rt_report = high(ends[1]);
    if (rt_report != ends[1])
        close(ends[1]);
    be_silent();
    optind = 1;
    begin_run();
}

/* main has returned. A run that differs leaves nothing: no profile, and none of what the program does at its end. */
static void end_second(int code)
{
    char verdict = code ? RT_FAILS : end_run() == executed ? RT_SAME : RT_DIFFERS;
    rt_tell(verdict);
    if (verdict != RT_SAME)
        kill(getpid(), SIGKILL);
    rt_phase = RT_PLAIN;
}

struct verdict {
    char said;         /* the latest word except RT_WRITTEN; 0: none */
    int written, slow; /* the profile was written; the run had to be killed */
};

/* Listens until the other end is closed: the process has ended. */
static struct verdict listen_to(int from, long long until)
{
    struct verdict v = {0, 0, 0};
    for (;;) {
        long long left = until - now_ms();
        struct pollfd p = {from, POLLIN, 0};
        int n = left > 0 ? poll(&p, 1, (int)left) : 0;
        char what;
        if (n < 0 && errno == EINTR)
            continue;
        v.slow = n == 0;
        if (n <= 0 || read(from, &what, 1) != 1)
            return v;
        if (what == RT_WRITTEN)
            v.written = 1;
        else
            v.said = what;
    }
}

static void judge(struct verdict v, int status)
{
    /* or it has said why it is not written */
    if (v.said == RT_SAME && (v.written || (!v.slow && !WIFSIGNALED(status))))
        rt_phase = RT_DONE;
    else
        rt_run_once(v.said == RT_DIFFERS || v.said == RT_EXITS ? FORMAT_ONCE_DIFFERS
                    : v.said == RT_FAILS                       ? FORMAT_ONCE_FAILS_AGAIN
                    : v.slow                                   ? FORMAT_ONCE_SLOW
                                                               : FORMAT_ONCE_DIES);
}

static void wait_for(int child, int from)
{
    long long now = now_ms();
    int status = 0;
    struct verdict v = listen_to(from, now + LIMIT_MS + LIMIT_TIMES * (now - began));
    if (v.slow)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    judge(v, status);
}

/* Returns true in the process that is to run main again. */
static int again(void)
{
    int ends[2];
    if (!rt_counting())
        return 0;
    executed = end_run();
    fflush(0); /* otherwise it would be written twice */
    if (pipe2(ends, O_CLOEXEC)) {
        rt_run_once(FORMAT_ONCE_ALONE);
        return 0;
    }
    int child = rt_fork();
    if (child == 0) {
        be_second(ends);
        return 1;
    }
    close(ends[1]);
    if (child < 0)
        rt_run_once(FORMAT_ONCE_ALONE);
    else
        wait_for(child, ends[0]);
    close(ends[0]);
    return 0;
}

int __wrap_main(int argc, char **argv, char **envp)
{
    rt_start();
    began = now_ms();
    begin_run();
    rt_phase = RT_FIRST;
    int code = run_main(argc, copy_of(argc, argv), envp);
    rt_phase = RT_PLAIN;
    if (code)
        rt_run_once(FORMAT_ONCE_FAILS);
    if (code || !again())
        return code;
    code = run_main(argc, argv, envp);
    end_second(code);
    return code;
}
