/*
 * flood_fill - areas of a map of 160 x 120 points are painted from 30 places, line by line with a stack of spans, as paint
 * programs do; bytes.
 *
 * The truth: painting point by point; and the area that was counted.
 *
 * Work: more than 8000 points are painted, each with a load, a comparison, a store, and looked at from above and below:
 * 8000 * 6 = 48000.
 */
#include "judge.h"

#define WIDE   160
#define HIGH   120
#define PLACES 30
#define STACK  2000

struct span {
    int16_t x, y;
};

static uint8_t map[HIGH][WIDE], painted[HIGH][WIDE], truth[HIGH][WIDE];
static struct span places[PLACES], stack[STACK];
static unsigned deepest;
static long area;

static unsigned look(unsigned n, int from, int to, int y, uint8_t old)
{
    int inside = 0;

    if (y < 0 || y >= HIGH)
        return n;
    for (int x = from; x <= to; x++) {
        if (painted[y][x] != old)
            inside = 0;
        else if (!inside) {
            inside = 1;
            if (n < STACK)
                stack[n++] = (struct span){(int16_t)x, (int16_t)y};
        }
    }
    return n;
}
static long fill(int x, int y, uint8_t colour)
{
    uint8_t old = painted[y][x];
    unsigned n = 0;
    long count = 0;

    if (old == colour)
        return 0;
    stack[n++] = (struct span){(int16_t)x, (int16_t)y};
    while (n) {
        struct span s = stack[--n];
        int left = s.x, right = s.x;
        uint8_t *row = painted[s.y];

        if (row[s.x] != old)
            continue;
        while (left > 0 && row[left - 1] == old)
            left--;
        while (right < WIDE - 1 && row[right + 1] == old)
            right++;
        for (int i = left; i <= right; i++)
            row[i] = colour;
        count += right - left + 1;
        n = look(n, left, right, s.y - 1, old);
        n = look(n, left, right, s.y + 1, old);
        deepest = n > deepest ? n : deepest;
    }
    return count;
}

/* Point by point. */
static long slow_fill(int x, int y, uint8_t colour)
{
    static struct span todo[4 * WIDE * HIGH + 1];
    uint8_t old = truth[y][x];
    long count = 0, n = 0;

    if (old == colour)
        return 0;
    todo[n++] = (struct span){(int16_t)x, (int16_t)y};
    while (n) {
        struct span p = todo[--n];

        if (p.x < 0 || p.y < 0 || p.x >= WIDE || p.y >= HIGH || truth[p.y][p.x] != old)
            continue;
        truth[p.y][p.x] = colour;
        count++;
        for (int i = -1; i <= 1; i += 2) {
            todo[n++] = (struct span){(int16_t)(p.x + i), p.y};
            todo[n++] = (struct span){p.x, (int16_t)(p.y + i)};
        }
    }
    return count;
}

int main(void)
{
    uint64_t seed = 32;
    long expected = 0;

    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            map[y][x] = (uint8_t)(sin(x * 0.13) * sin(y * 0.17) + 0.3 * sin((x + y) * 0.41) > 0.1 ||
                                  draw_below(&seed, 20) == 0);
    for (int i = 0; i < PLACES; i++)
        places[i] = (struct span){(int16_t)draw_below(&seed, WIDE), (int16_t)draw_below(&seed, HIGH)};
    memcpy(painted, map, sizeof map);
    memcpy(truth, map, sizeof map);
    area = 0;
    deepest = 0;
    SHIM_KEEP(painted);
    SHIM_KEEP(places);
    shim_region_begin("flood_fill");
    for (int i = 0; i < PLACES; i++)
        area += fill(places[i].x, places[i].y, (uint8_t)(2 + i));
    SHIM_KEEP(painted);
    SHIM_KEEP(&area);
    shim_region_end("flood_fill");
    for (int i = 0; i < PLACES; i++)
        expected += slow_fill(places[i].x, places[i].y, (uint8_t)(2 + i));
    return sample_verdict_int("area", area, expected) | sample_verdict_int("whether it is large", area > 8000, 1) |
           sample_verdict_int("whether the stack was enough", deepest < STACK, 1) |
           sample_verdict_int("difference", memcmp(painted, truth, sizeof truth) != 0, 0);
}
