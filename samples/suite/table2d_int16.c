/*
 * table2d_int16 - a 2-D map in 16-bit fixed point: prelookup by binary search with 15-bit shares, bilinear
 * interpolation.
 *
 * As calibration libraries for microcontrollers have it: index and share of each axis first, then two interpolations
 * along rows and one across. The truth: the map holds a plane, which the interpolation gives back within its rounding.
 *
 * Work: of the 4000 places over 3200 lie within either axis, which is searched in at least 3 rounds of a load from
 * where the data say and a comparison, and divided once: 3200 * 2 * 7; and 4 values are loaded: 4000 * 4. Gathered in
 * 16 lanes: 60800 / 16 = 3800.
 */
#include "../sample.h"
#include "test_signal.h"

#define ROWS    12
#define COLUMNS 16
#define LOOKUPS 4000
#define ONE     15 /* places of a share */

struct place {
    uint16_t index;
    int16_t share; /* Q15, 0 .. 32767 */
};

static int16_t row_point[ROWS], column_point[COLUMNS];
static int16_t map[ROWS][COLUMNS];
static int16_t row_input[LOOKUPS], column_input[LOOKUPS], output[LOOKUPS];

static struct place prelookup(const int16_t *point, int points, int16_t x)
{
    int low = 0, high = points - 1;
    int32_t share;

    if (x <= point[0])
        return (struct place){0, 0};
    if (x >= point[points - 1])
        return (struct place){(uint16_t)(points - 2), INT16_MAX};
    while (high - low > 1) {
        int middle = (low + high) / 2;

        if (x < point[middle])
            high = middle;
        else
            low = middle;
    }
    share = ((int32_t)(x - point[low]) * (1 << ONE)) / (point[high] - point[low]);
    return (struct place){(uint16_t)low, (int16_t)share};
}

static int16_t between(int16_t a, int16_t b, int16_t share)
{
    return (int16_t)(a + (((int32_t)b - a) * share + (1 << (ONE - 1))) / (1 << ONE));
}

static int16_t look_up(struct place r, struct place c)
{
    const int16_t *row = map[r.index], *next = map[r.index + 1];
    int16_t low = between(row[c.index], row[c.index + 1], c.share);
    int16_t high = between(next[c.index], next[c.index + 1], c.share);

    return between(low, high, r.share);
}

static void look_up_all(void)
{
    for (int n = 0; n < LOOKUPS; n++) {
        struct place r = prelookup(row_point, ROWS, row_input[n]);
        struct place c = prelookup(column_point, COLUMNS, column_input[n]);

        output[n] = look_up(r, c);
    }
}

/* Steps between points stay below 2^15 / 2^1, so that (x - point) * 2^15 fits into 32 bits. */
static void prepare(void)
{
    uint32_t noise = 693147u;

    for (int r = 0; r < ROWS; r++)
        row_point[r] = (int16_t)(-2000 + 100 * r + 30 * r * r);
    for (int c = 0; c < COLUMNS; c++)
        column_point[c] = (int16_t)(600 + 200 * c + 14 * c * c);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            map[r][c] = (int16_t)(3 * row_point[r] - 2 * column_point[c] + 1000);
    for (int n = 0; n < LOOKUPS; n++) {
        row_input[n] = (int16_t)noise_within(&noise, 2900);
        column_input[n] = (int16_t)(3800 + noise_within(&noise, 3600));
    }
    SHIM_KEEP(row_point);
    SHIM_KEEP(column_point);
    SHIM_KEEP(map);
    SHIM_KEEP(row_input);
    SHIM_KEEP(column_input);
}

static int16_t clamped(int16_t x, int16_t low, int16_t high)
{
    if (x < low)
        return low;
    return x > high ? high : x;
}

/* A share is less than 2^-15 too small (at the upper end: 2^-15), of steps of at most 3 * 730 and 2 * 606; and three
 * roundings, two of which are averaged: 0.07 + 0.04 + 2 * 0.5. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("table2d_int16");
    look_up_all();
    SHIM_KEEP(output);
    shim_region_end("table2d_int16");
    for (int n = 0; n < LOOKUPS; n++) {
        int r = clamped(row_input[n], row_point[0], row_point[ROWS - 1]);
        int c = clamped(column_input[n], column_point[0], column_point[COLUMNS - 1]);

        worst = worse_of(worst, fabs(output[n] - (3.0 * r - 2.0 * c + 1000.0)));
    }
    return sample_verdict_real("worst error", worst, 0.0, 2.0);
}
