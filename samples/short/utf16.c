/*
 * utf16 - twelve characters as UTF-16: one unit each, or a pair of surrogates from U+10000 on.
 *
 * Truth: the standard's examples: U+10437 is D801 DC37, U+24B62 is D852 DF62.
 * Work: 12 characters are compared and stored: 24.
 */
#include "../sample.h"

enum { N = 12 };
static const uint32_t text[N] = {0x48, 0x10437, 0x20AC, 0x61, 0x24B62, 0x62, 0x63, 0xD7FF, 0x64, 0x10437, 0x65, 0xFFFD};
static uint32_t characters[N];
static uint16_t units[2 * N];
static int length;

static int encode(void)
{
    int n = 0;

    for (int i = 0; i < N; i++) {
        uint32_t c = characters[i];

        if (c >= 0x10000) {
            c -= 0x10000;
            units[n++] = (uint16_t)(0xD800 | c >> 10);
            units[n++] = (uint16_t)(0xDC00 | (c & 0x3FF));
        } else {
            units[n++] = (uint16_t)c;
        }
    }
    return n;
}

int main(void)
{
    memcpy(characters, text, sizeof characters);
    SHIM_KEEP(characters);
    shim_region_begin("utf16");
    length = encode();
    SHIM_KEEP(units);
    SHIM_KEEP(&length);
    shim_region_end("utf16");
    return sample_verdict_int("units", length, 15) | sample_verdict_int("high of U+10437", units[1], 0xD801) |
           sample_verdict_int("low of U+10437", units[2], 0xDC37) |
           sample_verdict_int("high of U+24B62", units[5], 0xD852) |
           sample_verdict_int("low of U+24B62", units[6], 0xDF62);
}
