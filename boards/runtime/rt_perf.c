/* rt_perf.c - opens events by perf_event_open, in user mode only, and reads the group as a whole. */
#include "rt_perf.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int rt_perf_open(uint32_t type, uint64_t config, int leader)
{
    struct perf_event_attr a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = type;
    a.config = config;
    a.disabled = leader < 0;
    a.pinned = leader < 0;
    a.exclude_kernel = a.exclude_hv = 1;
    a.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return (int)syscall(SYS_perf_event_open, &a, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

int rt_perf_enable(int leader)
{
    ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
    return ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) ? -1 : 0;
}

long rt_perf_read(int leader, void *to, size_t size)
{
    return read(leader, to, size);
}

void rt_perf_close(int fd)
{
    close(fd);
}
