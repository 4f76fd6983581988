/*
 * red_black - 700 keys in a red-black tree with parents' links, as kernels have it: inserted and coloured upwards, half
 * of them found through successors, 300 removed.
 *
 * Guibas and Sedgewick, 1978; removal after Cormen and others, "Introduction to Algorithms", chapter 13. The truth: a
 * table of what is there; the tree is ordered, no red node has a red child, and all ways down have as many black ones.
 *
 * Work: 700 keys, at least four comparisons with a load and a branch each on the way down for most: 600 * 4 * 3 = 7200.
 */
#include "judge.h"

#define KEYS    700
#define REMOVED 300

struct node {
    struct node *parent, *child[2];
    uint32_t key;
    uint8_t red;
};

static struct node pool[KEYS + 1], *root;
static struct node *const nil = &pool[KEYS];
static uint32_t keys[KEYS], walked[KEYS];
static unsigned n_walked;

static void rotate(struct node *n, int side)
{
    struct node *up = n->child[!side];

    n->child[!side] = up->child[side];
    if (up->child[side] != nil)
        up->child[side]->parent = n;
    up->parent = n->parent;
    if (n->parent == nil)
        root = up;
    else
        n->parent->child[n == n->parent->child[1]] = up;
    up->child[side] = n;
    n->parent = up;
}

static void insert(struct node *n)
{
    struct node *p = nil, **link = &root;

    while (*link != nil) {
        p = *link;
        link = &p->child[n->key > p->key];
    }
    *link = n;
    n->parent = p;
    n->child[0] = n->child[1] = nil;
    n->red = 1;
    while ((p = n->parent)->red) {
        struct node *g = p->parent;
        int side = p == g->child[1];
        struct node *uncle = g->child[!side];

        if (uncle->red) {
            p->red = uncle->red = 0;
            g->red = 1;
            n = g;
            continue;
        }
        if (n == p->child[!side]) {
            n = p;
            rotate(n, side);
            p = n->parent;
        }
        p->red = 0;
        g->red = 1;
        rotate(g, !side);
    }
    root->red = 0;
}

static struct node *lowest(struct node *n)
{
    while (n->child[0] != nil)
        n = n->child[0];
    return n;
}
static struct node *successor(struct node *n)
{
    struct node *p;

    if (n->child[1] != nil)
        return lowest(n->child[1]);
    for (p = n->parent; p != nil && n == p->child[1]; p = p->parent)
        n = p;
    return p;
}
static void replace(struct node *old, struct node *new)
{
    if (old->parent == nil)
        root = new;
    else
        old->parent->child[old == old->parent->child[1]] = new;
    new->parent = old->parent;
}
static void mend(struct node *n)
{
    while (n != root && !n->red) {
        int side = n == n->parent->child[1];
        struct node *w = n->parent->child[!side];

        if (w->red) {
            w->red = 0;
            n->parent->red = 1;
            rotate(n->parent, side);
            w = n->parent->child[!side];
        }
        if (!w->child[0]->red && !w->child[1]->red) {
            w->red = 1;
            n = n->parent;
            continue;
        }
        if (!w->child[!side]->red) {
            w->child[side]->red = 0;
            w->red = 1;
            rotate(w, !side);
            w = n->parent->child[!side];
        }
        w->red = n->parent->red;
        n->parent->red = 0;
        w->child[!side]->red = 0;
        rotate(n->parent, side);
        n = root;
    }
    n->red = 0;
}
static void take_out(struct node *n)
{
    struct node *x;
    uint8_t red = n->red;

    if (n->child[0] == nil || n->child[1] == nil) {
        x = n->child[n->child[0] == nil];
        replace(n, x);
    } else {
        struct node *y = lowest(n->child[1]);

        red = y->red;
        x = y->child[1];
        if (y->parent == n)
            x->parent = y;
        else {
            replace(y, x);
            y->child[1] = n->child[1];
            y->child[1]->parent = y;
        }
        replace(n, y);
        y->child[0] = n->child[0];
        y->child[0]->parent = y;
        y->red = n->red;
    }
    if (!red)
        mend(x);
}

static void work(void)
{
    root = nil;
    for (int i = 0; i < KEYS; i++) {
        pool[i].key = keys[i];
        insert(&pool[i]);
    }
    for (int i = 0; i < REMOVED; i++)
        take_out(&pool[i * 2]);
    for (struct node *n = lowest(root); n != nil; n = successor(n))
        walked[n_walked++] = n->key;
}

static int black_depth(const struct node *n) /* -1: wrong */
{
    int left, right;

    if (n == nil)
        return 0;
    left = black_depth(n->child[0]);
    right = black_depth(n->child[1]);
    if (left < 0 || left != right || (n->red && (n->child[0]->red || n->child[1]->red)))
        return -1;
    return left + !n->red;
}
static int by_key(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

int main(void)
{
    uint32_t left[KEYS];
    unsigned n = 0;

    memset(pool, 0, sizeof pool);
    for (uint32_t i = 0; i < KEYS; i++)
        keys[i] = (i + 1) * 2246822519u;
    n_walked = 0;
    SHIM_KEEP(keys);
    SHIM_KEEP(pool);
    SHIM_KEEP(&root);
    shim_region_begin("red_black");
    work();
    SHIM_KEEP(walked);
    shim_region_end("red_black");
    for (int i = 0; i < KEYS; i++)
        if (i % 2 || i / 2 >= REMOVED)
            left[n++] = keys[i];
    qsort(left, n, sizeof left[0], by_key);
    return sample_verdict_int("nodes", n_walked, n) |
           sample_verdict_int("differ", memcmp(left, walked, n * sizeof left[0]) != 0, 0) |
           sample_verdict_int("whether colours are right", black_depth(root) > 3, 1);
}
