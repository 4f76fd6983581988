/* fwt.c - a fast Walsh transform of 4^7 values in 7 stages of radix 4: 6 stamps, and 2 around the last stage. */
#include "timed.h"

#include <string.h>

enum { STAGES = 7, N = 1 << 2 * STAGES };

static double in[N], between[N], out[N];

/* Four values `step` apart. */
static inline void butterfly(const double *x, double *y, int i, int step)
{
    double s = x[i] + x[i + step], d = x[i] - x[i + step], t = x[i + 2 * step] + x[i + 3 * step],
           u = x[i + 2 * step] - x[i + 3 * step];
    y[i] = s + t, y[i + step] = d + u, y[i + 2 * step] = s - t, y[i + 3 * step] = d - u;
}

__attribute__((noinline)) static void fwt(const double *restrict x, double *restrict w, double *restrict y)
{
    memcpy(w, x, N * sizeof *w);

    for (int stage = 0; stage < STAGES - 1; stage++)
        for (int from = 0; from < N; from += 4 << 2 * stage)
            for (int i = from; i < from + (1 << 2 * stage); i++)
                butterfly(w, w, i, 1 << 2 * stage);
    for (int i = 0; i < N / 4; i++)
        butterfly(w, y, i, N / 4);
}

static void work(void)
{
    fwt(in, between, out);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        in[i] = (i * 7 % 23) - 11;
    return timed_main(argc, argv, work, out, sizeof out);
}
