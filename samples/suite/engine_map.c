/*
 * engine_map - ignition angle from a map over engine speed and load, single precision, uneven breakpoints.
 *
 * Prelookup (search from the interval of the last call, as calibration libraries do) and bilinear interpolation in a
 * 16 x 12 map. The map is filled from a + b x + c y + d x y, which bilinear interpolation reproduces exactly: that is
 * the truth, up to rounding.
 *
 * Work: the searches carry over from look-up to look-up. Each of the 3000 loads at least one breakpoint of either axis
 * and two pairs of values of the map, from places that the data decide: 3000 * 4 = 12000.
 */
#include "../sample.h"
#include "test_signal.h"

#define SPEEDS  16
#define LOADS   12
#define LOOKUPS 3000

struct axis {
    const float *point;
    int points;
    int last; /* interval of the last call */
};

static float speed_point[SPEEDS], load_point[LOADS];
static float map[SPEEDS][LOADS];
static float speed[LOOKUPS], load[LOOKUPS], angle[LOOKUPS];

/* The interval that holds x, clamped to the axis; *share gets the place within it, 0 to 1. */
static int prelookup(struct axis *a, float x, float *share)
{
    int i = a->last;

    while (i > 0 && x < a->point[i])
        i--;
    while (i < a->points - 2 && x >= a->point[i + 1])
        i++;
    a->last = i;
    *share = (x - a->point[i]) / (a->point[i + 1] - a->point[i]);
    return i;
}

static float interpolate(int i, int j, float s, float t)
{
    float low = map[i][j] + t * (map[i][j + 1] - map[i][j]);
    float high = map[i + 1][j] + t * (map[i + 1][j + 1] - map[i + 1][j]);

    return low + s * (high - low);
}

static void look_up(void)
{
    struct axis speeds = {speed_point, SPEEDS, 0};
    struct axis loads = {load_point, LOADS, 0};
    float s, t;

    for (int n = 0; n < LOOKUPS; n++) {
        int i = prelookup(&speeds, speed[n], &s);
        int j = prelookup(&loads, load[n], &t);

        angle[n] = interpolate(i, j, s, t);
    }
}

static double surface(double x, double y)
{
    return 35.0 - 0.002 * x - 8.0 * y + 0.001 * x * y;
}

/* Speeds from 600 in steps that grow; loads from 0.1; a drive in which both wander. */
static void prepare(void)
{
    uint32_t noise = 1234567u;
    double x = 1500.0, y = 0.5;

    for (int i = 0; i < SPEEDS; i++)
        speed_point[i] = (float)(600 + 200 * i + 16 * i * i);
    for (int j = 0; j < LOADS; j++)
        load_point[j] = (float)(0.1 + 0.06 * j + 0.004 * j * j);
    for (int i = 0; i < SPEEDS; i++)
        for (int j = 0; j < LOADS; j++)
            map[i][j] = (float)surface(speed_point[i], load_point[j]);
    for (int n = 0; n < LOOKUPS; n++) {
        x += 0.05 * (3800.0 + 3200.0 * noise_unit(&noise) - x);
        y += 0.2 * (0.65 + 0.54 * noise_unit(&noise) - y);
        speed[n] = (float)x;
        load[n] = (float)y;
    }
    SHIM_KEEP(speed_point);
    SHIM_KEEP(load_point);
    SHIM_KEEP(map);
    SHIM_KEEP(speed);
    SHIM_KEEP(load);
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("engine_map");
    look_up();
    SHIM_KEEP(angle);
    shim_region_end("engine_map");
    for (int n = 0; n < LOOKUPS; n++) {
        double error = fabs(angle[n] - surface(speed[n], load[n]));

        worst = worse_of(worst, error);
    }
    return sample_verdict_real("worst error", worst, 0.0, 1e-4);
}
