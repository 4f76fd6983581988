/*
 * raster_triangles - 60 triangles in fixed point onto 128 x 96 points of 32 bits with a depth buffer of 16 bits: edge
 * functions that step, the top-left rule, colours interpolated.
 *
 * Pineda, "A Parallel Algorithm for Polygon Rasterization", 1988. The truth: two triangles that share an edge cover a
 * square without gap or overlap; and each point's winner by evaluating all edge functions afresh in 64 bits.
 *
 * Work: the boxes of 60 triangles have more than 12000 points, each with three sums and a test: 12000 * 4 = 48000; 16 at
 * once: 3000.
 */
#include "judge.h"

#define WIDE      128
#define HIGH      96
#define TRIANGLES 60

struct corner {
    int32_t x, y; /* 1/16 of a point */
    int32_t z;
};
struct triangle {
    struct corner c[3];
    uint32_t colour;
};

static struct triangle triangles[TRIANGLES];
static uint32_t frame[HIGH][WIDE];
static uint16_t depth[HIGH][WIDE];

static int32_t edge(const struct corner *a, const struct corner *b, int32_t x, int32_t y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}
static int32_t bias(const struct corner *a, const struct corner *b)
{
    int32_t dx = b->x - a->x, dy = b->y - a->y;

    return dy < 0 || (dy == 0 && dx > 0) ? 0 : -1;
}
static int32_t least3(int32_t a, int32_t b, int32_t c)
{
    a = a < b ? a : b;
    return a < c ? a : c;
}
static int32_t most3(int32_t a, int32_t b, int32_t c)
{
    a = a > b ? a : b;
    return a > c ? a : c;
}

static void draw_triangle(const struct triangle *t)
{
    const struct corner *a = &t->c[0], *b = &t->c[1], *c = &t->c[2];
    int32_t area = edge(a, b, c->x, c->y);
    int x0 = least3(a->x, b->x, c->x) >> 4, x1 = most3(a->x, b->x, c->x) >> 4;
    int y0 = least3(a->y, b->y, c->y) >> 4, y1 = most3(a->y, b->y, c->y) >> 4;
    int32_t row[3], step_x[3], step_y[3];

    if (area <= 0)
        return;
    x0 = x0 < 0 ? 0 : x0;
    y0 = y0 < 0 ? 0 : y0;
    x1 = x1 >= WIDE ? WIDE - 1 : x1;
    y1 = y1 >= HIGH ? HIGH - 1 : y1;
    for (int i = 0; i < 3; i++) {
        const struct corner *p = &t->c[(i + 1) % 3], *q = &t->c[(i + 2) % 3];

        row[i] = edge(p, q, x0 * 16 + 8, y0 * 16 + 8) + bias(p, q);
        step_x[i] = (p->y - q->y) * 16;
        step_y[i] = (q->x - p->x) * 16;
    }
    for (int y = y0; y <= y1; y++) {
        int32_t w[3] = {row[0], row[1], row[2]};

        for (int x = x0; x <= x1; x++) {
            if ((w[0] | w[1] | w[2]) >= 0) {
                int64_t z = ((int64_t)w[0] * a->z + (int64_t)w[1] * b->z + (int64_t)w[2] * c->z) / area;

                if (z < depth[y][x]) {
                    depth[y][x] = (uint16_t)z;
                    frame[y][x] = t->colour;
                }
            }
            for (int i = 0; i < 3; i++)
                w[i] += step_x[i];
        }
        for (int i = 0; i < 3; i++)
            row[i] += step_y[i];
    }
}

static uint32_t winner(int x, int y)
{
    uint32_t colour = 0;
    int64_t nearest = 0xFFFF;

    for (int i = 0; i < TRIANGLES; i++) {
        const struct triangle *t = &triangles[i];
        int64_t w[3], sum = 0, z = 0, px = x * 16 + 8, py = y * 16 + 8;
        int inside = 1;

        for (int k = 0; k < 3; k++) {
            const struct corner *p = &t->c[(k + 1) % 3], *q = &t->c[(k + 2) % 3];

            w[k] = (int64_t)(q->x - p->x) * (py - p->y) - (int64_t)(q->y - p->y) * (px - p->x);
            sum += w[k];
            w[k] += bias(p, q);
            inside &= w[k] >= 0;
            z += w[k] * t->c[k].z;
        }
        if (sum > 0 && inside && z / sum < nearest) {
            nearest = z / sum;
            colour = t->colour;
        }
    }
    return colour;
}

int main(void)
{
    uint64_t seed = 33;
    int covered = 0;

    for (int i = 0; i < TRIANGLES; i++) {
        int x = draw_below(&seed, WIDE * 16), y = draw_below(&seed, HIGH * 16);

        for (int k = 0; k < 3; k++)
            triangles[i].c[k] = (struct corner){x + draw_below(&seed, 700) - 350, y + draw_below(&seed, 700) - 350,
                                                1000 + draw_below(&seed, 60000)};
        triangles[i].colour = draw(&seed) | 1;
        if (edge(&triangles[i].c[0], &triangles[i].c[1], triangles[i].c[2].x, triangles[i].c[2].y) < 0) {
            struct corner t = triangles[i].c[1];
            triangles[i].c[1] = triangles[i].c[2];
            triangles[i].c[2] = t;
        }
    }
    triangles[0] = (struct triangle){{{320, 320, 900}, {960, 320, 900}, {960, 960, 900}}, 2};
    triangles[1] = (struct triangle){{{320, 320, 900}, {960, 960, 900}, {320, 960, 900}}, 4};
    memset(frame, 0, sizeof frame);
    memset(depth, 0xFF, sizeof depth);
    SHIM_KEEP(triangles);
    SHIM_KEEP(frame);
    SHIM_KEEP(depth);
    shim_region_begin("raster_triangles");
    for (int i = 0; i < TRIANGLES; i++)
        draw_triangle(&triangles[i]);
    SHIM_KEEP(frame);
    shim_region_end("raster_triangles");
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            uint32_t expected = winner(x, y);

            covered += frame[y][x] == 2 || frame[y][x] == 4;
            if (frame[y][x] != expected)
                return sample_verdict_int("colour of a point", frame[y][x], expected);
        }
    return sample_verdict_int("points of the square", covered, 40 * 40);
}
