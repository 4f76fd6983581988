/*
 * scheduler - 16 periodic tasks in a priority queue: take the earliest, run it, put it back a period later, until tick
 * 20000.
 *
 * Work: each of the 7352 activations takes the root's two fields, adds the period, counts the run, and compares at
 * least once to find its place: 7352 * 5 = 36760. The queue's state goes from one to the next.
 */
#include "../sample.h"

#define TASKS 16
#define END   20000

struct event {
    unsigned time;
    unsigned task;
};

static const unsigned periods[TASKS] = {10, 15, 20, 25, 40, 50, 64, 75, 100, 128, 150, 200, 250, 500, 1000, 3000};

static struct event queue[TASKS];
static unsigned period[TASKS], runs[TASKS], late[TASKS];

/* Earlier time first; at the same time the lower task. */
static int before(const struct event *a, const struct event *b)
{
    return a->time < b->time || (a->time == b->time && a->task < b->task);
}

static void sift_down(struct event heap[], unsigned count, struct event moved)
{
    unsigned at = 0, child;

    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &moved))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void run_until(unsigned end)
{
    unsigned now = 0;
    struct event event;

    while (queue[0].time < end) {
        event = queue[0];
        if (event.time < now)
            late[event.task]++;
        now = event.time;
        runs[event.task]++;
        event.time += period[event.task];
        sift_down(queue, TASKS, event);
    }
}

int main(void)
{
    unsigned i;

    for (i = 0; i < TASKS; i++) {
        queue[i].time = 0;
        queue[i].task = i;
        period[i] = periods[i];
        runs[i] = late[i] = 0;
    }
    SHIM_KEEP(queue);
    SHIM_KEEP(period);
    SHIM_KEEP(runs);
    SHIM_KEEP(late);
    shim_region_begin("scheduler");
    run_until(END);
    shim_region_end("scheduler");
    SHIM_KEEP(runs);
    SHIM_KEEP(late);
    for (i = 0; i < TASKS; i++)
        if (sample_verdict_int("runs of a task", runs[i], (END - 1) / periods[i] + 1) ||
            sample_verdict_int("times out of order", late[i], 0))
            return 1;
    return 0;
}
