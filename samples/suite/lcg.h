/* lcg.h - the pseudo-random inputs of the suite: a 32-bit linear congruential generator, its upper 16 bits a draw. */
#ifndef LCG_H
#define LCG_H

#include <stdint.h>

static inline unsigned lcg_draw(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 16;
}

#endif
