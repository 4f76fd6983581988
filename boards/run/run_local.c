/* run_local.c - runs programs on this machine, directly. */
#include <stdlib.h>

#include "base/file.h"
#include "base/proc.h"
#include "boards/machine/this_machine.h"
#include "boards/run/run.h"
#include "boards/run/runner_kind.h"

static enum status local_open(struct runner *r, struct error *e)
{
    (void)e;
    char *architecture = machine_architecture(0);
    if (architecture) {
        free(r->architecture);
        r->architecture = architecture;
    }
    return OK;
}

static void local_close(struct runner *r)
{
    (void)r;
}

static enum status local_put(struct runner *r, struct error *e)
{
    (void)r;
    (void)e;
    return OK;
}

static enum status local_run(struct runner *r, const struct run_request *q, struct run_end *end, struct error *e)
{
    struct board_args argv = {0, 0}, environment = {0, 0};
    board_args_add(&argv, r->executable);
    for (const char *const *a = q->arguments; a && *a; a++)
        board_args_add(&argv, *a);
    for (const char *const *v = q->environment; v && *v; v++)
        board_args_add(&environment, *v);
    if (q->result_variable) {
        char *out = xasprintf("%s=%s", q->result_variable, q->result);
        board_args_add(&environment, out);
        free(out);
    }
    struct proc p = {.argv = (const char *const *)argv.at,
                     .environment = (const char *const *)environment.at,
                     .capture = true,
                     .timeout_s = q->timeout_s,
                     .cpu_limit_s = q->cpu_limit_s,
                     .cpu = q->core};
    struct proc_result result = PROC_RESULT_INIT;
    enum status s = proc_run(&p, &result, e);
    end->exit_code = result.exit_code;
    end->signal = result.signal;
    end->timed_out = result.timed_out;
    end->wall_s = result.wall_s;
    end->cpu_s = result.cpu_s;
    end->written = !s && q->result && file_exists(q->result);
    str_add(&end->messages, str_text(&result.err));
    proc_result_release(&result);
    board_args_release(&argv);
    board_args_release(&environment);
    return s;
}

const struct runner_kind runner_local = {local_open, local_close, local_put, local_run};
