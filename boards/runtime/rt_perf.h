/*
 * rt_perf.h - the border to the kernel's performance counters. Only rt_perf.c calls
 * perf_event_open. Tests link another rt_perf.c in its place, with counters that lie as
 * the test wants, on any machine.
 */
#ifndef BOARDS_RUNTIME_RT_PERF_H
#define BOARDS_RUNTIME_RT_PERF_H

#include <stddef.h>
#include <stdint.h>

/* Opens a counter of this thread's user code. leader: the descriptor of the group's first event, -1: this is the first.
 * The first is pinned: its group is on the PMU all the time or not at all. Returns a descriptor, -1 with errno. */
int rt_perf_open(uint32_t type, uint64_t config, int leader);
int rt_perf_enable(int leader); /* sets the group to 0 and starts it; -1: the kernel refuses */
/* The group's values into `to`: number of events, time enabled [ns], time running [ns], one value for each event.
 * Returns the bytes read, -1 with errno. */
long rt_perf_read(int leader, void *to, size_t size);
void rt_perf_close(int fd);

#endif
