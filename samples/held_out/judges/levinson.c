/*
 * levinson - linear prediction of 6 frames of 160 samples: windowed, autocorrelated, the recursion of Levinson and Durbin
 * for order 10, reflection coefficients, residual; single precision.
 *
 * Makhoul, "Linear Prediction: A Tutorial Review", 1975. The truth: the normal equations hold, and the residual's energy
 * is what the recursion says of the windowed frame.
 *
 * Work: 6 frames, 11 lags of at least 150 products and sums: 6 * 11 * 150 * 2 = 19800; the sums keep their order, the
 * products may go 16 at once: 10518.
 */
#include "judge.h"

#define FRAMES 6
#define LENGTH 160
#define ORDER  10

static float signal[FRAMES][LENGTH], window[LENGTH], lags[FRAMES][ORDER + 1], filter[FRAMES][ORDER + 1],
    reflection[FRAMES][ORDER], left_energy[FRAMES], residual[FRAMES][LENGTH + ORDER];

static void autocorrelate(const float *x, float *r)
{
    for (int lag = 0; lag <= ORDER; lag++) {
        float sum = 0;

        for (int i = lag; i < LENGTH; i++)
            sum += x[i] * x[i - lag];
        r[lag] = sum;
    }
    r[0] *= 1.0001F;
}
static float recursion(const float *r, float *a, float *k)
{
    float energy = r[0];

    a[0] = 1;
    for (int i = 1; i <= ORDER; i++)
        a[i] = 0;
    for (int m = 1; m <= ORDER; m++) {
        float sum = r[m];

        for (int i = 1; i < m; i++)
            sum += a[i] * r[m - i];
        k[m - 1] = -sum / energy;
        for (int i = 1, j = m - 1; i <= j; i++, j--) {
            float t = a[i] + k[m - 1] * a[j];

            a[j] += k[m - 1] * a[i];
            a[i] = t;
        }
        a[m] = k[m - 1];
        energy *= 1 - k[m - 1] * k[m - 1];
    }
    return energy;
}
static void predict(const float *x, const float *a, float *out)
{
    for (int i = 0; i < LENGTH + ORDER; i++) {
        float sum = 0;

        for (int k = 0; k <= ORDER; k++)
            if (i - k >= 0 && i - k < LENGTH)
                sum += a[k] * x[i - k];
        out[i] = sum;
    }
}
static void analyse(int f)
{
    float x[LENGTH];

    for (int i = 0; i < LENGTH; i++)
        x[i] = signal[f][i] * window[i];
    autocorrelate(x, lags[f]);
    left_energy[f] = recursion(lags[f], filter[f], reflection[f]);
    predict(x, filter[f], residual[f]);
}

int main(void)
{
    uint64_t seed = 35;
    double worst = 0, unequal = 0;

    for (int i = 0; i < LENGTH; i++)
        window[i] = (float)(0.54 - 0.46 * cos(2 * 3.14159265358979 * i / (LENGTH - 1)));
    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < LENGTH; i++)
            signal[f][i] = (float)(sin(i * (0.2 + 0.05 * f)) + 0.5 * sin(i * 0.9) + 0.3 * draw_unit(&seed));
    SHIM_KEEP(signal);
    SHIM_KEEP(window);
    shim_region_begin("levinson");
    for (int f = 0; f < FRAMES; f++)
        analyse(f);
    SHIM_KEEP(filter);
    SHIM_KEEP(reflection);
    SHIM_KEEP(residual);
    shim_region_end("levinson");
    for (int f = 0; f < FRAMES; f++) {
        double energy = 0;

        for (int m = 1; m <= ORDER; m++) {
            double sum = 0;
            for (int i = 0; i <= ORDER; i++)
                sum += (double)filter[f][i] * lags[f][abs(m - i)];
            worst = fmax(worst, fabs(sum) / lags[f][0]);
            worst = fmax(worst, fabsf(reflection[f][m - 1]) < 1 ? 0 : 1);
        }
        for (int i = 0; i < LENGTH + ORDER; i++)
            energy += (double)residual[f][i] * residual[f][i];
        unequal = fmax(unequal, fabs(energy / left_energy[f] - 1));
    }
    return sample_verdict_real("normal equations", worst, 0, 1e-4) | sample_verdict_real("energy", unequal, 0, 0.2);
}
