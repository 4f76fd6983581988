/* child.c - runs a part of LLVM in a child process. What it does to the module, or to the process, does not affect the
 * parent. */
#include "irprof/module/child.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Signals end the child, without a message. */
static void become_child(FILE *errors)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGPIPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    dup2(fileno(errors), STDERR_FILENO);
}

enum status child_run(void (*run)(void *data), void *data, FILE *errors, int *ended, struct error *e)
{
    fflush(0);
    pid_t child = fork();
    if (child == 0) {
        become_child(errors);
        run(data);
        _exit(1);
    }
    while (child > 0 && waitpid(child, ended, 0) < 0 && errno == EINTR)
        ;
    return child < 0 ? error_errno(e, NOWHERE, "cannot start a process") : OK;
}
