/*
 * fuzzy_control - 500 steps of a fuzzy controller for a crane: 5 x 5 rules over angle and its change, triangles of 16-bit
 * numbers, the least of both counts, centre of gravity; and the crane, in whole numbers.
 *
 * Mamdani and Assilian, 1975. The truth: each step's output in double precision, and that the load comes to rest.
 *
 * Work: 500 steps, 10 memberships and 25 rules, each a comparison, a product and two sums: 500 * 35 * 4 = 70000; 16 at
 * once: 4375.
 */
#include "judge.h"

#define STEPS 500
#define SETS  5

static int16_t angle_sets[SETS], change_sets[SETS], outputs[SETS][SETS];
static int16_t angles[STEPS], changes[STEPS], drives[STEPS];
static int32_t start_angle = 9000;

/* 0 .. 1024: how much x is in the set whose peak is peaks[i]. */
static int32_t membership(const int16_t *peaks, int i, int32_t x)
{
    int32_t side;

    if (x == peaks[i])
        return 1024;
    if (x < peaks[i]) {
        if (i == 0)
            return 1024;
        side = peaks[i] - peaks[i - 1];
        return x <= peaks[i - 1] ? 0 : (x - peaks[i - 1]) * 1024 / side;
    }
    if (i == SETS - 1)
        return 1024;
    side = peaks[i + 1] - peaks[i];
    return x >= peaks[i + 1] ? 0 : (peaks[i + 1] - x) * 1024 / side;
}
static int32_t control(int32_t angle, int32_t change)
{
    int32_t in_angle[SETS], in_change[SETS], sum = 0, weight = 0;

    for (int i = 0; i < SETS; i++) {
        in_angle[i] = membership(angle_sets, i, angle);
        in_change[i] = membership(change_sets, i, change);
    }
    for (int i = 0; i < SETS; i++) {
        if (!in_angle[i])
            continue;
        for (int k = 0; k < SETS; k++) {
            int32_t w = in_angle[i] < in_change[k] ? in_angle[i] : in_change[k];

            sum += w * outputs[i][k];
            weight += w;
        }
    }
    return weight ? sum / weight : 0;
}
static void run(void)
{
    int32_t angle = start_angle << 8, change = 0;

    for (int t = 0; t < STEPS; t++) {
        int32_t a = angle >> 8, c = change >> 4, drive;

        c = c > 8000 ? 8000 : c < -8000 ? -8000 : c;
        drive = control(a, c);
        angles[t] = (int16_t)a;
        changes[t] = (int16_t)c;
        drives[t] = (int16_t)drive;
        change += (drive * 12 - a * 2 - c / 4) / 4;
        angle += change;
    }
}

static double share(const int16_t *peaks, int i, double x)
{
    double left = i ? (x - peaks[i - 1]) / (peaks[i] - peaks[i - 1]) : 1,
           right = i < SETS - 1 ? (peaks[i + 1] - x) / (peaks[i + 1] - peaks[i]) : 1;

    return fmax(0, fmin(1, x < peaks[i] ? left : right));
}

int main(void)
{
    double worst = 0;
    int quiet = 1;

    for (int i = 0; i < SETS; i++) {
        angle_sets[i] = (int16_t)((i - 2) * 4000);
        change_sets[i] = (int16_t)((i - 2) * 2500);
        for (int k = 0; k < SETS; k++) {
            int level = 4 - i - k;
            outputs[i][k] = (int16_t)(1000 * (level > 2 ? 2 : level < -2 ? -2 : level));
        }
    }
    SHIM_KEEP(angle_sets);
    SHIM_KEEP(change_sets);
    SHIM_KEEP(outputs);
    SHIM_KEEP(&start_angle);
    shim_region_begin("fuzzy_control");
    run();
    SHIM_KEEP(drives);
    shim_region_end("fuzzy_control");
    for (int t = 0; t < STEPS; t++) {
        double sum = 0, weight = 0;

        for (int i = 0; i < SETS; i++)
            for (int k = 0; k < SETS; k++) {
                double w = fmin(share(angle_sets, i, angles[t]), share(change_sets, k, changes[t]));
                sum += w * outputs[i][k];
                weight += w;
            }
        worst = fmax(worst, fabs(sum / weight - drives[t]));
        quiet &= t < STEPS - 50 || abs(angles[t]) < 500;
    }
    return sample_verdict_real("difference from double precision", worst, 0, 12) |
           sample_verdict_int("whether it comes to rest", quiet, 1);
}
