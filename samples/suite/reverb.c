/*
 * reverb - artificial reverberation: four combs side by side, two all-passes behind each other, single precision.
 *
 * Schroeder, "Natural Sounding Artificial Reverberation", 1962; delays that are common today. The truth, for an
 * impulse: silence up to the shortest delay, then 1/4 (each all-pass lets -1/2 through at once); and all-passes keep
 * energy, so that the energy is that of the combs' echoes, 1 + g^2 + g^4 + ... = 1 / (1 - g^2) for each, which nowhere
 * coincide.
 *
 * Work: each of the 16000 samples takes 6 loads from delay lines and as many stores into them, of which 16 samples may
 * share a vector: 16000 * 12 / 16 = 12000.
 */
#include "../sample.h"

#define SAMPLES 16000
#define COMBS   4
#define PASSES  2
#define LONGEST 1356

struct line {
    float *at;
    int length, place;
    float feedback;
};

static float memory[COMBS + PASSES][LONGEST];
static struct line comb[COMBS], pass[PASSES];
static float input[SAMPLES], output[SAMPLES];

static void advance(struct line *l)
{
    if (++l->place == l->length)
        l->place = 0;
}

static float comb_step(struct line *l, float x)
{
    float late = l->at[l->place];

    l->at[l->place] = x + l->feedback * late;
    advance(l);
    return late;
}

static float pass_step(struct line *l, float x)
{
    float late = l->at[l->place];
    float y = late - l->feedback * x;

    l->at[l->place] = x + l->feedback * y;
    advance(l);
    return y;
}

static void reverberate(void)
{
    for (int n = 0; n < SAMPLES; n++) {
        float sum = 0.0f;

        for (int i = 0; i < COMBS; i++)
            sum += comb_step(&comb[i], input[n]);
        for (int i = 0; i < PASSES; i++)
            sum = pass_step(&pass[i], sum);
        output[n] = sum;
    }
}

static void prepare(void)
{
    static const int combs[COMBS] = {1116, 1188, 1277, 1356}, passes[PASSES] = {556, 225};

    memset(memory, 0, sizeof memory);
    memset(input, 0, sizeof input);
    input[0] = 1.0f;
    for (int i = 0; i < COMBS; i++)
        comb[i] = (struct line){memory[i], combs[i], 0, 0.7f};
    for (int i = 0; i < PASSES; i++)
        pass[i] = (struct line){memory[COMBS + i], passes[i], 0, 0.5f};
    SHIM_KEEP(memory);
    SHIM_KEEP(comb);
    SHIM_KEEP(pass);
    SHIM_KEEP(input);
}

/* The combs' delays have no common multiple below 16000, so that their echoes do not meet before the all-passes.
 * What comes later than 16000 is 0.49^11 = 4e-4 of a comb's energy, and what the all-passes still hold is less. */
int main(void)
{
    double energy = 0.0;
    int first = 0;

    prepare();
    shim_region_begin("reverb");
    reverberate();
    SHIM_KEEP(output);
    shim_region_end("reverb");
    while (first < SAMPLES - 1 && output[first] == 0.0f)
        first++;
    for (int n = 0; n < SAMPLES; n++)
        energy += (double)output[n] * output[n];
    return sample_verdict_int("first echo", first, 1116) |
           sample_verdict_real("its height", output[first], 0.25, 1e-6) |
           sample_verdict_real("energy", energy, COMBS / 0.51, 0.004);
}
