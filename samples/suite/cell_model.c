/*
 * cell_model - a battery cell at 80 loads: the open voltage from charge and temperature (log), the overvoltage of a
 * current (asinh), the resistance's growth with cold (exp), its ageing (pow), the warmth that follows (tanh).
 *
 * The truth: what undoes each step, outside: exp of the log, sinh of the asinh, log of the exp and the power.
 *
 * Work: each of 80 loads calls six functions and does some twelve multiplications and sums: 80 * 18.
 */
#include "../sample.h"
#include "lcg.h"

#define LOADS 80
#define GAS   8.314462618
#define F     96485.33212

struct load {
    double charge, kelvin, ampere, cycles;
};
struct state {
    double open, over, resistance, ageing, warmth;
};
static struct load loads[LOADS];
static struct state states[LOADS];

static void work(void)
{
    for (int i = 0; i < LOADS; i++) {
        const struct load *l = &loads[i];
        double thermal = GAS * l->kelvin / F;

        states[i].open = 3.7 + thermal * log(l->charge / (1 - l->charge));
        states[i].over = 2 * thermal * asinh(l->ampere / (2 * 0.3 * sqrt(l->charge)));
        states[i].resistance = 0.02 * exp(2500 * (1 / l->kelvin - 1 / 298.15));
        states[i].ageing = pow(1 + l->cycles / 500, 0.75);
        states[i].warmth = 40 * tanh(l->ampere * l->ampere * states[i].resistance * states[i].ageing / 40);
    }
}

static int check(void)
{
    for (int i = 0; i < LOADS; i++) {
        const struct load *l = &loads[i];
        const struct state *s = &states[i];
        double thermal = GAS * l->kelvin / F, odds = exp((s->open - 3.7) / thermal), heat = s->warmth / 40;
        double current = 2 * 0.3 * sqrt(l->charge) * sinh(s->over / (2 * thermal));

        if (sample_verdict_real("charge", odds / (1 + odds), l->charge, 1e-12) ||
            sample_verdict_real("current", current, l->ampere, 1e-9) ||
            sample_verdict_real("kelvin", 1 / (log(s->resistance / 0.02) / 2500 + 1 / 298.15), l->kelvin, 1e-8) ||
            sample_verdict_real("cycles", (exp(log(s->ageing) / 0.75) - 1) * 500, l->cycles, 1e-8) ||
            sample_verdict_real("watt", 20 * log((1 + heat) / (1 - heat)),
                                l->ampere * l->ampere * s->resistance * s->ageing, 1e-9))
            return 1;
    }
    return 0;
}

int main(void)
{
    uint32_t seed = 8;

    for (int i = 0; i < LOADS; i++) {
        loads[i].charge = 0.05 + 0.9 * lcg_draw(&seed) / 65536.0;
        loads[i].kelvin = 253 + 70 * lcg_draw(&seed) / 65536.0;
        loads[i].ampere = 20 * lcg_draw(&seed) / 65536.0 - 10;
        loads[i].cycles = lcg_draw(&seed) / 64.0;
    }
    SHIM_KEEP(loads);
    shim_region_begin("cell_model");
    work();
    SHIM_KEEP(states);
    shim_region_end("cell_model");
    return check();
}
