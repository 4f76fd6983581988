/*
 * shift_register - forty steps of a 16-bit Galois shift register with feedback at B400, and back again.
 *
 * Truth: the steps back lead to the state it began with.
 * Work: 80 dependent steps of a shift and a selection: 160.
 */
#include "../sample.h"

enum { STEPS = 40 };
static uint16_t start, middle, end;

static uint16_t forward(uint16_t s)
{
    for (int i = 0; i < STEPS; i++)
        s = (uint16_t)(s >> 1 ^ (s & 1 ? 0xB400 : 0));
    return s;
}

static uint16_t backward(uint16_t s)
{
    for (int i = 0; i < STEPS; i++)
        s = s & 0x8000 ? (uint16_t)((s ^ 0xB400) << 1 | 1) : (uint16_t)(s << 1);
    return s;
}

int main(void)
{
    start = 0xACE1;
    SHIM_KEEP(&start);
    shim_region_begin("shift_register");
    middle = forward(start);
    SHIM_KEEP(&middle);
    end = backward(middle);
    SHIM_KEEP(&end);
    shim_region_end("shift_register");
    return sample_verdict_int("state", end, 0xACE1) | sample_verdict_int("it moved", middle != 0xACE1, 1);
}
