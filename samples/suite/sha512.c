/*
 * sha512 - SHA-512 of the two messages that NIST publishes, ten times over.
 *
 * FIPS 180-4. The constants are made as it defines them, from the square and cube roots of primes. The truth: the
 * digests of NIST's examples for "abc" and for the message of 896 bits.
 *
 * Work: each of the 10 * 3 blocks has 80 rounds in a chain with 7 sums, 6 rotations (at least a shift each) and 7 other
 * operations on 64-bit words, and a load of a constant: 30 * 80 * 21 = 50400.
 */
#include "../sample.h"

#define ROUNDS   10
#define MESSAGES 2

static const char *const messages[MESSAGES] = {
    "abc",
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
};
static const char *const digests[MESSAGES] = {
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
    "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
};

static uint64_t start[8], constants[80];
static char texts[MESSAGES][128];
static size_t lengths[MESSAGES];
static uint64_t results[MESSAGES][8];

static uint64_t rotate(uint64_t word, unsigned count)
{
    return word >> count | word << (64 - count);
}

static void digest_block(uint64_t state[8], const uint8_t block[128])
{
    uint64_t word[80], s[8];

    for (int i = 0; i < 16; i++) {
        word[i] = 0;
        for (int k = 0; k < 8; k++)
            word[i] = word[i] << 8 | block[8 * i + k];
    }
    for (int i = 16; i < 80; i++) {
        uint64_t far = word[i - 15], near = word[i - 2];

        word[i] = word[i - 16] + word[i - 7] + (rotate(far, 1) ^ rotate(far, 8) ^ far >> 7) +
                  (rotate(near, 19) ^ rotate(near, 61) ^ near >> 6);
    }
    for (int i = 0; i < 8; i++)
        s[i] = state[i];
    for (int i = 0; i < 80; i++) {
        uint64_t e = s[4], a = s[0];
        uint64_t first = s[7] + (rotate(e, 14) ^ rotate(e, 18) ^ rotate(e, 41)) + ((e & s[5]) ^ (~e & s[6])) +
                         constants[i] + word[i];
        uint64_t second = (rotate(a, 28) ^ rotate(a, 34) ^ rotate(a, 39)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

        for (int k = 7; k > 0; k--)
            s[k] = s[k - 1];
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

static void digest(const char *text, size_t length, uint64_t state[8])
{
    size_t padded = (length + 17 + 127) / 128 * 128;

    for (int i = 0; i < 8; i++)
        state[i] = start[i];
    for (size_t first = 0; first < padded; first += 128) {
        uint8_t block[128];

        for (size_t i = 0; i < 128; i++) {
            size_t at = first + i;

            if (at < length)
                block[i] = (uint8_t)text[at];
            else if (at == length)
                block[i] = 0x80;
            else
                block[i] = at < padded - 8 ? 0 : (uint8_t)((uint64_t)length * 8 >> 8 * (padded - 1 - at));
        }
        digest_block(state, block);
    }
}

static void digest_all(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < MESSAGES; i++) {
            digest(texts[i], lengths[i], results[i]);
            SHIM_KEEP(results);
        }
}

/* product = a * b, in words of 32 bits, the lowest first. */
static void multiply(const uint32_t *a, int n, const uint32_t *b, int m, uint32_t *product)
{
    memset(product, 0, (size_t)(n + m) * sizeof *product);
    for (int i = 0; i < n; i++) {
        uint64_t carry = 0;

        for (int k = 0; k < m; k++) {
            carry += (uint64_t)a[i] * b[k] + product[i + k];
            product[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + m] = (uint32_t)carry;
    }
}

/* The first 64 bits behind the point of the root of degree 2 or 3: the largest x whose power does not exceed the prime,
 * x a number of 64 bits behind the point and a few before it. */
static uint64_t root_fraction(unsigned prime, int degree)
{
    uint32_t x[3] = {0, 0, 0}, square[6], power[9];

    for (int bit = 69; bit >= 0; bit--) {
        int whole = degree == 2 ? 4 : 6;

        x[bit / 32] |= UINT32_C(1) << bit % 32;
        multiply(x, 3, x, 3, square);
        memset(power, 0, sizeof power);
        if (degree == 2)
            memcpy(power, square, sizeof square);
        else
            multiply(square, 6, x, 3, power);
        if (power[whole + 1] != 0 || power[whole] >= prime) /* roots of primes are never exact */
            x[bit / 32] &= ~(UINT32_C(1) << bit % 32);
    }
    return (uint64_t)x[1] << 32 | x[0];
}

static void make_constants(void)
{
    int n = 0;

    for (unsigned candidate = 2; n < 80; candidate++) {
        unsigned divisor = 2;

        while (divisor * divisor <= candidate && candidate % divisor != 0)
            divisor++;
        if (divisor * divisor <= candidate)
            continue;
        if (n < 8)
            start[n] = root_fraction(candidate, 2);
        constants[n++] = root_fraction(candidate, 3);
    }
}

int main(void)
{
    char printed[129];

    make_constants();
    memset(texts, 0, sizeof texts);
    for (int i = 0; i < MESSAGES; i++) {
        lengths[i] = strlen(messages[i]);
        memcpy(texts[i], messages[i], lengths[i]);
    }
    SHIM_KEEP(start);
    SHIM_KEEP(constants);
    SHIM_KEEP(texts);
    SHIM_KEEP(lengths);
    shim_region_begin("sha512");
    digest_all();
    SHIM_KEEP(results);
    shim_region_end("sha512");
    for (int i = 0; i < MESSAGES; i++) {
        for (int k = 0; k < 8; k++)
            snprintf(printed + 16 * k, 17, "%016llx", (unsigned long long)results[i][k]);
        if (sample_verdict_int("difference from NIST's digest", strcmp(printed, digests[i]) != 0, 0))
            return 1;
    }
    return 0;
}
