/* robbed.c - while its region is open somebody else takes all counters of the core, for good: what is counted then is
 * not all that was executed. */
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <shim_region.h>

int main(void)
{
    struct perf_event_attr a = {.type = PERF_TYPE_RAW, .size = sizeof a, .config = 0x08, .pinned = 1};
    int opened = 0;
    shim_region_begin("robbed");
    while (opened < 7 && syscall(SYS_perf_event_open, &a, -1, sched_getcpu(), -1, 0) >= 0)
        opened++;
    nanosleep(&(struct timespec){0, 20000000}, NULL); /* now it has to share */
    shim_region_end("robbed");
    return opened == 0;
}
