/*
 * run_length - fax lines as runs of white and black: packed, unpacked, and combined without unpacking; 16-bit runs.
 *
 * As document scanners keep binary pages; the union of two pages is formed from their runs alone. The truth: the pages
 * themselves, drawn again, and their union point by point.
 *
 * Work: 2 pages of 100 lines of 256 points are packed, point by point at best in 64 lanes, 2 instructions each; a run
 * ends at least 8 times a line, and takes a load and a store in each of 3 steps: 51200 * 2 / 64 + 100 * 2 * 8 * 6 =
 * 11200.
 */
#include "../sample.h"
#include "test_signal.h"

#define WIDTH 256
#define LINES 100
#define MOST  (WIDTH + 2)

struct line {
    uint16_t count;
    uint16_t run[MOST]; /* white first; they sum to WIDTH */
};

static uint8_t page[2][LINES][WIDTH], unpacked[LINES][WIDTH];
static struct line packed[2][LINES], both[LINES];

static void pack(const uint8_t *points, struct line *l)
{
    uint8_t colour = 0;
    uint16_t length = 0;

    l->count = 0;
    for (int x = 0; x < WIDTH; x++) {
        if (points[x] != colour) {
            l->run[l->count++] = length;
            colour = points[x];
            length = 0;
        }
        length++;
    }
    l->run[l->count++] = length;
}

static void unpack(const struct line *l, uint8_t *points)
{
    uint8_t colour = 0;

    for (int i = 0; i < l->count; i++) {
        for (int k = 0; k < l->run[i]; k++)
            *points++ = colour;
        colour = !colour;
    }
}

static void put(struct line *l, unsigned colour, uint16_t length)
{
    if (length == 0)
        return;
    if ((l->count & 1u) != colour)
        l->run[l->count - 1] = (uint16_t)(l->run[l->count - 1] + length);
    else
        l->run[l->count++] = length;
}

/* Goes along both lines from the end of a run to the next. */
static void unite(const struct line *a, const struct line *b, struct line *to)
{
    unsigned i = 0, k = 0;
    uint16_t left_a = a->run[0], left_b = b->run[0];

    to->count = 0;
    if ((left_a == 0 || left_b == 0))
        to->run[to->count++] = 0;
    for (int x = 0; x < WIDTH;) {
        uint16_t step;

        while (left_a == 0)
            left_a = a->run[++i];
        while (left_b == 0)
            left_b = b->run[++k];
        step = left_a < left_b ? left_a : left_b;
        put(to, (i | k) & 1u, step);
        left_a = (uint16_t)(left_a - step);
        left_b = (uint16_t)(left_b - step);
        x += step;
    }
}

static void run(void)
{
    for (int y = 0; y < LINES; y++) {
        pack(page[0][y], &packed[0][y]);
        pack(page[1][y], &packed[1][y]);
        unite(&packed[0][y], &packed[1][y], &both[y]);
        unpack(&both[y], unpacked[y]);
    }
}

/* Words of strokes: runs of 1 to 24 points; some lines begin black. */
static void prepare(void)
{
    uint32_t noise = 424264u;

    memset(unpacked, 2, sizeof unpacked);
    for (int p = 0; p < 2; p++)
        for (int y = 0; y < LINES; y++) {
            int left = 0;
            uint8_t colour = y % 7 == p;

            for (int x = 0; x < WIDTH; x++) {
                if (left == 0) {
                    colour = !colour;
                    left = 1 + (int)(noise_next(&noise) % 24);
                }
                page[p][y][x] = colour;
                left--;
            }
        }
    SHIM_KEEP(page);
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("run_length");
    run();
    SHIM_KEEP(both);
    SHIM_KEEP(unpacked);
    shim_region_end("run_length");
    for (int y = 0; y < LINES; y++) {
        int sum = 0;

        for (int i = 0; i < both[y].count; i++)
            sum += both[y].run[i];
        wrong += sum != WIDTH;
        for (int x = 0; x < WIDTH; x++)
            wrong += unpacked[y][x] != (page[0][y][x] | page[1][y][x]);
    }
    return sample_verdict_int("wrong points", wrong, 0);
}
