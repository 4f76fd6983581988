/*
 * statistics - mean, variance, correlation and extremes of 4000 pairs of readings, on line, in double precision.
 *
 * Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products", 1962. The readings are integers,
 * so the truth comes from exact sums in 64 bits.
 *
 * Work: each of 4000 pairs depends on the one before: the reciprocal of the count is one division; the means, sums of
 * squares and the sum of products take 2 differences, 2 sums for the means, 3 for the sums. The two columns may share a
 * vector, the division may share one of 8 lanes with others: 4000 * (7 / 2 + 1 / 8) = 14500.
 */
#include "../sample.h"
#include "test_signal.h"

#define READINGS 4000

struct moments {
    double mean_x, mean_y, square_x, square_y, product;
    int32_t low, high;
    int count;
};

static int32_t reading_x[READINGS], reading_y[READINGS];
static struct moments found;

static void add_pair(struct moments *m, int32_t x, int32_t y)
{
    double share = 1.0 / ++m->count;
    double dx = x - m->mean_x, dy = y - m->mean_y;

    m->mean_x += dx * share;
    m->mean_y += dy * share;
    m->square_x += dx * (x - m->mean_x);
    m->square_y += dy * (y - m->mean_y);
    m->product += dx * (y - m->mean_y);
    m->low = x < m->low ? x : m->low;
    m->high = x > m->high ? x : m->high;
}

static void gather(void)
{
    for (int i = 0; i < READINGS; i++)
        add_pair(&found, reading_x[i], reading_y[i]);
}

static void prepare(void)
{
    uint32_t noise = 214013u;

    found = (struct moments){.low = INT32_MAX, .high = INT32_MIN};
    for (int i = 0; i < READINGS; i++) {
        reading_x[i] = 50000 + noise_within(&noise, 3000);
        reading_y[i] = reading_x[i] / 2 + noise_within(&noise, 1000);
    }
    SHIM_KEEP(&found);
    SHIM_KEEP(reading_x);
    SHIM_KEEP(reading_y);
}

/* sum (a - mean a)(b - mean b) = sum a b - sum a sum b / n, in whole numbers below 2^63 up to the division. */
static double corrected(const int32_t *a, const int32_t *b)
{
    int64_t sum_a = 0, sum_b = 0, products = 0;

    for (int i = 0; i < READINGS; i++) {
        sum_a += a[i];
        sum_b += b[i];
        products += (int64_t)a[i] * b[i];
    }
    return (double)(READINGS * products - sum_a * sum_b) / READINGS;
}

static int verdict_share(const char *what, double got, double expected)
{
    return sample_verdict_real(what, got / expected, 1.0, 1e-9);
}

int main(void)
{
    int32_t low = INT32_MAX, high = INT32_MIN;
    int64_t sum = 0;

    prepare();
    shim_region_begin("statistics");
    gather();
    SHIM_KEEP(&found);
    shim_region_end("statistics");
    for (int i = 0; i < READINGS; i++) {
        sum += reading_x[i];
        low = reading_x[i] < low ? reading_x[i] : low;
        high = reading_x[i] > high ? reading_x[i] : high;
    }
    return verdict_share("mean", found.mean_x, (double)sum / READINGS) |
           verdict_share("squares of x", found.square_x, corrected(reading_x, reading_x)) |
           verdict_share("squares of y", found.square_y, corrected(reading_y, reading_y)) |
           verdict_share("products", found.product, corrected(reading_x, reading_y)) |
           sample_verdict_int("lowest", found.low, low) | sample_verdict_int("highest", found.high, high);
}
