/* proc.c - runs child processes: redirection, capture, time limits. */
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/proc_private.h"

enum { CAPTURE_LIMIT = 16 << 20, TAIL_LINES = 12, END_TICK_MS = 5, END_TICKS = 400 };

static const int end_numbers[] = {SIGINT, SIGTERM, SIGHUP};

static volatile pid_t current_child; /* its process group is killed when this program is ended */

void proc_end_child(int number)
{
    if (current_child > 0)
        kill(-current_child, number);
}

/* Called when this program is ending. The child must have stopped working in a folder before that folder is removed. */
void proc_await_end(void)
{
    pid_t child = current_child;
    if (child <= 0)
        return;
    int left = END_TICKS;
    while (left && waitpid(child, 0, WNOHANG) == 0) { /* gives the child time to clean up */
        left--;
        poll(0, 0, END_TICK_MS);
    }
    if (!left) {
        kill(-child, SIGKILL);
        waitpid(child, 0, 0);
    }
    for (left = END_TICKS; left && !kill(-child, SIGKILL); left--) /* until nobody of its group is left */
        poll(0, 0, END_TICK_MS);
    current_child = 0;
}

static void end_signals(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < sizeof end_numbers / sizeof *end_numbers; i++)
        sigaddset(set, end_numbers[i]);
}

double proc_clock_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Used in the child. A failure is reported to the parent through a close-on-exec pipe: errno, and a letter for the
 * step. */
struct failure {
    int number;
    char step; /* d directory, i input file, o output file, e exec */
};

/* Makes `group` the terminal's foreground process group. SIGTTOU is blocked, since a background process may call
 * this. */
static void give_terminal(pid_t group)
{
    sigset_t output, before;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    sigprocmask(SIG_BLOCK, &output, &before);
    tcsetpgrp(STDIN_FILENO, group);
    sigprocmask(SIG_SETMASK, &before, 0);
}

/* The child's standard input: the parent's, a file, or /dev/null. */
static void take_input(const struct proc *p, bool terminal, struct failure *f)
{
    if (!p->input) {
        int in = open(p->in_path ? p->in_path : "/dev/null", p->in_path ? O_RDONLY | O_CLOEXEC : O_RDWR);
        if (in < 0)
            *f = (struct failure){errno, 'i'};
        dup2(in, STDIN_FILENO);
    } else if (terminal) {
        give_terminal(getpid());
        signal(SIGTSTP, SIG_IGN); /* nobody would continue it: the shell only knows the parent */
    }
}

/* `out`, `err`: pipes; -1: the parent's. */
static void take_outputs(const struct proc *p, int out, int err, struct failure *f)
{
    if (p->out_path) {
        out = open(p->out_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (out < 0)
            *f = (struct failure){errno, 'o'};
    }
    if (out >= 0)
        dup2(out, STDOUT_FILENO);
    if (err >= 0)
        dup2(err, STDERR_FILENO);
}

static _Noreturn void become(const struct proc *p, pid_t parent, const sigset_t *mask, bool terminal, int out, int err,
                             int report)
{
    struct failure f = {0, 0};
    setpgid(0, 0);
    /* if the caller is killed, the child must not go on writing into its files */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    signal(SIGPIPE, SIG_DFL);
    for (size_t i = 0; i < sizeof end_numbers / sizeof *end_numbers; i++)
        signal(end_numbers[i], SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, 0);
    take_input(p, terminal, &f);
    take_outputs(p, out, err, &f);
    if (p->cpu_limit_s) {
        const struct rlimit most = {p->cpu_limit_s, p->cpu_limit_s + 1};
        setrlimit(RLIMIT_CPU, &most);
    }
    if (p->cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)p->cpu, &set);
        sched_setaffinity(0, sizeof set, &set); /* whoever asks for pinning checks beforehand that it works */
    }
    if (p->only_environment)
        clearenv();
    for (const char *const *v = p->environment; v && *v; v++)
        putenv((char *)*v);
    if (!f.step && p->directory && chdir(p->directory))
        f = (struct failure){errno, 'd'};
    if (!f.step) {
        execvp(p->argv[0], (char *const *)p->argv);
        f = (struct failure){errno, 'e'};
    }
    (void)!write(report, &f, sizeof f);
    _exit(127);
}

static enum status start_failed(const struct proc *p, struct failure f, struct error *e)
{
    errno = f.number;
    if (f.step == 'o')
        return error_errno(e, AT_FILE(p->out_path), "cannot be written");
    if (f.step == 'i')
        return error_errno(e, AT_FILE(p->in_path), "cannot be read");
    if (f.step == 'd')
        return error_errno(e, AT_FILE(p->directory), "cannot be entered");
    return error_errno(e, NOWHERE, "'%s' cannot be run", p->argv[0]);
}

static void drain(int *fd, struct str *into)
{
    char chunk[16384];
    ssize_t n = read(*fd, chunk, sizeof chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        close(*fd);
        *fd = -1;
    } else if (into->len < CAPTURE_LIMIT) {
        str_addn(into, chunk, (size_t)n);
    }
}

/* Kills a child whose result is no longer wanted, or whose time is up. */
static bool kill_if_due(const struct proc *p, pid_t child, double started, struct proc_result *r)
{
    bool unwanted = cancelled() && !p->winding_up;
    if (!unwanted && (p->timeout_s <= 0 || proc_clock_s() - started <= p->timeout_s))
        return false;
    r->timed_out = !unwanted;
    kill(-child, SIGKILL);
    return true;
}

/* Ends a child that has printed what was wanted: first by a polite signal, then by SIGKILL. */
static void stop_if_done(const struct proc *p, pid_t child, struct proc_result *r, double *stopped_at)
{
    enum { PATIENCE_S = 1 };
    if (r->stopped && proc_clock_s() - *stopped_at > PATIENCE_S)
        kill(-child, SIGKILL);
    if (r->stopped || !p->watch || !p->watch(&r->out, p->watching))
        return;
    r->stopped = true;
    *stopped_at = proc_clock_s();
    kill(-child, SIGTERM);
}

static void close_all(const int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Collects output until the child has ended. Kills its group when the time is up or the user cancels. */
static int wait_child(const struct proc *p, pid_t child, int out, int err, double started, struct proc_result *r)
{
    int state = 0;
    struct rusage used = {0};
    bool ended = false, killed = false;
    double stopped_at = 0;
    /* becomes readable when the child has ended; -1 on kernels before 5.3 */
    int gone = (int)syscall(SYS_pidfd_open, child, 0);
    while (!ended || out >= 0 || err >= 0) {
        if (!ended)
            ended = wait4(child, &state, WNOHANG, &used) == child;
        killed = killed || kill_if_due(p, child, started, r);
        if (!ended && !killed)
            stop_if_done(p, child, r, &stopped_at);
        struct pollfd fds[3] = {{out, POLLIN, 0}, {err, POLLIN, 0}, {ended ? -1 : gone, POLLIN, 0}};
        /* a grandchild may hold the pipes open: once the child has ended, read what is there and stop */
        int ready = poll(fds, 3, ended ? 0 : gone >= 0 ? 50 : 1);
        if (ready > 0 && fds[0].revents)
            drain(&out, &r->out);
        if (ready > 0 && fds[1].revents)
            drain(&err, &r->err);
        if (ended && ready <= 0)
            break;
    }
    close_all((const int[]){out, err, gone}, 3);
    r->cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
    return state;
}

enum status proc_run(const struct proc *p, struct proc_result *r, struct error *e)
{
    str_clear(&r->out);
    str_clear(&r->err);
    r->exit_code = r->signal = 0;
    r->timed_out = r->stopped = false;
    int out[2] = {-1, -1}, err[2] = {-1, -1}, report[2] = {-1, -1};
    if (pipe2(report, O_CLOEXEC) || (p->capture && (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)))) {
        enum status s = error_errno(e, NOWHERE, "no pipe for '%s'", p->argv[0]);
        close_all(report, 2);
        close_all(out, 2);
        close_all(err, 2);
        return s;
    }
    bool terminal = p->input && tcgetpgrp(STDIN_FILENO) == getpgrp();
    double started = proc_clock_s();
    fflush(0);
    sigset_t end, mask; /* blocked until current_child is set: a signal in between would leave the child running */
    end_signals(&end);
    sigprocmask(SIG_BLOCK, &end, &mask);
    const pid_t parent = getpid();
    pid_t child = fork();
    if (child > 0) {
        setpgid(child, child);
        current_child = child;
    }
    if (child)
        sigprocmask(SIG_SETMASK, &mask, 0);
    if (child < 0) {
        enum status s = error_errno(e, NOWHERE, "no process for '%s'", p->argv[0]);
        close_all(report, 2);
        close_all(out, 2);
        close_all(err, 2);
        return s;
    }
    if (child == 0)
        become(p, parent, &mask, terminal, out[1], err[1], report[1]);
    close(report[1]);
    if (out[1] >= 0)
        close(out[1]);
    if (err[1] >= 0)
        close(err[1]);
    struct failure f = {0, 0};
    ssize_t failed;
    do
        failed = read(report[0], &f, sizeof f);
    while (failed < 0 && errno == EINTR);
    close(report[0]);
    int state = wait_child(p, child, out[0], err[0], started, r);
    current_child = 0;
    if (terminal)
        give_terminal(getpgrp());
    r->wall_s = proc_clock_s() - started;
    if (failed == (ssize_t)sizeof f)
        return start_failed(p, f, e);
    if (cancelled() && !p->winding_up)
        return error_set(e, ERR_CANCELLED, NOWHERE, "interrupted");
    if (WIFSIGNALED(state))
        r->signal = WTERMSIG(state);
    else
        r->exit_code = WEXITSTATUS(state);
    return OK;
}

char *proc_how_ended(const struct proc *p, const struct proc_result *r)
{
    if (r->timed_out)
        return xasprintf("did not end within %g s", p->timeout_s);
    if (p->cpu_limit_s && (r->signal == SIGXCPU || r->signal == SIGKILL))
        return xasprintf("used more than %u s of processor time", p->cpu_limit_s);
    if (r->signal) {
        const char *name = sigabbrev_np(r->signal);
        return name ? xasprintf("was killed by SIG%s", name) : xasprintf("was killed by signal %d", r->signal);
    }
    return xasprintf("exited with %d", r->exit_code);
}

/* The last lines of a child's messages, for the text of an error. */
static const char *tail(const struct str *text)
{
    const char *s = str_text(text);
    int lines = 0;
    for (const char *p = s + text->len; p > s; p--)
        if (p[-1] == '\n' && p[0] && ++lines == TAIL_LINES)
            return p;
    return s;
}

enum status proc_must(const struct proc *p, struct proc_result *r, struct error *e)
{
    enum status s = proc_run(p, r, e);
    if (s)
        return s;
    if (!r->exit_code && !r->signal)
        return OK;
    struct str command = STR_INIT;
    for (const char *const *a = p->argv; *a; a++)
        str_addf(&command, "%s%s", a == p->argv ? "" : " ", *a);
    char *how = proc_how_ended(p, r);
    s = error_set(e, ERR_SYSTEM, NOWHERE, "'%s' %s%s%s", str_text(&command), how, r->err.len ? ":\n" : "",
                  tail(&r->err));
    size_t n = e ? strlen(e->message) : 0; /* without its line break: messages end without one */
    while (n && e->message[n - 1] == '\n')
        e->message[--n] = 0;
    free(how);
    str_release(&command);
    return s;
}

void proc_result_release(struct proc_result *r)
{
    str_release(&r->out);
    str_release(&r->err);
}

char *proc_find(const char *program)
{
    if (strchr(program, '/'))
        return access(program, X_OK) == 0 ? xstrdup(program) : 0;
    const char *path = getenv("PATH");
    for (const char *p = path; p && *p;) {
        size_t n = strcspn(p, ":");
        char *full = xasprintf("%.*s/%s", (int)n, p, program);
        if (access(full, X_OK) == 0)
            return full;
        free(full);
        p += n + (p[n] == ':');
    }
    return 0;
}
