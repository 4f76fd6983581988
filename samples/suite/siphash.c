/*
 * siphash - SipHash-2-4 of 63 messages of 0 to 62 bytes, and a filter that remembers them by three of its hashes'
 * parts.
 *
 * Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012; Bloom, "Space/Time Trade-offs in Hash Coding", 1970.
 * The truth: the paper's own value (appendix A) for 15 bytes, the first of the reference's vectors, for none; and that
 * the filter knows every message put in and few others.
 *
 * Work: two passes over 63 messages; each has 4 rounds at the end, of 14 operations (4 sums, 6 rotations, 4 exclusive
 * ors) in a chain, and 2 for each 8 bytes begun, 63 * 4.5 * 2 in all: 2 * (63 * 4 + 567) * 14 = 22932.
 */
#include "../sample.h"

#define MESSAGES 63
#define BITS     1024

static uint8_t key[16], bytes[2 * MESSAGES];
static uint64_t hashes[MESSAGES];
static uint32_t filter[BITS / 32];
static int mistaken;

static uint64_t word_at(const uint8_t *at, unsigned count)
{
    uint64_t word = 0;

    while (count-- > 0)
        word = word << 8 | at[count];
    return word;
}

static uint64_t rotate(uint64_t word, unsigned count)
{
    return word << count | word >> (64 - count);
}

static void round_of(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

static uint64_t hash(const uint8_t *at, unsigned length)
{
    uint64_t k0 = word_at(key, 8), k1 = word_at(key + 8, 8);
    uint64_t v[4] = {k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d),
                     k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573)};
    unsigned rest = length;

    for (;; rest -= 8, at += 8) {
        uint64_t word = rest >= 8 ? word_at(at, 8) : word_at(at, rest) | (uint64_t)length << 56;

        v[3] ^= word;
        round_of(v);
        round_of(v);
        v[0] ^= word;
        if (rest < 8)
            break;
    }
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++)
        round_of(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static void remember(uint64_t value)
{
    for (; value != 0; value >>= 22)
        filter[value / 32 % (BITS / 32)] |= UINT32_C(1) << value % 32;
}

static int is_known(uint64_t value)
{
    for (; value != 0; value >>= 22)
        if (!(filter[value / 32 % (BITS / 32)] >> value % 32 & 1))
            return 0;
    return 1;
}

/* Messages begin at the first byte; those that the filter was not told of at the second. */
static void work(void)
{
    for (unsigned i = 0; i < MESSAGES; i++) {
        hashes[i] = hash(bytes, i);
        remember(hashes[i]);
    }
    for (unsigned i = 0; i < MESSAGES; i++)
        mistaken += is_known(hash(bytes + 1, i + 1));
}

int main(void)
{
    int missing = 0;

    for (unsigned i = 0; i < 16; i++)
        key[i] = (uint8_t)i;
    for (unsigned i = 0; i < 2 * MESSAGES; i++)
        bytes[i] = (uint8_t)i;
    memset(filter, 0, sizeof filter);
    mistaken = 0;
    SHIM_KEEP(key);
    SHIM_KEEP(bytes);
    SHIM_KEEP(filter);
    SHIM_KEEP(&mistaken);
    shim_region_begin("siphash");
    work();
    SHIM_KEEP(hashes);
    SHIM_KEEP(filter);
    SHIM_KEEP(&mistaken);
    shim_region_end("siphash");
    for (int i = 0; i < MESSAGES; i++)
        missing += !is_known(hashes[i]);
    return sample_verdict_int("whether the hash of 15 bytes is the paper's", hashes[15] == UINT64_C(0xa129ca6149be45e5),
                              1) |
           sample_verdict_int("whether that of none is the reference's", hashes[0] == UINT64_C(0x726fdb47dd0e0e31), 1) |
           sample_verdict_int("messages the filter has forgotten", missing, 0) |
           sample_verdict_int("whether few others are taken for known", mistaken <= 6, 1);
}
