/*
 * reed_solomon - the (255, 239) code over bytes: encode, damage 8 symbols, find and repair them.
 *
 * Reed and Solomon, "Polynomial Codes over Certain Finite Fields", 1960; decoding by syndromes, Berlekamp-Massey,
 * Chien's search and Forney's formula (Blahut, "Algebraic Codes for Data Transmission", chapter 7). Field polynomial
 * 0x11d; the generator's roots are alpha^0 to alpha^15. The truth is the word that was sent.
 *
 * Work: the 16 syndromes are Horner chains over 255 symbols, a product in the field each, by a look-up of a logarithm
 * and of a power at places that the data decide (skipped when the sum is zero, about one time in 256: counted as a
 * tenth): 16 * 255 * 0.9 * 2 loads = 7344, and an exclusive or each, 3672. Encoding multiplies 239 * 16 times by the
 * feedback: one look-up each at least, with the same tenth off: 3441. Together 14457.
 */
#include "../sample.h"
#include "test_signal.h"

#define SYMBOLS 255
#define CHECKS  16
#define DATA    (SYMBOLS - CHECKS)
#define ERRORS  (CHECKS / 2)

static uint8_t power[2 * SYMBOLS], logarithm[256]; /* of alpha = 2 */
static uint8_t generator[CHECKS + 1];
static uint8_t sent[SYMBOLS], received[SYMBOLS], damage[SYMBOLS];
static int repaired;

static uint8_t multiply(uint8_t a, uint8_t b)
{
    return a == 0 || b == 0 ? 0 : power[logarithm[a] + logarithm[b]];
}

static uint8_t inverse(uint8_t a)
{
    return power[SYMBOLS - logarithm[a]];
}

/* The value at alpha^exponent of a polynomial whose constant comes first. */
static uint8_t value_at(const uint8_t *p, int degree, int exponent)
{
    uint8_t x = power[exponent], sum = 0;

    for (int i = degree; i >= 0; i--)
        sum = multiply(sum, x) ^ p[i];
    return sum;
}

/* Symbol i of a word is the coefficient of x^i; the checks are the remainder of the data by the generator. */
static void encode(uint8_t word[SYMBOLS])
{
    memset(word, 0, CHECKS);
    for (int i = SYMBOLS - 1; i >= CHECKS; i--) {
        uint8_t feedback = word[i] ^ word[CHECKS - 1];

        for (int k = CHECKS - 1; k > 0; k--)
            word[k] = word[k - 1] ^ multiply(feedback, generator[k]);
        word[0] = multiply(feedback, generator[0]);
    }
}

/* Berlekamp-Massey: the shortest register that makes the syndromes; its connection polynomial locates the errors. */
static int locate(uint8_t locator[CHECKS + 1], const uint8_t syndrome[CHECKS])
{
    uint8_t previous[CHECKS + 1] = {1}, kept[CHECKS + 1], last = 1;
    int length = 0, shift = 1;

    memset(locator, 0, CHECKS + 1);
    locator[0] = 1;
    for (int n = 0; n < CHECKS; n++) {
        uint8_t discrepancy = syndrome[n], scale;

        for (int i = 1; i <= length; i++)
            discrepancy ^= multiply(locator[i], syndrome[n - i]);
        if (discrepancy == 0) {
            shift++;
            continue;
        }
        memcpy(kept, locator, sizeof kept);
        scale = multiply(discrepancy, inverse(last));
        for (int i = shift; i <= CHECKS; i++)
            locator[i] ^= multiply(scale, previous[i - shift]);
        if (2 * length > n) {
            shift++;
            continue;
        }
        length = n + 1 - length;
        memcpy(previous, kept, sizeof previous);
        last = discrepancy;
        shift = 1;
    }
    return length;
}

/* Syndromes times locator, modulo x^CHECKS. */
static void evaluate(uint8_t evaluator[CHECKS], const uint8_t *syndrome, const uint8_t *locator, int errors)
{
    for (int n = 0; n < CHECKS; n++) {
        evaluator[n] = 0;
        for (int i = 0; i <= errors && i <= n; i++)
            evaluator[n] ^= multiply(locator[i], syndrome[n - i]);
    }
}

/* Forney: X omega(1/X) / locator'(1/X), for the first root alpha^0; the derivative keeps the odd powers. */
static uint8_t magnitude(const uint8_t *evaluator, const uint8_t *locator, int errors, int place)
{
    int exponent = (SYMBOLS - place) % SYMBOLS;
    uint8_t slope[CHECKS + 1] = {0};

    for (int i = 1; i <= errors; i += 2)
        slope[i - 1] = locator[i];
    return multiply(power[place],
                    multiply(value_at(evaluator, CHECKS - 1, exponent), inverse(value_at(slope, CHECKS, exponent))));
}

/* Symbols repaired. */
static int decode(uint8_t word[SYMBOLS])
{
    uint8_t syndrome[CHECKS], locator[CHECKS + 1], evaluator[CHECKS];
    int errors, found = 0;

    for (int i = 0; i < CHECKS; i++)
        syndrome[i] = value_at(word, SYMBOLS - 1, i);
    errors = locate(locator, syndrome);
    evaluate(evaluator, syndrome, locator, errors);
    for (int place = 0; place < SYMBOLS; place++)
        if (value_at(locator, errors, (SYMBOLS - place) % SYMBOLS) == 0) {
            word[place] ^= magnitude(evaluator, locator, errors, place);
            found++;
        }
    return found;
}

static void transmit(void)
{
    encode(sent);
    for (int i = 0; i < SYMBOLS; i++)
        received[i] = sent[i] ^ damage[i];
    repaired = decode(received);
}

static void make_field(void)
{
    unsigned x = 1;

    for (int i = 0; i < 2 * SYMBOLS; i++) {
        power[i] = (uint8_t)x;
        logarithm[x] = (uint8_t)(i % SYMBOLS);
        x <<= 1;
        if (x & 0x100)
            x ^= 0x11d;
    }
}

static void make_generator(void)
{
    memset(generator, 0, sizeof generator);
    generator[0] = 1;
    for (int root = 0; root < CHECKS; root++)
        for (int k = root + 1; k >= 0; k--)
            generator[k] = (k > 0 ? generator[k - 1] : 0) ^ multiply(generator[k], power[root]);
}

static void prepare(void)
{
    uint32_t noise = 69069u;

    make_field();
    make_generator();
    for (int i = CHECKS; i < SYMBOLS; i++)
        sent[i] = (uint8_t)noise_next(&noise);
    memset(damage, 0, sizeof damage);
    for (int e = 0; e < ERRORS; e++)
        damage[5 + 31 * e] = (uint8_t)(1 + noise_next(&noise) % 255);
    SHIM_KEEP(power);
    SHIM_KEEP(logarithm);
    SHIM_KEEP(generator);
    SHIM_KEEP(sent);
    SHIM_KEEP(damage);
}

int main(void)
{
    prepare();
    shim_region_begin("reed_solomon");
    transmit();
    SHIM_KEEP(sent);
    SHIM_KEEP(received);
    SHIM_KEEP(&repaired);
    shim_region_end("reed_solomon");
    return sample_verdict_int("symbols repaired", repaired, ERRORS) |
           sample_verdict_int("difference from the word sent", memcmp(received, sent, SYMBOLS) != 0, 0);
}
