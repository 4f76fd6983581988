/*
 * cube_root - the cube roots of three numbers by Newton's method in double, until two steps agree.
 *
 * Truth: the cube of the root is the number.
 * Work: 3 numbers from 1 on need four steps at least, each with a division: 12.
 */
#include "../sample.h"

enum { N = 3 };
static double numbers[N], roots[N];

static double root(double a)
{
    double x = 1 + a / 3;

    for (int step = 0; step < 40; step++) {
        double next = (2 * x + a / (x * x)) / 3;

        if (next >= x)
            break;
        x = next;
    }
    return x;
}

int main(void)
{
    static const double given[N] = {2, 27, 10};
    int wrong = 0;

    memcpy(numbers, given, sizeof numbers);
    SHIM_KEEP(numbers);
    shim_region_begin("cube_root");
    for (int i = 0; i < N; i++)
        roots[i] = root(numbers[i]);
    SHIM_KEEP(roots);
    shim_region_end("cube_root");
    for (int i = 0; i < N; i++)
        wrong |= sample_verdict_real("cube", roots[i] * roots[i] * roots[i], given[i], 1e-9);
    return wrong;
}
