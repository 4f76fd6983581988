/*
 * course_keeper - a boat's courses and winds, 120 of them: angles are brought into a turn (fmod, remainder, floor), the
 * apparent wind is a sum of vectors (hypot, atan2), it is shown in whole degrees and strengths (lround, cbrt, ceil).
 *
 * The truth: angles are eighths of a degree, so that all turns are exact in whole numbers outside; the vectors' lengths
 * by the law of cosines, the strength by its cube.
 *
 * Work: each of 120 winds calls ten functions, and does ten sums and products: 120 * 20.
 */
#include "../sample.h"
#include "lcg.h"

#define WINDS  120
#define DEGREE (3.14159265358979323846 / 180)

struct wind {
    double heading, drift, from, speed, own; /* [degrees], [m/s] */
};
struct shown {
    double course, off, turns, apparent, angle;
    long degrees, strength;
};
static struct wind winds[WINDS];
static struct shown shown[WINDS];

static void work(void)
{
    for (int i = 0; i < WINDS; i++) {
        const struct wind *w = &winds[i];
        struct shown *s = &shown[i];
        double sum = w->heading + w->drift, x, y;

        s->course = fmod(sum, 360);
        s->off = remainder(w->from - sum, 360);
        s->turns = floor(sum / 360);
        x = w->speed * cos(s->off * DEGREE) + w->own;
        y = w->speed * sin(s->off * DEGREE);
        s->apparent = hypot(x, y);
        s->angle = atan2(y, x) / DEGREE;
        s->degrees = lround(s->off);
        s->strength = (long)ceil(cbrt(w->speed * w->speed / 0.7) - 0.5);
    }
}

static int check(void)
{
    for (int i = 0; i < WINDS; i++) {
        const struct wind *w = &winds[i];
        const struct shown *s = &shown[i];
        int sum = (int)((w->heading + w->drift) * 8), off = ((int)(w->from * 8) - sum) % 2880;
        double b = (double)s->strength + 0.5, below = (double)s->strength - 0.5, square = w->speed * w->speed / 0.7;

        off += off < -1440 ? 2880 : off > 1440 ? -2880 : 0;
        if (off == 1440 || off == -1440)
            off = s->off > 0 ? 1440 : -1440; /* either half turn is right */
        double cosine = w->speed * w->speed + w->own * w->own + 2 * w->speed * w->own * cos(off / 8.0 * DEGREE);
        if (sample_verdict_int("course", (long long)(s->course * 8), sum % 2880) ||
            sample_verdict_int("off", (long long)(s->off * 8), off) ||
            sample_verdict_int("turns", (long long)s->turns, sum / 2880) ||
            sample_verdict_int("degrees", s->degrees, off < 0 ? -((-off + 4) / 8) : (off + 4) / 8) ||
            sample_verdict_real("apparent", s->apparent * s->apparent, cosine, 1e-9) ||
            sample_verdict_real("angle", s->apparent * sin(s->angle * DEGREE), w->speed * sin(off / 8.0 * DEGREE),
                                1e-9) ||
            sample_verdict_int("strength", square <= b * b * b && square > below * below * below, 1))
            return 1;
    }
    return 0;
}

int main(void)
{
    uint32_t seed = 99;

    for (int i = 0; i < WINDS; i++) {
        winds[i].heading = lcg_draw(&seed) % (8 * 1080) / 8.0;
        winds[i].drift = lcg_draw(&seed) % (8 * 20) / 8.0;
        winds[i].from = lcg_draw(&seed) % 2880 / 8.0;
        winds[i].speed = 1 + lcg_draw(&seed) % 200 / 8.0;
        winds[i].own = 1 + lcg_draw(&seed) % 60 / 8.0;
    }
    SHIM_KEEP(winds);
    shim_region_begin("course_keeper");
    work();
    SHIM_KEEP(shown);
    shim_region_end("course_keeper");
    return check();
}
