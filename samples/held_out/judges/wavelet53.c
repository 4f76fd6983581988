/*
 * wavelet53 - a picture of 96 x 96 points through three levels of the reversible 5/3 wavelet, by lifting in place along
 * rows and columns, small details dropped in a second copy, and back.
 *
 * Le Gall and Tabatabai, 1988. The truth: what comes back is the picture, point by point; without the details near it.
 *
 * Work: 9216 points in the first level alone, each by rows and columns, two lifting steps there and back, twice:
 * 9216 * 2 * 2 * 2 * 3 = 221184; 32 at once: 6912.
 */
#include "judge.h"

#define SIDE   96
#define LEVELS 3
#define SMALL  6

static int16_t picture[SIDE][SIDE], exact[SIDE][SIDE], rough[SIDE][SIDE];
static int dropped;

static void forward_line(int16_t *v, int n, int stride)
{
    int16_t line[SIDE];
    int half = n / 2;

    for (int i = 0; i < n; i++)
        line[i] = v[i * stride];
    for (int i = 1; i < n; i += 2)
        line[i] = (int16_t)(line[i] - ((line[i - 1] + line[i + 1 < n ? i + 1 : i - 1]) >> 1));
    for (int i = 0; i < n; i += 2)
        line[i] = (int16_t)(line[i] + ((line[i ? i - 1 : 1] + line[i + 1] + 2) >> 2));
    for (int i = 0; i < half; i++) {
        v[i * stride] = line[2 * i];
        v[(half + i) * stride] = line[2 * i + 1];
    }
}
static void backward_line(int16_t *v, int n, int stride)
{
    int16_t line[SIDE];
    int half = n / 2;

    for (int i = 0; i < half; i++) {
        line[2 * i] = v[i * stride];
        line[2 * i + 1] = v[(half + i) * stride];
    }
    for (int i = 0; i < n; i += 2)
        line[i] = (int16_t)(line[i] - ((line[i ? i - 1 : 1] + line[i + 1] + 2) >> 2));
    for (int i = 1; i < n; i += 2)
        line[i] = (int16_t)(line[i] + ((line[i - 1] + line[i + 1 < n ? i + 1 : i - 1]) >> 1));
    for (int i = 0; i < n; i++)
        v[i * stride] = line[i];
}
static void forward(int16_t (*p)[SIDE])
{
    for (int level = 0, n = SIDE; level < LEVELS; level++, n /= 2) {
        for (int y = 0; y < n; y++)
            forward_line(p[y], n, 1);
        for (int x = 0; x < n; x++)
            forward_line(&p[0][x], n, SIDE);
    }
}
static void backward(int16_t (*p)[SIDE])
{
    for (int level = LEVELS - 1; level >= 0; level--) {
        int n = SIDE >> level;

        for (int x = 0; x < n; x++)
            backward_line(&p[0][x], n, SIDE);
        for (int y = 0; y < n; y++)
            backward_line(p[y], n, 1);
    }
}
static void drop(int16_t (*p)[SIDE])
{
    for (int y = 0; y < SIDE; y++)
        for (int x = y < SIDE >> LEVELS ? SIDE >> LEVELS : 0; x < SIDE; x++)
            if (p[y][x] > -SMALL && p[y][x] < SMALL) {
                p[y][x] = 0;
                dropped++;
            }
}

int main(void)
{
    uint64_t seed = 30;
    int worst = 0;

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            picture[y][x] = (int16_t)(128 + 60 * sin(x * 0.11) * cos(y * 0.07) + (x > 50 && y > 30 && y < 60 ? 40 : 0) +
                                      draw_below(&seed, 5));
    memcpy(exact, picture, sizeof picture);
    dropped = 0;
    SHIM_KEEP(exact);
    shim_region_begin("wavelet53");
    forward(exact);
    SHIM_KEEP(exact);
    memcpy(rough, exact, sizeof rough);
    backward(exact);
    drop(rough);
    backward(rough);
    SHIM_KEEP(exact);
    SHIM_KEEP(rough);
    shim_region_end("wavelet53");
    for (int i = 0; i < SIDE * SIDE; i++) {
        int d = abs(rough[i / SIDE][i % SIDE] - picture[i / SIDE][i % SIDE]);
        worst = d > worst ? d : worst;
    }
    return sample_verdict_int("difference", memcmp(exact, picture, sizeof exact) != 0, 0) |
           sample_verdict_int("whether details were few", dropped > SIDE * SIDE * 3 / 4, 1) |
           sample_verdict_int("whether the rough picture is near", worst < 30, 1);
}
