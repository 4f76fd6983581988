/* cleanup.c - removes temporary files when the program ends early, also by a signal. Part of file.h. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/proc_private.h"

/* One list for the whole program, since a process has one set of signal handlers. */
static VEC(char *) doomed;
static volatile sig_atomic_t was_cancelled, deferred;
static pid_t owner; /* a forked child must not remove its parent's files */

void cleanup_add(const char *path)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    alloc_before_end(cleanup_now);
    vec_push(&doomed, xstrdup(path));
    sigprocmask(SIG_SETMASK, &before, 0);
}

void cleanup_remove(const char *path)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    for (size_t i = 0; i < doomed.n; i++) {
        if (strcmp(doomed.at[i], path) == 0) {
            free(doomed.at[i]);
            doomed.at[i] = doomed.at[--doomed.n];
            break;
        }
    }
    sigprocmask(SIG_SETMASK, &before, 0);
}

bool cleanup_covers(const char *path)
{
    for (size_t i = 0; i < doomed.n; i++) {
        size_t n = strlen(doomed.at[i]);
        if (strncmp(doomed.at[i], path, n) == 0 && path[n] == '/')
            return true;
    }
    return false;
}

void cleanup_now(void)
{
    if (owner && owner != getpid())
        return;
    for (size_t i = 0; i < doomed.n; i++) {
        if (unlink(doomed.at[i]) && errno == EISDIR)
            (void)!remove_tree(doomed.at[i], 0);
        free(doomed.at[i]);
    }
    vec_release(&doomed);
}

static void on_signal(int number)
{
    proc_end_child(number);
    if (deferred && !was_cancelled) {
        was_cancelled = 1;
        return;
    }
    /* nftw and free are not async-signal-safe. The program ends here in any case, and files that are left over
     * would be worse. */
    proc_await_end();
    cleanup_now();
    signal(number, SIG_DFL);
    raise(number);
}

void cleanup_install(void)
{
    if (owner)
        return;
    owner = getpid();
    atexit(cleanup_now);
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        sigaction(numbers[i], 0, &old);
        if (old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, 0);
    }
    signal(SIGPIPE, SIG_DFL);
}

bool cancelled(void)
{
    return was_cancelled;
}

void cancel_defer(void)
{
    deferred = 1;
}
