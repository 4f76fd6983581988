/* calls.c - a function that is called a million times (argument 1): what recording an event costs. Prints the
 * time of a call [ns]. With -DHOOKS what -finstrument-functions calls, in the usual way: clock_gettime, into a
 * buffer of the thread. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PLAIN __attribute__((no_instrument_function))

static PLAIN double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#ifdef HOOKS
struct event {
    struct timespec at;
    void *function;
};
enum { EVENTS = 1 << 22 };
static _Thread_local struct event *events;
static _Thread_local size_t n_events;

static PLAIN void record(void *function)
{
    if (!events)
        events = calloc(EVENTS, sizeof *events);
    if (n_events == EVENTS)
        return;
    clock_gettime(CLOCK_MONOTONIC, &events[n_events].at);
    events[n_events++].function = function;
}
PLAIN void __cyg_profile_func_enter(void *function, void *caller);
PLAIN void __cyg_profile_func_exit(void *function, void *caller);
void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    record(function);
}
void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)caller;
    record(function);
}
#endif

__attribute__((noinline)) unsigned leaf(unsigned v)
{
    __asm__ volatile("" : "+r"(v));
    return v * 2654435761u;
}

PLAIN int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1000000, v = 1;
    leaf(v); /* room for events is made at the first */
    double before = now();
    for (unsigned i = 0; i < n; i++)
        v += leaf(v);
    printf("%.3f %u\n", (now() - before) / n, v);
    return 0;
}
