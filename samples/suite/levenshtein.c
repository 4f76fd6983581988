/*
 * levenshtein - the distance of edits between 12 misspelt names and the 16 names of a list; the nearest is chosen.
 *
 * Wagner and Fischer, 1974, with one row of 8-bit cells. The truth: each misspelt name was made from a known one by
 * known edits, and the distances by the recursive definition, with a memory, outside.
 *
 * Work: every pair of names fills at least 5 * 5 cells, each the smallest of three with a comparison of letters, in
 * vectors along a diagonal at most 5 at once: 192 * 25 * 5 / 5 = 4800.
 */
#include "../sample.h"

#define NAMES    16
#define MISSPELT 12
#define LONGEST  16

static const char *const names[NAMES] = {"throttle",   "ignition", "injector", "manifold", "camshaft", "crankcase",
                                         "alternator", "radiator", "gearbox",  "clutch",   "brakes",   "steering",
                                         "exhaust",    "battery",  "turbine",  "sensor"};
static const char *const misspelt[MISSPELT] = {"throtle",  "ingition",  "injectors",  "manyfold",
                                               "canshaft", "krankcase", "alternater", "radiatr",
                                               "gerbocks", "cluch",     "breaks",     "censer"};
static const int meant[MISSPELT] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15};
static const int edits[MISSPELT] = {1, 2, 1, 1, 1, 1, 1, 1, 4, 1, 2, 2};

static char list[NAMES][LONGEST], typed[MISSPELT][LONGEST];
static uint8_t distances[MISSPELT][NAMES];
static int nearest[MISSPELT];

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static uint8_t distance(const char *a, const char *b)
{
    uint8_t row[LONGEST + 1];
    unsigned width = 0;

    for (; b[width]; width++)
        row[width] = (uint8_t)width;
    row[width] = (uint8_t)width;
    for (unsigned i = 0; a[i]; i++) {
        unsigned diagonal = row[0];

        row[0] = (uint8_t)(i + 1);
        for (unsigned k = 0; k < width; k++) {
            unsigned above = row[k + 1];

            row[k + 1] = (uint8_t)least(diagonal + (a[i] != b[k]), least(above, row[k]) + 1);
            diagonal = above;
        }
    }
    return row[width];
}

static void choose(void)
{
    for (int i = 0; i < MISSPELT; i++) {
        nearest[i] = 0;
        for (int k = 0; k < NAMES; k++) {
            distances[i][k] = distance(typed[i], list[k]);
            if (distances[i][k] < distances[i][nearest[i]])
                nearest[i] = k;
        }
    }
}

/* By definition, from the ends of the names; -1: not known yet. */
static int defined(const char *a, const char *b, int memory[LONGEST][LONGEST], int i, int k)
{
    int best;

    if (a[i] == 0 || b[k] == 0)
        return (int)(strlen(a + i) + strlen(b + k));
    if (memory[i][k] >= 0)
        return memory[i][k];
    best = defined(a, b, memory, i + 1, k + 1) + (a[i] != b[k]);
    best = best < defined(a, b, memory, i + 1, k) + 1 ? best : defined(a, b, memory, i + 1, k) + 1;
    best = best < defined(a, b, memory, i, k + 1) + 1 ? best : defined(a, b, memory, i, k + 1) + 1;
    return memory[i][k] = best;
}

int main(void)
{
    memset(list, 0, sizeof list);
    memset(typed, 0, sizeof typed);
    for (int i = 0; i < NAMES; i++)
        memcpy(list[i], names[i], strlen(names[i]));
    for (int i = 0; i < MISSPELT; i++)
        memcpy(typed[i], misspelt[i], strlen(misspelt[i]));
    SHIM_KEEP(list);
    SHIM_KEEP(typed);
    shim_region_begin("levenshtein");
    choose();
    SHIM_KEEP(distances);
    SHIM_KEEP(nearest);
    shim_region_end("levenshtein");
    for (int i = 0; i < MISSPELT; i++) {
        if (sample_verdict_int(misspelt[i], nearest[i], meant[i]) ||
            sample_verdict_int("edits", distances[i][nearest[i]], edits[i]))
            return 1;
        for (int k = 0; k < NAMES; k++) {
            int memory[LONGEST][LONGEST];

            memset(memory, -1, sizeof memory);
            if (sample_verdict_int("distance", distances[i][k], defined(misspelt[i], names[k], memory, 0, 0)))
                return 1;
        }
    }
    return 0;
}
