/*
 * md5 - the seven messages of RFC 1321's test suite, four times over.
 *
 * The truth: the digests in RFC 1321, A.5.
 *
 * Work: each of the 4 * 8 blocks (the seventh message takes two) is 64 steps in a chain: the message word and the
 * constant are loaded and added with two more sums, a rotation and at least two operations on bits: 32 * 64 * 8 =
 * 16384.
 */
#include "../sample.h"

#define MESSAGES 7
#define ROUNDS   4

static const char *const messages[MESSAGES] = {
    "",
    "a",
    "abc",
    "message digest",
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
};
static const char *const digests[MESSAGES] = {
    "d41d8cd98f00b204e9800998ecf8427e", "0cc175b9c0f1b6a831c399e269772661", "900150983cd24fb0d6963f7d28e17f72",
    "f96b697d7cb7938d525a2f31aaf161d0", "c3fcd3d76192e4007dfb496cca67e13b", "d174ab98d277d9f5a5611c2c9f419d9f",
    "57edf4a22be3c955ac49da2e2107b67a",
};
static const uint8_t turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static uint32_t constants[64]; /* 2^32 |sin(i + 1)| */
static char texts[MESSAGES][96];
static size_t lengths[MESSAGES];
static uint8_t results[MESSAGES][16];

static uint32_t rotate(uint32_t word, unsigned count)
{
    return word << count | word >> (32 - count);
}

static void digest_block(uint32_t state[4], const uint8_t *block)
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], word[16];

    for (int i = 0; i < 16; i++)
        word[i] = (uint32_t)block[4 * i] | (uint32_t)block[4 * i + 1] << 8 | (uint32_t)block[4 * i + 2] << 16 |
                  (uint32_t)block[4 * i + 3] << 24;
    for (unsigned i = 0; i < 64; i++) {
        uint32_t mixed, kept = d;
        unsigned at;

        switch (i / 16) {
        case 0:
            mixed = (b & c) | (~b & d);
            at = i;
            break;
        case 1:
            mixed = (b & d) | (c & ~d);
            at = 5 * i + 1;
            break;
        case 2:
            mixed = b ^ c ^ d;
            at = 3 * i + 5;
            break;
        default:
            mixed = c ^ (b | ~d);
            at = 7 * i;
        }
        d = c;
        c = b;
        b += rotate(a + mixed + constants[i] + word[at % 16], turns[i / 16][i % 4]);
        a = kept;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static void digest(const char *text, size_t length, uint8_t result[16])
{
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    size_t padded = (length + 9 + 63) / 64 * 64;

    for (size_t start = 0; start < padded; start += 64) {
        uint8_t block[64];

        for (size_t i = 0; i < 64; i++) {
            size_t at = start + i;

            if (at < length)
                block[i] = (uint8_t)text[at];
            else if (at == length)
                block[i] = 0x80;
            else
                block[i] = at < padded - 8 ? 0 : (uint8_t)((uint64_t)length * 8 >> 8 * (at - (padded - 8)));
        }
        digest_block(state, block);
    }
    for (int i = 0; i < 16; i++)
        result[i] = (uint8_t)(state[i / 4] >> 8 * (i % 4));
}

static void digest_all(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < MESSAGES; i++) {
            digest(texts[i], lengths[i], results[i]);
            SHIM_KEEP(results);
        }
}

int main(void)
{
    char printed[33];

    for (int i = 0; i < 64; i++)
        constants[i] = (uint32_t)(fabs(sin(i + 1)) * 4294967296.0);
    memset(texts, 0, sizeof texts);
    for (int i = 0; i < MESSAGES; i++) {
        lengths[i] = strlen(messages[i]);
        memcpy(texts[i], messages[i], lengths[i]);
    }
    SHIM_KEEP(constants);
    SHIM_KEEP(texts);
    SHIM_KEEP(lengths);
    shim_region_begin("md5");
    digest_all();
    SHIM_KEEP(results);
    shim_region_end("md5");
    for (int i = 0; i < MESSAGES; i++) {
        for (int k = 0; k < 16; k++)
            snprintf(printed + 2 * k, 3, "%02x", results[i][k]);
        if (sample_verdict_int("difference from RFC 1321's digest", strcmp(printed, digests[i]) != 0, 0))
            return 1;
    }
    return 0;
}
