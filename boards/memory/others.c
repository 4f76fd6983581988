/* others.c - child processes on the board's other cores, which keep them busy or answer messages. */
#include "others.h"

#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP = 64, PATIENCE_MS = 5000 };

enum { STARTING, RUNNING, REFUSED };
struct start {
    volatile int state;
};
static struct start *starts; /* shared: the state of each child */

void *others_shared(size_t bytes)
{
    void *at = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return at == MAP_FAILED ? 0 : at;
}

int others_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_CONF);
    return n < 1 ? 1 : n > CPU_SETSIZE ? CPU_SETSIZE : (int)n;
}

static int pin(int core)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    return sched_setaffinity(0, sizeof only, &only);
}

static void child(struct start *s, int core, pid_t parent, others_work *work, void *shared)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || pin(core)) {
        s->state = REFUSED;
        _exit(0);
    }
    s->state = RUNNING;
    work(shared);
    _exit(0);
}

static void pause_briefly(void)
{
    nanosleep(&(struct timespec){0, 1000000}, 0);
}

int others_start_on(struct others *o, int core, others_work *work, void *shared)
{
    if (!starts)
        starts = others_shared(OTHERS_MOST * sizeof *starts);
    if (!starts || o->n == OTHERS_MOST || core == sched_getcpu())
        return -1;
    struct start *s = &starts[o->n];
    s->state = STARTING;
    pid_t parent = getpid(), p = fork();
    if (p == 0)
        child(s, core, parent, work, shared);
    for (int ms = 0; p > 0 && s->state == STARTING && ms < PATIENCE_MS; ms++)
        pause_briefly();
    if (p > 0 && s->state != RUNNING) {
        kill(p, SIGKILL);
        waitpid(p, 0, 0);
    }
    if (p < 0 || s->state != RUNNING)
        return -1;
    o->core[o->n] = core;
    o->process[o->n++] = p;
    return 0;
}

void others_stop(struct others *o)
{
    for (int i = 0; i < o->n; i++)
        kill(o->process[i], SIGKILL);
    for (int i = 0; i < o->n; i++)
        waitpid(o->process[i], 0, 0);
    o->n = 0;
}

struct load {
    size_t bytes;
    volatile int passes; /* of all children: when each has finished one pass, all are streaming */
};

/* Runs with normal priority: a real-time loop on every core would stop the machine. */
static void stream(void *shared)
{
    struct load *l = shared;
    sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
    volatile char *at = mmap(0, l->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if ((void *)at == MAP_FAILED)
        return;
    for (int pass = 0;; pass++) {
        for (size_t i = 0; i < l->bytes; i += STEP)
            at[i]++;
        if (pass == 0)
            __atomic_add_fetch(&l->passes, 1, __ATOMIC_SEQ_CST);
    }
}

void others_keep_busy(struct others *o, size_t bytes, int spare)
{
    static struct load *l;
    if (!l)
        l = others_shared(sizeof *l);
    if (!l)
        return;
    *l = (struct load){bytes, 0};
    int before = o->n;
    for (int core = 0; core < others_cores(); core++)
        if (core != spare)
            others_start_on(o, core, stream, l);
    for (int ms = 0; l->passes < o->n - before && ms < PATIENCE_MS; ms++)
        pause_briefly();
}
