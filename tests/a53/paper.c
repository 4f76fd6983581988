/* paper.c - see paper.h: runs the program RUNS times and prints "event count" of the last. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boards/runtime/iss.h"

#define RUNS 3

int paper_program(void);
void paper_invalidate(void);
void paper_events(unsigned *counters);
void paper_take(void);

static struct iss_hello hello;
static struct iss_counters before, after;

/* Not by the C library: its code would be timed with the program's. */
static inline void ask(long what, long argument)
{
#ifdef __aarch64__
    register long number __asm__("x8") = what;
    register long x0 __asm__("x0") = argument;
    register long x1 __asm__("x1") = 0;
    register long x2 __asm__("x2") = 0;

    __asm__ volatile("svc #0" : "+r"(x0) : "r"(number), "r"(x1), "r"(x2) : "memory");
#else
    (void)what;
    (void)argument;
#endif
}

static void read_counters(struct iss_counters *to)
{
    ask(ISS_READ, 0);
    if (read(ISS_DESCRIPTOR, to, sizeof *to) != (ssize_t)sizeof *to)
        abort();
}

void paper_invalidate(void)
{
    ask(ISS_COLD, 1);
    ask(ISS_RESUME, 0);
}

/* As far as the program's caches see: the buffer is written, main's other variables are not far from it, and reading
 * (a function that calls read() of the C library) has frames of its own below. */
void paper_events(unsigned *counters)
{
    volatile char *stack = (volatile char *)counters;
    volatile char frames[128];

    memset(counters, 0, 6 * sizeof *counters);
    for (int i = 0; i < 192; i += 64)
        (void)stack[i];
    for (unsigned i = 0; i < sizeof frames; i += 32)
        frames[i] = 0;
}

/* Called while time stands: before the program, after it. */
void paper_take(void)
{
    static bool started;

    read_counters(started ? &after : &before);
    started = !started;
}

int main(void)
{
    ask(ISS_HELLO, ISS_VERSION);
    if (read(ISS_DESCRIPTOR, &hello, sizeof hello) != (ssize_t)sizeof hello || hello.magic != ISS_MAGIC) {
        fprintf(stderr, "paper: there is no simulator: run it by qemu-aarch64 -plugin\n");
        return 3;
    }
    for (int i = 0; i < RUNS; i++) {
        int failed = paper_program();

        ask(ISS_SUSPEND, 0);
        if (failed)
            return 1;
    }
    for (uint64_t i = 0; i < hello.n_events; i++)
        printf("%#" PRIx64 " %" PRIu64 "\n", hello.event[i], after.value[i] - before.value[i]);
    return 0;
}
