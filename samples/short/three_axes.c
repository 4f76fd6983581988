/*
 * three_axes - one step of three PI controllers in 16 bits with limits, as a drive's interrupt calculates it, and four
 * more of the first.
 *
 * Truth: by hand from gains of 2 and 1/4: errors 100, -40 and 9000 give 200 + 25, -80 - 10 and the limit of 16000; with
 * the same error the first axis rises by 25 a step, to 325.
 * Work: 7 steps with two multiplications: 14.
 */
#include "../sample.h"

enum { AXES = 3, LIMIT = 16000 };
struct axis {
    int16_t gain, rate; /* Q8 */
    int16_t wanted, measured, output;
    int32_t integral; /* Q8 */
};
static struct axis axes[AXES];

static void step(struct axis *a)
{
    int32_t error = a->wanted - a->measured, out;

    a->integral += a->rate * error;
    out = (a->gain * error + a->integral) >> 8;
    if (out > LIMIT || out < -LIMIT) {
        a->integral -= a->rate * error;
        out = out > LIMIT ? LIMIT : -LIMIT;
    }
    a->output = (int16_t)out;
}

int main(void)
{
    static const int16_t errors[AXES] = {100, -40, 9000};

    for (int i = 0; i < AXES; i++)
        axes[i] = (struct axis){.gain = 512, .rate = 64, .wanted = errors[i]};
    SHIM_KEEP(axes);
    shim_region_begin("three_axes");
    for (int i = 0; i < AXES; i++)
        step(&axes[i]);
    for (int i = 0; i < 4; i++) {
        step(&axes[0]);
        SHIM_KEEP(axes);
    }
    shim_region_end("three_axes");
    return sample_verdict_int("first axis", axes[0].output, 325) |
           sample_verdict_int("second axis", axes[1].output, -90) |
           sample_verdict_int("third axis", axes[2].output, LIMIT);
}
