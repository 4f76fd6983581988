/* judge.h - what the programs of this folder share: sample.h, and draws that are alike on every target. */
#ifndef JUDGE_H
#define JUDGE_H

#include "../../sample.h"

/* 32 even bits. Steele and others, "Fast Splittable Pseudorandom Number Generators", 2014. Any state will do. */
static inline uint32_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

/* An even draw from 0 .. n - 1. */
static inline int draw_below(uint64_t *state, int n)
{
    return (int)(draw(state) % (uint32_t)n);
}

/* An even draw from [0, 1). */
static inline double draw_unit(uint64_t *state)
{
    return draw(state) / 4294967296.0;
}

#endif
