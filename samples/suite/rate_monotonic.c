/*
 * rate_monotonic - five tasks with fixed priorities on one processor, tick by tick over a hyperperiod of 840 ticks:
 * which runs when, with preemption and a mutex that two of them share under the priority ceiling protocol; and round
 * robin.
 *
 * Liu and Layland, 1973; Sha, Rajkumar, Lehoczky, 1990. The truth: response times by Joseph and Pandya's recurrence,
 * with the longest time that a lower task can hold the mutex, as a bound; the ticks each task needs; and idle time.
 *
 * Work: each of the 2 * 840 ticks looks at 5 tasks' states (load, comparison), at most 8 at once, chooses one and
 * changes its two counters: 1680 * (2 + 6) = 13440.
 */
#include "../sample.h"

#define TASKS   5
#define END     840
#define QUANTUM 2

struct task {
    int16_t period, cost;
    int16_t lock_from, lock_to; /* ticks of its work at which it holds the mutex; equal: never */
    int16_t left, done;         /* of the job under way */
    int32_t released, longest;  /* response time */
    int32_t ran, jobs, switches;
};

static const int16_t settings[TASKS][4] = {{10, 2, 0, 0}, {14, 3, 1, 2}, {28, 4, 0, 0}, {40, 6, 2, 5}, {84, 9, 0, 0}};

static struct task fixed[TASKS], robin[TASKS];
static int32_t idle_fixed, idle_robin;

static void release(struct task *t, int32_t now)
{
    if (now % t->period != 0)
        return;
    t->left += t->cost;
    t->released = now;
    t->done = 0;
}

static int holds(const struct task *t)
{
    return t->left > 0 && t->done > t->lock_from && t->done < t->lock_to;
}

static void run_tick(struct task *t, int32_t now)
{
    t->left--;
    t->done++;
    t->ran++;
    if (t->left == 0) {
        t->jobs++;
        if (now + 1 - t->released > t->longest)
            t->longest = now + 1 - t->released;
    }
}

/* The one inside the mutex runs with the ceiling: that of task 1. Otherwise the first that is ready. */
static int choose_fixed(const struct task *t)
{
    int holder = -1;

    for (int i = 0; i < TASKS; i++)
        if (holds(&t[i]))
            holder = i;
    for (int i = 0; i < TASKS; i++) {
        if (i == 1 && holder >= 0)
            return holder;
        if (t[i].left > 0)
            return i;
    }
    return -1;
}

static int choose_robin(const struct task *t, int last, int since)
{
    if (last >= 0 && t[last].left > 0 && since % QUANTUM != 0)
        return last;
    for (int i = 1; i <= TASKS; i++)
        if (t[(last + i + TASKS) % TASKS].left > 0)
            return (last + i + TASKS) % TASKS;
    return -1;
}

static void simulate(struct task *t, int32_t *idle, int by_priority)
{
    int last = -1, since = 0;

    for (int32_t now = 0; now < END; now++) {
        int chosen;

        for (int i = 0; i < TASKS; i++)
            release(&t[i], now);
        chosen = by_priority ? choose_fixed(t) : choose_robin(t, last, since);
        since = chosen == last ? since + 1 : 1;
        if (chosen < 0) {
            ++*idle;
        } else {
            t[chosen].switches += chosen != last;
            run_tick(&t[chosen], now);
        }
        last = chosen;
    }
}

/* The recurrence: cost, and what the higher tasks take meanwhile, with or without what a lower one may block. */
static int32_t response(int task, int32_t blocked)
{
    int32_t time = settings[task][1] + blocked, before = 0;

    while (time != before) {
        before = time;
        time = settings[task][1] + blocked;
        for (int i = 0; i < task; i++)
            time += (before + settings[i][0] - 1) / settings[i][0] * settings[i][1];
    }
    return time;
}

int main(void)
{
    int32_t busy = 0;

    for (int i = 0; i < TASKS; i++)
        fixed[i] = robin[i] = (struct task){
            .period = settings[i][0], .cost = settings[i][1], .lock_from = settings[i][2], .lock_to = settings[i][3]};
    idle_fixed = idle_robin = 0;
    SHIM_KEEP(fixed);
    SHIM_KEEP(robin);
    SHIM_KEEP(&idle_fixed);
    SHIM_KEEP(&idle_robin);
    shim_region_begin("rate_monotonic");
    simulate(fixed, &idle_fixed, 1);
    simulate(robin, &idle_robin, 0);
    SHIM_KEEP(fixed);
    SHIM_KEEP(robin);
    shim_region_end("rate_monotonic");
    for (int i = 0; i < TASKS; i++) {
        int32_t blocked = i >= 1 && i < 3 ? settings[3][3] - settings[3][2] - 1 : 0;

        busy += END / settings[i][0] * settings[i][1];
        if (sample_verdict_int("ticks of a task", fixed[i].ran, END / settings[i][0] * settings[i][1]) ||
            sample_verdict_int("ticks of a task in turn", robin[i].ran, fixed[i].ran) ||
            sample_verdict_int("jobs of a task", fixed[i].jobs, END / settings[i][0]) ||
            sample_verdict_int("whether it responds in time",
                               fixed[i].longest >= response(i, 0) && fixed[i].longest <= response(i, blocked), 1))
            return 1;
    }
    return sample_verdict_int("idle ticks", idle_fixed, END - busy) |
           sample_verdict_int("idle ticks in turn", idle_robin, END - busy);
}
