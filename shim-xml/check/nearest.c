/* nearest.c - finds the known name that is nearest to a misspelt one: letters changed, missing, added or swapped. */
#include "shim-xml/check/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Number of changes of one letter, or swaps of neighbours, that turn a into b (optimal string alignment). Case is
 * ignored. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][NEAREST_LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t k = 0; k <= m; k++)
        last[k] = before[k] = k;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t k = 1; k <= m; k++) {
            row[k] = least(least(last[k], row[k - 1]) + 1, last[k - 1] + !same(a[i - 1], b[k - 1]));
            if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) && same(a[i - 2], b[k - 1]))
                row[k] = least(row[k], before[k - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[m];
}

/* Up to a third of the letters may be wrong, and at most three; in a short name one. */
static size_t tolerance(size_t n)
{
    return n < 6 ? 1 : least(n / 3, 3);
}

/* A bit for each letter that occurs, ignoring case; other characters share these bits. */
static uint32_t letters_of(const char *name, size_t n)
{
    uint32_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= UINT32_C(1) << (name[i] & 31);
    return all;
}

/* Each change removes at most one letter. */
static bool lacks_too_many(uint32_t letters, uint32_t there, size_t distance)
{
    uint32_t lacking = letters & ~there;
    for (; lacking && distance; distance--)
        lacking &= lacking - 1;
    return !distance;
}

struct nearest nearest_to(const char *wanted)
{
    size_t n = strlen(wanted);
    return (struct nearest){.wanted = wanted, .distance = tolerance(n) + 1, .letters = letters_of(wanted, n)};
}

static void try_text(struct nearest *n, const char *name, size_t length)
{
    size_t own = strlen(n->wanted);
    if (!own || own > NEAREST_LONGEST || length > NEAREST_LONGEST)
        return;
    if ((own > length ? own - length : length - own) >= n->distance)
        return;
    uint32_t letters = letters_of(name, length);
    if (lacks_too_many(n->letters, letters, n->distance) || lacks_too_many(letters, n->letters, n->distance))
        return;
    size_t d = distance(n->wanted, own, name, length);
    if (d >= n->distance)
        return;
    n->distance = d;
    n->name = name;
}

void nearest_try(struct nearest *n, const char *name)
{
    try_text(n, name, strlen(name));
}

void nearest_try_words(struct nearest *n, const char *words, char *room)
{
    for (const char *w = words + strspn(words, " "); *w; w += strspn(w, " ")) {
        size_t length = strcspn(w, " ");
        try_text(n, w, length);
        if (n->name == w) {
            memcpy(room, w, length);
            room[length] = 0;
            n->name = room;
        }
        w += length;
    }
}

const char *nearest_say(const struct nearest *n, char *out, size_t size)
{
    *out = 0;
    if (n->name)
        snprintf(out, size, "; did you mean '%s'?", n->name);
    return out;
}
