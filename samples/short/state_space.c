/*
 * state_space - one step of a linear system of order six, x' = A x + b u, in float.
 *
 * Truth: A shifts the states up by one, so x'[i] = x[i + 1] + b[i] u.
 * Work: 36 products, in vectors of 16 lanes at most: 3.
 */
#include "../sample.h"

enum { N = 6 };
static float a[N][N], b[N], x[N], next[N], u;

static void step(void)
{
    for (int i = 0; i < N; i++) {
        float sum = b[i] * u;

        for (int k = 0; k < N; k++)
            sum += a[i][k] * x[k];
        next[i] = sum;
    }
}

int main(void)
{
    int wrong = 0;

    memset(a, 0, sizeof a);
    for (int i = 0; i < N; i++) {
        if (i + 1 < N)
            a[i][i + 1] = 1;
        b[i] = (float)i;
        x[i] = (float)(i * i);
    }
    u = 0.5F;
    SHIM_KEEP(a);
    SHIM_KEEP(b);
    SHIM_KEEP(x);
    SHIM_KEEP(&u);
    shim_region_begin("state_space");
    step();
    SHIM_KEEP(next);
    shim_region_end("state_space");
    for (int i = 0; i < N; i++)
        wrong |= sample_verdict_real("state", next[i], (i + 1 < N ? (i + 1) * (i + 1) : 0) + 0.5 * i, 1e-6);
    return wrong;
}
