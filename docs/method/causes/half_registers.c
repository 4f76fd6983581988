/* Vectors of 8 bytes take their unit half as long as those of 16; the smaller of two elements is one instruction. */
#include "shim_region.h"

unsigned char a[1024], b[1024], c[1024], d[1024], out[1024];

static unsigned char low(unsigned char x, unsigned char y)
{
    return x < y ? x : y;
}

static unsigned char high(unsigned char x, unsigned char y)
{
    return x < y ? y : x;
}

__attribute__((noinline)) static void work(void)
{
#pragma clang loop vectorize_width(8) interleave_count(1) unroll(disable)
    for (int i = 0; i < 1024; i++) {
        unsigned char p = low(a[i], b[i]), q = high(a[i], b[i]), r = low(c[i], d[i]), s = high(c[i], d[i]);
        unsigned char t = high(p, r), u = low(q, s);
        out[i] = (unsigned char)(low(t, u) ^ high(t, u) ^ low(p, r) ^ high(q, s));
    }
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
