/*
 * run.h - runs a program on the board: puts it there, runs it, fetches the file that it wrote. The board may be this
 * machine, another one over ssh, or a simulator; callers need not know which.
 *
 *     runner_open(&r, b, RUN_MEASURED, &e);
 *     runner_put(r, "work/fir/measured", &e);
 *     runner_run(r, &(struct run_request){...}, &end, &e);      as often as needed
 *     runner_close(r);                                          nothing stays on the board
 *
 * One program at a time: runner_put replaces the one before.
 */
#ifndef BOARDS_RUN_RUN_H
#define BOARDS_RUN_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "boards/boards.h"

struct runner;

enum run_purpose {
    RUN_MEASURED, /* the board itself: its cycles count */
    RUN_COUNTED   /* any place where the board's programs run: [count] command, else as RUN_MEASURED */
};

/* Connects where there is something to connect to, checks that the tools for it are there, and removes what earlier
 * runs of ours that were cut off have left on the board. ERR_SYSTEM, ERR_UNSUPPORTED with what to do. */
enum status runner_open(struct runner **out, const struct board *b, enum run_purpose purpose,
                        struct error *e) MUST_CHECK;
/* Ends what still runs there and removes what was put there, also after a signal (cancelled()). NULL is fine. */
void runner_close(struct runner *r);

/* board_doctor for a board wherever it is: one that is reached over ssh is opened first, and *place is its runner, to
 * be used further and closed. Else, and when it cannot be opened (which is a finding), *place is NULL. */
void runner_consult(struct runner **place, const struct board *b, struct findings *out);

/* The board's small files of /proc and /sys for board_detect and board_doctor: "" the running system, else a folder on
 * this machine. Borrowed. */
const char *runner_root(const struct runner *r);
/* Several runners of the board can work side by side without changing the results: a simulator. */
bool runner_parallel(const struct board *b, enum run_purpose purpose);
/* True when `command` runs the board's counted programs on this machine, with or without an emulator. */
bool runner_is_here(const struct board *b, enum run_purpose purpose);

/* The program that is run from now on. A program for another architecture is refused. The file must stay as it is until
 * the runner is closed or given another: it may be copied again. */
enum status runner_put(struct runner *r, const char *executable, struct error *e) MUST_CHECK;

/* From now on each run also writes the cycles of single instructions to `to`, a line "ADDRESS EXECUTIONS CYCLES CALLED
 * REGION" each (boards/plugin/ledger.h); `own`: a file that says which code is the program's own. ERR_UNSUPPORTED: not on
 * a simulated board. */
enum status runner_cycles(struct runner *r, const char *own, const char *to, struct error *e) MUST_CHECK;

struct run_request {
    const char *const *arguments;   /* after the program's name; NULL-terminated; NULL: none */
    const char *const *environment; /* "NAME=value", NULL-terminated; NULL: none */
    const char *result_variable;    /* environment variable that tells the program where to write; NULL: no file */
    const char *result;             /* where that file comes to here; removed beforehand */
    double timeout_s;               /* > 0; the program and all that it started is ended then */
    unsigned cpu_limit_s;           /* processor time [s]; 0: no limit */
    int core;                       /* to run on; -1: any */
    bool output; /* on another machine: `messages` has what it prints too, in its order, the last RUN_OUTPUT bytes */
};
enum { RUN_OUTPUT = 1 << 20 };
struct run_end {
    int exit_code, signal; /* as of a proc_result; signal 0: it exited */
    bool timed_out;
    bool written;        /* the result file is there, as a whole */
    struct str messages; /* the end of its standard error */
    double wall_s;
    double cpu_s; /* processor time; on another machine, where nobody tells: wall_s */
};
#define RUN_END_INIT                                                                                                   \
    {                                                                                                                  \
        0, 0, false, false, STR_INIT, 0, 0                                                                             \
    }
/* The board's own limit of a launch ([run] timeout). In a simulator it is processor time, so that whether a program comes
 * to its end does not depend on what else the machine has to do; what stands still is ended after four times as long, or more where
 * many programs share a processor. */
void run_limit(struct run_request *q, const struct board *b);
/* Runs it and waits. OK however the program ended. A connection that breaks is made again, and the launch repeated, for
 * about a minute; then ERR_SYSTEM. ERR_CANCELLED after a signal. */
enum status runner_run(struct runner *r, const struct run_request *q, struct run_end *end, struct error *e) MUST_CHECK;
/* "exited with 3", "was killed by SIGSEGV", "did not end within 10 s"; the caller frees. */
char *run_how_ended(const struct run_request *q, const struct run_end *end);
void run_end_release(struct run_end *end);

#endif
