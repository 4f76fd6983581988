/* progress.c - the progress line on stderr, redrawn by a thread. */
#include "base/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/proc.h"
#include "base/str.h"

#define EVERY_S       10 /* longest time without a line when stderr is a pipe */
#define LEAST_KNOWN_S 2  /* no estimate of the time left before that */
enum { TEXT = 120 };

/* What is shown. `lock` guards all of it, since a thread of its own redraws it when nothing else does. */
static struct {
    pthread_mutex_t lock;
    bool beating;    /* the thread is running */
    bool drawn;      /* the terminal's last line is ours and has no line break yet */
    char step[TEXT]; /* from progress_begin; "": none */
    double step_from;
    char label[TEXT], name[TEXT]; /* from progress_show; "": none */
    size_t done, total, first;    /* first: `done` when the label was set */
    double label_from;
    double said; /* when a line was last written */
} now = {.lock = PTHREAD_MUTEX_INITIALIZER};

char *progress_duration(double s)
{
    long whole = s < 0 ? 0 : (long)(s + 0.5);
    if (whole >= 3600)
        return xasprintf("%ld h %ld min", whole / 3600, whole % 3600 / 60);
    return whole >= 60 ? xasprintf("%ld min %ld s", whole / 60, whole % 60) : xasprintf("%ld s", whole);
}

static void take_text(char to[TEXT], const char *from)
{
    snprintf(to, TEXT, "%s", from ? from : "");
}

/* ---- the line ---- */

/* Extrapolated from the pace since the label was set. The caller frees; NULL: not known yet. */
static char *time_left(double at)
{
    double passed = at - now.label_from;
    if (now.done <= now.first || now.done >= now.total || passed < LEAST_KNOWN_S)
        return 0;
    return progress_duration(passed / (double)(now.done - now.first) * (double)(now.total - now.done));
}

/* The caller frees. */
static char *line(double at)
{
    char *passed = progress_duration(at - (*now.label ? now.label_from : now.step_from)), *left = time_left(at);
    char *text;
    if (!*now.label)
        text = xasprintf("%s, %s so far", now.step, passed);
    else if (!now.total)
        text = xasprintf("%s, %s so far: %s", now.label, passed, now.name);
    else
        text = xasprintf("%s %zu/%zu%s%s%s%s%s", now.label, now.done, now.total, left ? ", about " : "",
                         left ? left : "", left ? " left" : "", *now.name ? ": " : "", now.name);
    free(passed);
    free(left);
    return text;
}

static void wipe(void)
{
    if (now.drawn)
        fputs("\r\033[K", stderr);
    now.drawn = false;
}

static void draw(double at)
{
    char *text = line(at);
    fprintf(stderr, "\r\033[K%.78s", text);
    fflush(stderr);
    free(text);
    now.drawn = true;
    now.said = at;
}

static void say(double at)
{
    char *text = line(at);
    fprintf(stderr, "%s\n", text);
    free(text);
    now.said = at;
}

static void show_again(double at)
{
    if (!*now.step && !*now.label)
        return;
    if (isatty(STDERR_FILENO)) {
        if (now.drawn && at - now.said >= 1)
            draw(at);
    } else if (at - now.said >= EVERY_S) {
        say(at);
    }
}

/* ---- the thread ---- */

static void lock(void)
{
    pthread_mutex_lock(&now.lock);
}

static void unlock(void)
{
    pthread_mutex_unlock(&now.lock);
}

/* A forked child has no such thread, and may print something itself. */
static void unlock_child(void)
{
    now.beating = false;
    now.drawn = false;
    now.step[0] = now.label[0] = 0;
    pthread_mutex_unlock(&now.lock);
}

static void *beat(void *none)
{
    static const struct timespec pause = {.tv_nsec = 500000000};
    for (;;) {
        nanosleep(&pause, 0);
        lock();
        show_again(proc_clock_s());
        unlock();
    }
    return none;
}

/* Signals are blocked in this thread, so that they interrupt the waits of the others. If the thread cannot start, fewer
 * lines are shown. */
static void start_beating(void)
{
    static bool forks_known;
    sigset_t all, before;
    pthread_t thread;
    if (now.beating)
        return;
    if (!forks_known)
        pthread_atfork(lock, unlock, unlock_child);
    forks_known = true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, 0, beat, 0) == 0) {
        pthread_detach(thread);
        now.beating = true;
    }
    pthread_sigmask(SIG_SETMASK, &before, 0);
}

/* ---- what is shown ---- */

void progress_begin(const char *what)
{
    lock();
    start_beating();
    wipe();
    take_text(now.step, what);
    now.label[0] = 0;
    now.step_from = now.said = proc_clock_s();
    if (isatty(STDERR_FILENO))
        draw(now.said);
    else
        fprintf(stderr, "%s\n", now.step);
    unlock();
}

void progress_end(void)
{
    lock();
    wipe();
    now.step[0] = now.label[0] = 0;
    unlock();
}

void progress_show(const char *label, size_t done, size_t total, const char *name)
{
    lock();
    double at = proc_clock_s();
    start_beating();
    if (strncmp(now.label, label, TEXT - 1) != 0 || now.done > done) {
        take_text(now.label, label);
        now.first = done;
        now.label_from = at;
        now.said = *now.step ? now.said : at;
    }
    take_text(now.name, name);
    now.done = done;
    now.total = total;
    bool over = total && done >= total;
    if (isatty(STDERR_FILENO)) {
        draw(at);
        if (over)
            fputc('\n', stderr);
        now.drawn = !over;
    } else if (at - now.said >= EVERY_S) {
        say(at);
    }
    if (over)
        now.label[0] = 0;
    unlock();
}

void progress_clear(void)
{
    lock();
    wipe();
    now.label[0] = 0;
    unlock();
}

void progress_note(const char *fmt, ...)
{
    va_list ap;
    lock();
    wipe();
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap), *shown = printable_text(text);
    va_end(ap);
    fprintf(stderr, "%s\n", shown);
    now.said = proc_clock_s();
    unlock();
    free(shown);
    free(text);
}
