/*
 * sine_table - ten sines from a quarter-wave table of 17 places, interpolated, in 16-bit integers.
 *
 * Truth: the C library's sin; a straight line between places pi/32 apart is off by at most (pi/32)^2 / 8 = 0.12 %.
 * Work: 10 angles load two places and multiply once: 30.
 */
#include "../sample.h"

enum { PLACES = 17, N = 10 };
#define PI 3.14159265358979323846
static int16_t quarter[PLACES], sines[N];
static uint16_t angles[N]; /* 65536: a full turn */

static int16_t sine(uint16_t angle)
{
    unsigned in_quarter = angle & 0x3FFF, place, rest;
    int value;

    if (angle & 0x4000)
        in_quarter = 0x4000 - in_quarter;
    place = in_quarter >> 10;
    rest = in_quarter & 0x3FF;
    value = quarter[place];
    if (rest)
        value += (quarter[place + 1] - value) * (int)rest >> 10;
    return (int16_t)(angle & 0x8000 ? -value : value);
}

int main(void)
{
    int wrong = 0;

    for (int i = 0; i < PLACES; i++)
        quarter[i] = (int16_t)(30000 * sin(i * PI / 32) + 0.5);
    for (int i = 0; i < N; i++)
        angles[i] = (uint16_t)(i * 6789);
    SHIM_KEEP(quarter);
    SHIM_KEEP(angles);
    shim_region_begin("sine_table");
    for (int i = 0; i < N; i++)
        sines[i] = sine(angles[i]);
    SHIM_KEEP(sines);
    shim_region_end("sine_table");
    for (int i = 0; i < N; i++)
        wrong |= sample_verdict_real("sine", sines[i], 30000 * sin(angles[i] * PI / 32768), 40);
    return wrong;
}
