/*
 * ekf - the charge of a battery from current and voltage: an extended Kalman filter of two states, single precision.
 *
 * Plett, "Extended Kalman Filtering for Battery Management Systems", 2004. States: charge (0 to 1) and the voltage of
 * one polarisation; measured: the open-circuit voltage, a cubic of the charge, less polarisation and resistance. The
 * truth: the battery that made the measurements, whose charge the filter must find from a wrong start.
 *
 * Work: each of the 3000 steps depends on the one before: a division and at least 20 products and 20 sums, four of them
 * perhaps in one vector: 3000 * 11 = 33000.
 */
#include "../sample.h"
#include "test_signal.h"

#define STEPS    3000
#define CAPACITY 7200.0 /* ampere seconds */
#define DECAY    0.95
#define GAIN     0.001
#define OHMS     0.02

struct filter {
    float charge, polarisation;
    float p00, p01, p11;
    float q0, q1, r;
};

static struct filter filter;
static float current[STEPS], voltage[STEPS], estimate[STEPS];
static double charge[STEPS];

static float open_circuit(float s)
{
    return 3.0f + s * (1.8f + s * (-2.2f + s * 1.6f));
}

static float slope(float s)
{
    return 1.8f + s * (-4.4f + s * 4.8f);
}

static void predict(struct filter *f, float i)
{
    f->charge -= i * (float)(1.0 / CAPACITY);
    f->polarisation = (float)DECAY * f->polarisation + (float)GAIN * i;
    f->p00 += f->q0;
    f->p01 *= (float)DECAY;
    f->p11 = (float)(DECAY * DECAY) * f->p11 + f->q1;
}

/* The measurement's row is (slope, -1). */
static void correct(struct filter *f, float i, float v)
{
    float h = slope(f->charge);
    float a = f->p00 * h - f->p01, b = f->p01 * h - f->p11;
    float scale = 1.0f / (h * a - b + f->r);
    float k0 = a * scale, k1 = b * scale;
    float surprise = v - (open_circuit(f->charge) - f->polarisation - (float)OHMS * i);

    f->charge += k0 * surprise;
    f->polarisation += k1 * surprise;
    f->p00 -= k0 * a;
    f->p01 -= k0 * b;
    f->p11 -= k1 * b;
}

static void follow(void)
{
    for (int t = 0; t < STEPS; t++) {
        predict(&filter, current[t]);
        correct(&filter, current[t], voltage[t]);
        estimate[t] = filter.charge;
    }
}

/* From 0.9 down, with pulses of current and noise of 5 mV; the filter begins at 0.5. */
static void prepare(void)
{
    uint32_t noise = 964853u;
    double s = 0.9, u = 0.0;

    for (int t = 0; t < STEPS; t++) {
        double i = 1.0 + (t / 60 % 2 ? 1.5 : 0.0) + 0.5 * noise_unit(&noise);

        s -= i / CAPACITY;
        u = DECAY * u + GAIN * i;
        charge[t] = s;
        current[t] = (float)i;
        voltage[t] = (float)(3.0 + s * (1.8 + s * (-2.2 + s * 1.6)) - u - OHMS * i + 0.005 * noise_unit(&noise));
    }
    filter = (struct filter){.charge = 0.5f, .p00 = 0.1f, .p11 = 1e-4f, .q0 = 1e-10f, .q1 = 1e-8f, .r = 1e-5f};
    SHIM_KEEP(&filter);
    SHIM_KEEP(current);
    SHIM_KEEP(voltage);
}

/* The curve rises by at least 0.79 V for the whole charge: 5 mV of noise are 0.0063 of charge, and it averages out. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("ekf");
    follow();
    SHIM_KEEP(estimate);
    shim_region_end("ekf");
    for (int t = 300; t < STEPS; t++)
        worst = worse_of(worst, fabs(estimate[t] - charge[t]));
    return sample_verdict_real("worst charge", worst, 0.0, 0.0063);
}
