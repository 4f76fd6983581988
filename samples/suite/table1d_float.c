/*
 * table1d_float - a sensor's characteristic: 1-D look-up by binary search and linear interpolation, single precision.
 *
 * Uneven breakpoints; ends clamped. The truth: the table holds a straight line, which linear interpolation gives back,
 * up to rounding.
 *
 * Work: of the 100 places 90 lie within the axis: 15 intervals are halved to one in at least 3 rounds, each with a load
 * from where the data say and a comparison; then 3 more loads and a division: 90 * (6 + 4) = 900; in 16 lanes 56.
 */
#include "../sample.h"
#include "test_signal.h"

#define POINTS  16
#define LOOKUPS 100

static float point[POINTS], value[POINTS];
static float input[LOOKUPS], output[LOOKUPS];

static int interval(float x)
{
    int low = 0, high = POINTS - 1;

    while (high - low > 1) {
        int middle = (low + high) / 2;

        if (x < point[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

static float look_up(float x)
{
    int i;

    if (x <= point[0])
        return value[0];
    if (x >= point[POINTS - 1])
        return value[POINTS - 1];
    i = interval(x);
    return value[i] + (x - point[i]) * (value[i + 1] - value[i]) / (point[i + 1] - point[i]);
}

static void look_up_all(void)
{
    for (int n = 0; n < LOOKUPS; n++)
        output[n] = look_up(input[n]);
}

static double line(double x)
{
    return 3.5 - 0.25 * x;
}

static void prepare(void)
{
    uint32_t noise = 77031u;

    for (int i = 0; i < POINTS; i++) {
        point[i] = (float)(i * i) * 0.5f - 20.0f;
        value[i] = (float)line(point[i]);
    }
    for (int n = 0; n < LOOKUPS; n++)
        input[n] = (float)(36.0 + 64.0 * noise_unit(&noise));
    SHIM_KEEP(point);
    SHIM_KEEP(value);
    SHIM_KEEP(input);
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("table1d_float");
    look_up_all();
    SHIM_KEEP(output);
    shim_region_end("table1d_float");
    for (int n = 0; n < LOOKUPS; n++) {
        double x = input[n];

        if (x < point[0])
            x = point[0];
        else if (x > point[POINTS - 1])
            x = point[POINTS - 1];
        worst = worse_of(worst, fabs(output[n] - line(x)));
    }
    return sample_verdict_real("worst error", worst, 0.0, 1e-4);
}
