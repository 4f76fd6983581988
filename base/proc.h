/*
 * proc.h - runs child processes without a shell.
 */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

struct proc {
    const char *const *argv;        /* NULL-terminated; argv[0] looked up in PATH */
    const char *const *environment; /* extra "NAME=value" entries, NULL-terminated; NULL: none */
    bool only_environment;          /* only these variables, none of ours; argv[0] must be a path then */
    const char *directory;          /* working directory; NULL: ours */
    const char *in_path;            /* standard input from this file; NULL: see input */
    const char *out_path;           /* standard output to this file; NULL: see capture */
    bool capture;                   /* collect standard output and error in the result (up to 16 MiB each) */
    /* The child uses our standard input. If that is a terminal, the child gets all keys, ^C too, until it ends. */
    bool input;
    bool winding_up;  /* run even after cancelled(); give it a short time limit */
    double timeout_s; /* 0: none; the child's process group is killed after it */
    /* Called with what it has printed so far, at least every 50 ms while it runs, with `watching`; true: it has done what
     * it is for, and is ended (SIGTERM, a second later SIGKILL). Needs `capture`. NULL: not called. */
    bool (*watch)(const struct str *out, void *watching);
    void *watching;
    unsigned cpu_limit_s; /* processor time [s] after which the child gets SIGXCPU; 0: none. Same on a busy machine */
    int cpu;              /* >= 0: run on this core only; -1: anywhere. 0 is a core, so always set it */
};
struct proc_result {
    int exit_code; /* when signal is 0 */
    int signal;    /* signal that ended it; 0: it exited */
    bool timed_out;
    bool stopped;        /* `watch` said so */
    struct str out, err; /* captured output; free with proc_result_release */
    double wall_s;
    double cpu_s; /* processor time of the child and of its children that it waited for */
};
#define PROC_RESULT_INIT                                                                                               \
    {                                                                                                                  \
        0, 0, false, false, STR_INIT, STR_INIT, 0, 0                                                                   \
    }

/* Runs a child and waits for it. OK if the child ran, whatever its exit code. ERR_SYSTEM: it could not be started.
 * ERR_CANCELLED: cancelled() became true and the child was ended. Standard input is /dev/null unless p->input or
 * p->in_path is set. */
enum status proc_run(const struct proc *p, struct proc_result *r, struct error *e) MUST_CHECK;
/* Like proc_run, but an exit code other than 0 is ERR_SYSTEM, with the command and the last lines of its standard
 * error. */
enum status proc_must(const struct proc *p, struct proc_result *r, struct error *e) MUST_CHECK;
/* How the child ended, for messages: "exited with 3", "was killed by SIGSEGV", "did not end within 10 s". The caller
 * frees it. */
char *proc_how_ended(const struct proc *p, const struct proc_result *r);
void proc_result_release(struct proc_result *r);
/* Seconds on a clock that nobody sets, from some beginning. */
double proc_clock_s(void);
/* The path of a program found in PATH, or NULL. The caller frees it. */
char *proc_find(const char *program);

#endif
