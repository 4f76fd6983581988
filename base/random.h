/* random.h - reproducible random numbers: a seed gives the same sequence on every machine. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014). */
struct random {
    uint64_t state;
};

static inline struct random random_start(uint64_t seed)
{
    return (struct random){seed};
}

static inline uint64_t random_next(struct random *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number from 0 to n-1 with equal probability; draws that would favour small numbers are rejected. n > 0. */
static inline size_t random_below(struct random *r, size_t n)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % n, draw;
    do
        draw = random_next(r);
    while (draw >= limit);
    return (size_t)(draw % n);
}

/* 0 .. n-1 in random order (Fisher, Yates). */
static inline void random_order(struct random *r, size_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t j = random_below(r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

#endif
