/*
 * small_sorts - many short sorts of small types: counting 4000 bytes, insertion of 60 lists of 16-bit numbers, a comb
 * sort of 500 floats, and a network for 100 groups of eight 8-bit numbers.
 *
 * Comb sort: Lacey and Box, 1991; the network of 19 exchanges for eight: Batcher, 1968. The truth: qsort, outside, and
 * what it must leave unchanged: each value's number.
 *
 * Work: counting loads each byte and adds to a count in memory: 4000 * 4; each of the last four of the comb's passes
 * compares 400 pairs, in a chain where the distance is 1, else at most 16 at once: 3 * 400; the rest is left out:
 * 17200.
 */
#include "../sample.h"
#include "lcg.h"

#define BYTES  4000
#define LISTS  60
#define LIST   24
#define FLOATS 500
#define GROUPS 100

static uint8_t bytes[BYTES], byte_copy[BYTES];
static int16_t lists[LISTS][LIST], list_copy[LISTS][LIST];
static float floats[FLOATS], float_copy[FLOATS];
static int8_t groups[GROUPS][8], group_copy[GROUPS][8];

static void count_sort(uint8_t *a, int count)
{
    uint16_t counts[256] = {0};

    for (int i = 0; i < count; i++)
        counts[a[i]]++;
    for (int value = 0, at = 0; value < 256; value++)
        for (int k = counts[value]; k > 0; k--)
            a[at++] = (uint8_t)value;
}

static void insert_sort(int16_t *a, int count)
{
    for (int i = 1; i < count; i++) {
        int16_t moved = a[i];
        int at = i;

        for (; at > 0 && moved < a[at - 1]; at--)
            a[at] = a[at - 1];
        a[at] = moved;
    }
}

static void comb_sort(float *a, int count)
{
    int gap = count, again = 1;

    while (gap > 1 || again) {
        gap = gap > 13 ? gap * 10 / 13 : gap - (gap > 1);
        again = 0;
        for (int i = 0; i + gap < count; i++)
            if (a[i] > a[i + gap]) {
                float kept = a[i];

                a[i] = a[i + gap];
                a[i + gap] = kept;
                again = 1;
            }
    }
}

static void network_sort(int8_t a[8])
{
    static const uint8_t pairs[19][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {1, 2}, {5, 6},
                                         {0, 4}, {1, 5}, {2, 6}, {3, 7}, {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};

    for (int i = 0; i < 19; i++) {
        int8_t low = a[pairs[i][0]], high = a[pairs[i][1]];

        a[pairs[i][0]] = low < high ? low : high;
        a[pairs[i][1]] = low < high ? high : low;
    }
}

static void work(void)
{
    count_sort(bytes, BYTES);
    for (int i = 0; i < LISTS; i++)
        insert_sort(lists[i], LIST);
    comb_sort(floats, FLOATS);
    for (int i = 0; i < GROUPS; i++)
        network_sort(groups[i]);
}

static int compare_u8(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

static int compare_i8(const void *a, const void *b)
{
    return *(const int8_t *)a - *(const int8_t *)b;
}

static int compare_i16(const void *a, const void *b)
{
    return *(const int16_t *)a - *(const int16_t *)b;
}

static int compare_float(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

static int check(void)
{
    qsort(byte_copy, BYTES, 1, compare_u8);
    qsort(float_copy, FLOATS, sizeof(float), compare_float);
    for (int i = 0; i < LISTS; i++)
        qsort(list_copy[i], LIST, sizeof(int16_t), compare_i16);
    for (int i = 0; i < GROUPS; i++)
        qsort(group_copy[i], 8, 1, compare_i8);
    for (int i = 0; i < FLOATS; i++)
        if (sample_verdict_real("float", (double)floats[i], (double)float_copy[i], 0))
            return 1;
    return sample_verdict_int("difference of bytes", memcmp(bytes, byte_copy, sizeof bytes) != 0, 0) |
           sample_verdict_int("difference of lists", memcmp(lists, list_copy, sizeof lists) != 0, 0) |
           sample_verdict_int("difference of groups", memcmp(groups, group_copy, sizeof groups) != 0, 0);
}

int main(void)
{
    uint32_t seed = 58;

    for (int i = 0; i < BYTES; i++)
        bytes[i] = byte_copy[i] = (uint8_t)(lcg_draw(&seed) * lcg_draw(&seed) >> 24);
    for (int i = 0; i < LISTS * LIST; i++)
        lists[i / LIST][i % LIST] = list_copy[i / LIST][i % LIST] = (int16_t)(lcg_draw(&seed) - 32768U);
    for (int i = 0; i < FLOATS; i++)
        floats[i] = float_copy[i] = ((float)lcg_draw(&seed) - 32768) / 16;
    for (int i = 0; i < GROUPS * 8; i++)
        groups[i / 8][i % 8] = group_copy[i / 8][i % 8] = (int8_t)((int)(lcg_draw(&seed) % 256) - 128);
    SHIM_KEEP(bytes);
    SHIM_KEEP(lists);
    SHIM_KEEP(floats);
    SHIM_KEEP(groups);
    shim_region_begin("small_sorts");
    work();
    SHIM_KEEP(bytes);
    SHIM_KEEP(lists);
    SHIM_KEEP(floats);
    SHIM_KEEP(groups);
    shim_region_end("small_sorts");
    return check();
}
