/* wide.h - the 128 bits of a product of two 64-bit words, on targets whose compiler has no 128-bit integer too. */
#ifndef WIDE_H
#define WIDE_H

#include <stdint.h>

struct wide {
    uint64_t high, low;
};

static inline struct wide wide_product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)a * b;

    return (struct wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), cross = (a >> 32) * (b & UINT32_MAX);
    uint64_t middle = (a & UINT32_MAX) * (b >> 32) + (low >> 32) + (cross & UINT32_MAX);

    return (struct wide){(a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32), middle << 32 | (low & UINT32_MAX)};
#endif
}

static inline struct wide wide_sum(struct wide a, struct wide b)
{
    struct wide sum = {a.high + b.high, a.low + b.low};

    sum.high += sum.low < a.low;
    return sum;
}

#endif
