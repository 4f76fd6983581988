/*
 * block_sort - 512 bytes of text through the Burrows-Wheeler transform, move to front and run lengths of zero, and
 * back.
 *
 * Burrows and Wheeler, "A Block-sorting Lossless Data Compression Algorithm", 1994. Rotations are sorted by doubled
 * prefixes with a counting sort, the inverse is the walk of section 4.2. The truth: the text; and the paper's example,
 * "abraca" gives "caraab" and 1.
 *
 * Work: the inverse is a chain of 512 steps, each a load of a byte, of a link and a store; so is move to front both
 * ways, where each byte's place is searched with at least a load and a comparison: 512 * 3 + 2 * 512 * 3 = 4608.
 * Sorting counts all rotations at least 4 times (a load, an addition, a store): 512 * 4 * 3 = 6144. Together 10752.
 */
#include "../sample.h"
#include "lcg.h"

#define LENGTH 512

static uint8_t text[LENGTH], last[LENGTH], ranked[LENGTH], runs[2 * LENGTH], unrun[LENGTH], unranked[LENGTH];
static uint8_t back[LENGTH];
static int first_row, runs_length;

struct doubling {
    int order[LENGTH], by_second[LENGTH], rank[LENGTH], next[LENGTH], count[LENGTH > 256 ? LENGTH + 1 : 257];
};

static struct doubling room;

/* Rotations in order, by their first 1, 2, 4 ... bytes. */
static void sort_rotations(const uint8_t *in, int n, struct doubling *d)
{
    int classes = 256;

    for (int i = 0; i < n; i++) {
        d->by_second[i] = i;
        d->rank[i] = in[i];
    }
    for (int step = 0; step < n; step = step ? 2 * step : 1) {
        for (int i = 0; i <= classes; i++)
            d->count[i] = 0;
        for (int i = 0; i < n; i++) {
            if (step)
                d->by_second[i] = (d->order[i] - step + n) % n;
            d->count[d->rank[i] + 1]++;
        }
        for (int i = 0; i < classes; i++)
            d->count[i + 1] += d->count[i];
        for (int i = 0; i < n; i++)
            d->order[d->count[d->rank[d->by_second[i]]]++] = d->by_second[i];
        classes = 0;
        for (int i = 0; i < n; i++) {
            int a = d->order[i], b = d->order[i ? i - 1 : 0];

            if (i == 0 || d->rank[a] != d->rank[b] || d->rank[(a + step) % n] != d->rank[(b + step) % n])
                classes++;
            d->next[a] = classes - 1;
        }
        for (int i = 0; i < n; i++)
            d->rank[i] = d->next[i];
    }
}

static int transform(const uint8_t *in, int n, uint8_t *out)
{
    int row = 0;

    sort_rotations(in, n, &room);
    for (int i = 0; i < n; i++) {
        out[i] = in[(room.order[i] + n - 1) % n];
        if (room.order[i] == 0)
            row = i;
    }
    return row;
}

static void inverse(const uint8_t *in, int n, int row, uint8_t *out)
{
    int before[257] = {0}, link[LENGTH];

    for (int i = 0; i < n; i++)
        before[in[i] + 1]++;
    for (int c = 0; c < 256; c++)
        before[c + 1] += before[c];
    for (int i = 0; i < n; i++)
        link[i] = before[in[i]]++;
    for (int i = n - 1; i >= 0; i--) {
        out[i] = in[row];
        row = link[row];
    }
}

static void fill_order(uint8_t order[256])
{
    for (int i = 0; i < 256; i++)
        order[i] = (uint8_t)i;
}

static void to_front(uint8_t order[256], int place, uint8_t byte)
{
    for (; place > 0; place--)
        order[place] = order[place - 1];
    order[0] = byte;
}

static void move_to_front(const uint8_t *in, int n, uint8_t *out)
{
    uint8_t order[256];

    fill_order(order);
    for (int i = 0; i < n; i++) {
        int place = 0;

        while (order[place] != in[i])
            place++;
        out[i] = (uint8_t)place;
        to_front(order, place, in[i]);
    }
}

static void from_front(const uint8_t *in, int n, uint8_t *out)
{
    uint8_t order[256];

    fill_order(order);
    for (int i = 0; i < n; i++) {
        out[i] = order[in[i]];
        to_front(order, in[i], out[i]);
    }
}

/* A zero is followed by how many there are. */
static int pack_runs(const uint8_t *in, int n, uint8_t *out)
{
    int length = 0;

    for (int i = 0; i < n; i++) {
        out[length++] = in[i];
        if (in[i] == 0) {
            int start = i;

            while (i + 1 < n && in[i + 1] == 0 && i - start < 254)
                i++;
            out[length++] = (uint8_t)(i - start + 1);
        }
    }
    return length;
}

static void unpack_runs(const uint8_t *in, int length, uint8_t *out)
{
    for (int i = 0; i < length; i++) {
        int times = in[i] == 0 ? in[i + 1] : 1;

        for (int k = 0; k < times; k++)
            *out++ = in[i];
        i += in[i] == 0;
    }
}

static void there_and_back(void)
{
    first_row = transform(text, LENGTH, last);
    move_to_front(last, LENGTH, ranked);
    runs_length = pack_runs(ranked, LENGTH, runs);
    unpack_runs(runs, runs_length, unrun);
    from_front(unrun, LENGTH, unranked);
    inverse(unranked, LENGTH, first_row, back);
}

int main(void)
{
    static const char *const words[] = {"left ", "right ", "ahead ", "stop ", "wait ", "turn ", "slow ", "fast "};
    uint8_t example[6];
    uint32_t seed = 24;
    int at = 0, row;

    while (at < LENGTH)
        for (const char *c = words[lcg_draw(&seed) % 8]; *c && at < LENGTH; c++)
            text[at++] = (uint8_t)*c;
    SHIM_KEEP(text);
    shim_region_begin("block_sort");
    there_and_back();
    SHIM_KEEP(back);
    SHIM_KEEP(&runs_length);
    shim_region_end("block_sort");
    row = transform((const uint8_t *)"abraca", 6, example);
    return sample_verdict_int("difference from the text", memcmp(back, text, LENGTH) != 0, 0) |
           sample_verdict_int("whether runs are shorter", runs_length < LENGTH * 3 / 4, 1) |
           sample_verdict_int("row of abraca", row, 1) |
           sample_verdict_int("difference from caraab", memcmp(example, "caraab", 6) != 0, 0);
}
