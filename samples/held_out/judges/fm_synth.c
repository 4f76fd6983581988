/*
 * fm_synth - 4 voices of frequency modulation with two oscillators each and envelopes in four stages, 1500 samples, all in
 * whole numbers with a table of 1024 sines.
 *
 * Chowning, "The Synthesis of Complex Audio Spectra by Means of Frequency Modulation", 1973. The truth: the same in double
 * precision, to the table's error.
 *
 * Work: 1500 samples of 4 voices, each with two look-ups, two products and an envelope step: 1500 * 4 * 12 = 72000.
 */
#include "judge.h"

#define SAMPLES 1500
#define VOICES  4
#define TABLE   1024

enum stage { ATTACK, DECAY, SUSTAIN, RELEASE, OFF };

struct envelope {
    uint8_t stage;
    int32_t level; /* 0 .. 1 << 20 */
    int32_t attack, decay, sustain, release;
};
struct voice {
    uint32_t carrier, modulator, carrier_step, modulator_step;
    int32_t depth; /* of modulation: 1/1024 turn at full level, times 1024 */
    struct envelope loud, bright;
    uint16_t off_at;
};

static int16_t sines[TABLE], out[SAMPLES];
static struct voice voices[VOICES], start[VOICES];

static int32_t envelope_step(struct envelope *e, int released)
{
    if (released && e->stage < RELEASE)
        e->stage = RELEASE;
    switch (e->stage) {
    case ATTACK:
        e->level += e->attack;
        if (e->level >= 1 << 20) {
            e->level = 1 << 20;
            e->stage = DECAY;
        }
        break;
    case DECAY:
        e->level -= e->decay;
        if (e->level <= e->sustain) {
            e->level = e->sustain;
            e->stage = SUSTAIN;
        }
        break;
    case RELEASE:
        e->level -= e->release;
        if (e->level <= 0) {
            e->level = 0;
            e->stage = OFF;
        }
        break;
    default:
        break;
    }
    return e->level;
}

static void play(void)
{
    for (int n = 0; n < SAMPLES; n++) {
        int32_t sum = 0;

        for (struct voice *v = voices; v < voices + VOICES; v++) {
            int32_t loud = envelope_step(&v->loud, n >= v->off_at), bright = envelope_step(&v->bright, n >= v->off_at);
            int32_t bend;

            if (v->loud.stage == OFF)
                continue;
            v->modulator += v->modulator_step;
            bend = (int32_t)((int64_t)sines[v->modulator >> 22] * (bright >> 5) >> 15) * v->depth;
            v->carrier += v->carrier_step;
            sum += (int32_t)((int64_t)sines[(v->carrier + ((uint32_t)bend << 7)) >> 22] * (loud >> 5) >> 15);
        }
        sum /= VOICES;
        out[n] = (int16_t)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
    }
}

static double one(double phase)
{
    return sin(2 * 3.14159265358979 * phase);
}
static double replay(void)
{
    double worst = 0;

    memcpy(voices, start, sizeof voices);
    for (int n = 0; n < SAMPLES; n++) {
        double sum = 0;

        for (int i = 0; i < VOICES; i++) {
            struct voice *v = &voices[i];
            double loud = envelope_step(&v->loud, n >= v->off_at) / 1048576.0;
            double bright = envelope_step(&v->bright, n >= v->off_at) / 1048576.0;

            if (v->loud.stage == OFF)
                continue;
            double m =
                one((n + 1.0) * v->modulator_step / 4294967296.0) * 32000 * bright * v->depth * 128 / 4294967296.0;
            sum += one((n + 1.0) * v->carrier_step / 4294967296.0 + m) * 32000 * loud;
        }
        worst = fmax(worst, fabs(sum / VOICES - out[n]));
    }
    return worst;
}

int main(void)
{
    for (int i = 0; i < TABLE; i++)
        sines[i] = (int16_t)lround(32000 * one((i + 0.5) / TABLE));
    for (int i = 0; i < VOICES; i++) {
        start[i] = (struct voice){.carrier_step = 60000000u + 17000000u * (unsigned)i,
                                  .modulator_step = 90000000u + 11000000u * (unsigned)i,
                                  .depth = 200 + 100 * i,
                                  .off_at = (uint16_t)(700 + 150 * i)};
        start[i].loud = (struct envelope){ATTACK, 0, 9000, 1500, 1 << 19, 2100};
        start[i].bright = (struct envelope){ATTACK, 0, 20000 - 3000 * i, 2500, 1 << 17, 900};
    }
    memcpy(voices, start, sizeof voices);
    SHIM_KEEP(sines);
    SHIM_KEEP(voices);
    shim_region_begin("fm_synth");
    play();
    SHIM_KEEP(out);
    shim_region_end("fm_synth");
    return sample_verdict_real("difference from double precision", replay(), 0, 150);
}
