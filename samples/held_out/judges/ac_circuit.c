/*
 * ac_circuit - a ladder filter of 5 sections at 80 frequencies with the language's own complex numbers in double
 * precision: impedances in series and parallel, currents from the far end, power in the load.
 *
 * The truth: power that goes in is power in load and losses (Tellegen), at each frequency.
 *
 * Work: 80 frequencies of 5 sections, each with two complex products and a quotient of at least 12 operations: 80 * 5 * 20
 * = 8000.
 */
#include <complex.h>

#include "judge.h"

#define SECTIONS    5
#define FREQUENCIES 80

static struct section {
    double l, r, c, g; /* henry, ohm, farad, siemens */
} ladder[SECTIONS];
static double frequency[FREQUENCIES], gain[FREQUENCIES], phase_cosine[FREQUENCIES], in_power[FREQUENCIES],
    out_power[FREQUENCIES];
static double load = 50.0;

/* From 1 V at the load back to the source. */
static void analyse(int f)
{
    double w = 2.0 * 3.14159265358979323846 * frequency[f], lost = 0.0;
    double complex v = 1.0, i = v / load;

    for (int s = SECTIONS - 1; s >= 0; s--) {
        const struct section *k = &ladder[s];
        double complex y = k->g + I * (w * k->c), z = k->r + I * (w * k->l);

        i += y * v;
        lost += (creal(v) * creal(v) + cimag(v) * cimag(v)) * k->g;
        v += z * i;
        lost += (creal(i) * creal(i) + cimag(i) * cimag(i)) * k->r;
    }
    double complex ratio = 1.0 / v;
    gain[f] = creal(ratio) * creal(ratio) + cimag(ratio) * cimag(ratio);
    phase_cosine[f] = creal(ratio);
    in_power[f] = creal(v * conj(i));
    out_power[f] = 1.0 / load + lost;
}

int main(void)
{
    double worst = 0.0;

    for (int s = 0; s < SECTIONS; s++)
        ladder[s] = (struct section){1e-6 * (s + 2), 0.05 * (s + 1), 1e-9 * (7 - s), 1e-5 * (s + 1)};
    for (int f = 0; f < FREQUENCIES; f++)
        frequency[f] = 1e4 * pow(1.09, f);
    SHIM_KEEP(ladder);
    SHIM_KEEP(frequency);
    SHIM_KEEP(&load);
    shim_region_begin("ac_circuit");
    for (int f = 0; f < FREQUENCIES; f++)
        analyse(f);
    SHIM_KEEP(gain);
    SHIM_KEEP(phase_cosine);
    SHIM_KEEP(in_power);
    SHIM_KEEP(out_power);
    shim_region_end("ac_circuit");
    for (int f = 0; f < FREQUENCIES; f++)
        worst = fmax(worst, fabs(in_power[f] / out_power[f] - 1.0));
    return sample_verdict_real("power lost without a cause", worst, 0.0, 1e-10) |
           sample_verdict_int("whether low frequencies pass", gain[0] > 0.95 && gain[0] < 1.0, 1) |
           sample_verdict_int("whether high ones do not", gain[FREQUENCIES - 1] < 1e-3, 1);
}
