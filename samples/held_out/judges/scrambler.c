/*
 * scrambler - 3000 bits through a self-synchronising scrambler (x^58 + x^39 + 1), a line that turns some, and its
 * descrambler; and a pattern of x^15 + x^14 + 1 whose receiver locks and counts errors.
 *
 * The truth: a turned bit becomes exactly three in the descrambled data, at distances 0, 39 and 58; the checker counts
 * those turned in its pattern, three times each while it is not locked and once after.
 *
 * Work: 3000 bits, each two shifts and exclusive ors in a chain in three machines: 3000 * 3 * 5 = 45000; bits of
 * the feed-forward machine may go 16 at once: 15000.
 */
#include "judge.h"

#define BITS 3000
#define LOCK 20

static uint8_t data[BITS], line[BITS], back[BITS], pattern[BITS];
static uint32_t errors, locked_at;

static void scramble(const uint8_t *in, uint8_t *out)
{
    uint64_t state = 0x2AAAAAAAAAAAAAA;

    for (int i = 0; i < BITS; i++) {
        uint64_t bit = in[i] ^ (state >> 38 & 1) ^ (state >> 57 & 1);

        out[i] = (uint8_t)bit;
        state = state << 1 | bit;
    }
}
static void descramble(const uint8_t *in, uint8_t *out)
{
    uint64_t state = 0x2AAAAAAAAAAAAAA;

    for (int i = 0; i < BITS; i++) {
        out[i] = (uint8_t)(in[i] ^ (state >> 38 & 1) ^ (state >> 57 & 1));
        state = state << 1 | in[i];
    }
}
/* Locks after 20 bits in a row that were foretold; from then on its own register runs free. */
static void check(const uint8_t *in)
{
    uint16_t state = 0;
    unsigned right = 0;

    for (int i = 0; i < BITS; i++) {
        uint16_t foretold = (state >> 14 ^ state >> 13) & 1;

        if (right >= LOCK) {
            errors += in[i] ^ foretold;
            state = (uint16_t)(state << 1 | foretold);
            continue;
        }
        right = foretold == in[i] && i >= 15 ? right + 1 : 0;
        if (right == LOCK)
            locked_at = (uint32_t)i;
        state = (uint16_t)(state << 1 | in[i]);
    }
}

int main(void)
{
    uint64_t seed = 16;
    uint8_t expected[BITS + 64];
    uint16_t state = 0x1234;
    unsigned turned = 0;
    static const int at[] = {100, 777, 1500, 2222, 2600};

    for (int i = 0; i < BITS; i++) {
        data[i] = (uint8_t)(draw(&seed) & 1);
        pattern[i] = (state >> 14 ^ state >> 13) & 1;
        state = (uint16_t)(state << 1 | pattern[i]);
    }
    memset(expected, 0, sizeof expected);
    for (int i = 0; i < BITS; i++)
        expected[i] ^= data[i];
    for (int k = 0; k < 5; k++) {
        expected[at[k]] ^= 1;
        expected[at[k] + 39] ^= 1;
        expected[at[k] + 58] ^= 1;
        pattern[at[k]] ^= 1;
        turned++;
    }
    errors = locked_at = 0;
    SHIM_KEEP(data);
    SHIM_KEEP(pattern);
    SHIM_KEEP(at);
    shim_region_begin("scrambler");
    scramble(data, line);
    SHIM_KEEP(line);
    for (int k = 0; k < 5; k++)
        line[at[k]] ^= 1;
    descramble(line, back);
    check(pattern);
    SHIM_KEEP(back);
    SHIM_KEEP(&errors);
    SHIM_KEEP(&locked_at);
    shim_region_end("scrambler");
    return sample_verdict_int("descrambled bits differ", memcmp(back, expected, BITS) != 0, 0) |
           sample_verdict_int("errors counted", errors, turned) |
           sample_verdict_int("whether it locked", locked_at < 60, 1);
}
