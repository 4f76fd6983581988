/* rt_noise.c - keeps the kernel out of the regions as far as the rights allow, and counts what it does nevertheless. */
#include "rt.h"

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

void rt_raise_priority(int wanted)
{
    struct sched_param p = {.sched_priority = 1};
    rt.priority = "normal";
    if (!wanted)
        return;
    if (sched_setscheduler(0, SCHED_FIFO, &p) == 0)
        rt.priority = "fifo";
    else if (setpriority(PRIO_PROCESS, 0, -20) == 0)
        rt.priority = "nice -20";
}

/* Touches the stack that a program usually needs, so that it is in memory. */
static __attribute__((noinline)) void touch_stack(void)
{
    struct rlimit l;
    volatile char below[512 * 1024];
    if (getrlimit(RLIMIT_STACK, &l) == 0 && l.rlim_cur != RLIM_INFINITY && l.rlim_cur < 4 * sizeof below)
        return;
    for (size_t i = sizeof below; i >= 4096; i -= 4096)
        below[i - 1] = 0;
}

static void touch_mapping(char *from, char *to, int writable)
{
    for (volatile char *p = from; p < (volatile char *)to; p += 4096) {
        char c = *p;
        if (writable)
            *p = c; /* no other thread runs yet */
    }
}

/* Prevents page faults inside a region: the heap is enlarged beforehand, and everything mapped becomes resident.
 * Without the right to lock memory, each page is only touched, and may be swapped out again. */
void rt_hold_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
    char *volatile room = malloc(64);
    free(room);
#endif
    touch_stack();
    rt.memory = "locked";
    if (mlockall(MCL_CURRENT)) {
        rt.memory = "touched";
        rt_each_mapping(touch_mapping);
    }
}

static int interrupts_fd = -1;
static char table[65536];

void rt_noise_open(void)
{
    interrupts_fd = open("/proc/interrupts", O_RDONLY | O_CLOEXEC);
    struct rt_noise unused;
    rt_noise_read(&unused, 1); /* brings in the pages that reading needs */
}

/* The sum of one column over all lines. The heading is "CPU0 CPU1 ..."; cores that are off have no column. */
static long long interrupts(int cpu)
{
    size_t n = 0;
    ssize_t got;
    if (interrupts_fd < 0)
        return -1;
    while (n < sizeof table - 1 && (got = pread(interrupts_fd, table + n, sizeof table - 1 - n, (off_t)n)) > 0)
        n += (size_t)got;
    if (n == 0 || n == sizeof table - 1)
        return -1;
    table[n] = 0;
    int column = -1, columns = 0;
    char *p = table, *eol = strchr(p, '\n');
    for (; eol && (p = strstr(p, "CPU")) && p < eol; columns++)
        if (strtol(p += 3, &p, 10) == cpu)
            column = columns;
    long long sum = 0;
    for (p = eol; column >= 0 && p && p[1]; p = strchr(p + 1, '\n')) {
        char *at = strchr(p, ':'), *end = strchr(p + 1, '\n');
        long value = 0;
        int k;
        for (k = 0; at && end && at < end && k <= column; k++) {
            char *before = ++at;
            value = strtol(before, &at, 10);
            if (at == before || at > end)
                break;
        }
        sum += k > column ? value : 0; /* the lines ERR: and MIS: have one number for all cores */
    }
    return column < 0 ? -1 : sum;
}

void rt_noise_read(struct rt_noise *n, int thorough)
{
    struct rusage u;
    getrusage(RUSAGE_THREAD, &u);
    n->voluntary = u.ru_nvcsw;
    n->involuntary = u.ru_nivcsw;
    n->minor = u.ru_minflt;
    n->major = u.ru_majflt;
    n->cpu = sched_getcpu();
    n->interrupts = thorough ? interrupts(n->cpu) : -1;
    n->width = n->clock = 0;
    if (thorough)
        rt_probe(n);
}
