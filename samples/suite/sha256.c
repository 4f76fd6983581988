/*
 * sha256 - the hash of FIPS 180-4 over its two example messages, padded beforehand.
 *
 * The truth: the digests that NIST publishes for "abc" (one block) and for the 448-bit message (two blocks).
 *
 * Work: 64 rounds a block, each depends on the one before; a round makes two new words from 7 sums, which nothing can
 * merge: 40 repetitions * 3 blocks * 64 * 7 = 53760.
 */
#include "../sample.h"

#define REPETITIONS 40

static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t initial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint8_t short_message[64], long_message[128];
static uint32_t short_digest[8], long_digest[8];

static uint32_t rotate(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static void expand(uint32_t w[64], const uint8_t *block)
{
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;

        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

/* One round; v holds a to h. */
static void mix(uint32_t v[8], uint32_t word)
{
    uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
    uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    uint32_t t1 = v[7] + s1 + choice + word;
    uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
    uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);

    for (int i = 7; i > 0; i--)
        v[i] = v[i - 1];
    v[4] += t1;
    v[0] = t1 + s0 + majority;
}

static void hash_block(uint32_t digest[8], const uint8_t *block)
{
    uint32_t w[64], v[8];

    expand(w, block);
    memcpy(v, digest, sizeof v);
    for (int t = 0; t < 64; t++)
        mix(v, round_constant[t] + w[t]);
    for (int i = 0; i < 8; i++)
        digest[i] += v[i];
}

static void sha256(uint32_t digest[8], const uint8_t *padded, int blocks)
{
    memcpy(digest, initial, sizeof initial);
    for (int b = 0; b < blocks; b++)
        hash_block(digest, padded + (size_t)(64 * b));
}

static void compute(void)
{
    for (int i = 0; i < REPETITIONS; i++) {
        sha256(short_digest, short_message, 1);
        sha256(long_digest, long_message, 2);
        SHIM_KEEP(short_digest);
        SHIM_KEEP(long_digest);
        SHIM_KEEP(short_message);
        SHIM_KEEP(long_message);
    }
}

/* The message, a one bit, zeros, the length in bits (below 65536 here). */
static void pad(uint8_t *block, size_t size, const char *text)
{
    size_t length = strlen(text);

    memset(block, 0, size);
    memcpy(block, text, length);
    block[length] = 0x80;
    block[size - 2] = (uint8_t)(length * 8 >> 8);
    block[size - 1] = (uint8_t)(length * 8);
}

static void prepare(void)
{
    pad(short_message, sizeof short_message, "abc");
    pad(long_message, sizeof long_message, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
    SHIM_KEEP(short_message);
    SHIM_KEEP(long_message);
}

int main(void)
{
    static const uint32_t short_truth[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                            0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
    static const uint32_t long_truth[8] = {0x248d6a61, 0xd20638b8, 0xe5c02693, 0x0c3e6039,
                                           0xa33ce459, 0x64ff2167, 0xf6ecedd4, 0x19db06c1};
    int failed = 0;

    prepare();
    shim_region_begin("sha256");
    compute();
    shim_region_end("sha256");
    for (int i = 0; i < 8; i++) {
        failed |= sample_verdict_int("word of the digest of abc", short_digest[i], short_truth[i]);
        failed |= sample_verdict_int("word of the digest of two blocks", long_digest[i], long_truth[i]);
    }
    return failed;
}
