/*
 * decision_forest - 24 trees of up to 63 nodes in tables of 16-bit places vote on 150 rows of 12 features of 16 bits.
 *
 * Breiman, "Random Forests", 2001. The truth: the same trees as nested sums over all leaves: a leaf counts when each
 * comparison on its way holds.
 *
 * Work: 150 rows and 24 trees, at least two nodes each of a load, a comparison and a choice: 150 * 24 * 2 * 4 = 28800.
 */
#include "judge.h"

#define ROWS     150
#define TREES    24
#define NODES    63
#define FEATURES 12
#define CLASSES  4

struct node {
    int16_t threshold;
    uint8_t feature; /* 255: a leaf, whose class is in `left` */
    uint8_t left, right;
};

static struct node forest[TREES][NODES];
static int16_t rows[ROWS][FEATURES];
static uint8_t classes[ROWS];
static uint16_t votes[ROWS][CLASSES];

static unsigned leaf_of(const struct node *tree, const int16_t *x)
{
    unsigned at = 0;

    while (tree[at].feature != 255)
        at = x[tree[at].feature] <= tree[at].threshold ? tree[at].left : tree[at].right;
    return tree[at].left;
}
static void classify(void)
{
    for (int r = 0; r < ROWS; r++) {
        unsigned best = 0;

        for (int t = 0; t < TREES; t++)
            votes[r][leaf_of(forest[t], rows[r])]++;
        for (unsigned c = 1; c < CLASSES; c++)
            if (votes[r][c] > votes[r][best])
                best = c;
        classes[r] = (uint8_t)best;
    }
}

static unsigned grow(struct node *tree, unsigned *used, int depth, uint64_t *seed)
{
    unsigned at = (*used)++;

    if (depth == 0 || (depth < 4 && draw_below(seed, 4) == 0)) {
        tree[at] = (struct node){0, 255, (uint8_t)draw_below(seed, CLASSES), 0};
        return at;
    }
    tree[at].feature = (uint8_t)draw_below(seed, FEATURES);
    tree[at].threshold = (int16_t)(draw_below(seed, 2000) - 1000);
    tree[at].left = (uint8_t)grow(tree, used, depth - 1, seed);
    tree[at].right = (uint8_t)grow(tree, used, depth - 1, seed);
    return at;
}
static void count(const struct node *tree, unsigned at, const int16_t *x, int holds, unsigned *sum)
{
    const struct node *n = &tree[at];

    if (n->feature == 255) {
        sum[n->left] += (unsigned)holds;
        return;
    }
    count(tree, n->left, x, holds & (x[n->feature] <= n->threshold), sum);
    count(tree, n->right, x, holds & (x[n->feature] > n->threshold), sum);
}

int main(void)
{
    uint64_t seed = 37;

    for (int t = 0; t < TREES; t++) {
        unsigned used = 0;
        grow(forest[t], &used, 5, &seed);
    }
    for (int i = 0; i < ROWS * FEATURES; i++)
        rows[i / FEATURES][i % FEATURES] = (int16_t)(draw_below(&seed, 3000) - 1500);
    memset(votes, 0, sizeof votes);
    SHIM_KEEP(forest);
    SHIM_KEEP(rows);
    SHIM_KEEP(votes);
    shim_region_begin("decision_forest");
    classify();
    SHIM_KEEP(classes);
    shim_region_end("decision_forest");
    for (int r = 0; r < ROWS; r++) {
        unsigned sum[CLASSES] = {0}, best = 0;

        for (int t = 0; t < TREES; t++)
            count(forest[t], 0, rows[r], 1, sum);
        for (unsigned c = 1; c < CLASSES; c++)
            best = sum[c] > sum[best] ? c : best;
        if (classes[r] != best)
            return sample_verdict_int("class of a row", classes[r], best);
    }
    return 0;
}
