/*
 * match_many - five patterns are searched in 8000 letters of a genome by Knuth, Morris and Pratt, by Rabin and Karp's
 * rolling hash, and by bits that shift (Baeza-Yates and Gonnet), through a table of functions.
 *
 * The truth: the three agree with memcmp at every place, outside.
 *
 * Work: each of the 3 * 5 passes loads each of the 8000 letters, and takes a step in a chain of at least two operations
 * (comparison and state; product and sum; shift and mask): 15 * 8000 * 3 = 360000.
 */
#include "../sample.h"
#include "lcg.h"

#define LENGTH   8000
#define PATTERNS 5
#define LONGEST  24
#define WAYS     3

typedef int (*search)(const uint8_t *text, int length, const uint8_t *pattern, int size);

static const char *const wanted[PATTERNS] = {"acgacgt", "aaaa", "tgatgatgc", "ccgtacgattacgaccgtac", "ga"};

static uint8_t text[LENGTH], patterns[PATTERNS][LONGEST];
static int sizes[PATTERNS], counts[WAYS][PATTERNS];

static int by_border(const uint8_t *at, int length, const uint8_t *pattern, int size)
{
    int border[LONGEST + 1], state = 0, count = 0;

    border[0] = -1;
    for (int i = 0, k = -1; i < size;) {
        while (k >= 0 && pattern[i] != pattern[k])
            k = border[k];
        border[++i] = ++k;
    }
    for (int i = 0; i < length; i++) {
        while (state >= 0 && (state == size || at[i] != pattern[state]))
            state = border[state];
        state++;
        count += state == size;
    }
    return count;
}

static int by_hash(const uint8_t *at, int length, const uint8_t *pattern, int size)
{
    uint32_t hash = 0, sought = 0, highest = 1;
    int count = 0;

    for (int i = 0; i < size; i++) {
        sought = sought * 257 + pattern[i];
        hash = hash * 257 + at[i];
        highest *= i ? 257 : 1;
    }
    for (int i = size;; i++) {
        if (hash == sought) {
            int k = 0;

            while (k < size && at[i - size + k] == pattern[k])
                k++;
            count += k == size;
        }
        if (i == length)
            return count;
        hash = (hash - at[i - size] * highest) * 257 + at[i];
    }
}

static int by_bits(const uint8_t *at, int length, const uint8_t *pattern, int size)
{
    uint32_t places[256] = {0}, running = 0;
    int count = 0;

    for (int i = 0; i < size; i++)
        places[pattern[i]] |= UINT32_C(1) << i;
    for (int i = 0; i < length; i++) {
        running = (running << 1 | 1) & places[at[i]];
        count += (int)(running >> (size - 1) & 1);
    }
    return count;
}

static void search_all(search const ways[WAYS])
{
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < PATTERNS; i++)
            counts[way][i] = ways[way](text, LENGTH, patterns[i], sizes[i]);
}

int main(void)
{
    search ways[WAYS] = {by_border, by_hash, by_bits};
    uint32_t seed = 51;

    for (int i = 0; i < LENGTH; i++)
        text[i] = (uint8_t) "acgt"[lcg_draw(&seed) % 4];
    for (int i = 0; i < PATTERNS; i++) {
        sizes[i] = (int)strlen(wanted[i]);
        memset(patterns[i], 0, LONGEST);
        memcpy(patterns[i], wanted[i], (size_t)sizes[i]);
        for (int k = 0; k < 12; k++)
            memcpy(text + (i * 12 + k) * 130 + 7 * k, wanted[i], (size_t)sizes[i]);
    }
    SHIM_KEEP(text);
    SHIM_KEEP(patterns);
    SHIM_KEEP(sizes);
    SHIM_KEEP(ways);
    shim_region_begin("match_many");
    search_all(ways);
    SHIM_KEEP(counts);
    shim_region_end("match_many");
    for (int i = 0; i < PATTERNS; i++) {
        int expected = 0;

        for (int at = 0; at + sizes[i] <= LENGTH; at++)
            expected += memcmp(text + at, wanted[i], (size_t)sizes[i]) == 0;
        for (int way = 0; way < WAYS; way++)
            if (sample_verdict_int(wanted[i], counts[way][i], expected))
                return 1;
    }
    return 0;
}
