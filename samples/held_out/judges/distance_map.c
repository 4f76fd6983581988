/*
 * distance_map - how far each of 80 x 60 points is from the next obstacle, squared, exactly: a pass down and up each
 * column, then the lower envelope of parabolas along each row.
 *
 * Felzenszwalb and Huttenlocher, "Distance Transforms of Sampled Functions", 2004. The truth: the least over all obstacles.
 *
 * Work: 4800 points, each with two sums and comparisons in columns, one parabola put in and one taken out with a division:
 * 4800 * 12 = 57600.
 */
#include "judge.h"

#define WIDE 80
#define HIGH 60
#define FAR  10000

static uint8_t obstacle[HIGH][WIDE];
static int32_t column[HIGH][WIDE], squared[HIGH][WIDE];

static void columns(void)
{
    for (int x = 0; x < WIDE; x++) {
        int32_t d = FAR;

        for (int y = 0; y < HIGH; y++) {
            d = obstacle[y][x] ? 0 : d + 1;
            column[y][x] = d;
        }
        d = FAR;
        for (int y = HIGH - 1; y >= 0; y--) {
            d = obstacle[y][x] ? 0 : d + 1;
            if (d < column[y][x])
                column[y][x] = d;
        }
    }
}
static int32_t floor_quotient(int32_t a, int32_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}
static void row(const int32_t *g, int32_t *out)
{
    int at[WIDE], from[WIDE + 1], n = 0;

    at[0] = 0;
    from[0] = 0;
    for (int x = 1; x < WIDE; x++) {
        int start = 0;

        while (n >= 0) {
            int32_t here = from[n] - at[n], there = from[n] - x;

            if (here * here + g[at[n]] * g[at[n]] <= there * there + g[x] * g[x])
                break;
            n--;
        }
        if (n >= 0) {
            start = 1 + floor_quotient(x * x - at[n] * at[n] + g[x] * g[x] - g[at[n]] * g[at[n]], 2 * (x - at[n]));
            if (start >= WIDE)
                continue;
        }
        n++;
        at[n] = x;
        from[n] = start;
    }
    for (int x = WIDE - 1; x >= 0; x--) {
        out[x] = (x - at[n]) * (x - at[n]) + g[at[n]] * g[at[n]];
        if (x == from[n])
            n--;
    }
}

int main(void)
{
    uint64_t seed = 31;
    int at[64], n = 0;

    memset(obstacle, 0, sizeof obstacle);
    for (int i = 0; i < 25; i++)
        obstacle[draw_below(&seed, HIGH)][draw_below(&seed, WIDE)] = 1;
    for (int i = 0; i < 20; i++)
        obstacle[10 + i][40] = 1;
    for (int i = 0; i < WIDE * HIGH; i++)
        if (obstacle[i / WIDE][i % WIDE])
            at[n++] = i;
    SHIM_KEEP(obstacle);
    shim_region_begin("distance_map");
    columns();
    for (int y = 0; y < HIGH; y++)
        row(column[y], squared[y]);
    SHIM_KEEP(squared);
    shim_region_end("distance_map");
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            int least = FAR * FAR;

            for (int i = 0; i < n; i++) {
                int u = at[i] % WIDE - x, v = at[i] / WIDE - y;
                least = u * u + v * v < least ? u * u + v * v : least;
            }
            if (squared[y][x] != least)
                return sample_verdict_int("distance", squared[y][x], least);
        }
    return 0;
}
