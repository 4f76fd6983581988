/*
 * rt_pmu.c - what the kernel says about the PMU of the current core. On Arm, a raw event that the PMU does not have is
 * opened without an error and counts nothing (drivers/perf/arm_pmu.c: armpmu_map_event does not check PMCEID for raw
 * numbers). The result would be a miss rate of zero that nobody measured. The folder events/ in sysfs lists the common
 * events in PMCEID, so it is checked first. With several kinds of core, each kind has a PMU, and only its own type
 * counts there.
 */
#include "rt.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICES "/sys/bus/event_source/devices"

static struct {
    long type;        /* perf_event_attr.type; -1: no such PMU, or it is not known */
    uint64_t common;  /* bit n: common event n exists */
    int common_known; /* at least one event was listed */
} pmu = {.type = -1};

/* The first bytes of a small file, without the line break; 0: it cannot be read. */
static int small_file(const char *folder, const char *name, char *text, size_t size)
{
    char path[320];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path)
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, size - 1);
    close(fd);
    if (n <= 0)
        return 0;
    text[n] = 0;
    text[strcspn(text, "\n")] = 0;
    return 1;
}

/* Is n in a list such as "0-3,8"? */
static int in_list(const char *list, long n)
{
    while (*list >= '0' && *list <= '9') {
        char *end;
        long from = strtol(list, &end, 10), to = *end == '-' ? strtol(end + 1, &end, 10) : from;
        if (n >= from && n <= to)
            return 1;
        list = end + (*end == ',');
    }
    return 0;
}

/* Each file in events/ contains "event=0x0003". */
static void read_events(const char *folder)
{
    char path[300], text[64];
    snprintf(path, sizeof path, "%s/events", folder);
    DIR *d = opendir(path);
    for (struct dirent *f; d && (f = readdir(d));) {
        unsigned long number;
        if (f->d_name[0] == '.' || !small_file(path, f->d_name, text, sizeof text) || strncmp(text, "event=", 6) != 0)
            continue;
        number = strtoul(text + 6, 0, 0);
        if (number < 64)
            pmu.common |= (uint64_t)1 << number;
        pmu.common_known = 1;
    }
    if (d)
        closedir(d);
}

void rt_pmu_open(void)
{
#if defined(__aarch64__)
    char folder[280], text[256];
    long core = sched_getcpu();
    DIR *d = opendir(DEVICES);
    for (struct dirent *f; d && pmu.type < 0 && (f = readdir(d));) {
        snprintf(folder, sizeof folder, DEVICES "/%s", f->d_name);
        if (!small_file(folder, "events/cpu_cycles", text, sizeof text) ||
            !small_file(folder, "cpus", text, sizeof text) || !in_list(text, core) ||
            !small_file(folder, "type", text, sizeof text))
            continue;
        pmu.type = strtol(text, 0, 10);
        read_events(folder);
    }
    if (d)
        closedir(d);
#else
    (void)in_list;
    (void)read_events;
#endif
}

long rt_pmu_type(void)
{
    return pmu.type;
}

/* Since 4.9, kernels list all common events up to L1D_CACHE_ALLOCATE (0x1f), and some later ones. CHAIN (0x1e) has no
 * count of its own. Events that are never listed are not judged. */
int rt_pmu_lacks(uint64_t event)
{
    return pmu.common_known && event < 0x1e && !(pmu.common >> event & 1);
}
