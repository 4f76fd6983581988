/*
 * alpha_beta - four in a row on 5 x 4 places in two masks of 32 bits: the value of 3 positions, six moves deep, by negamax
 * with a window and a table of 2048 known positions (24 KB).
 *
 * Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975. The truth: plain minimax over all moves.
 *
 * Work: at least 300 positions in all, each with a test for four in a row of 16 operations: 300 * 16 = 4800.
 */
#include "judge.h"

#define WIDE   5
#define HIGH   4
#define DEPTH  6
#define KNOWN  2048
#define STARTS 3

struct known {
    uint32_t mine, theirs;
    int8_t value;
    uint8_t kind; /* 0 nothing, 1 exact, 2 at least, 3 at most; plus 4 * depth */
};

static struct known table[KNOWN];
static uint32_t starts[STARTS][2];
static int values[STARTS];
static unsigned hits, visited;

/* A column takes 5 bits, the topmost always empty. */
static int has_four(uint32_t b)
{
    static const uint8_t ways[] = {1, 5, 4, 6};

    for (int i = 0; i < 4; i++) {
        uint32_t two = b & b >> ways[i];
        if (two & two >> 2 * ways[i])
            return 1;
    }
    return 0;
}
static int guess(uint32_t mine, uint32_t theirs)
{
    static const uint32_t middle = 0x1Fu << 10 | 0x6u << 5 | 0x6u << 15;
    int value = 0;

    for (uint32_t x = mine & middle; x; x &= x - 1)
        value++;
    for (uint32_t x = theirs & middle; x; x &= x - 1)
        value--;
    return value;
}
static uint32_t move_in(uint32_t both, int column)
{
    uint32_t lowest = 1u << 5 * column;
    uint32_t place = (both + lowest) & (0xFu << 5 * column);

    return place & ~both;
}

static int search(uint32_t mine, uint32_t theirs, int depth, int low, int high)
{
    static const uint8_t order[WIDE] = {2, 1, 3, 0, 4};
    struct known *k = &table[(mine * 2654435761u ^ theirs * 2246822519u) >> 21];
    int best = -100, start = low;

    visited++;
    if (has_four(theirs))
        return -50 - depth;
    if (depth == 0)
        return guess(mine, theirs);
    if (k->kind >> 2 == depth && k->mine == mine && k->theirs == theirs) {
        int kind = k->kind & 3;

        if (kind == 1 || (kind == 2 && k->value >= high) || (kind == 3 && k->value <= low)) {
            hits++;
            return k->value;
        }
    }
    for (int i = 0; i < WIDE && best < high; i++) {
        uint32_t move = move_in(mine | theirs, order[i]);
        int value;

        if (!move)
            continue;
        value = -search(theirs, mine | move, depth - 1, -high, -low);
        if (value > best) {
            best = value;
            if (value > low)
                low = value;
        }
    }
    if (best == -100)
        best = 0; /* full */
    *k = (struct known){mine, theirs, (int8_t)best, (uint8_t)(depth << 2 | (best >= high ? 2 : best <= start ? 3 : 1))};
    return best;
}
static int minimax(uint32_t mine, uint32_t theirs, int depth)
{
    int best = -100;

    if (has_four(theirs))
        return -50 - depth;
    if (depth == 0)
        return guess(mine, theirs);
    for (int c = 0; c < WIDE; c++) {
        uint32_t move = move_in(mine | theirs, c);
        if (move) {
            int value = -minimax(theirs, mine | move, depth - 1);
            best = value > best ? value : best;
        }
    }
    return best == -100 ? 0 : best;
}

int main(void)
{
    static const char *const played[STARTS] = {"22", "213", "2210334"};

    for (int s = 0; s < STARTS; s++) {
        uint32_t mine = 0, theirs = 0;
        for (const char *m = played[s]; *m; m++) {
            uint32_t moved = mine | move_in(mine | theirs, *m - '0');
            mine = theirs;
            theirs = moved;
        }
        starts[s][0] = mine;
        starts[s][1] = theirs;
    }
    memset(table, 0, sizeof table);
    hits = visited = 0;
    SHIM_KEEP(starts);
    SHIM_KEEP(table);
    shim_region_begin("alpha_beta");
    for (int s = 0; s < STARTS; s++)
        values[s] = search(starts[s][0], starts[s][1], DEPTH, -100, 100);
    SHIM_KEEP(values);
    shim_region_end("alpha_beta");
    for (int s = 0; s < STARTS; s++)
        if (sample_verdict_int("value", values[s], minimax(starts[s][0], starts[s][1], DEPTH)))
            return 1;
    return sample_verdict_int("whether positions came again", hits > 10 && visited > 300, 1);
}
