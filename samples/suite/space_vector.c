/*
 * space_vector - duty ratios of a three-phase inverter from a voltage vector: space-vector modulation, single
 * precision.
 *
 * van der Broeck, Skudelny and Stanke, "Analysis and Realization of a Pulsewidth Modulator Based on Voltage Space
 * Vectors", 1988: the sector names the two active vectors, whose times are differences of phase voltages; the rest goes
 * to both zero vectors alike. The truth: differences of the duties are the line voltages that the angle gives, and the
 * greatest and the least duty sum to 1.
 *
 * Work: 1200 vectors of 3 duties each; a duty takes at least a product, a sum and a store, in at most 16 lanes:
 * 1200 * 3 * 3 / 16 = 675.
 */
#include "../sample.h"
#include "test_signal.h"

#define VECTORS     1200
#define HALF_SQRT_3 0.86602540f

struct vector {
    float alpha, beta; /* in units of the supply voltage */
};

struct duties {
    float phase[3];
};

static struct vector wanted[VECTORS];
static struct duties given[VECTORS];

/* The six orders of three phase voltages, numbered by their comparisons. */
static unsigned sector_of(float a, float b, float c)
{
    return (a > b ? 1u : 0u) | (b > c ? 2u : 0u) | (c > a ? 4u : 0u);
}

/* First and second: times of the active vectors, that is the distances of the highest phase and of the middle one. */
static void place(struct duties *d, int high, int middle, int low, float first, float second)
{
    float zero = 0.5f * (1.0f - first - second);

    d->phase[low] = zero;
    d->phase[middle] = zero + second;
    d->phase[high] = zero + second + first;
}

static void modulate(const struct vector *v, struct duties *d)
{
    float a = v->alpha;
    float b = -0.5f * v->alpha + HALF_SQRT_3 * v->beta;
    float c = -0.5f * v->alpha - HALF_SQRT_3 * v->beta;

    switch (sector_of(a, b, c)) {
    case 1 | 2:
        place(d, 0, 1, 2, a - b, b - c);
        break;
    case 2:
        place(d, 1, 0, 2, b - a, a - c);
        break;
    case 2 | 4:
        place(d, 1, 2, 0, b - c, c - a);
        break;
    case 4:
        place(d, 2, 1, 0, c - b, b - a);
        break;
    case 4 | 1:
        place(d, 2, 0, 1, c - a, a - b);
        break;
    default:
        place(d, 0, 2, 1, a - c, c - b);
        break;
    }
}

static void modulate_all(void)
{
    for (int n = 0; n < VECTORS; n++)
        modulate(&wanted[n], &given[n]);
}

static double angle_of(int n)
{
    return 0.0137 * n;
}

static double size_of(int n)
{
    return 0.55 * (n % 97) / 97.0;
}

static void prepare(void)
{
    for (int n = 0; n < VECTORS; n++)
        wanted[n] =
            (struct vector){(float)(size_of(n) * cosine_of(angle_of(n))), (float)(size_of(n) * sine_of(angle_of(n)))};
    SHIM_KEEP(wanted);
}

static double phase_voltage(int n, int phase)
{
    return size_of(n) * cosine_of(angle_of(n) - phase * 2.0 * TEST_SIGNAL_PI / 3.0);
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("space_vector");
    modulate_all();
    SHIM_KEEP(given);
    shim_region_end("space_vector");
    for (int n = 0; n < VECTORS; n++) {
        const float *d = given[n].phase;
        double least = d[0], most = d[0];

        for (int p = 0; p < 3; p++) {
            double line = phase_voltage(n, p) - phase_voltage(n, (p + 1) % 3);

            worst = worse_of(worst, fabs((double)d[p] - d[(p + 1) % 3] - line));
            least = d[p] < least ? d[p] : least;
            most = d[p] > most ? d[p] : most;
        }
        worst = worse_of(worst, fabs(least + most - 1.0));
    }
    return sample_verdict_real("worst error", worst, 0.0, 1e-5);
}
