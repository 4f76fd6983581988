/*
 * random_numbers - draws from xorshift64*, PCG32, a lagged Fibonacci generator and a twister of 624 words, through
 * pointers to functions; each fills 32 counters and adds up.
 *
 * Marsaglia 2003 and Vigna 2016; O'Neill 2014; Knuth, volume 2, 3.2.2; Matsumoto and Nishimura 1998. The truth: the
 * 10000th number of the twister seeded with 5489 is 4123659995 (ISO C++ 29.6.6), PCG32's first numbers of its
 * demonstration, and chi squared below 61.1 (probability 0.001 for 31 degrees of freedom).
 *
 * Work: 10000 + 3 * 2000 draws, each a call, a state loaded and stored, at least three operations on it, and a counter
 * loaded, counted up and stored: 16000 * 9 = 144000.
 */
#include "../sample.h"

#define DRAWS   2000
#define TWISTED 10000
#define BINS    32
#define KINDS   4
#define WORDS   624

struct source {
    uint64_t state, increment;
    uint32_t words[WORDS];
    int at;
};

typedef uint32_t (*generator)(struct source *);

static struct source sources[KINDS];
static generator generators[KINDS];
static uint32_t draws[KINDS], counts[KINDS][BINS], last[KINDS];
static uint64_t sums[KINDS];

static uint32_t xorshift_star(struct source *s)
{
    s->state ^= s->state >> 12;
    s->state ^= s->state << 25;
    s->state ^= s->state >> 27;
    return (uint32_t)(s->state * UINT64_C(2685821657736338717) >> 32);
}

static uint32_t pcg32(struct source *s)
{
    uint64_t old = s->state;
    uint32_t mixed = (uint32_t)((old >> 18 ^ old) >> 27), turn = (uint32_t)(old >> 59);

    s->state = old * UINT64_C(6364136223846793005) + s->increment;
    return mixed >> turn | mixed << ((0 - turn) & 31);
}

/* x(n) = x(n - 24) + x(n - 55) */
static uint32_t lagged(struct source *s)
{
    s->at = s->at == 54 ? 0 : s->at + 1;
    return s->words[s->at] += s->words[s->at < 24 ? s->at + 31 : s->at - 24];
}

static void twist_all(uint32_t *w)
{
    for (int i = 0; i < WORDS; i++) {
        uint32_t joined = (w[i] & 0x80000000U) | (w[(i + 1) % WORDS] & 0x7fffffffU);

        w[i] = w[(i + 397) % WORDS] ^ joined >> 1 ^ (joined & 1 ? 0x9908b0dfU : 0);
    }
}

static uint32_t twister(struct source *s)
{
    uint32_t y;

    if (s->at == WORDS) {
        twist_all(s->words);
        s->at = 0;
    }
    y = s->words[s->at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680U;
    y ^= y << 15 & 0xefc60000U;
    return y ^ y >> 18;
}

static void draw_all(void)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t i = 0; i < draws[kind]; i++) {
            last[kind] = generators[kind](&sources[kind]);
            counts[kind][last[kind] >> 27]++;
            sums[kind] += last[kind];
        }
}

static void prepare(void)
{
    static const generator all[KINDS] = {xorshift_star, pcg32, lagged, twister};

    memset(sources, 0, sizeof sources);
    memset(counts, 0, sizeof counts);
    memset(sums, 0, sizeof sums);
    memcpy(generators, all, sizeof generators);
    for (int kind = 0; kind < KINDS; kind++)
        draws[kind] = kind == 3 ? TWISTED : DRAWS;
    sources[0].state = UINT64_C(88172645463325252);
    sources[1].increment = 54 << 1 | 1; /* seeded with 42 and 54, as in the demonstration */
    pcg32(&sources[1]);
    sources[1].state += 42;
    pcg32(&sources[1]);
    sources[3].words[0] = 5489;
    for (uint32_t i = 1; i < WORDS; i++)
        sources[3].words[i] = 1812433253U * (sources[3].words[i - 1] ^ sources[3].words[i - 1] >> 30) + i;
    sources[3].at = WORDS;
    for (int i = 0; i < 55; i++)
        sources[2].words[i] = sources[3].words[i + 100];
    SHIM_KEEP(sources);
    SHIM_KEEP(generators);
    SHIM_KEEP(draws);
    SHIM_KEEP(counts);
    SHIM_KEEP(sums);
}

int main(void)
{
    static const uint32_t demonstration[6] = {0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e};
    struct source pcg;

    prepare();
    pcg = sources[1];
    shim_region_begin("random_numbers");
    draw_all();
    SHIM_KEEP(counts);
    SHIM_KEEP(sums);
    SHIM_KEEP(last);
    shim_region_end("random_numbers");
    for (int i = 0; i < 6; i++)
        if (sample_verdict_int("number of the demonstration", pcg32(&pcg), demonstration[i]))
            return 1;
    for (int kind = 0; kind < KINDS; kind++) {
        double expected = (double)draws[kind] / BINS, chi = 0;

        for (int i = 0; i < BINS; i++)
            chi += (counts[kind][i] - expected) * (counts[kind][i] - expected) / expected;
        if (sample_verdict_int("whether numbers are even", chi < 61.1 && chi > 8, 1) ||
            sample_verdict_real("mean", (double)sums[kind] / draws[kind] / 4294967296.0, 0.5, 0.03))
            return 1;
    }
    return sample_verdict_int("10000th number", last[3], 4123659995U);
}
