/*
 * avl_tree - 1200 keys go into a balanced binary tree by recursion, every third is taken out again, 1200 are looked up.
 *
 * Adelson-Velsky and Landis, 1962. The truth: a table of what must be in; and, by a walk outside, order and balance.
 *
 * Work: a balanced tree of 600 keys is at least 10 high and its shortest way down at least half as long: of the last
 * 600 insertions each compares at least 5 keys (load, comparison, load of a link): 600 * 5 * 3 = 9000.
 */
#include "../sample.h"
#include "lcg.h"

#define KEYS 1200

struct node {
    struct node *left, *right;
    int32_t key;
    int32_t height;
};

static struct node pool[KEYS];
static struct node *tree, *unused;
static int32_t keys[KEYS];
static uint8_t present[KEYS];

static int height(const struct node *n)
{
    return n == NULL ? 0 : n->height;
}

static void measure(struct node *n)
{
    int left = height(n->left), right = height(n->right);

    n->height = (left > right ? left : right) + 1;
}

static struct node *rotate_right(struct node *n)
{
    struct node *up = n->left;

    n->left = up->right;
    up->right = n;
    measure(n);
    measure(up);
    return up;
}

static struct node *rotate_left(struct node *n)
{
    struct node *up = n->right;

    n->right = up->left;
    up->left = n;
    measure(n);
    measure(up);
    return up;
}

static struct node *balanced(struct node *n)
{
    int lean;

    measure(n);
    lean = height(n->left) - height(n->right);
    if (lean > 1) {
        if (height(n->left->left) < height(n->left->right))
            n->left = rotate_left(n->left);
        return rotate_right(n);
    }
    if (lean < -1) {
        if (height(n->right->right) < height(n->right->left))
            n->right = rotate_right(n->right);
        return rotate_left(n);
    }
    return n;
}

static struct node *insert(struct node *n, int32_t key)
{
    if (n == NULL) {
        n = unused;
        unused = n->right;
        *n = (struct node){NULL, NULL, key, 1};
        return n;
    }
    if (key < n->key)
        n->left = insert(n->left, key);
    else if (key > n->key)
        n->right = insert(n->right, key);
    return balanced(n);
}

static struct node *without_least(struct node *n, struct node **least)
{
    if (n->left == NULL) {
        *least = n;
        return n->right;
    }
    n->left = without_least(n->left, least);
    return balanced(n);
}

static struct node *without(struct node *n, int32_t key)
{
    struct node *heir;

    if (n == NULL)
        return NULL;
    if (key < n->key) {
        n->left = without(n->left, key);
    } else if (key > n->key) {
        n->right = without(n->right, key);
    } else {
        struct node *left = n->left, *right = n->right;

        n->right = unused;
        unused = n;
        if (right == NULL)
            return left;
        right = without_least(right, &heir);
        heir->left = left;
        heir->right = right;
        n = heir;
    }
    return balanced(n);
}

static int contains(const struct node *n, int32_t key)
{
    while (n != NULL && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n != NULL;
}

static void work(void)
{
    for (int i = 0; i < KEYS; i++)
        tree = insert(tree, keys[i]);
    for (int i = 0; i < KEYS; i += 3)
        tree = without(tree, keys[i]);
    for (int i = 0; i < KEYS; i++)
        present[i] = (uint8_t)contains(tree, keys[i]);
}

/* Nodes, or -1 when order or balance is broken. */
static int checked(const struct node *n, int64_t above, int64_t below)
{
    int left, right;

    if (n == NULL)
        return 0;
    left = checked(n->left, above, n->key);
    right = checked(n->right, n->key, below);
    if (left < 0 || right < 0 || n->key <= above || n->key >= below || abs(height(n->left) - height(n->right)) > 1 ||
        n->height != 1 + (height(n->left) > height(n->right) ? height(n->left) : height(n->right)))
        return -1;
    return left + right + 1;
}

int main(void)
{
    uint32_t seed = 31;

    for (int i = 0; i < KEYS; i++) { /* different: the lower part is the number; half of them in order */
        pool[i].right = i + 1 < KEYS ? &pool[i + 1] : NULL;
        keys[i] = i % 2 ? i * 16 * KEYS : (int32_t)(lcg_draw(&seed) % 16000 * KEYS) + i;
    }
    unused = pool;
    tree = NULL;
    SHIM_KEEP(pool);
    SHIM_KEEP(keys);
    SHIM_KEEP(&tree);
    SHIM_KEEP(&unused);
    shim_region_begin("avl_tree");
    work();
    SHIM_KEEP(pool);
    SHIM_KEEP(present);
    SHIM_KEEP(&tree);
    shim_region_end("avl_tree");
    for (int i = 0; i < KEYS; i++)
        if (sample_verdict_int("whether a key is in", present[i], i % 3 != 0))
            return 1;
    return sample_verdict_int("nodes in order and balance", checked(tree, INT64_MIN, INT64_MAX), KEYS - KEYS / 3);
}
