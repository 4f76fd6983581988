/*
 * wave_facts - least, most, mean and zero crossings of 40 samples of 16 bits.
 *
 * Truth: the samples are a sawtooth from -100 to 95 in steps of 5; its mean is -2.5, and it crosses zero once.
 * Work: 40 samples, each in a comparison of signs, in vectors of 32 lanes at most: 2.
 */
#include "../sample.h"

enum { N = 40 };
static int16_t samples[N];
static int least, most, sum, crossings;

static void look(void)
{
    least = most = sum = samples[0];
    crossings = 0;
    for (int i = 1; i < N; i++) {
        least = samples[i] < least ? samples[i] : least;
        most = samples[i] > most ? samples[i] : most;
        sum += samples[i];
        crossings += (samples[i] < 0) != (samples[i - 1] < 0);
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        samples[i] = (int16_t)(5 * i - 100);
    SHIM_KEEP(samples);
    shim_region_begin("wave_facts");
    look();
    SHIM_KEEP(&least);
    SHIM_KEEP(&most);
    SHIM_KEEP(&sum);
    SHIM_KEEP(&crossings);
    shim_region_end("wave_facts");
    return sample_verdict_int("least", least, -100) | sample_verdict_int("most", most, 95) |
           sample_verdict_int("sum", sum, -100) | sample_verdict_int("crossings", crossings, 1);
}
