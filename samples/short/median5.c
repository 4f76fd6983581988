/*
 * median5 - the median of five neighbours at sixteen places of a signal, by a network of comparisons.
 *
 * Truth: of five values the median has at most two below and at most two above.
 * Work: 16 places need six comparisons, in vectors of 32 lanes at most: 6.
 */
#include "../sample.h"

enum { N = 16 };
static int16_t signal[N + 4], medians[N];

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int16_t median(const int16_t *s)
{
    int low = most(least(s[0], s[1]), least(s[2], s[3])), high = least(most(s[0], s[1]), most(s[2], s[3]));

    return (int16_t)most(least(low, high), least(most(low, high), s[4]));
}

int main(void)
{
    int wrong = 0;

    for (int i = 0; i < N + 4; i++)
        signal[i] = (int16_t)(100 * i + (i * 7919 % 11 - 5) * 90);
    SHIM_KEEP(signal);
    shim_region_begin("median5");
    for (int i = 0; i < N; i++)
        medians[i] = median(signal + i);
    SHIM_KEEP(medians);
    shim_region_end("median5");
    for (int i = 0; i < N; i++) {
        int below = 0, above = 0;

        for (int k = i; k < i + 5; k++) {
            below += signal[k] < medians[i];
            above += signal[k] > medians[i];
        }
        wrong += below > 2 || above > 2;
    }
    return sample_verdict_int("wrong medians", wrong, 0);
}
