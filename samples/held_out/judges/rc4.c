/*
 * rc4 - a stream cipher whose state is a permutation of 256 bytes: two published messages, and 3000 bytes there and back.
 *
 * As posted in 1994. The truth: the known results for "Plaintext" under "Key" and "pedia" under "Wiki"; the bytes themselves.
 *
 * Work: 6000 bytes, each with four loads, two stores and sums in a chain, and four schedules of 256: 6000 * 9 = 54000.
 */
#include "judge.h"

#define BYTES 3000

struct cipher {
    uint8_t s[256], i, j;
};

static uint8_t data[BYTES], coded[BYTES], back[BYTES], small[2][16];

static void swap(uint8_t *a, uint8_t *b)
{
    uint8_t t = *a;

    *a = *b;
    *b = t;
}
static void schedule(struct cipher *c, const char *key, size_t n)
{
    for (int i = 0; i < 256; i++)
        c->s[i] = (uint8_t)i;
    for (unsigned i = 0, j = 0; i < 256; i++) {
        j = (j + c->s[i] + (uint8_t)key[i % n]) & 255;
        swap(&c->s[i], &c->s[j]);
    }
    c->i = c->j = 0;
}
static void apply(struct cipher *c, const uint8_t *in, uint8_t *out, size_t n)
{
    while (n--) {
        c->j = (uint8_t)(c->j + c->s[++c->i]);
        swap(&c->s[c->i], &c->s[c->j]);
        *out++ = *in++ ^ c->s[(uint8_t)(c->s[c->i] + c->s[c->j])];
    }
}
static void whole(const char *key, size_t n_key, const uint8_t *in, uint8_t *out, size_t n)
{
    struct cipher c;

    schedule(&c, key, n_key);
    apply(&c, in, out, n);
}

int main(void)
{
    static const uint8_t first[9] = {0xBB, 0xF3, 0x16, 0xE8, 0xD9, 0x40, 0xAF, 0x0A, 0xD3};
    static const uint8_t second[5] = {0x10, 0x21, 0xBF, 0x04, 0x20};
    uint64_t seed = 13;
    long different = 0;

    for (int i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(draw(&seed) & 127);
    SHIM_KEEP(data);
    shim_region_begin("rc4");
    whole("Key", 3, (const uint8_t *)"Plaintext", small[0], 9);
    whole("Wiki", 4, (const uint8_t *)"pedia", small[1], 5);
    whole("a longer key of bytes", 21, data, coded, BYTES);
    SHIM_KEEP(coded);
    whole("a longer key of bytes", 21, coded, back, BYTES);
    SHIM_KEEP(back);
    SHIM_KEEP(small);
    shim_region_end("rc4");
    for (int i = 0; i < BYTES; i++)
        different += data[i] != coded[i];
    return sample_verdict_int("first", memcmp(small[0], first, 9) != 0, 0) |
           sample_verdict_int("second", memcmp(small[1], second, 5) != 0, 0) |
           sample_verdict_int("back", memcmp(data, back, BYTES) != 0, 0) |
           sample_verdict_int("whether it was enciphered", different > BYTES * 9 / 10, 1);
}
