/*
 * moving_average - means of the last 8, 64 and 500 samples side by side, and their spread: ring buffers, 64-bit sums.
 *
 * Sums are kept: what enters is added, what leaves is taken off. The truth is the definition, summed anew for every
 * 37th sample.
 *
 * Work: each of the 5000 samples depends on the sums before it: for 3 windows a load and a store in the ring, 4 sums
 * and 2 divisions: 5000 * 3 * 8 / 8 lanes = 15000.
 */
#include "../sample.h"
#include "test_signal.h"

#define SAMPLES 5000
#define WINDOWS 3
#define LONGEST 500

struct window {
    int32_t length, place;
    int64_t sum, squares;
    int32_t ring[LONGEST];
};

struct figures {
    int32_t mean;
    int64_t variance; /* divided by n, whole */
};

static struct window window[WINDOWS];
static int32_t input[SAMPLES];
static struct figures figures[SAMPLES][WINDOWS];

static void add(struct window *w, int32_t x, struct figures *f)
{
    int32_t leaving = w->ring[w->place];
    int64_t mean;

    w->ring[w->place] = x;
    w->place = w->place + 1 == w->length ? 0 : w->place + 1;
    w->sum += x - leaving;
    w->squares += (int64_t)x * x - (int64_t)leaving * leaving;
    mean = w->sum / w->length;
    f->mean = (int32_t)mean;
    f->variance = (w->squares - 2 * mean * w->sum) / w->length + mean * mean;
}

static void filter(void)
{
    for (int n = 0; n < SAMPLES; n++)
        for (int i = 0; i < WINDOWS; i++)
            add(&window[i], input[n], &figures[n][i]);
}

static void prepare(void)
{
    static const int32_t length[WINDOWS] = {8, 64, LONGEST};
    uint32_t noise = 380658u;

    memset(window, 0, sizeof window);
    for (int i = 0; i < WINDOWS; i++)
        window[i].length = length[i];
    for (int n = 0; n < SAMPLES; n++)
        input[n] = 3000000 + noise_within(&noise, 4000000) + 500 * n;
    SHIM_KEEP(window);
    SHIM_KEEP(input);
}

/* Mean and variance of a window that has filled, in double precision about a middle value: both within a unit of the
 * whole mean, whose square the variance feels: (mean - whole)^2 < 1; and rounding. */
static int is_wrong(int n, int i)
{
    double sum = 0.0, squares = 0.0;
    int length = window[i].length;

    for (int k = n - length + 1; k <= n; k++)
        sum += input[k];
    for (int k = n - length + 1; k <= n; k++)
        squares += (input[k] - sum / length) * (input[k] - sum / length);
    return !(fabs(figures[n][i].mean - sum / length) < 1.0 &&
             fabs((double)figures[n][i].variance - squares / length) < 3.0);
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("moving_average");
    filter();
    SHIM_KEEP(figures);
    shim_region_end("moving_average");
    for (int n = LONGEST; n < SAMPLES; n += 37)
        for (int i = 0; i < WINDOWS; i++)
            wrong += is_wrong(n, i);
    return sample_verdict_int("wrong figures", wrong, 0);
}
