/*
 * line_diff - what changed between two files of 220 and some lines: lines hashed, then Myers' greedy search for the
 * shortest script, walked back through its saved frontiers.
 *
 * Myers, "An O(ND) Difference Algorithm and Its Variations", 1986. The truth: the script makes the second of the first, and
 * is as short as the table of longest common subsequences says.
 *
 * Work: 440 lines of 20 letters are hashed: 440 * 20 * 4 = 35200; compared letters may go 8 at once: 4400.
 */
#include "judge.h"

#define LINES 220
#define MOST  260
#define WIDTH 32
#define EDITS 120

static char old[LINES][WIDTH], new[MOST][WIDTH];
static int n_new;
static uint32_t old_hash[LINES], new_hash[MOST];
static int16_t saved[EDITS][2 * EDITS + 3];
static struct edit {
    int16_t old_line, new_line; /* -1: added or removed */
} script[LINES + MOST];
static int n_script, distance;

static uint32_t hash(const char *s)
{
    uint32_t h = 2166136261u;

    while (*s)
        h = (h ^ (uint8_t)*s++) * 16777619u;
    return h;
}
static int same(int x, int y)
{
    const char *a = old[x], *b = new[y];

    if (old_hash[x] != new_hash[y])
        return 0;
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}
static int search(void)
{
    int16_t v[2 * EDITS + 3];

    v[EDITS + 2] = 0;
    for (int d = 0; d < EDITS; d++) {
        for (int k = -d; k <= d; k += 2) {
            int16_t *at = &v[EDITS + 1 + k];
            int x = k == -d || (k != d && at[-1] < at[1]) ? at[1] : at[-1] + 1, y = x - k;

            while (x < LINES && y < n_new && same(x, y)) {
                x++;
                y++;
            }
            *at = (int16_t)x;
            if (x >= LINES && y >= n_new)
                return d;
        }
        memcpy(saved[d], v, sizeof v);
    }
    return -1;
}
static void walk_back(int d)
{
    int x = LINES, y = n_new;

    for (; d > 0; d--) {
        const int16_t *v = &saved[d - 1][EDITS + 1];
        int k = x - y, down = k == -d || (k != d && v[k - 1] < v[k + 1]);
        int before = down ? k + 1 : k - 1, bx = v[before], by = bx - before;

        while (x > (down ? bx : bx + 1) && y > (down ? by + 1 : by))
            script[n_script++] = (struct edit){(int16_t)--x, (int16_t)--y};
        script[n_script++] = down ? (struct edit){-1, (int16_t)(y - 1)} : (struct edit){(int16_t)(x - 1), -1};
        x = bx;
        y = by;
    }
    while (x > 0)
        script[n_script++] = (struct edit){(int16_t)--x, (int16_t)--y};
}

int main(void)
{
    static int16_t common[LINES + 1][MOST + 1];
    uint64_t seed = 58;
    int x = 0, y = 0, wrong = 0;

    n_new = 0;
    for (int i = 0; i < LINES; i++) {
        snprintf(old[i], WIDTH, i % 9 == 4 ? "}" : "    call_%d(value, %d);", draw_below(&seed, 40),
                 draw_below(&seed, 1000));
        if (draw_below(&seed, 12) == 0)
            snprintf(new[n_new++], WIDTH, "    added line %d, new", i);
        if (draw_below(&seed, 12))
            memcpy(new[n_new++], old[i], WIDTH);
    }
    n_script = 0;
    SHIM_KEEP(old);
    SHIM_KEEP(new);
    SHIM_KEEP(&n_new);
    shim_region_begin("line_diff");
    for (int i = 0; i < LINES; i++)
        old_hash[i] = hash(old[i]);
    for (int i = 0; i < n_new; i++)
        new_hash[i] = hash(new[i]);
    distance = search();
    walk_back(distance);
    SHIM_KEEP(script);
    SHIM_KEEP(&n_script);
    SHIM_KEEP(&distance);
    shim_region_end("line_diff");
    for (int i = n_script - 1; i >= 0; i--) {
        if (script[i].old_line >= 0)
            wrong += script[i].old_line != x++;
        if (script[i].new_line >= 0)
            wrong += script[i].new_line != y++;
        if (script[i].old_line >= 0 && script[i].new_line >= 0)
            wrong += strcmp(old[script[i].old_line], new[script[i].new_line]) != 0;
    }
    memset(common, 0, sizeof common);
    for (int i = 1; i <= LINES; i++)
        for (int k = 1; k <= n_new; k++) {
            int16_t best = common[i - 1][k] > common[i][k - 1] ? common[i - 1][k] : common[i][k - 1];
            common[i][k] = strcmp(old[i - 1], new[k - 1]) == 0 ? (int16_t)(common[i - 1][k - 1] + 1) : best;
        }
    return sample_verdict_int("wrong steps", wrong, 0) | sample_verdict_int("old lines", x, LINES) |
           sample_verdict_int("new lines", y, n_new) |
           sample_verdict_int("changes", distance, LINES + n_new - 2 * common[LINES][n_new]);
}
