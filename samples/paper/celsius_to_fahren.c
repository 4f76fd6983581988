/*
 * CelsiustoFahren - 1000 x 1000 steps of c = 0.1 * i + 0.01 * j, f = 1.8 * c + 32: float variables, double arithmetic,
 * one comparison (which here counts the steps at or above the boiling point of water).
 *
 * Work: per step 0.01 * j, an addition, 1.8 * c, an addition, a comparison, in vectors of at most 16 lanes:
 * 5 * 1000000 / 16 = 312500.
 */
#include "../sample.h"

#define STEPS 1000

int main(void)
{
    int boiling = 0;
    int i, j;
    float c, f;

    SHIM_KEEP(&boiling);
    shim_region_begin("CelsiustoFahren");
    for (i = 0; i < STEPS; i++) {
        for (j = 0; j < STEPS; j++) {
            c = 0.1 * i + 0.01 * j;
            f = 1.8 * c + 32;
            if (f >= 212)
                boiling++;
        }
    }
    shim_region_end("CelsiustoFahren");
    SHIM_KEEP(&boiling);
    /* 10 i + j >= 10000: from i = 901 on, 10 values of j, then 20, ... up to 990 for i = 999: 10 * 99 * 100 / 2. */
    return sample_verdict_int("steps at or above 212 Fahrenheit", boiling, 49500);
}
