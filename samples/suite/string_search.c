/*
 * string_search - find 6 patterns in 16384 letters after Horspool, which skips as far as the last letter allows.
 *
 * Work: a window moves by at most the pattern's length m, and each takes a load of the text, a comparison and a load of
 * the skip. (16384 - m + 1) / m windows for m = 2, 3, 4, 5, 8, 12: 8191 + 5460 + 4095 + 3276 + 2047 + 1364 = 24433,
 * times 3 = 73299.
 */
#include "../sample.h"
#include "lcg.h"

#define LENGTH   16384
#define PATTERNS 6

static char text[LENGTH + 1];
static const char *const patterns[PATTERNS] = {"ab", "cad", "abba", "dacab", "abcdabcd", "ddcabadcabca"};

static int search(const char *haystack, int length, const char *needle)
{
    int skip[256];
    int m = (int)strlen(needle), i, at = 0, found = 0;

    for (i = 0; i < 256; i++)
        skip[i] = m;
    for (i = 0; i < m - 1; i++)
        skip[(unsigned char)needle[i]] = m - 1 - i;
    while (at + m <= length) {
        for (i = m - 1; i >= 0 && haystack[at + i] == needle[i]; i--)
            ;
        if (i < 0)
            found++;
        at += skip[(unsigned char)haystack[at + m - 1]];
    }
    return found;
}

static int search_plainly(const char *haystack, const char *needle)
{
    int found = 0;

    for (; *haystack; haystack++)
        if (strncmp(haystack, needle, strlen(needle)) == 0)
            found++;
    return found;
}

int main(void)
{
    uint32_t seed = 6;
    int found[PATTERNS];
    int i;

    for (i = 0; i < LENGTH; i++)
        text[i] = (char)('a' + lcg_draw(&seed) % 4);
    for (i = 100; i < LENGTH - 100; i += 1000)
        memcpy(text + i, patterns[i / 1000 % PATTERNS], strlen(patterns[i / 1000 % PATTERNS]));
    text[LENGTH] = '\0';
    SHIM_KEEP(text);
    SHIM_KEEP(patterns);
    shim_region_begin("string_search");
    for (i = 0; i < PATTERNS; i++)
        found[i] = search(text, LENGTH, patterns[i]);
    SHIM_KEEP(found);
    shim_region_end("string_search");
    for (i = 0; i < PATTERNS; i++)
        if (sample_verdict_int(patterns[i], found[i], search_plainly(text, patterns[i])))
            return 1;
    return 0;
}
