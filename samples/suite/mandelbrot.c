/*
 * mandelbrot - escape times of 48 x 32 points in fixed point with 25 binary places and 64-bit products.
 *
 * Mandelbrot, "Fractal Aspects of the Iteration of z -> z^2 + c", 1980. The truth: points proved to be inside (the main
 * cardioid and the disc of period 2) never escape, points with |c| > 2 escape in the first two rounds, and the set
 * mirrors at the real axis.
 *
 * Work: the proved points run all 100 rounds. The disc of period 2, radius 1/4, and the cardioid have an area of 17 pi
 * / 32 = 1.669; the grid's cells are 3.2 / 48 * 2.4 / 32 = 0.005: more than 250 points, the rim left out. A round has 3
 * products, which two points may share at best 8 to a vector: 250 * 100 * 3 / 8 = 9375.
 */
#include "../sample.h"

#define COLUMNS 48
#define ROWS    32
#define ROUNDS  100
#define PLACES  25
#define ONE     (1 << PLACES)

static int32_t left, top, width, height;
static uint8_t rounds[ROWS][COLUMNS];

static int32_t multiply(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b / ONE);
}

/* Rounds until |z| > 2; ROUNDS if it stays within. z stays below 2 * 2 + 2 + 2.6, and 2^31 is 64. */
static uint8_t escape_time(int32_t cx, int32_t cy)
{
    int32_t x = 0, y = 0;
    int n;

    for (n = 0; n < ROUNDS; n++) {
        int32_t xx = multiply(x, x), yy = multiply(y, y);

        if (xx + yy > 4 * ONE)
            break;
        y = 2 * multiply(x, y) + cy;
        x = xx - yy + cx;
    }
    return (uint8_t)n;
}

static int32_t point_x(int column)
{
    return left + width / COLUMNS * column;
}

/* Symmetric about the middle row pair. */
static int32_t point_y(int row)
{
    return top / (ROWS - 1) * (ROWS - 1 - 2 * row);
}

static void draw(void)
{
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            rounds[row][column] = escape_time(point_x(column), point_y(row));
}

static void prepare(void)
{
    left = (int32_t)(-2.4 * ONE);
    top = (int32_t)(1.2 * ONE);
    width = (int32_t)(3.2 * ONE);
    height = 2 * top;
    SHIM_KEEP(&left);
    SHIM_KEEP(&top);
    SHIM_KEEP(&width);
    SHIM_KEEP(&height);
}

/* Inside with a margin for the rounding: the cardioid q (q + x - 1/4) < y^2 / 4, the disc (x + 1)^2 + y^2 < 1/16. */
static int surely_inside(double x, double y)
{
    double q = (x - 0.25) * (x - 0.25) + y * y;

    return q * (q + (x - 0.25)) < 0.25 * y * y - 1e-3 || (x + 1.0) * (x + 1.0) + y * y < 0.0625 - 1e-3;
}

static int wrong_points(int *inside)
{
    int wrong = 0;

    *inside = 0;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            double x = (double)point_x(column) / ONE, y = (double)point_y(row) / ONE;
            int n = rounds[row][column];

            if (surely_inside(x, y)) {
                ++*inside;
                wrong += n != ROUNDS;
            }
            wrong += x * x + y * y > 4.001 && n > 2;
            wrong += n != rounds[ROWS - 1 - row][column];
        }
    return wrong;
}

int main(void)
{
    int inside;

    prepare();
    shim_region_begin("mandelbrot");
    draw();
    SHIM_KEEP(rounds);
    shim_region_end("mandelbrot");
    return sample_verdict_int("wrong points", wrong_points(&inside), 0) |
           sample_verdict_int("at least 250 points inside", inside >= 250, 1);
}
