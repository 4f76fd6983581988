/*
 * table3d_float - a map of 64 x 64 x 64 floats, 1 MB, looked up at places all over it: trilinear interpolation.
 *
 * As colour management and battery models do it. The map is larger than the second-level cache of a small processor,
 * and every look-up touches 4 lines of it. The truth: the map holds a x + b y + c z + d x y + e y z, which trilinear
 * interpolation gives back, up to rounding.
 *
 * Work: each of the 12000 look-ups loads 8 values from places that the data decide and takes 7 products and 14 sums;
 * gathered in 16 lanes: 12000 * 29 / 16 = 21750.
 */
#include "../sample.h"
#include "test_signal.h"

#define SIDE    64
#define LOOKUPS 12000

struct point {
    float x, y, z; /* 0 to SIDE - 1 */
};

static float map[SIDE][SIDE][SIDE];
static struct point place[LOOKUPS];
static float output[LOOKUPS];

static int split(float x, float *share)
{
    int i = (int)x;

    if (i > SIDE - 2)
        i = SIDE - 2;
    *share = x - (float)i;
    return i;
}

static float between(float a, float b, float share)
{
    return a + share * (b - a);
}

static float look_up(const struct point *p)
{
    float sx, sy, sz, low, high;
    int x = split(p->x, &sx), y = split(p->y, &sy), z = split(p->z, &sz);

    low = between(between(map[x][y][z], map[x][y][z + 1], sz), between(map[x][y + 1][z], map[x][y + 1][z + 1], sz), sy);
    x++;
    high =
        between(between(map[x][y][z], map[x][y][z + 1], sz), between(map[x][y + 1][z], map[x][y + 1][z + 1], sz), sy);
    return between(low, high, sx);
}

static void look_up_all(void)
{
    for (int n = 0; n < LOOKUPS; n++)
        output[n] = look_up(&place[n]);
}

static double wanted(double x, double y, double z)
{
    return 0.5 * x - 0.25 * y + 0.125 * z + 0.01 * x * y - 0.02 * y * z;
}

static float within(uint32_t *noise)
{
    return (float)((SIDE - 1) * (0.5 + 0.49999 * noise_unit(noise)));
}

static void prepare(void)
{
    uint32_t noise = 602214u;

    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++)
            for (int z = 0; z < SIDE; z++)
                map[x][y][z] = (float)wanted(x, y, z);
    for (int n = 0; n < LOOKUPS; n++) {
        place[n].x = within(&noise);
        place[n].y = within(&noise);
        place[n].z = within(&noise);
    }
    SHIM_KEEP(map);
    SHIM_KEEP(place);
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("table3d_float");
    look_up_all();
    SHIM_KEEP(output);
    shim_region_end("table3d_float");
    for (int n = 0; n < LOOKUPS; n++)
        worst = worse_of(worst, fabs(output[n] - wanted(place[n].x, place[n].y, place[n].z)));
    return sample_verdict_real("worst error", worst, 0.0, 1e-4);
}
