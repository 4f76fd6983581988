/*
 * xtea - 40 blocks of 64 bits in a chain (CBC) through XTEA, and back.
 *
 * Needham and Wheeler, "Tea extensions", 1997. The truth: the plain text; and published vectors (those of the Bouncy
 * Castle and Botan test suites): key 00 01 .. 0f, block 4142434445464748 gives 497df3d072612cb5.
 *
 * Work: enciphering is one chain of 40 blocks of 32 rounds with two halves, each 2 shifts, 3 sums, 2 exclusive ors and
 * the load of a key word: 40 * 64 * 8 = 20480. Deciphering may go on blocks side by side, in vectors of 16: 20480 / 16.
 */
#include "../sample.h"
#include "lcg.h"

#define BLOCKS 40
#define DELTA  0x9e3779b9U

static uint32_t key[4];
static uint32_t plain[2 * BLOCKS], cipher[2 * BLOCKS], back[2 * BLOCKS];

static void encipher(const uint32_t k[4], uint32_t v[2])
{
    uint32_t a = v[0], b = v[1], sum = 0;

    for (int round = 0; round < 32; round++) {
        a += ((b << 4 ^ b >> 5) + b) ^ (sum + k[sum & 3]);
        sum += DELTA;
        b += ((a << 4 ^ a >> 5) + a) ^ (sum + k[sum >> 11 & 3]);
    }
    v[0] = a;
    v[1] = b;
}

static void decipher(const uint32_t k[4], uint32_t v[2])
{
    uint32_t a = v[0], b = v[1], sum = DELTA * 32;

    for (int round = 0; round < 32; round++) {
        b -= ((a << 4 ^ a >> 5) + a) ^ (sum + k[sum >> 11 & 3]);
        sum -= DELTA;
        a -= ((b << 4 ^ b >> 5) + b) ^ (sum + k[sum & 3]);
    }
    v[0] = a;
    v[1] = b;
}

static void there_and_back(void)
{
    uint32_t chain[2] = {0, 0};

    for (int i = 0; i < 2 * BLOCKS; i += 2) {
        chain[0] ^= plain[i];
        chain[1] ^= plain[i + 1];
        encipher(key, chain);
        cipher[i] = chain[0];
        cipher[i + 1] = chain[1];
    }
    SHIM_KEEP(cipher);
    for (int i = 0; i < 2 * BLOCKS; i += 2) {
        uint32_t block[2] = {cipher[i], cipher[i + 1]};

        decipher(key, block);
        back[i] = block[0] ^ (i ? cipher[i - 2] : 0);
        back[i + 1] = block[1] ^ (i ? cipher[i - 1] : 0);
    }
}

int main(void)
{
    static const uint32_t known_key[4] = {0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f};
    uint32_t known[2] = {0x41424344, 0x45464748}, seed = 27;

    memcpy(key, known_key, sizeof key);
    for (int i = 0; i < 2 * BLOCKS; i++)
        plain[i] = lcg_draw(&seed) << 16 ^ lcg_draw(&seed);
    SHIM_KEEP(key);
    SHIM_KEEP(plain);
    shim_region_begin("xtea");
    there_and_back();
    SHIM_KEEP(back);
    shim_region_end("xtea");
    encipher(key, known);
    return sample_verdict_int("first word of the vector", known[0], 0x497df3d0) |
           sample_verdict_int("second word of the vector", known[1], 0x72612cb5) |
           sample_verdict_int("difference from the plain text", memcmp(back, plain, sizeof plain) != 0, 0);
}
