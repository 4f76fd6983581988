/* rt.c - start and end of a counted program: it exits, is killed, or forks. */
#include "irprof/runtime/rt.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "irprof/profile/format.h"

enum { PATH_SIZE = 8192, STACK_SIZE = 65536 };

static char path[PATH_SIZE];    /* absolute, with %p replaced; empty: none */
static char pattern[PATH_SIZE]; /* absolute, as given by the user */
static pid_t owner;             /* the process that counts; 0: not started */
static int silent;              /* a forked child without a file of its own */
static int finished;            /* the profile has been written at exit */
static uint32_t finished_end;
static uint64_t finished_total; /* sum of all counters at that time; tells whether anything was counted since */

int rt_phase, rt_report = -1, rt_error = STDERR_FILENO;
uint32_t rt_once;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int cancel_before, errno_before; /* of the thread that holds the lock */
static _Thread_local volatile sig_atomic_t inside;
static _Thread_local volatile sig_atomic_t deferred; /* a fatal signal that came while the runtime was busy */

void rt_lock(void)
{
    int number = errno, cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    inside = 1;
    pthread_mutex_lock(&mutex);
    cancel_before = cancel;
    errno_before = number;
}

void rt_unlock(void)
{
    int number = errno_before, cancel = cancel_before;
    pthread_mutex_unlock(&mutex);
    inside = 0;
    pthread_setcancelstate(cancel, &cancel);
    errno = number;
    if (deferred) {
        number = deferred;
        deferred = 0;
        raise(number);
    }
}

int rt_inside(void)
{
    return inside;
}

void *rt_memory(size_t size)
{
    static char *at;
    static size_t left;
    size = (size + 15) & ~(size_t)15;
    if (size > left) {
        size_t chunk = size > 65536 ? size : 65536;
        void *p = mmap(0, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            return 0;
        at = p;
        left = chunk;
    }
    void *p = at;
    at += size;
    left -= size;
    return p;
}

void *rt_memory_unlocked(size_t size)
{
    if (rt_inside())
        return 0;
    rt_lock();
    void *p = rt_memory(size);
    rt_unlock();
    return p;
}

void rt_say(const char *a, const char *b, const char *c)
{
    char line[1024];
    size_t n = 0;
    const char *parts[] = {"irprof: ", a, b, c};
    for (size_t i = 0; i < 4; i++)
        for (const char *s = parts[i]; *s && n < sizeof line - 1; s++)
            line[n++] = (unsigned char)*s < 32 ? '?' : *s;
    line[n++] = '\n';
    (void)!write(rt_error, line, n);
}

void rt_tell(char what)
{
    while (rt_report >= 0 && write(rt_report, &what, 1) < 0 && errno == EINTR)
        ;
}

/* ---- where the profile goes ---- */

const char *rt_decimal(char digits[RT_DIGITS], unsigned long v)
{
    size_t k = RT_DIGITS - 1;
    digits[k] = 0;
    do
        digits[--k] = (char)('0' + v % 10);
    while (v /= 10);
    return digits + k;
}

/* `pattern` with %p replaced by the process ID and %% by %; empty if it does not fit. */
static void expand(void)
{
    size_t n = 0;
    char digits[RT_DIGITS];
    for (const char *s = pattern; *s; s++) {
        const char *add = s;
        size_t size = 1;
        if (s[0] == '%' && s[1] == 'p') {
            add = rt_decimal(digits, (unsigned long)getpid());
            size = strlen(add);
            s++;
        } else if (s[0] == '%' && s[1] == '%') {
            s++;
        }
        if (n + size >= PATH_SIZE) {
            path[0] = 0;
            return;
        }
        memcpy(path + n, add, size);
        n += size;
    }
    path[n] = 0;
}

static int names_process(void)
{
    for (const char *s = pattern; *s; s++) {
        if (s[0] == '%' && s[1] == 'p')
            return 1;
        if (s[0] == '%' && s[1] == '%')
            s++;
    }
    return 0;
}

/* Makes the path absolute, since the program may change its directory. */
static void find_path(void)
{
    const char *given = secure_getenv("IRPROF_OUT"); /* ignored if the program has more rights than its caller */
    if (!given || !*given)
        given = "irprof.out";
    size_t n = 0;
    if (given[0] != '/' && getcwd(pattern, PATH_SIZE / 2)) {
        /* the directory's own name is not a pattern */
        for (char *s = pattern; *s && n < PATH_SIZE - 2; s++)
            n += *s == '%' ? 2 : 1;
        for (size_t from = strlen(pattern), to = n; from-- > 0;) {
            pattern[--to] = pattern[from];
            if (pattern[from] == '%')
                pattern[--to] = '%';
        }
        pattern[n++] = '/';
    }
    if (n + strlen(given) >= PATH_SIZE) {
        pattern[0] = 0;
        rt_say("the path in IRPROF_OUT is too long: no profile", "", "");
        return;
    }
    strcpy(pattern + n, given);
    expand();
}

/* ---- end ---- */

static uint64_t total(void)
{
    enum { SOME = 256 };
    uint64_t values[SOME], sum = 0;
    for (const struct rt_record *r = rt_records; r; r = r->next) {
        for (uint64_t first = 0; first < r->n_counters; first += SOME) {
            uint64_t n = r->n_counters - first < SOME ? r->n_counters - first : SOME;
            memset(values, 0, sizeof values);
            rt_add(r, first, n, 1, values);
            for (uint64_t i = 0; i < n; i++)
                sum += values[i];
        }
    }
    return sum;
}

static int counting_here(void)
{
    return owner == getpid() && !silent && path[0] && rt_records && rt_phase != RT_DONE;
}

int rt_counting(void)
{
    return counting_here();
}

static void finish(uint32_t end)
{
    if (!counting_here())
        return;
    if (rt_phase == RT_AGAIN) { /* main has not returned */
        rt_tell(RT_EXITS);
        return;
    }
    rt_lock();
    if (rt_phase == RT_FIRST)
        rt_run_once(FORMAT_ONCE_EXITS);
    finished = 1;
    finished_end = end;
    finished_total = total();
    if (rt_write(path, end, 0))
        rt_tell(RT_WRITTEN);
    rt_unlock();
}

int rt_finish_again(void)
{
    /* Destructors of a shared library have counted after the program's end. */
    if (finished && counting_here() && total() != finished_total) {
        finished_total = total();
        rt_write(path, finished_end, 0);
    }
    return finished;
}

/* Runs after the program's own destructors and atexit functions, so that these are counted too. */
__attribute__((destructor(101))) static void at_exit(void)
{
    finish(RT_END_EXIT);
}

static void at_quick(void)
{
    finish(RT_END_QUICK);
}

static _Noreturn void leave(int code)
{
    finish(RT_END_QUICK);
    for (;;) {
#ifdef SYS_exit_group
        syscall(SYS_exit_group, code);
#endif
        syscall(SYS_exit, code);
    }
}

/* Replace libc's functions, which end the process without calling any handler. */
_Noreturn void _exit(int code)
{
    leave(code);
}

_Noreturn void _Exit(int code)
{
    leave(code);
}

/* Signals whose default action ends the process. The first ones are faults of a thread. */
enum { FAULTS = 6 };
static const int fatal[] = {
    SIGILL,  SIGTRAP, SIGBUS,  SIGFPE,  SIGSEGV, SIGSYS,  SIGHUP,    SIGINT,  SIGQUIT, SIGABRT,
    SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGXFSZ, SIGPROF,
};

static int is_fault(int number)
{
    for (size_t i = 0; i < FAULTS; i++)
        if (fatal[i] == number)
            return 1;
    return 0;
}

/* Writes the profile, then lets the default action happen: the signal is raised again when the handler returns. */
static void on_fatal(int number)
{
    int have = inside;
    if (have && !is_fault(number)) {
        deferred = number; /* until rt_unlock: the runtime's data may be inconsistent now */
        return;
    }
    struct sigaction plain;
    memset(&plain, 0, sizeof plain);
    plain.sa_handler = SIG_DFL;
    sigemptyset(&plain.sa_mask);
    sigaction(number, &plain, 0);
    if (counting_here() && rt_phase != RT_AGAIN) {
        if (!have) /* otherwise the runtime itself has failed in this thread, and cannot go on */
            rt_lock();
        rt_write(path, RT_END_SIGNAL, (uint32_t)number);
        if (!have)
            rt_unlock();
    }
    raise(number);
}

static void catch_signals(void)
{
    /* a separate stack, so that a stack overflow can be handled */
    static char stack[STACK_SIZE] __attribute__((aligned(16)));
    stack_t alternate, before;
    memset(&alternate, 0, sizeof alternate);
    alternate.ss_sp = stack;
    alternate.ss_size = sizeof stack;
    if (sigaltstack(0, &before) == 0 && (before.ss_flags & SS_DISABLE))
        sigaltstack(&alternate, 0);
    struct sigaction ours, old;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = on_fatal;
    ours.sa_flags = SA_ONSTACK;
    sigfillset(&ours.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (sigaction(fatal[i], 0, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
            sigaction(fatal[i], &ours, 0);
}

/* ---- fork ---- */

static _Thread_local int forking; /* set while rt_fork runs */

/* A child that the program made by itself. The profile's file is the parent's, unless its name contains the process
 * ID. */
static void become_other(void)
{
    silent = !names_process();
    if (!silent)
        expand();
    if (rt_report >= 0)
        close(rt_report);
    rt_report = -1;
    rt_phase = RT_PLAIN;
}

static void in_child(void)
{
    owner = getpid();
    finished = 0;
    if (!forking)
        become_other();
    if (!silent) {
        rt_threads_restart();
        rt_counters_restart();
        rt_regions_restart();
        rt_traffic_restart();
        rt_windows_restart();
        rt_footprint_restart();
    }
    deferred = 0; /* it was meant for the parent */
    rt_unlock();
}

int rt_fork(void)
{
    forking = 1;
    int child = fork();
    forking = 0;
    return child;
}

void rt_run_once(uint32_t why)
{
    static const char *const words[] = FORMAT_ONCE_WORDS;
    rt_once = why;
    rt_say("main ran once, not twice as for warm caches: ", words[why], "; what is simulated began empty");
}

void rt_start(void)
{
    if (owner)
        return;
    owner = getpid();
    find_path();
    catch_signals();
    rt_threads_start();
    at_quick_exit(at_quick);
    pthread_atfork(rt_lock, rt_unlock, in_child);
}
