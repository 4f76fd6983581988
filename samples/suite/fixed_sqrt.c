/*
 * fixed_sqrt - whole square roots bit by bit: of 32-bit numbers, of 64-bit numbers, and of Q15 fractions.
 *
 * The school method in base 2 (Turkowski, "Fixed-Point Square Root", Apple Technical Report 96, 1994). The truth is the
 * definition: r^2 <= x < (r + 1)^2.
 *
 * Work: a root of 64 bits takes 32 rounds that depend on each other, each with a shift, a sum and a comparison; roots
 * of at most 8 numbers share a vector: 600 * 32 * 3 / 8 = 7200. Those of 32 bits take 16 rounds, in at most 16 lanes:
 * 600 * 16 * 3 / 16 = 1800.
 */
#include "../sample.h"
#include "test_signal.h"

#define NUMBERS 600

static uint32_t small[NUMBERS], small_root[NUMBERS];
static uint64_t large[NUMBERS], large_root[NUMBERS];
static uint16_t fraction[NUMBERS], fraction_root[NUMBERS]; /* Q15 */

static uint32_t root32(uint32_t x)
{
    uint32_t root = 0;

    for (uint32_t bit = UINT32_C(1) << 30; bit != 0; bit >>= 2) {
        uint32_t trial = root + bit;

        root >>= 1;
        if (x >= trial) {
            x -= trial;
            root += bit;
        }
    }
    return root;
}

static uint64_t root64(uint64_t x)
{
    uint64_t root = 0;

    for (uint64_t bit = UINT64_C(1) << 62; bit != 0; bit >>= 2) {
        uint64_t trial = root + bit;

        root >>= 1;
        if (x >= trial) {
            x -= trial;
            root += bit;
        }
    }
    return root;
}

static void roots(void)
{
    for (int n = 0; n < NUMBERS; n++) {
        small_root[n] = root32(small[n]);
        large_root[n] = root64(large[n]);
        fraction_root[n] = (uint16_t)root32((uint32_t)fraction[n] << 15);
    }
}

static void prepare(void)
{
    uint32_t noise = 271828u;

    for (int n = 0; n < NUMBERS; n++) {
        small[n] = noise_next(&noise) >> n % 32;
        large[n] = ((uint64_t)noise_next(&noise) << 32 | noise_next(&noise)) >> n % 64;
        fraction[n] = (uint16_t)(noise_next(&noise) & 0x7fff);
    }
    small[0] = UINT32_MAX;
    large[0] = UINT64_MAX;
    small[1] = 0;
    large[1] = 0;
    SHIM_KEEP(small);
    SHIM_KEEP(large);
    SHIM_KEEP(fraction);
}

/* r^2 <= x <= r^2 + 2 r, which is (r + 1)^2 - 1 without its overflow. */
static int is_root(uint64_t x, uint64_t r)
{
    return r <= UINT32_MAX && r * r <= x && x - r * r <= 2 * r;
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("fixed_sqrt");
    roots();
    SHIM_KEEP(small_root);
    SHIM_KEEP(large_root);
    SHIM_KEEP(fraction_root);
    shim_region_end("fixed_sqrt");
    for (int n = 0; n < NUMBERS; n++)
        wrong += !is_root(small[n], small_root[n]) + !is_root(large[n], large_root[n]) +
                 !is_root((uint64_t)fraction[n] << 15, fraction_root[n]);
    return sample_verdict_int("wrong roots", wrong, 0);
}
