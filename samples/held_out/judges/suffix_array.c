/*
 * suffix_array - the suffixes of a text of 600 letters in order, by doubling their ranked beginnings with counting sorts,
 * and how much neighbours share (Kasai's walk); 60 words are found by halving.
 *
 * Manber and Myers, 1993; Kasai and others, 2001. The truth: neighbours compared letter by letter; words counted in the text.
 *
 * Work: at least three doublings, each two counting sorts of 600 places: 3 * 2 * 600 * 6 = 21600.
 */
#include "judge.h"

#define LENGTH 600
#define WORDS  60

static char text[LENGTH + 1], words[WORDS][6];
static uint16_t order[LENGTH], rank_of[LENGTH], shared[LENGTH], found[WORDS];
static unsigned rounds;

static unsigned key(unsigned at, unsigned step)
{
    return at + step < LENGTH ? rank_of[at + step] + 1U : 0;
}
static void counting_sort(const uint16_t *in, uint16_t *out, unsigned step)
{
    static uint16_t starts[LENGTH + 258];

    memset(starts, 0, sizeof starts);
    for (unsigned i = 0; i < LENGTH; i++)
        starts[key(in[i], step) + 1]++;
    for (unsigned i = 1; i < LENGTH + 258; i++)
        starts[i] = (uint16_t)(starts[i] + starts[i - 1]);
    for (unsigned i = 0; i < LENGTH; i++)
        out[starts[key(in[i], step)]++] = in[i];
}
static void build(void)
{
    uint16_t half[LENGTH], next[LENGTH];

    for (unsigned i = 0; i < LENGTH; i++) {
        half[i] = (uint16_t)i;
        rank_of[i] = (uint8_t)text[i];
    }
    counting_sort(half, order, 0);
    for (unsigned step = 1; step < LENGTH; step *= 2) {
        unsigned r = 0;

        rounds++;
        counting_sort(order, half, step);
        counting_sort(half, order, 0);
        for (unsigned i = 0; i < LENGTH; i++) {
            if (i && (rank_of[order[i]] != rank_of[order[i - 1]] || key(order[i], step) != key(order[i - 1], step)))
                r++;
            next[order[i]] = (uint16_t)r;
        }
        memcpy(rank_of, next, sizeof next);
        if (r == LENGTH - 1)
            break;
    }
}
static void neighbours(void)
{
    unsigned h = 0;

    for (unsigned i = 0; i < LENGTH; i++) {
        unsigned before;

        if (rank_of[i] == 0) {
            h = 0;
            continue;
        }
        before = order[rank_of[i] - 1];
        while (i + h < LENGTH && before + h < LENGTH && text[i + h] == text[before + h])
            h++;
        shared[rank_of[i]] = (uint16_t)h;
        if (h)
            h--;
    }
}
static int compare(const char *word, unsigned at)
{
    for (; *word; word++, at++)
        if (text[at] != *word)
            return (uint8_t)*word < (uint8_t)text[at] ? -1 : 1;
    return 0;
}
static unsigned first_place(const char *word, int above)
{
    unsigned low = 0, high = LENGTH;

    while (low < high) {
        unsigned middle = (low + high) / 2;
        int c = compare(word, order[middle]);

        if (c > 0 || (above && c == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int main(void)
{
    uint64_t seed = 45;

    for (int i = 0; i < LENGTH; i++)
        text[i] = (char)('a' + (i > 100 && i < 160 ? text[i - 70] - 'a' : draw_below(&seed, 4)));
    text[LENGTH] = 0;
    for (int w = 0; w < WORDS; w++) {
        int n = 1 + w % 5;
        for (int i = 0; i < n; i++)
            words[w][i] = (char)('a' + draw_below(&seed, 4));
        words[w][n] = 0;
    }
    memset(shared, 0, sizeof shared);
    rounds = 0;
    SHIM_KEEP(text);
    SHIM_KEEP(words);
    shim_region_begin("suffix_array");
    build();
    neighbours();
    for (int w = 0; w < WORDS; w++)
        found[w] = (uint16_t)(first_place(words[w], 1) - first_place(words[w], 0));
    SHIM_KEEP(order);
    SHIM_KEEP(shared);
    SHIM_KEEP(found);
    shim_region_end("suffix_array");
    for (int i = 1; i < LENGTH; i++) {
        unsigned n = 0;

        if (strcmp(text + order[i - 1], text + order[i]) >= 0)
            return sample_verdict_int("place out of order", i, -1);
        while (text[order[i] + n] == text[order[i - 1] + n])
            n++;
        if (shared[i] != n)
            return sample_verdict_int("shared letters", shared[i], n);
    }
    for (int w = 0; w < WORDS; w++) {
        int n = 0;
        for (const char *at = text; (at = strstr(at, words[w])) != NULL; at++)
            n++;
        if (found[w] != n)
            return sample_verdict_int("times a word is there", found[w], n);
    }
    return 0;
}
