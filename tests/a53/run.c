/*
 * run.c - runs the loops of loops.txt on the simulated board and prints "row,kind,cycles,minus": the cycles of one
 * operation, nothing subtracted yet. Cross-compiled, freestanding of shimgen: it speaks to the simulator itself,
 * because a region of the measuring runtime is cold, and these loops are to be warm.
 *
 *     run           the figures; exit 3 without a simulator
 *     run --dry     runs every loop once, for its not crashing, wherever
 *     run ROW       only this row
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "boards/runtime/iss.h"
#include "tests/a53/loops.h"

#define PAGE   4096
#define ROUNDS 6

struct arguments { /* enter.S knows the offsets */
    void (*code)(void);
    uint64_t x, constant, rounds;
};
void loop_enter(const struct arguments *a);

static uint64_t memory[4 * PAGE / 8] __attribute__((aligned(PAGE)));
static uint64_t random_bits[128 * PAGE / 8] __attribute__((aligned(PAGE)));

/* The memory and the registers as the loop wants them. */
static void seed(const char *name, struct arguments *a)
{
    const char *plus = strchr(name, '+');
    unsigned char *at = (unsigned char *)memory + (plus ? strtoul(plus + 1, NULL, 10) : 0);
    uint64_t address = (uintptr_t)at;

    memset(memory, 0, sizeof memory);
    if (strncmp(name, "self", 4) == 0)
        for (; at + 8 <= (unsigned char *)memory + sizeof memory; at += 8)
            memcpy(at, &address, 8);
    a->x = a->constant = address;
    if (strncmp(name, "index", 5) == 0)
        a->x = 0;
    else if (strcmp(name, "num") == 0)
        a->x = a->constant = 1;
    else if (strcmp(name, "zero0") == 0)
        a->x = 0, a->constant = 1;
    else if (strcmp(name, "ones") == 0)
        a->x = 0, a->constant = UINT64_MAX;
    else if (strcmp(name, "random") == 0)
        a->x = 0, a->constant = (uintptr_t)random_bits;
}

/* Steele, Lea, Flood: SplitMix64. */
static void fill_random_bits(void)
{
    uint64_t state = 42;

    for (size_t i = 0; i < sizeof random_bits / 8; i++) {
        uint64_t z = state += 0x9e3779b97f4a7c15u;

        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        random_bits[i] = z ^ z >> 31;
    }
}

static struct iss_hello hello;

static bool open_simulator(void)
{
    syscall(ISS_HELLO, (long)ISS_VERSION, 0L, 0L);
    return read(ISS_DESCRIPTOR, &hello, sizeof hello) == (ssize_t)sizeof hello && hello.magic == ISS_MAGIC;
}

static uint64_t cycles(void)
{
    struct iss_counters counters;

    syscall(ISS_READ);
    if (read(ISS_DESCRIPTOR, &counters, sizeof counters) != (ssize_t)sizeof counters)
        abort();
    for (size_t i = 0; i < hello.n_events; i++)
        if (hello.event[i] == 0x11)
            return counters.value[i];
    abort();
}

static uint64_t timed(struct arguments *a, uint64_t rounds)
{
    uint64_t before = cycles();

    a->rounds = rounds;
    syscall(ISS_RESUME);
    loop_enter(a);
    syscall(ISS_SUSPEND);
    return cycles() - before;
}

/* Twice as many rounds less the once as many: what stands around the loop drops out. Both after others that warm up. */
static double measure(const struct loop *l)
{
    struct arguments a = {.code = l->code};
    uint64_t once, twice;

    seed(l->seed, &a);
    syscall(ISS_COLD, 0L);
    timed(&a, ROUNDS);
    once = timed(&a, ROUNDS);
    twice = timed(&a, 2 * ROUNDS);
    return (double)(twice - once) / ((double)ROUNDS * l->operations);
}

int main(int argc, char **argv)
{
    bool dry = argc > 1 && strcmp(argv[1], "--dry") == 0;

    fill_random_bits();
    if (!dry && !open_simulator()) {
        fprintf(stderr, "run: there is no simulator: run it by qemu-aarch64 -plugin\n");
        return 3;
    }
    for (size_t i = 0; i < n_loops; i++) {
        const struct loop *l = &loops[i];

        if (dry) {
            struct arguments a = {.code = l->code, .rounds = 2};

            seed(l->seed, &a);
            loop_enter(&a);
        } else if (argc < 2 || strcmp(argv[1], l->row) == 0) {
            printf("\"%s\",%s,%.4f,%s\n", l->row, l->kind, measure(l), l->minus);
        }
    }
    if (dry)
        printf("%zu loops run\n", n_loops);
    return 0;
}
