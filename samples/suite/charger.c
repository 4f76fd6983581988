/*
 * charger - a charger for lead batteries as a generated chart: parallel regions for charge and temperature, double
 * precision.
 *
 * Charge: Trickle -> Bulk (constant current) -> Absorption (constant voltage) -> Float, back to Bulk when the voltage
 * sinks; Temperature: Cool, Warm, Hot, which suspends charging and resumes where it was (history). The truth: the
 * charge that a constant current needs for a known capacity, voltages that each state keeps, and no current while it is
 * hot.
 *
 * Work: each of the 6000 ticks depends on the one before: two switches, 3 products, 4 sums, 2 comparisons, a store:
 * 6000 * 12 = 72000.
 */
#include "../sample.h"

#define TICKS    6000 /* of 10 s */
#define CAPACITY 144000.0
#define OHMS     0.05
#define CURRENT  10.0
#define ABSORB   14.4
#define FLOATING 13.6
#define HEAT     3000 /* when it gets hot */
#define COOLING  400

enum charge { TRICKLE, BULK, ABSORPTION, FLOAT, SUSPENDED };

enum temperature { COOL, WARM, HOT };

struct battery {
    double charge; /* 0 to 1 */
    double voltage;
};

struct chart {
    uint8_t charge, temperature, history;
    uint32_t ticks;
    double current;
};

static struct battery battery;
static struct chart chart;
static double celsius[TICKS], load[TICKS];
static double voltage[TICKS], current[TICKS];
static uint8_t state[TICKS];

static void enter(struct chart *c, enum charge next)
{
    c->charge = (uint8_t)next;
    c->ticks = 0;
}

static void temperature_step(struct chart *c, double t)
{
    switch (c->temperature) {
    case COOL:
        if (t > 40.0)
            c->temperature = WARM;
        break;
    case WARM:
        if (t > 50.0) {
            c->temperature = HOT;
            c->history = c->charge;
            enter(c, SUSPENDED);
        } else if (t < 37.0)
            c->temperature = COOL;
        break;
    default:
        if (t < 45.0) {
            c->temperature = WARM;
            enter(c, (enum charge)c->history);
        }
        break;
    }
}

/* The current that brings the battery to a voltage, at most CURRENT. */
static double towards(double wanted, double inner)
{
    double i = (wanted - inner) / OHMS;

    if (i > CURRENT)
        return CURRENT;
    return i < 0.0 ? 0.0 : i;
}

static void charge_step(struct chart *c, const struct battery *b)
{
    double inner = 11.5 + 2.0 * b->charge;

    c->ticks++;
    switch (c->charge) {
    case TRICKLE:
        c->current = 1.0;
        if (b->voltage > 11.6)
            enter(c, BULK);
        break;
    case BULK:
        c->current = c->temperature == WARM ? 0.5 * CURRENT : CURRENT;
        if (b->voltage >= ABSORB - 0.5 * OHMS * CURRENT)
            enter(c, ABSORPTION);
        break;
    case ABSORPTION:
        c->current = towards(ABSORB, inner);
        if (c->ticks > 120 || c->current < 0.2)
            enter(c, FLOAT);
        break;
    case FLOAT:
        c->current = towards(FLOATING, inner);
        if (b->voltage < 12.6)
            enter(c, BULK);
        break;
    default:
        c->current = 0.0;
        break;
    }
}

static void run(void)
{
    for (int t = 0; t < TICKS; t++) {
        temperature_step(&chart, celsius[t]);
        charge_step(&chart, &battery);
        battery.charge += 10.0 * (chart.current - load[t]) / CAPACITY;
        battery.voltage = 11.5 + 2.0 * battery.charge + OHMS * (chart.current - load[t]);
        voltage[t] = battery.voltage;
        current[t] = chart.current;
        state[t] = chart.charge;
    }
}

/* Empty at first. Hot from HEAT on, cooling later; then a load that drains it, and a charge once more. */
static void prepare(void)
{
    battery = (struct battery){0.0, 11.5};
    chart = (struct chart){TRICKLE, COOL, TRICKLE, 0, 0.0};
    for (int t = 0; t < TICKS; t++) {
        celsius[t] = t < HEAT ? 25.0 : t < HEAT + COOLING ? 55.0 : 30.0;
        load[t] = t >= 4000 && t < 4500 ? 30.0 : 0.0;
    }
    SHIM_KEEP(&battery);
    SHIM_KEEP(&chart);
    SHIM_KEEP(celsius);
    SHIM_KEEP(load);
}

/* In bulk the voltage rises by 2 V from empty to full: from the charge at which trickle shows 11.6 V, to that at
 * which the full current, 0.5 V by the ohms, shows 14.15 V. */
static double bulk_ticks(void)
{
    double from = (11.6 - 1.0 * OHMS - 11.5) / 2.0, to = (ABSORB - 0.5 * OHMS * CURRENT - CURRENT * OHMS - 11.5) / 2.0;

    return (to - from) * CAPACITY / (10.0 * CURRENT);
}

int main(void)
{
    int bulk = 0, hot_current = 0, too_high = 0;

    prepare();
    shim_region_begin("charger");
    run();
    SHIM_KEEP(voltage);
    SHIM_KEEP(current);
    SHIM_KEEP(state);
    shim_region_end("charger");
    for (int t = 0; t < TICKS; t++) {
        bulk += t < HEAT && state[t] == BULK;
        hot_current += t > HEAT && t < HEAT + COOLING && current[t] != 0.0;
        too_high += voltage[t] > ABSORB + 1e-9;
    }
    return sample_verdict_real("ticks in bulk", bulk, bulk_ticks(), 3.0) |
           sample_verdict_int("current while hot", hot_current, 0) |
           sample_verdict_int("voltages too high", too_high, 0) |
           sample_verdict_int("floats before it is hot", state[HEAT - 1], FLOAT) |
           sample_verdict_int("and after", state[HEAT + COOLING + 2], FLOAT) |
           sample_verdict_int("the load begins bulk", state[4100], BULK);
}
