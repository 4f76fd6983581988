/*
 * base64 - 6-bit text of 5999 bytes and back, with padding.
 *
 * RFC 4648, section 4. The truth: the RFC's test vector "fooba" = "Zm9vYmE=", and the round trip.
 *
 * Work: the encoder looks up 8000 characters in a table, at places that the data decide: a load each. The decoder may
 * end at any character, so it loads one after the other, and then its value: 2 loads each. 8000 * 3 = 24000.
 */
#include "../sample.h"
#include "test_signal.h"

#define LENGTH  5999
#define ENCODED ((LENGTH + 2) / 3 * 4)

static const char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int8_t value_of[256]; /* -1: not of the alphabet */
static uint8_t data[LENGTH], back[LENGTH + 2];
static uint8_t vector[5], vector_text[8];
static uint8_t text[ENCODED];
static size_t decoded;

static void encode_group(uint8_t *to, uint32_t bits)
{
    to[0] = (uint8_t)alphabet[bits >> 18];
    to[1] = (uint8_t)alphabet[bits >> 12 & 63];
    to[2] = (uint8_t)alphabet[bits >> 6 & 63];
    to[3] = (uint8_t)alphabet[bits & 63];
}

static void encode(uint8_t *to, const uint8_t *from, size_t length)
{
    for (; length >= 3; length -= 3, from += 3, to += 4)
        encode_group(to, (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2]);
    if (length > 0) {
        encode_group(to, (uint32_t)from[0] << 16 | (length == 2 ? (uint32_t)from[1] << 8 : 0));
        to[3] = '=';
        if (length == 1)
            to[2] = '=';
    }
}

/* Bytes decoded; stops at the padding, or at the first character that is not of the alphabet. */
static size_t decode(uint8_t *to, const uint8_t *from, size_t length)
{
    uint32_t bits = 0;
    size_t written = 0;
    int held = 0;

    for (size_t i = 0; i < length && value_of[from[i]] >= 0; i++) {
        bits = bits << 6 | (uint32_t)value_of[from[i]];
        held += 6;
        if (held >= 8) {
            held -= 8;
            to[written++] = (uint8_t)(bits >> held);
        }
    }
    return written;
}

static void prepare(void)
{
    uint32_t noise = 2654435769u;

    memset(value_of, -1, sizeof value_of);
    for (int i = 0; i < 64; i++)
        value_of[(uint8_t)alphabet[i]] = (int8_t)i;
    for (int i = 0; i < LENGTH; i++)
        data[i] = (uint8_t)noise_next(&noise);
    memcpy(vector, "fooba", sizeof vector);
    SHIM_KEEP(value_of);
    SHIM_KEEP(data);
    SHIM_KEEP(vector);
}

int main(void)
{
    prepare();
    shim_region_begin("base64");
    encode(vector_text, vector, sizeof vector);
    encode(text, data, LENGTH);
    SHIM_KEEP(vector_text);
    SHIM_KEEP(text);
    decoded = decode(back, text, ENCODED);
    SHIM_KEEP(back);
    SHIM_KEEP(&decoded);
    shim_region_end("base64");
    return sample_verdict_int("difference from the RFC's vector", memcmp(vector_text, "Zm9vYmE=", 8) != 0, 0) |
           sample_verdict_int("bytes decoded", (long long)decoded, LENGTH) |
           sample_verdict_int("difference after the round trip", memcmp(back, data, LENGTH) != 0, 0);
}
