/*
 * viterbi - 256 bits through the convolutional code of rate 1/2 and constraint length 7 (133, 171 octal), 16 of the
 * 524 symbols inverted, and decoded by Viterbi's algorithm with hard decisions.
 *
 * Viterbi, "Error Bounds for Convolutional Codes", 1967; the code is that of CCSDS 131.0-B. Its free distance is 10: up
 * to 4 errors between stretches without any are always repaired; here two errors stand together every 65 symbols. The
 * truth is the message.
 *
 * Work: each of the 262 steps adds and compares two 16-bit metrics for each of 64 states (load, addition, comparison,
 * selection, store, at most 32 in a vector): 262 * 2 * 5 = 2620; and stores 64 decisions: 262. Tracing back is a
 * chain of 262 steps with a load, a shift and a combination: 786. Together 3668.
 */
#include "../sample.h"
#include "lcg.h"

#define BITS   256
#define TAIL   6
#define STEPS  (BITS + TAIL)
#define STATES 64
#define FAR    1000

static uint8_t message[BITS], received[BITS];
static uint8_t damage[2 * STEPS], symbols[2 * STEPS];
static uint8_t outputs[2 * STATES]; /* two symbols for each seven bits of the shift register, the newest uppermost */
static uint8_t decisions[STEPS][STATES];

static unsigned parity(unsigned bits)
{
    unsigned odd = 0;

    for (; bits != 0; bits &= bits - 1)
        odd ^= 1;
    return odd;
}

static void encode(void)
{
    unsigned past = 0;

    for (int i = 0; i < STEPS; i++) {
        unsigned window = past | (unsigned)(i < BITS ? message[i] : 0) << 6;

        symbols[2 * i] = outputs[window] >> 1;
        symbols[2 * i + 1] = outputs[window] & 1;
        past = window >> 1;
    }
}

/* All states one step on: state s comes from 2s and 2s + 1, modulo 64, with s's upper bit as the input. */
static void step(const uint8_t symbol[2], const uint16_t before[STATES], uint16_t after[STATES], uint8_t choice[STATES])
{
    unsigned seen = (unsigned)(symbol[0] << 1 | symbol[1]);

    for (unsigned state = 0; state < STATES; state++) {
        unsigned window = state << 1; /* the input and the six bits before, the oldest 0; then 1 */
        unsigned wrong0 = outputs[window] ^ seen, wrong1 = outputs[window + 1] ^ seen;
        unsigned from0 = before[window % STATES] + (wrong0 >> 1) + (wrong0 & 1);
        unsigned from1 = before[window % STATES + 1] + (wrong1 >> 1) + (wrong1 & 1);

        choice[state] = from1 < from0;
        after[state] = (uint16_t)(from1 < from0 ? from1 : from0);
    }
}

static void decode(void)
{
    uint16_t metrics[2][STATES];
    unsigned state = 0;

    for (int i = 0; i < STATES; i++)
        metrics[0][i] = i == 0 ? 0 : FAR;
    for (int i = 0; i < STEPS; i++)
        step(&symbols[2 * i], metrics[i % 2], metrics[(i + 1) % 2], decisions[i]);
    for (int i = STEPS - 1; i >= 0; i--) {
        if (i < BITS)
            received[i] = (uint8_t)(state >> 5);
        state = (state << 1 | decisions[i][state]) % STATES;
    }
}

static void transmit(void)
{
    encode();
    for (int i = 0; i < 2 * STEPS; i++)
        symbols[i] ^= damage[i];
    decode();
}

int main(void)
{
    uint32_t seed = 13;

    for (int i = 0; i < BITS; i++)
        message[i] = lcg_draw(&seed) & 1;
    memset(damage, 0, sizeof damage);
    for (int i = 7; i + 1 < 2 * STEPS; i += 65)
        damage[i] = damage[i + 1] = 1;
    for (unsigned window = 0; window < 2 * STATES; window++)
        outputs[window] = (uint8_t)(parity(window & 0171) << 1 | parity(window & 0133));
    memset(received, 2, sizeof received);
    SHIM_KEEP(message);
    SHIM_KEEP(damage);
    SHIM_KEEP(outputs);
    shim_region_begin("viterbi");
    transmit();
    SHIM_KEEP(received);
    shim_region_end("viterbi");
    return sample_verdict_int("difference from the message", memcmp(received, message, sizeof message) != 0, 0);
}
