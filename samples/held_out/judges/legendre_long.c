/*
 * legendre_long - the nodes and weights of Gauss's quadrature with 8 points by Newton's steps on Legendre's polynomial,
 * and an integral by them, in long double, which is what the target has for it: 128 bits by library calls on AArch64.
 *
 * The truth: the weights' sum is 2, sums of even powers up to 14 are 2 / (n + 1), and the integral of 1 / (1 + x^2) over
 * -1 .. 1 is pi / 2 to what 8 points give.
 *
 * Work: 4 nodes with at least three steps of a recurrence of 8 terms, 5 operations each: 4 * 3 * 8 * 5 = 480.
 */
#include "judge.h"

#define POINTS 8

static long double nodes[POINTS], weights[POINTS], integral;
static double first_guess[POINTS / 2];

static void find_node(int i)
{
    long double x = first_guess[i], p = 0, derivative = 1, step;

    do {
        long double before = 1;

        p = x;
        for (int n = 2; n <= POINTS; n++) {
            long double next = ((2 * n - 1) * x * p - (n - 1) * before) / n;
            before = p;
            p = next;
        }
        derivative = POINTS * (x * p - before) / (x * x - 1);
        step = p / derivative;
        x -= step;
    } while (step * step > 1e-30L);
    nodes[i] = -x;
    nodes[POINTS - 1 - i] = x;
    weights[i] = weights[POINTS - 1 - i] = 2 / ((1 - x * x) * derivative * derivative);
}

int main(void)
{
    double worst = 0;

    for (int i = 0; i < POINTS / 2; i++)
        first_guess[i] = cos(3.14159265358979 * (i + 0.75) / (POINTS + 0.5));
    SHIM_KEEP(first_guess);
    shim_region_begin("legendre_long");
    for (int i = 0; i < POINTS / 2; i++)
        find_node(i);
    integral = 0;
    for (int i = 0; i < POINTS; i++)
        integral += weights[i] / (1 + nodes[i] * nodes[i]);
    SHIM_KEEP(nodes);
    SHIM_KEEP(weights);
    SHIM_KEEP(&integral);
    shim_region_end("legendre_long");
    for (int n = 0; n < 2 * POINTS; n += 2) {
        long double sum = 0;

        for (int i = 0; i < POINTS; i++) {
            long double power = 1;
            for (int k = 0; k < n; k++)
                power *= nodes[i];
            sum += weights[i] * power;
        }
        worst = fmax(worst, fabs((double)(sum - 2.0L / (n + 1))));
    }
    return sample_verdict_real("moments", worst, 0.0, 2e-15) |
           sample_verdict_real("integral", (double)integral, 1.57079632679489662, 1e-5);
}
