/*
 * binary_net - a network of weights +1 and -1: three layers of 256, 128 and 10 units in 64-bit words, sums by exclusive
 * or and counted bits, thresholds of 16 bits; 40 inputs.
 *
 * Courbariaux and others, 2016. The truth: the same with numbers +1 and -1 in whole-numbered sums.
 *
 * Work: 40 inputs, (256 * 6 + 128 * 4 + 10 * 2) words, each with exclusive or, count and sum: 40 * 2068 * 3 = 248160;
 * 8 at once: 31020.
 */
#include "judge.h"

#define INPUTS 40
#define IN     6 /* words of 64 */
#define FIRST  256
#define SECOND 128
#define OUT    10

static uint64_t inputs[INPUTS][IN], w1[FIRST][IN], w2[SECOND][FIRST / 64], w3[OUT][SECOND / 64];
static int16_t t1[FIRST], t2[SECOND];
static int16_t scores[INPUTS][OUT];
static uint8_t class_of[INPUTS];

static int ones(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return (int)(x * 0x0101010101010101 >> 56);
}
static int product(const uint64_t *a, const uint64_t *b, int words)
{
    int differ = 0;

    for (int i = 0; i < words; i++)
        differ += ones(a[i] ^ b[i]);
    return words * 64 - 2 * differ;
}
static void infer(int n)
{
    uint64_t first[FIRST / 64] = {0}, second[SECOND / 64] = {0};
    int best = 0;

    for (int u = 0; u < FIRST; u++)
        first[u / 64] |= (uint64_t)(product(inputs[n], w1[u], IN) > t1[u]) << u % 64;
    for (int u = 0; u < SECOND; u++)
        second[u / 64] |= (uint64_t)(product(first, w2[u], FIRST / 64) > t2[u]) << u % 64;
    for (int u = 0; u < OUT; u++) {
        scores[n][u] = (int16_t)product(second, w3[u], SECOND / 64);
        if (scores[n][u] > scores[n][best])
            best = u;
    }
    class_of[n] = (uint8_t)best;
}

static int sign(const uint64_t *words, int bit)
{
    return words[bit / 64] >> bit % 64 & 1 ? 1 : -1;
}
static int slow(int n, int unit)
{
    int first[FIRST], sum = 0;

    for (int u = 0; u < FIRST; u++) {
        int s = 0;
        for (int i = 0; i < IN * 64; i++)
            s += sign(inputs[n], i) * sign(w1[u], i);
        first[u] = s > t1[u] ? 1 : -1;
    }
    for (int u = 0; u < SECOND; u++) {
        int s = 0;
        for (int i = 0; i < FIRST; i++)
            s += first[i] * sign(w2[u], i);
        sum += (s > t2[u] ? 1 : -1) * sign(w3[unit], u);
    }
    return sum;
}

static void fill(void *at, size_t bytes, uint64_t *seed)
{
    uint8_t *b = at;

    while (bytes--)
        *b++ = (uint8_t)draw(seed);
}

int main(void)
{
    uint64_t seed = 38;

    fill(inputs, sizeof inputs, &seed);
    fill(w1, sizeof w1, &seed);
    fill(w2, sizeof w2, &seed);
    fill(w3, sizeof w3, &seed);
    for (int u = 0; u < FIRST; u++)
        t1[u] = (int16_t)(draw_below(&seed, 21) - 10);
    for (int u = 0; u < SECOND; u++)
        t2[u] = (int16_t)(draw_below(&seed, 21) - 10);
    SHIM_KEEP(inputs);
    SHIM_KEEP(w1);
    SHIM_KEEP(w2);
    SHIM_KEEP(w3);
    SHIM_KEEP(t1);
    SHIM_KEEP(t2);
    shim_region_begin("binary_net");
    for (int n = 0; n < INPUTS; n++)
        infer(n);
    SHIM_KEEP(scores);
    SHIM_KEEP(class_of);
    shim_region_end("binary_net");
    for (int n = 0; n < INPUTS; n += 7)
        for (int u = 0; u < OUT; u++) {
            if (scores[n][u] > scores[n][class_of[n]])
                return sample_verdict_int("input whose class is wrong", n, -1);
            if (u % 3 == 0 && scores[n][u] != slow(n, u))
                return sample_verdict_int("score", scores[n][u], slow(n, u));
        }
    return 0;
}
