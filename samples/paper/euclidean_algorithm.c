/*
 * EuclideanAlgorithm - 2000 greatest common divisors of pairs from X = (48271 * X + 0) mod 2147482647, a drawn 0 taken
 * as
 * 1. The paper's generator starts at 0 and so stays there: every pair is (1, 1), every gcd one remainder.
 *
 * Work: per gcd two draws of a multiplication and a remainder, and the gcd's remainder: 2000 * 5 = 10000. The state
 * goes from draw to draw, so none of it can be widened.
 */
#include "../sample.h"

#define ROUNDS 2000

static unsigned state;

static unsigned draw(void)
{
    state = (48271 * state + 0) % 2147482647;
    if (state == 0)
        return 1;
    return state;
}

static unsigned gcd(unsigned a, unsigned b)
{
    unsigned rest;

    while ((rest = a % b) != 0) {
        a = b;
        b = rest;
    }
    return b;
}

int main(void)
{
    unsigned sum = 0;
    unsigned a, b;
    int i;

    state = 0;
    SHIM_KEEP(&state);
    SHIM_KEEP(&sum);
    shim_region_begin("EuclideanAlgorithm");
    for (i = 0; i < ROUNDS; i++) {
        a = draw();
        b = draw();
        sum += gcd(a, b);
    }
    shim_region_end("EuclideanAlgorithm");
    SHIM_KEEP(&sum);
    return sample_verdict_int("the sum of 2000 times gcd(1, 1)", sum, ROUNDS);
}
