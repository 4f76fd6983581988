/*
 * trig_once - polar coordinates of two points and back by the C library, in float.
 *
 * Truth: the points come back.
 * Work: 2 points of a square root and three calls: 8.
 */
#include "../sample.h"

enum { N = 2 };
static float x[N], y[N], back_x[N], back_y[N];

static void there_and_back(void)
{
    for (int i = 0; i < N; i++) {
        float angle = atan2f(y[i], x[i]), length = sqrtf(x[i] * x[i] + y[i] * y[i]);

        back_x[i] = length * cosf(angle);
        back_y[i] = length * sinf(angle);
    }
}

int main(void)
{
    int wrong = 0;

    for (int i = 0; i < N; i++) {
        x[i] = 3 - 5 * (float)i;
        y[i] = 4 + (float)i;
    }
    SHIM_KEEP(x);
    SHIM_KEEP(y);
    shim_region_begin("trig_once");
    there_and_back();
    SHIM_KEEP(back_x);
    SHIM_KEEP(back_y);
    shim_region_end("trig_once");
    for (int i = 0; i < N; i++)
        wrong |= sample_verdict_real("x", back_x[i], x[i], 1e-5) | sample_verdict_real("y", back_y[i], y[i], 1e-5);
    return wrong;
}
