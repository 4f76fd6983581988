/* rt_event.c - opens and reads the group of events that a launch counts, through rt_perf.h. A failure is reported as an
 * errno; the library knows the sentence and the remedy for it. */
#include "rt.h"
#include "rt_iss.h"
#include "rt_perf.h"
#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    uint32_t type;
    uint64_t config;
} wanted[RT_EVENTS];

void rt_leave_out(const char *name, size_t n, int reason)
{
    if (rt.n_left_out == RT_EVENTS)
        return;
    struct rt_left_out *l = &rt.left_out[rt.n_left_out++];
    if (n >= sizeof l->name)
        n = sizeof l->name - 1;
    memcpy(l->name, name, n);
    l->name[n] = 0;
    l->reason = reason;
}

/* Parses NAME=type:config,... into rt.names and `wanted`. What cannot be parsed is left out with EINVAL. */
static size_t parse(const char *spec)
{
    size_t n = 0;
    while (*spec) {
        size_t length = strcspn(spec, ","), name = strcspn(spec, "=,");
        char *end = (char *)spec;
        unsigned long type = name < length ? strtoul(spec + name + 1, &end, 0) : 0;
        unsigned long long config = *end == ':' ? strtoull(end + 1, &end, 0) : 0;
        if (end != spec + length || name == 0 || name >= RT_NAME) {
            rt_leave_out(spec, name, EINVAL);
        } else if (n == RT_EVENTS) {
            rt_leave_out(spec, name, 0);
        } else {
            memcpy(rt.names[n], spec, name);
            rt.names[n][name] = 0;
            wanted[n].type = (uint32_t)type;
            wanted[n++].config = config;
        }
        spec += length + (spec[length] == ',');
    }
    return n;
}

/* Opens an event. A raw one must be of this core's PMU, and the PMU must have it. */
static int open_event(uint32_t type, uint64_t config, int leader)
{
    if (type == PERF_TYPE_RAW && rt_pmu_lacks(config)) {
        errno = ENOENT;
        return -1;
    }
    if (type == PERF_TYPE_RAW && rt_pmu_type() >= 0)
        type = (uint32_t)rt_pmu_type();
    return rt_perf_open(type, config, leader);
}

void rt_read_group(struct rt_sample *s)
{
    struct {
        uint64_t n, enabled, running, value[RT_EVENTS];
    } r;
    size_t size = sizeof(uint64_t) * (3 + rt.n_events);
    long got;
    do
        got = rt_perf_read(rt.fd[0], &r, size);
    while (got < 0 && errno == EINTR);
    rt.reads++;
    if (got != (long)size || r.n != rt.n_events) {
        rt_problem("group-lost", "");
        memset(s, 0, sizeof *s);
        return;
    }
    s->enabled = r.enabled;
    s->running = r.running;
    memcpy(s->value, r.value, sizeof(uint64_t) * rt.n_events);
}

/* Does the kernel keep the group on the PMU all the time? */
static int group_runs(void)
{
    struct rt_sample a, b;
    if (rt_perf_enable(rt.fd[0]))
        return 0;
    rt.problem = 0;
    rt_read_group(&a);
    for (volatile int i = 0; i < 20000; i++)
        ;
    rt_read_group(&b);
    int lost = rt.problem != 0;
    rt.problem = 0;
    return !lost && b.running > a.running && b.enabled - a.enabled == b.running - a.running;
}

static void close_last(void)
{
    rt_perf_close(rt.fd[--rt.n_events]);
}

static void use_constant(void)
{
    rt.pmu = 0;
    rt.n_events = 1;
    snprintf(rt.names[0], RT_NAME, "%s", RT_CLOCK_EVENT);
}

/* Opens the events that fit. Names of events that the kernel refuses are removed from rt.names. */
static void open_group(size_t n)
{
    rt.n_events = 0;
    for (size_t i = 0; i < n; i++) {
        int fd = open_event(wanted[i].type, wanted[i].config, rt.n_events ? rt.fd[0] : -1);
        if (fd < 0) {
            rt_leave_out(rt.names[i], strlen(rt.names[i]), rt.n_events && errno == EINVAL ? 0 : errno);
            if (rt.n_events == 0)
                return; /* without its leader, the cycles, the rest is of no use */
            continue;
        }
        rt.fd[rt.n_events] = fd;
        memmove(rt.names[rt.n_events], rt.names[i], RT_NAME);
        rt.n_events++;
    }
}

/* The board wants the PMU, and it was refused. Is the reason a lack of rights? */
static void no_pmu(void)
{
    char level[16] = "";
    int first = rt.n_left_out ? rt.left_out[0].reason : 0;
    if (first != EACCES && first != EPERM) {
        rt_problem("no-pmu", "");
        return;
    }
    int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, level, sizeof level - 1);
    if (fd >= 0)
        close(fd);
    level[n > 0 ? n : 0] = 0;
    level[strcspn(level, "\n")] = 0;
    rt_problem("perf-forbidden", level);
}

void rt_events_open(const char *source, const char *spec)
{
    size_t n = strcmp(source, "constant") ? parse(spec) : 0;
    if (strcmp(source, "simulator") == 0) {
        uint64_t config[RT_EVENTS];
        for (size_t i = 0; i < n; i++)
            config[i] = wanted[i].config;
        if (rt_iss_open(n, config)) {
            rt_problem("no-simulator", "");
            rt.simulated = -1;
        }
        return;
    }
    if (n)
        rt_pmu_open();
    open_group(n);
    rt.pmu = rt.n_events > 0;
    while (rt.n_events > 0 && !group_runs()) {
        close_last();
        rt_leave_out(rt.names[rt.n_events], strlen(rt.names[rt.n_events]), 0);
    }
    if (rt.n_events > 0)
        return;
    use_constant();
    if (strcmp(source, "pmu") == 0)
        no_pmu();
}
