/*
 * map_run.c - runs the step function on one thread for each core, and compares it with the function as it was.
 *
 * MAP_MODE=compare      each step twice, from the same state: as it was and on the cores. All variables must be equal after it.
 * MAP_MODE=sequential   as it was, and how long a step takes
 * MAP_MODE=mapped       on the cores, and how long a step takes
 * MAP_MODE=units        all units on one core, and how long each takes
 * MAP_MODE=sync         how long 64 bytes take to another core, each further 64 bytes, and the begin and end of a step
 * MAP_PERIOD=N          steps do different work, and the same again after N of them: the median is the mean of N medians
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "map_run.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_STEPS = 1 << 20, MOST_REPORTS = 10, REPEATS = 5000, PATIENCE = 20000, TRIPS = 16, LINE = 64, LINES = 64 };
enum command { RUN, NOTHING, MESSAGE, LONG_MESSAGE, STOP };

/* what a thread waits for, and what it sets */
static struct map_flag start, *ends;
static enum command command;
static struct {
    struct map_flag flag;
    _Alignas(64) char data[LINE * LINES];
} message[2];
static unsigned n_messages;
static pthread_t *threads;
static unsigned now; /* number of the current step */
static bool started, crowded;

static struct {
    double *at;
    size_t n;
} * times; /* of all steps, or of each unit; [us] */
static size_t n_times;
static unsigned long n_steps, n_wrong;
static const char *mode;

/* ---- threads ---- */

/* A thread that waits for long waits for a thread that is not running, so it yields. */
void map_pause(void)
{
    static _Thread_local unsigned n;
    if (crowded || ++n % PATIENCE == 0)
        sched_yield();
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void out_of_memory(void)
{
    fputs("map: out of memory\n", stderr);
    exit(1);
}

static void *room(size_t n, size_t size)
{
    void *p = aligned_alloc(64, (n * size / 64 + 1) * 64);
    if (!p)
        out_of_memory();
    return memset(p, 0, (n * size / 64 + 1) * 64);
}

/* Pins a thread to number `core` of the processors that this program may use. */
static void pin(pthread_t thread, unsigned core)
{
    cpu_set_t may, one;
    if (sched_getaffinity(getpid(), sizeof may, &may) || CPU_COUNT(&may) == 0)
        return;
    unsigned k = core % (unsigned)CPU_COUNT(&may);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &may) && k-- == 0) {
            CPU_SET(cpu, &one);
            break;
        }
    pthread_setaffinity_np(thread, sizeof one, &one);
}

/* Sends data there and back, several times. */
static void exchange(unsigned side, size_t bytes)
{
    for (unsigned k = n_messages + 1; k <= n_messages + TRIPS; k++) {
        if (side == 0) {
            memset(message[0].data, (int)k, bytes);
            atomic_store_explicit(&message[0].flag.step, k, memory_order_release);
        }
        while (atomic_load_explicit(&message[!side].flag.step, memory_order_acquire) != k)
            map_pause();
        memcpy(message[side].data, message[!side].data, bytes);
        if (side == 1)
            atomic_store_explicit(&message[1].flag.step, k, memory_order_release);
    }
}

static void obey(unsigned core, unsigned step)
{
    if (command == RUN)
        map_cores[core].run(step);
    else if ((command == MESSAGE || command == LONG_MESSAGE) && core < 2)
        exchange(core, command == MESSAGE ? LINE : LINE * LINES);
}

/* Memory order of waits besides the units' own: of core 1 for the step, of the step for core 1, of core 2 ... A wait
 * that is left out has no order. */
static memory_order order_of(unsigned wait)
{
    return (int)(map_n_waits + wait) == DROP_SYNC ? memory_order_relaxed : memory_order_acquire;
}

static void *work(void *data)
{
    unsigned core = (unsigned)(uintptr_t)data, step = 0;
    const memory_order order = order_of(2 * (core - 1));
    for (;;) {
        while (atomic_load_explicit(&start.step, order) == step)
            map_pause();
        step++;
        if (command == STOP)
            return 0;
        obey(core, step);
        atomic_store_explicit(&ends[core].step, step, memory_order_release);
    }
}

static void on_all(enum command what)
{
    command = what;
    now++;
    atomic_store_explicit(&start.step, now, memory_order_release);
    obey(0, now);
    for (unsigned core = 1; core < map_n_cores; core++)
        while (atomic_load_explicit(&ends[core].step, order_of(2 * (core - 1) + 1)) != now)
            map_pause();
}

static void start_threads(void)
{
    cpu_set_t may;
    started = true;
    crowded = !sched_getaffinity(0, sizeof may, &may) && CPU_COUNT(&may) < (int)map_n_cores;
    if (crowded)
        fprintf(stderr, "map: %u cores on %d processors: the times say nothing\n", map_n_cores, CPU_COUNT(&may));
    ends = room(map_n_cores, sizeof *ends);
    threads = room(map_n_cores, sizeof *threads);
    for (unsigned core = 1; core < map_n_cores; core++) {
        if (pthread_create(&threads[core], 0, work, (void *)(uintptr_t)core)) {
            fputs("map: no further thread can be started\n", stderr);
            exit(1);
        }
        pin(threads[core], core);
    }
    pin(pthread_self(), 0);
}

static void mapped(void)
{
    if (!started)
        start_threads();
    on_all(RUN);
    map_finish();
}

/* ---- times ---- */

static double clock_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void note_time(size_t which, double us)
{
    if (times[which].n < MOST_STEPS)
        times[which].at[times[which].n++] = us;
}

static void timed(void (*step)(void))
{
    double begin = clock_us();
    step();
    note_time(0, clock_us() - begin);
}

static void units(void)
{
    for (unsigned k = 0; k < map_n_units; k++) {
        double begin = clock_us();
        map_units[k].run();
        note_time(k, clock_us() - begin);
    }
    map_finish();
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *list, size_t n)
{
    if (n)
        qsort(list, n, sizeof *list, compare_doubles);
    return n ? list[n / 2] : 0;
}

/* The median of steps in which only this is done. */
static double median_of(enum command what)
{
    double *list = room(REPEATS, sizeof *list);
    for (unsigned k = 0; k < REPEATS; k++) {
        double begin = clock_us();
        on_all(what);
        list[k] = clock_us() - begin;
        n_messages += what == NOTHING ? 0 : TRIPS;
    }
    double middle = median(list, REPEATS);
    free(list);
    return middle;
}

/* Data that are sent come back, so half the time is one direction. */
static void synchronise(void)
{
    if (map_n_cores > 1 && !started) {
        start_threads();
        on_all(NOTHING);
        double step = median_of(NOTHING), one = (median_of(MESSAGE) - step) / (2 * TRIPS),
               many = (median_of(LONG_MESSAGE) - step) / (2 * TRIPS);
        fprintf(stderr, "map: mode=sync message_us=%.4f line_us=%.5f step_us=%.4f\n", one, (many - one) / (LINES - 1),
                step);
    }
    map_sequential();
}

/* ---- comparison ---- */

static size_t state_size(void)
{
    size_t n = 0;
    for (size_t i = 0; map_variables[i]; i++)
        for (const struct map_variable *v = map_variables[i]; v->name; v++)
            n += v->size;
    return n;
}

static void keep(char *into)
{
    for (size_t i = 0; map_variables[i]; i++)
        for (const struct map_variable *v = map_variables[i]; v->name; into += v->size, v++)
            memcpy(into, v->at, v->size);
}

static void bring_back(const char *from)
{
    for (size_t i = 0; map_variables[i]; i++)
        for (const struct map_variable *v = map_variables[i]; v->name; from += v->size, v++)
            memcpy(v->at, from, v->size);
}

static void judge(const char *expected)
{
    bool wrong = false;
    for (size_t i = 0; map_variables[i]; i++)
        for (const struct map_variable *v = map_variables[i]; v->name; expected += v->size, v++) {
            size_t k = 0;
            if (memcmp(v->at, expected, v->size) == 0)
                continue;
            while (((const char *)v->at)[k] == expected[k])
                k++;
            wrong = true;
            if (n_wrong < MOST_REPORTS)
                fprintf(stderr, "map: step %lu: variable '%s' differs from byte %zu on\n", n_steps, v->name, k);
        }
    n_wrong += wrong;
}

static void compare(void)
{
    static char *before, *after;
    if (!before) {
        before = room(state_size(), 1);
        after = room(state_size(), 1);
    }
    keep(before);
    map_sequential();
    keep(after);
    bring_back(before);
    mapped();
    judge(after);
}

/* ---- begin and end of a program ---- */

/* The median over steps that do the same. */
static double median_of_steps(size_t which)
{
    const char *wish = getenv("MAP_PERIOD");
    size_t n = times[which].n, period = wish && atoi(wish) > 1 ? (size_t)atoi(wish) : 1;
    double *list = room(n + 1, sizeof *list), sum = 0;
    for (size_t phase = 0; phase < period; phase++) {
        size_t k = 0;
        for (size_t i = phase; i < n; i += period)
            list[k++] = times[which].at[i];
        sum += median(list, k);
    }
    free(list);
    return sum / (double)period;
}

static void print_times(size_t which)
{
    size_t n = times[which].n;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += times[which].at[i];
    fprintf(stderr, "map: mode=%s steps=%zu median_us=%.4f mean_us=%.4f", mode, n, median_of_steps(which),
            n ? sum / (double)n : 0);
    if (strcmp(mode, "units") == 0)
        fprintf(stderr, " unit=%s", map_units[which].name);
    fputc('\n', stderr);
}

static void finish(void)
{
    if (started) {
        command = STOP;
        atomic_store_explicit(&start.step, ++now, memory_order_release);
        for (unsigned core = 1; core < map_n_cores; core++)
            pthread_join(threads[core], 0);
    }
    for (size_t k = 0; k < n_times; k++)
        print_times(k);
    if (strcmp(mode, "compare") == 0) {
        fprintf(stderr, "map: %lu steps on %u cores, %lu with another result\n", n_steps, map_n_cores, n_wrong);
        if (n_wrong) {
            fflush(0);
            _exit(1);
        }
    }
}

static void begin(void)
{
    const char *wish = getenv("MAP_MODE");
    mode = wish && *wish ? wish : "compare";
    if (strcmp(mode, "sequential") == 0 || strcmp(mode, "mapped") == 0)
        n_times = 1;
    else if (strcmp(mode, "units") == 0)
        n_times = map_n_units;
    else if (strcmp(mode, "compare") != 0 && strcmp(mode, "sync") != 0) {
        fprintf(stderr, "map: MAP_MODE=%s is not known: compare, sequential, mapped, units, sync\n", mode);
        exit(2);
    }
    times = room(n_times + 1, sizeof *times);
    for (size_t k = 0; k < n_times; k++) {
        times[k].at = malloc(MOST_STEPS * sizeof(double));
        if (!times[k].at)
            out_of_memory();
    }
    if (strcmp(mode, "sequential") == 0 || strcmp(mode, "units") == 0)
        pin(pthread_self(), 0);
    atexit(finish);
}

void map_step(void)
{
    if (!mode)
        begin();
    n_steps++;
    if (strcmp(mode, "sequential") == 0)
        timed(map_sequential);
    else if (strcmp(mode, "mapped") == 0)
        timed(mapped);
    else if (strcmp(mode, "units") == 0)
        units();
    else if (strcmp(mode, "sync") == 0)
        synchronise();
    else
        compare();
}
