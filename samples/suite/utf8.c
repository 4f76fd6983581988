/*
 * utf8 - 3000 code points are written as UTF-8, validated and read to UTF-16; 17 malformed sequences are refused.
 *
 * RFC 3629: no overlong forms, no surrogates, nothing above 10ffff; UTF-16 by RFC 2781. The truth: the code points
 * drawn, counted units, and the well-formed table of the Unicode standard (3-7) for what must be refused.
 *
 * Work: at least 3000 bytes' tests and stores on the way there, and loads, tests and stores on the way back, at places
 * that depend on all characters before: 3000 * 2 * 3 = 18000.
 */
#include "../sample.h"
#include "lcg.h"

#define POINTS 3000
#define BAD    17

static uint32_t points[POINTS];
static uint8_t text[4 * POINTS + 1];
static uint16_t units[2 * POINTS];
static uint16_t scratch[8];
static uint8_t malformed[BAD][8];
static size_t bytes, halves;
static int refused;

static const uint8_t bad[BAD][8] = {
    "\x80",         "\xbf",         "\xc0\x80",     "\xc1\xbf",         "\xc2",         "\xc2\x41",
    "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xe1\x80",         "\xe1\x80\xc0", "\xf0\x8f\xbf\xbf",
    "\xf4\x90\x80", "\xf5\x80\x80", "\xff",         "\xf1\x80\x80\x41", "a\xfe",
};

static uint8_t *encode(uint32_t c, uint8_t *at)
{
    if (c < 0x80) {
        *at++ = (uint8_t)c;
        return at;
    }
    if (c < 0x800) {
        *at++ = (uint8_t)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *at++ = (uint8_t)(0xe0 | c >> 12);
        } else {
            *at++ = (uint8_t)(0xf0 | c >> 18);
            *at++ = (uint8_t)(0x80 | (c >> 12 & 0x3f));
        }
        *at++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    }
    *at++ = (uint8_t)(0x80 | (c & 0x3f));
    return at;
}

/* The character at *at and past it; UINT32_MAX if none stands there. Text ends with a zero byte. */
static uint32_t decode(const uint8_t **at)
{
    const uint8_t *byte = *at;
    uint32_t c = *byte++, least = 0;
    int more = 0;

    if (c >= 0x80 && (c < 0xc2 || c >= 0xf5))
        return UINT32_MAX;
    if (c >= 0xf0) {
        more = 3;
        least = 0x10000;
        c &= 0x07;
    } else if (c >= 0xe0) {
        more = 2;
        least = 0x800;
        c &= 0x0f;
    } else if (c >= 0xc2) {
        more = 1;
        least = 0x80;
        c &= 0x1f;
    }
    for (; more > 0; more--, byte++) {
        if ((*byte & 0xc0) != 0x80)
            return UINT32_MAX;
        c = c << 6 | (*byte & 0x3f);
    }
    *at = byte;
    return c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? UINT32_MAX : c;
}

/* 16-bit units written, or SIZE_MAX for text that is not well-formed. */
static size_t to_utf16(const uint8_t *at, uint16_t *unit)
{
    const uint16_t *start = unit;

    while (*at != 0) {
        uint32_t c = decode(&at);

        if (c == UINT32_MAX)
            return SIZE_MAX;
        if (c < 0x10000) {
            *unit++ = (uint16_t)c;
        } else {
            *unit++ = (uint16_t)(0xd7c0 + (c >> 10));
            *unit++ = (uint16_t)(0xdc00 | (c & 0x3ff));
        }
    }
    return (size_t)(unit - start);
}

static void convert(void)
{
    uint8_t *at = text;

    for (int i = 0; i < POINTS; i++)
        at = encode(points[i], at);
    *at = 0;
    bytes = (size_t)(at - text);
    halves = to_utf16(text, units);
    for (int i = 0; i < BAD; i++)
        refused += to_utf16(malformed[i], scratch) == SIZE_MAX;
}

static uint32_t draw_point(uint32_t *seed)
{
    static const uint32_t limits[] = {0x80, 0x80, 0x800, 0x10000, 0x110000};
    uint32_t limit = limits[lcg_draw(seed) % 5], wide = (uint32_t)lcg_draw(seed) << 8 ^ lcg_draw(seed);
    uint32_t c = wide % limit;

    return c == 0 || (c >= 0xd800 && c < 0xe000) ? 'x' : c;
}

int main(void)
{
    uint32_t seed = 19;
    size_t expected_bytes = 0, at = 0;

    for (int i = 0; i < POINTS; i++) {
        uint32_t c = points[i] = draw_point(&seed);

        expected_bytes += 1 + (c > 0x7f) + (c > 0x7ff) + (c > 0xffff);
    }
    memcpy(malformed, bad, sizeof malformed);
    refused = 0;
    SHIM_KEEP(points);
    SHIM_KEEP(malformed);
    SHIM_KEEP(&refused);
    shim_region_begin("utf8");
    convert();
    SHIM_KEEP(text);
    SHIM_KEEP(units);
    SHIM_KEEP(&refused);
    shim_region_end("utf8");
    for (int i = 0; i < POINTS; i++) {
        uint32_t c = units[at++];

        if (c >= 0xd800 && c < 0xdc00)
            c = 0x10000 + ((c & 0x3ff) << 10) + (units[at++] & 0x3ff);
        if (sample_verdict_int("code point", c, points[i]))
            return 1;
    }
    return sample_verdict_int("bytes", (long long)bytes, (long long)expected_bytes) |
           sample_verdict_int("16-bit units", (long long)halves, (long long)at) |
           sample_verdict_int("malformed texts refused", refused, BAD);
}
