/*
 * lambda_control - mixture control by a two-point oxygen sensor: jump and ramp, six banks of cylinders, 32-bit
 * integers.
 *
 * The sensor says rich or lean only, and late: the gas takes `delay` steps from the injector to it. The controller
 * ramps against what it says, and jumps back when it changes. The truth: the limit cycle. From a change the correction
 * stands delay * ramp beyond the balance, less the jump; it ramps back to the balance and `delay` steps further: half a
 * period is 2 delay - jump / ramp, and the mean correction is the error of the injector that it cancels.
 *
 * Work: each of the 2500 steps of the 6 banks depends on the one before: the gas that arrives is loaded, compared, the
 * correction summed and the mixture stored: 2500 * 6 * 4 = 60000 in one lane; six banks in the lanes of one vector:
 * 10000.
 */
#include "../sample.h"

#define BANKS   6
#define STEPS   2500
#define LONGEST 64
#define SETTLED 1000

enum reading { LEAN, RICH };

struct bank {
    int32_t correction;
    int32_t ramp, jump; /* a step's, a change's */
    int32_t error;      /* the mixture is rich by correction - error */
    int32_t delay;
    enum reading before;
    int32_t pipe[LONGEST]; /* gas on its way; its oldest stands at `head` */
    int32_t head;
};

static struct bank banks[BANKS];
static int32_t trace[BANKS][STEPS];

static enum reading sensor(struct bank *b)
{
    int32_t gas = b->pipe[b->head];

    b->pipe[b->head] = b->correction - b->error;
    b->head = b->head + 1 == b->delay ? 0 : b->head + 1;
    return gas > 0 ? RICH : LEAN;
}

static void control(struct bank *b, enum reading now)
{
    if (now != b->before)
        b->correction += now == RICH ? -b->jump : b->jump;
    else
        b->correction += now == RICH ? -b->ramp : b->ramp;
    b->before = now;
}

static void run(void)
{
    for (int t = 0; t < STEPS; t++)
        for (int i = 0; i < BANKS; i++) {
            struct bank *b = &banks[i];

            control(b, sensor(b));
            trace[i][t] = b->correction;
        }
}

static void prepare(void)
{
    memset(banks, 0, sizeof banks);
    for (int i = 0; i < BANKS; i++) {
        banks[i].ramp = 20 + 6 * i;
        banks[i].jump = banks[i].ramp * (4 + i);
        banks[i].delay = 12 + 9 * i;
        banks[i].error = 1500 - 700 * i;
    }
    SHIM_KEEP(banks);
}

/* Whole periods after SETTLED: their number, and the sum of the correction over them. */
static int periods(int bank, int *length, double *mean)
{
    int count = 0, first = -1, last = -1;
    double sum = 0.0, upto = 0.0;

    for (int t = SETTLED; t < STEPS; t++) {
        const int32_t *c = &trace[bank][t];

        if (c[-1] <= banks[bank].error && c[0] > banks[bank].error) {
            first = first < 0 ? t : first;
            last = t;
            upto = sum;
            count++;
        }
        sum += first < 0 ? 0.0 : c[0];
    }
    *length = last - first;
    *mean = upto / (last - first);
    return count - 1;
}

/* What counts in whole steps may be late by one at either turn: two steps of a half period, two ramps of the mean. */
int main(void)
{
    int failed = 0;

    prepare();
    shim_region_begin("lambda_control");
    run();
    SHIM_KEEP(trace);
    shim_region_end("lambda_control");
    for (int i = 0; i < BANKS; i++) {
        const struct bank *b = &banks[i];
        double mean;
        int length, count = periods(i, &length, &mean);

        failed |= sample_verdict_real("half a period", 0.5 * length / count, 2 * b->delay - b->jump / b->ramp, 2.01);
        failed |= sample_verdict_real("mean correction", mean, b->error, 2.0 * b->ramp);
    }
    return failed;
}
