/*
 * cruise_control - holding a car's speed: a hierarchical state chart as generators write it, with a PI controller
 * inside.
 *
 * Generated style: enumerated states, entry, during and exit actions in functions of their own, blocks of inputs,
 * outputs and states that stand in memory. The car: throttle against drag, a hill on the way. The truth: the drive is a
 * script, and for each of its parts it is known what must be: the speed that was asked for, or no throttle at all.
 *
 * Work: each of the 7200 steps depends on the one before: load the buttons, branch on the state, and the car's speed
 * takes 2 products, 2 sums and a store: 7200 * 7 = 50400.
 */
#include "../sample.h"

#define PART   900
#define PARTS  8
#define STEPS  (PART * PARTS)
#define PERIOD 0.1f

enum buttons { MASTER = 1, SET = 2, RESUME = 4, FASTER = 8, SLOWER = 16, BRAKE = 32, CANCEL = 64 };

enum outer { IN_OFF, IN_ON };

enum inner { IN_NONE, IN_STANDBY, IN_HOLDING };

struct inputs {
    uint8_t button;
    float speed; /* km/h */
};

struct outputs {
    float throttle; /* 0 to 1 */
};

struct states {
    uint8_t is_active, is_cruise, is_on;
    uint8_t has_memory;
    float set_speed, integral;
};

static struct inputs in;
static struct outputs out;
static struct states dw;
static uint8_t button[STEPS];
static float hill[STEPS]; /* acceleration that it takes, km/h a second */
static float speed[STEPS], throttle[STEPS];

static void enter_standby(void)
{
    dw.is_on = IN_STANDBY;
    out.throttle = 0.0f;
}

static void enter_holding(float set_speed)
{
    dw.is_on = IN_HOLDING;
    dw.set_speed = set_speed;
    dw.has_memory = 1;
    dw.integral = 0.2f;
}

static void exit_holding(void)
{
    dw.integral = 0.0f;
}

static void during_holding(void)
{
    float error, wanted;

    if (in.button & FASTER)
        dw.set_speed += 1.0f;
    else if (in.button & SLOWER)
        dw.set_speed -= 1.0f;
    error = dw.set_speed - in.speed;
    wanted = 0.12f * error + dw.integral;
    if (wanted > 1.0f)
        out.throttle = 1.0f;
    else if (wanted < 0.0f)
        out.throttle = 0.0f;
    else {
        out.throttle = wanted;
        dw.integral += 0.004f * error;
    }
}

static void during_on(void)
{
    switch (dw.is_on) {
    case IN_STANDBY:
        if (in.button & (BRAKE | CANCEL))
            break;
        if (in.button & SET && in.speed > 40.0f)
            enter_holding(in.speed);
        else if (in.button & RESUME && dw.has_memory && in.speed > 40.0f)
            enter_holding(dw.set_speed);
        break;
    case IN_HOLDING:
        if (in.button & (BRAKE | CANCEL) || in.speed < 35.0f) {
            exit_holding();
            enter_standby();
        } else
            during_holding();
        break;
    default:
        dw.is_on = IN_NONE;
        break;
    }
}

static void chart_step(void)
{
    if (!dw.is_active) {
        dw.is_active = 1;
        dw.is_cruise = IN_OFF;
        out.throttle = 0.0f;
    } else if (dw.is_cruise == IN_OFF) {
        if (in.button & MASTER) {
            dw.is_cruise = IN_ON;
            enter_standby();
        }
    } else if (in.button & MASTER) {
        if (dw.is_on == IN_HOLDING)
            exit_holding();
        dw.is_on = IN_NONE;
        dw.has_memory = 0;
        dw.is_cruise = IN_OFF;
        out.throttle = 0.0f;
    } else
        during_on();
}

static void drive(void)
{
    for (int t = 0; t < STEPS; t++) {
        in.button = button[t];
        chart_step();
        in.speed += PERIOD * (16.0f * out.throttle - 0.04f * in.speed - hill[t]);
        if (in.button & BRAKE)
            in.speed -= 2.0f;
        speed[t] = in.speed;
        throttle[t] = out.throttle;
    }
}

/* A part each: set at 90 and a press for each km/h up to 95; a hill; brake and roll downhill; resume; 10 down;
 * cancel; off; resume while off. */
static void prepare(void)
{
    memset(&dw, 0, sizeof dw);
    memset(button, 0, sizeof button);
    out.throttle = 0.0f;
    in = (struct inputs){0, 90.0f};
    for (int t = 0; t < STEPS; t++)
        hill[t] = t / PART == 1 ? 3.0f : t / PART == 2 ? -3.6f : 0.0f;
    button[1] = MASTER;
    button[2] = SET;
    for (int i = 0; i < 10; i++) {
        if (i < 5)
            button[50 + 7 * i] = FASTER;
        button[2 * PART + i] = BRAKE;
        button[4 * PART + 9 * i] = SLOWER;
    }
    button[3 * PART] = RESUME;
    button[5 * PART] = CANCEL;
    button[6 * PART] = MASTER;
    button[7 * PART] = RESUME;
    SHIM_KEEP(&in);
    SHIM_KEEP(&out);
    SHIM_KEEP(&dw);
    SHIM_KEEP(button);
    SHIM_KEEP(hill);
}

/* The first press of SET comes after two steps of rolling, 0.36 km/h each; that much the speed asked for may be
 * less. */
int main(void)
{
    static const float asked[PARTS] = {95.0f, 95.0f, 0.0f, 95.0f, 85.0f, 0.0f, 0.0f, 0.0f};
    int failed = 0;

    prepare();
    shim_region_begin("cruise_control");
    drive();
    SHIM_KEEP(speed);
    SHIM_KEEP(throttle);
    shim_region_end("cruise_control");
    for (int part = 0; part < PARTS; part++) {
        int end = (part + 1) * PART - 1;

        if (asked[part] > 0.0f)
            failed |= sample_verdict_real("speed", speed[end], asked[part], 1.0);
        else
            for (int t = part * PART; t <= end && !failed; t++)
                failed |= sample_verdict_real("throttle", throttle[t], 0.0, 0.0);
    }
    return failed;
}
