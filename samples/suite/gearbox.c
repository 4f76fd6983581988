/*
 * gearbox - shift logic of an automatic transmission with 6 gears: curves over throttle, a chart that waits; bytes and
 * 16-bit numbers.
 *
 * As in the automatic-transmission examples of chart tools: the selection goes Steady -> Upshifting or Downshifting ->
 * (confirmed for some ticks) -> Steady; a kick-down goes at once. The truth is read from the trace alone: gears change
 * one by one, never within 10 ticks (a kick-down apart) of the last change, and the gear never is wrong for longer than
 * 12 ticks in a row.
 *
 * Work: each of the 9000 ticks depends on the one before: load speed and throttle, interpolate a curve (2 loads, a
 * product, a shift), compare, branch, store: 9000 * 9 = 81000.
 */
#include "../sample.h"
#include "test_signal.h"

#define TICKS   9000
#define GEARS   6
#define POINTS  9 /* of a curve: throttle 0, 32 ... 256 */
#define CONFIRM 10
#define KICK    240

enum selection { STEADY, UPSHIFTING, DOWNSHIFTING };

struct box {
    uint8_t gear; /* 0 .. 5 */
    uint8_t selection;
    uint16_t ticks;
};

static int16_t up_curve[GEARS][POINTS], down_curve[GEARS][POINTS]; /* speed, 1/16 km/h */
static int16_t speed[TICKS];
static uint8_t throttle[TICKS];
static uint8_t gear[TICKS];
static struct box box;

static int16_t threshold(const int16_t *curve, uint8_t at)
{
    int i = at >> 5, share = at & 31;

    return (int16_t)(curve[i] + (((curve[i + 1] - curve[i]) * share) >> 5));
}

static void select_to(struct box *b, enum selection next)
{
    b->selection = (uint8_t)next;
    b->ticks = 0;
}

static void box_step(struct box *b, int16_t v, uint8_t pedal)
{
    int above = b->gear < GEARS - 1 && v > threshold(up_curve[b->gear], pedal);
    int below = b->gear > 0 && v < threshold(down_curve[b->gear], pedal);

    b->ticks++;
    switch (b->selection) {
    case STEADY:
        if (above)
            select_to(b, UPSHIFTING);
        else if (below && pedal >= KICK)
            b->gear--;
        else if (below)
            select_to(b, DOWNSHIFTING);
        break;
    case UPSHIFTING:
        if (!above)
            select_to(b, STEADY);
        else if (b->ticks >= CONFIRM) {
            b->gear++;
            select_to(b, STEADY);
        }
        break;
    default:
        if (!below)
            select_to(b, STEADY);
        else if (b->ticks >= CONFIRM || pedal >= KICK) {
            b->gear--;
            select_to(b, STEADY);
        }
        break;
    }
}

static void drive(void)
{
    for (int t = 0; t < TICKS; t++) {
        box_step(&box, speed[t], throttle[t]);
        gear[t] = box.gear;
    }
}

/* Curves that rise with the throttle; down lies 8 km/h below up. The drive: speed wanders between 0 and 200 km/h. */
static void prepare(void)
{
    uint32_t noise = 141592u;

    for (int g = 0; g < GEARS; g++)
        for (int p = 0; p < POINTS; p++) {
            up_curve[g][p] = (int16_t)((16 + 26 * g + 3 * p) * 16);
            down_curve[g][p] = (int16_t)((16 + 26 * (g - 1) + 3 * p - 8) * 16);
        }
    box = (struct box){0, STEADY, 0};
    for (int t = 0; t < TICKS; t++) {
        double wave = 90.0 * (1.0 - cosine_of(t * 0.0031)) + 9.0 * sine_of(t * 0.05);

        speed[t] = (int16_t)(16.0 * (wave < 0.0 ? 0.0 : wave) + noise_within(&noise, 24));
        throttle[t] = (uint8_t)(120.0 + 110.0 * sine_of(t * 0.017) + (t / 700 % 3 == 2 ? 25.0 : 0.0));
    }
    SHIM_KEEP(up_curve);
    SHIM_KEEP(down_curve);
    SHIM_KEEP(&box);
    SHIM_KEEP(speed);
    SHIM_KEEP(throttle);
}

/* The curves in closed form, as they were drawn: is the gear right for this speed? */
static int is_wrong(int t)
{
    double rise = 3.0 * throttle[t] / 32.0, v = speed[t] / 16.0;

    return (gear[t] < GEARS - 1 && v > 16.0 + 26.0 * gear[t] + rise + 0.1) ||
           (gear[t] > 0 && v < 16.0 + 26.0 * (gear[t] - 1) + rise - 8.0 - 0.1);
}

int main(void)
{
    int bad = 0, changes = 0, last = 0, wrong = 0;

    prepare();
    shim_region_begin("gearbox");
    drive();
    SHIM_KEEP(gear);
    shim_region_end("gearbox");
    for (int t = 1; t < TICKS; t++) {
        wrong = is_wrong(t) && gear[t] == gear[t - 1] ? wrong + 1 : 0;
        bad += wrong > CONFIRM + 2;
        if (gear[t] == gear[t - 1])
            continue;
        bad += abs(gear[t] - gear[t - 1]) != 1 || (throttle[t] < KICK && t - last < CONFIRM);
        last = t;
        changes++;
    }
    return sample_verdict_int("breaches of the rules", bad, 0) | sample_verdict_int("gears change", changes >= 20, 1);
}
