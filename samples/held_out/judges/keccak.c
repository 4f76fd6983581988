/*
 * keccak - SHA3-256 of three messages: the permutation of 25 words of 64 bits in 24 rounds, with loops and offsets in
 * tables as its specification has them.
 *
 * FIPS 202. The truth: the published digests of the empty message and of "abc"; and that 500 bytes fed in pieces of 1,
 * 7 and 136 bytes give one digest.
 *
 * Work: at least 14 permutations of 24 rounds, 25 words each with exclusive or, rotation and nonlinear step:
 * 14 * 24 * 25 * 5 = 42000; at eight words to a vector 5250.
 */
#include "judge.h"

#define RATE 136
#define LONG 500

struct sponge {
    uint64_t a[25];
    unsigned at;
};

static uint64_t constants[24];
static uint8_t message[LONG], digests[5][32];

static uint64_t rotate(uint64_t x, unsigned n)
{
    return n ? x << n | x >> (64 - n) : x;
}

/* The constants are bits of a shift register; FIPS 202, 3.2.5. */
static void make_constants(void)
{
    unsigned r = 1;

    for (int round = 0; round < 24; round++) {
        constants[round] = 0;
        for (int j = 0; j < 7; j++) {
            if (r & 1)
                constants[round] |= UINT64_C(1) << ((1U << j) - 1);
            r = r & 0x80 ? r << 1 ^ 0x171 : r << 1;
        }
    }
}

static void permute(uint64_t a[25])
{
    static const uint8_t turn[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                     27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
    static const uint8_t lane[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                     15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};

    for (int round = 0; round < 24; round++) {
        uint64_t c[5], t;

        for (int x = 0; x < 5; x++)
            c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        for (int x = 0; x < 5; x++) {
            t = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1);
            for (int y = 0; y < 25; y += 5)
                a[x + y] ^= t;
        }
        t = a[1];
        for (int i = 0; i < 24; i++) {
            uint64_t next = a[lane[i]];
            a[lane[i]] = rotate(t, turn[i]);
            t = next;
        }
        for (int y = 0; y < 25; y += 5) {
            for (int x = 0; x < 5; x++)
                c[x] = a[x + y];
            for (int x = 0; x < 5; x++)
                a[x + y] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
        }
        a[0] ^= constants[round];
    }
}

static void absorb(struct sponge *s, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        s->a[s->at / 8] ^= (uint64_t)bytes[i] << s->at % 8 * 8;
        if (++s->at == RATE) {
            permute(s->a);
            s->at = 0;
        }
    }
}
static void squeeze(struct sponge *s, uint8_t *digest)
{
    s->a[s->at / 8] ^= UINT64_C(6) << s->at % 8 * 8;
    s->a[RATE / 8 - 1] ^= UINT64_C(1) << 63;
    permute(s->a);
    for (int i = 0; i < 32; i++)
        digest[i] = (uint8_t)(s->a[i / 8] >> i % 8 * 8);
}
static void hash(const uint8_t *bytes, size_t n, size_t piece, uint8_t *digest)
{
    struct sponge s = {{0}, 0};

    for (size_t i = 0; i < n; i += piece)
        absorb(&s, bytes + i, n - i < piece ? n - i : piece);
    squeeze(&s, digest);
}

static int is(const uint8_t *digest, const char *hex)
{
    char text[65];

    for (int i = 0; i < 32; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return strcmp(text, hex) == 0;
}

int main(void)
{
    uint64_t seed = 12;

    for (int i = 0; i < LONG; i++)
        message[i] = (uint8_t)draw(&seed);
    make_constants();
    SHIM_KEEP(message);
    SHIM_KEEP(constants);
    shim_region_begin("keccak");
    hash(message, 0, 1, digests[0]);
    hash((const uint8_t *)"abc", 3, 3, digests[1]);
    hash(message, LONG, 1, digests[2]);
    hash(message, LONG, 7, digests[3]);
    hash(message, LONG, RATE, digests[4]);
    SHIM_KEEP(digests);
    shim_region_end("keccak");
    return sample_verdict_int("digest of nothing",
                              is(digests[0], "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"), 1) |
           sample_verdict_int("digest of abc",
                              is(digests[1], "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"), 1) |
           sample_verdict_int("digests in pieces differ",
                              memcmp(digests[2], digests[3], 32) != 0 || memcmp(digests[2], digests[4], 32) != 0, 0);
}
