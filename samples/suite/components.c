/*
 * components - connected regions of a black and white picture: two passes with a forest of labels.
 *
 * Rosenfeld and Pfaltz, "Sequential Operations in Digital Picture Processing", 1966, four neighbours; labels that meet
 * are joined in a forest with path halving. The truth: the picture is made of shapes in cells of 16 x 16, each known to
 * be one region or two; their number, and that of all points.
 *
 * Work: 160 * 112 points; each is loaded, tested, and in the second pass its label is loaded and stored: in 16 lanes
 * 17920 * 4 / 16 = 4480.
 */
#include "../sample.h"
#include "test_signal.h"

#define CELL   16
#define ACROSS 10
#define DOWN   7
#define WIDTH  (CELL * ACROSS)
#define HEIGHT (CELL * DOWN)
#define LABELS (WIDTH * HEIGHT / 2 + 1)

static uint8_t picture[HEIGHT][WIDTH];
static uint16_t label[HEIGHT][WIDTH];
static uint16_t parent[LABELS];
static uint32_t area[LABELS];
static int used, regions;

static uint16_t root_of(uint16_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static uint16_t join(uint16_t a, uint16_t b)
{
    a = root_of(a);
    b = root_of(b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
    return a < b ? a : b;
}

static uint16_t label_of(int y, int x)
{
    uint16_t above = y > 0 ? label[y - 1][x] : 0, left = x > 0 ? label[y][x - 1] : 0;

    if (above != 0 && left != 0)
        return above == left ? above : join(above, left);
    if (above != 0 || left != 0)
        return above != 0 ? above : left;
    used++;
    parent[used] = (uint16_t)used;
    return (uint16_t)used;
}

static void find_regions(void)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            label[y][x] = picture[y][x] ? label_of(y, x) : 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (label[y][x] != 0) {
                label[y][x] = root_of(label[y][x]);
                area[label[y][x]]++;
            }
    for (int i = 1; i <= used; i++)
        regions += parent[i] == i;
}

/* Five shapes within 1 .. 14 of a cell: frame; frame with a dot; comb; two bars; staircase. */
static int is_black(unsigned shape, int y, int x)
{
    int inside = y >= 1 && y <= 14 && x >= 1 && x <= 14;
    int frame = y == 1 || y == 14 || x == 1 || x == 14;

    if (!inside)
        return 0;
    switch (shape) {
    case 0:
        return frame;
    case 1:
        return frame || (y >= 6 && y <= 9 && x >= 6 && x <= 9);
    case 2:
        return y == 14 || x % 3 == 1;
    case 3:
        return x <= 4 || x >= 10;
    default:
        return x == y || x == y + 1;
    }
}

static int planted, points;

static void prepare(void)
{
    uint32_t noise = 244948u;

    memset(parent, 0, sizeof parent);
    memset(area, 0, sizeof area);
    used = regions = planted = points = 0;
    for (int j = 0; j < DOWN; j++)
        for (int i = 0; i < ACROSS; i++) {
            unsigned shape = noise_next(&noise) % 5;

            planted += shape == 1 || shape == 3 ? 2 : 1;
            for (int y = 0; y < CELL; y++)
                for (int x = 0; x < CELL; x++) {
                    picture[j * CELL + y][i * CELL + x] = (uint8_t)is_black(shape, y, x);
                    points += is_black(shape, y, x);
                }
        }
    SHIM_KEEP(picture);
}

int main(void)
{
    int sum = 0, wrong = 0;

    prepare();
    shim_region_begin("components");
    find_regions();
    SHIM_KEEP(label);
    SHIM_KEEP(area);
    shim_region_end("components");
    for (int i = 1; i <= used; i++)
        sum += (int)area[i];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 1; x < WIDTH; x++)
            wrong += label[y][x] != 0 && label[y][x - 1] != 0 && label[y][x] != label[y][x - 1];
    return sample_verdict_int("regions", regions, planted) | sample_verdict_int("points", sum, points) |
           sample_verdict_int("neighbours that differ", wrong, 0);
}
