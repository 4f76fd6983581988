/*
 * interval_tree - 400 intervals of float in a treap that knows each subtree's greatest end; 300 points ask how many
 * intervals hold them, 300 intervals whether any meets them.
 *
 * Cormen and others, "Introduction to Algorithms", 14.3; Aragon and Seidel, "Randomized Search Trees", 1989. The truth:
 * all intervals are looked at, outside.
 *
 * Work: every insertion but the first and every question looks at least at the root: two loads and a comparison, and
 * the link that it follows: (399 + 600) * 4 = 3996.
 */
#include "../sample.h"
#include "lcg.h"

#define INTERVALS 400
#define QUESTIONS 300

struct node {
    struct node *left, *right;
    float low, high, greatest;
    uint32_t priority;
};
struct interval {
    float low, high;
};

static struct node nodes[INTERVALS];
static struct node *root;
static struct interval intervals[INTERVALS], asked[QUESTIONS];
static int32_t held[QUESTIONS];
static uint8_t met[QUESTIONS];
static uint32_t lot;

static void measure(struct node *n)
{
    float greatest = n->high;

    if (n->left != NULL && n->left->greatest > greatest)
        greatest = n->left->greatest;
    if (n->right != NULL && n->right->greatest > greatest)
        greatest = n->right->greatest;
    n->greatest = greatest;
}

static struct node *insert(struct node *tree, struct node *added)
{
    struct node *child;

    if (tree == NULL)
        return added;
    if (added->low < tree->low) {
        child = tree->left = insert(tree->left, added);
        if (child->priority > tree->priority) {
            tree->left = child->right;
            child->right = tree;
            measure(tree);
            tree = child;
        }
    } else {
        child = tree->right = insert(tree->right, added);
        if (child->priority > tree->priority) {
            tree->right = child->left;
            child->left = tree;
            measure(tree);
            tree = child;
        }
    }
    measure(tree);
    return tree;
}

static int32_t count_holding(const struct node *n, float point)
{
    int32_t count = 0;

    for (; n != NULL && n->greatest >= point; n = n->right) {
        count += count_holding(n->left, point);
        if (n->low > point)
            break;
        count += n->high >= point;
    }
    return count;
}

static int meets(const struct node *n, const struct interval *i)
{
    while (n != NULL && (n->low > i->high || i->low > n->high))
        n = n->left != NULL && n->left->greatest >= i->low ? n->left : n->right;
    return n != NULL;
}

static void work(void)
{
    for (int i = 0; i < INTERVALS; i++) {
        lot = lot * 1664525U + 1013904223U;
        nodes[i] = (struct node){NULL, NULL, intervals[i].low, intervals[i].high, intervals[i].high, lot};
        root = insert(root, &nodes[i]);
    }
    for (int i = 0; i < QUESTIONS; i++) {
        held[i] = count_holding(root, asked[i].low);
        met[i] = (uint8_t)meets(root, &asked[i]);
    }
}

int main(void)
{
    uint32_t seed = 86;

    for (int i = 0; i < INTERVALS; i++) {
        intervals[i].low = (float)(lcg_draw(&seed) % 32768) / 8;
        intervals[i].high = intervals[i].low + (float)(lcg_draw(&seed) % (i % 20 ? 128 : 4096)) / 8;
    }
    for (int i = 0; i < QUESTIONS; i++) {
        asked[i].low = (float)(lcg_draw(&seed) % 36000) / 8;
        asked[i].high = asked[i].low + (float)(lcg_draw(&seed) % 64) / 8;
    }
    root = NULL;
    lot = 1;
    SHIM_KEEP(intervals);
    SHIM_KEEP(asked);
    SHIM_KEEP(&root);
    SHIM_KEEP(&lot);
    shim_region_begin("interval_tree");
    work();
    SHIM_KEEP(held);
    SHIM_KEEP(met);
    shim_region_end("interval_tree");
    for (int i = 0; i < QUESTIONS; i++) {
        int holding = 0, meeting = 0;

        for (int k = 0; k < INTERVALS; k++) {
            holding += intervals[k].low <= asked[i].low && asked[i].low <= intervals[k].high;
            meeting |= intervals[k].low <= asked[i].high && asked[i].low <= intervals[k].high;
        }
        if (sample_verdict_int("intervals that hold a point", held[i], holding) ||
            sample_verdict_int("whether one meets", met[i], meeting))
            return 1;
    }
    return 0;
}
