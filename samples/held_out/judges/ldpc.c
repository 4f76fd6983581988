/*
 * ldpc - 12 words of a low-density parity-check code of 288 bits (each in 3 checks of 6 bits), some bits turned, are
 * repaired by Gallager's bit flipping; indices in tables of 16 bits.
 *
 * Gallager, "Low-Density Parity-Check Codes", 1962. The truth: the words as they were before, the all-zero word plus
 * code words found by elimination outside the region.
 *
 * Work: 12 words are checked at least once: 144 checks of 6 bits, each an index, a bit and a sum: 12 * 144 * 6 * 3 =
 * 31104; the compiler may gather 16 at once: 1944.
 */
#include "judge.h"

#define BITS   288
#define CHECKS (BITS / 2)
#define ROW    6
#define COLUMN 3
#define WORDS  12
#define FLIPS  5
#define ROUNDS 30

static uint16_t of_check[CHECKS][ROW], of_bit[BITS][COLUMN];
static uint8_t sent[WORDS][BITS], received[WORDS][BITS], syndrome[CHECKS], rounds[WORDS];

static int all_checks(const uint8_t *word)
{
    int bad = 0;

    for (int c = 0; c < CHECKS; c++) {
        unsigned sum = 0;

        for (int i = 0; i < ROW; i++)
            sum ^= word[of_check[c][i]];
        syndrome[c] = (uint8_t)sum;
        bad += (int)sum;
    }
    return bad;
}

/* Turns the bits that most failing checks speak against. */
static int repair(uint8_t *word)
{
    int round = 0;

    for (; round < ROUNDS && all_checks(word); round++) {
        unsigned most = 0;

        for (int b = 0; b < BITS; b++) {
            unsigned against = syndrome[of_bit[b][0]] + syndrome[of_bit[b][1]] + syndrome[of_bit[b][2]];
            if (against > most)
                most = against;
        }
        for (int b = 0; b < BITS; b++)
            if (syndrome[of_bit[b][0]] + syndrome[of_bit[b][1]] + syndrome[of_bit[b][2]] == (int)most)
                word[b] ^= 1;
    }
    return round;
}

/* Three sets of 48 checks; in each every bit stands once, in another order. */
static void make_code(uint64_t *seed)
{
    for (int s = 0; s < COLUMN; s++) {
        uint16_t order[BITS];

        for (int i = 0; i < BITS; i++)
            order[i] = (uint16_t)i;
        for (int i = BITS - 1; s && i > 0; i--) {
            int k = draw_below(seed, i + 1);
            uint16_t t = order[i];
            order[i] = order[k];
            order[k] = t;
        }
        for (int i = 0; i < BITS; i++) {
            of_check[s * (BITS / ROW) + i / ROW][i % ROW] = order[i];
            of_bit[order[i]][s] = (uint16_t)(s * (BITS / ROW) + i / ROW);
        }
    }
}

/* A word that meets all checks: free bits drawn, the others by elimination. */
static void make_words(uint64_t *seed)
{
    static uint8_t rows[CHECKS][BITS];
    static int pivot[CHECKS];
    int rank = 0;

    memset(rows, 0, sizeof rows);
    for (int c = 0; c < CHECKS; c++)
        for (int i = 0; i < ROW; i++)
            rows[c][of_check[c][i]] ^= 1;
    for (int b = 0; b < BITS && rank < CHECKS; b++) {
        int r = rank;

        while (r < CHECKS && !rows[r][b])
            r++;
        if (r == CHECKS)
            continue;
        for (int i = 0; i < BITS; i++) {
            uint8_t t = rows[r][i];
            rows[r][i] = rows[rank][i];
            rows[rank][i] = t;
        }
        for (int k = 0; k < CHECKS; k++)
            if (k != rank && rows[k][b])
                for (int i = 0; i < BITS; i++)
                    rows[k][i] ^= rows[rank][i];
        pivot[rank++] = b;
    }
    for (int w = 0; w < WORDS; w++) {
        for (int b = 0; b < BITS; b++)
            sent[w][b] = (uint8_t)(draw(seed) & 1);
        for (int r = 0; r < rank; r++) {
            unsigned sum = 0;
            sent[w][pivot[r]] = 0;
            for (int b = 0; b < BITS; b++)
                sum ^= rows[r][b] & sent[w][b];
            for (int k = 0; k < r; k++)
                sum ^= rows[r][pivot[k]] & sent[w][pivot[k]];
            sent[w][pivot[r]] = (uint8_t)sum;
        }
        for (int r = 0; r < rank; r++) { /* pivots stand in their own rows alone */
            unsigned sum = 0;
            for (int b = 0; b < BITS; b++)
                if (b != pivot[r])
                    sum ^= rows[r][b] & sent[w][b];
            sent[w][pivot[r]] = (uint8_t)sum;
        }
    }
}

int main(void)
{
    uint64_t seed = 9;
    int wrong = 0, turned = 0;

    make_code(&seed);
    make_words(&seed);
    memcpy(received, sent, sizeof sent);
    for (int w = 0; w < WORDS; w++)
        for (int i = 0; i < FLIPS; i++)
            received[w][draw_below(&seed, BITS)] ^= 1;
    SHIM_KEEP(received);
    SHIM_KEEP(of_check);
    SHIM_KEEP(of_bit);
    shim_region_begin("ldpc");
    for (int w = 0; w < WORDS; w++)
        rounds[w] = (uint8_t)repair(received[w]);
    SHIM_KEEP(received);
    SHIM_KEEP(rounds);
    shim_region_end("ldpc");
    for (int w = 0; w < WORDS; w++) {
        if (rounds[w] == ROUNDS) /* flipping may not end; then nothing is said of the word */
            continue;
        wrong += memcmp(sent[w], received[w], BITS) != 0;
        turned++;
    }
    return sample_verdict_int("words repaired to others", wrong, 0) |
           sample_verdict_int("whether most were repaired", turned >= WORDS * 2 / 3, 1);
}
