/*
 * hamming - 512 bytes as words of the extended Hamming (13, 8) code, with one or two bits damaged, read back.
 *
 * Hamming, "Error Detecting and Error Correcting Codes", 1950: checks stand at the powers of two, the syndrome is the
 * place of the error; the parity over all tells one error from two. The truth is what was sent and damaged.
 *
 * Work: 512 words of 16 bits may be 16 vectors of 32. Four checks and a parity over all of at least 7 bits each take,
 * even where they share what they can, 12 exclusive ors, on the way there and on the way back: 16 * 24 = 384.
 */
#include "../sample.h"
#include "lcg.h"

#define WORDS 512

enum outcome { CLEAN, REPAIRED, LOST };

static uint8_t sent[WORDS], received[WORDS], outcomes[WORDS];
static uint16_t damage[WORDS], line[WORDS];

static unsigned parity(unsigned bits)
{
    bits ^= bits >> 8;
    bits ^= bits >> 4;
    bits ^= bits >> 2;
    bits ^= bits >> 1;
    return bits & 1;
}

/* The exclusive or of the places, 1 to 12, of all bits that are set. */
static unsigned syndrome(unsigned word)
{
    unsigned places = 0;

    for (unsigned place = 1; place <= 12; place++)
        if (word >> place & 1)
            places ^= place;
    return places;
}

static uint16_t encode(uint8_t byte)
{
    unsigned word = 0, bit = 0, checks;

    for (unsigned place = 3; place <= 12; place++)
        if ((place & (place - 1)) != 0)
            word |= (unsigned)(byte >> bit++ & 1) << place;
    checks = syndrome(word);
    for (unsigned i = 0; i < 4; i++)
        word |= (checks >> i & 1) << (1U << i);
    return (uint16_t)(word | parity(word));
}

static uint8_t data_of(unsigned word)
{
    unsigned byte = 0, bit = 0;

    for (unsigned place = 3; place <= 12; place++)
        if ((place & (place - 1)) != 0)
            byte |= (word >> place & 1) << bit++;
    return (uint8_t)byte;
}

static enum outcome decode(uint16_t word, uint8_t *byte)
{
    unsigned places = syndrome(word);
    enum outcome outcome = CLEAN;

    if (parity(word)) {
        outcome = REPAIRED;
        word ^= (uint16_t)(1U << places);
    } else if (places != 0) {
        outcome = LOST;
    }
    *byte = data_of(word);
    return outcome;
}

static void transmit(void)
{
    for (int i = 0; i < WORDS; i++)
        line[i] = encode(sent[i]) ^ damage[i];
    for (int i = 0; i < WORDS; i++)
        outcomes[i] = (uint8_t)decode(line[i], &received[i]);
}

int main(void)
{
    uint32_t seed = 12;

    for (int i = 0; i < WORDS; i++) {
        unsigned first = lcg_draw(&seed) % 13, second = (first + 1 + lcg_draw(&seed) % 12) % 13;

        sent[i] = (uint8_t)lcg_draw(&seed);
        damage[i] = 0;
        if (i % 3 >= 1)
            damage[i] |= (uint16_t)(1U << first);
        if (i % 3 == 2)
            damage[i] |= (uint16_t)(1U << second);
    }
    SHIM_KEEP(sent);
    SHIM_KEEP(damage);
    shim_region_begin("hamming");
    transmit();
    SHIM_KEEP(received);
    SHIM_KEEP(outcomes);
    shim_region_end("hamming");
    for (int i = 0; i < WORDS; i++)
        if (sample_verdict_int("outcome", outcomes[i], i % 3) ||
            (i % 3 != LOST && sample_verdict_int("byte", received[i], sent[i])))
            return 1;
    return 0;
}
