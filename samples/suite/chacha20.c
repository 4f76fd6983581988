/*
 * chacha20 - 2048 bytes enciphered and deciphered with ChaCha20, and RFC 8439's example.
 *
 * The truth: the ciphertext of RFC 8439, 2.4.2; and the plain text.
 *
 * Work: two passes of 32 blocks, each 20 rounds over 16 words, with 4 sums, 4 exclusive ors and 4 rotations on each 4
 * of them; rows of one block make vectors of 4, blocks side by side vectors of 16: 64 * 20 * 4 * 12 / 16 = 3840.
 */
#include "../sample.h"
#include "lcg.h"

#define LENGTH 2048

static const char sunscreen[] = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
                                "future, sunscreen would be it.";
static const uint8_t enciphered[114] = {
    0x6e, 0x2e, 0x35, 0x9a, 0x25, 0x68, 0xf9, 0x80, 0x41, 0xba, 0x07, 0x28, 0xdd, 0x0d, 0x69, 0x81, 0xe9, 0x7e, 0x7a,
    0xec, 0x1d, 0x43, 0x60, 0xc2, 0x0a, 0x27, 0xaf, 0xcc, 0xfd, 0x9f, 0xae, 0x0b, 0xf9, 0x1b, 0x65, 0xc5, 0x52, 0x47,
    0x33, 0xab, 0x8f, 0x59, 0x3d, 0xab, 0xcd, 0x62, 0xb3, 0x57, 0x16, 0x39, 0xd6, 0x24, 0xe6, 0x51, 0x52, 0xab, 0x8f,
    0x53, 0x0c, 0x35, 0x9f, 0x08, 0x61, 0xd8, 0x07, 0xca, 0x0d, 0xbf, 0x50, 0x0d, 0x6a, 0x61, 0x56, 0xa3, 0x8e, 0x08,
    0x8a, 0x22, 0xb6, 0x5e, 0x52, 0xbc, 0x51, 0x4d, 0x16, 0xcc, 0xf8, 0x06, 0x81, 0x8c, 0xe9, 0x1a, 0xb7, 0x79, 0x37,
    0x36, 0x5a, 0xf9, 0x0b, 0xbf, 0x74, 0xa3, 0x5b, 0xe6, 0xb4, 0x0b, 0x8e, 0xed, 0xf2, 0x78, 0x5e, 0x42, 0x87, 0x4d,
};

static uint8_t key[32], nonce[12];
static uint8_t plain[LENGTH], cipher[LENGTH], back[LENGTH], example[sizeof enciphered];

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint32_t rotate(uint32_t word, unsigned count)
{
    return word << count | word >> (32 - count);
}

static void quarter(uint32_t s[16], int a, int b, int c, int d)
{
    s[a] += s[b];
    s[d] = rotate(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = rotate(s[b] ^ s[c], 12);
    s[a] += s[b];
    s[d] = rotate(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = rotate(s[b] ^ s[c], 7);
}

static void key_stream(const uint32_t start[16], uint8_t stream[64])
{
    uint32_t s[16];

    for (int i = 0; i < 16; i++)
        s[i] = start[i];
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++)
            quarter(s, i, 4 + i, 8 + i, 12 + i);
        for (int i = 0; i < 4; i++)
            quarter(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 4; k++)
            stream[4 * i + k] = (uint8_t)((s[i] + start[i]) >> 8 * k);
}

static void encipher(const uint8_t *in, size_t length, uint32_t counter, uint8_t *out)
{
    uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint8_t stream[64];

    for (int i = 0; i < 8; i++)
        start[4 + i] = word_at(key + 4 * i);
    start[12] = counter;
    for (int i = 0; i < 3; i++)
        start[13 + i] = word_at(nonce + 4 * i);
    for (size_t done = 0; done < length; done += 64, start[12]++) {
        key_stream(start, stream);
        for (size_t i = 0; i < 64 && done + i < length; i++)
            out[done + i] = in[done + i] ^ stream[i];
    }
}

int main(void)
{
    uint32_t seed = 25;

    memset(nonce, 0, sizeof nonce);
    nonce[7] = 0x4a;
    for (int i = 0; i < 32; i++)
        key[i] = (uint8_t)i;
    for (int i = 0; i < LENGTH; i++)
        plain[i] = (uint8_t)lcg_draw(&seed);
    SHIM_KEEP(key);
    SHIM_KEEP(nonce);
    SHIM_KEEP(plain);
    shim_region_begin("chacha20");
    encipher(plain, LENGTH, 7, cipher);
    SHIM_KEEP(cipher);
    encipher(cipher, LENGTH, 7, back);
    SHIM_KEEP(back);
    shim_region_end("chacha20");
    encipher((const uint8_t *)sunscreen, sizeof example, 1, example);
    return sample_verdict_int("difference from RFC 8439", memcmp(example, enciphered, sizeof example) != 0, 0) |
           sample_verdict_int("whether it was enciphered", memcmp(cipher, plain, LENGTH) != 0, 1) |
           sample_verdict_int("difference from the plain text", memcmp(back, plain, LENGTH) != 0, 0);
}
