/*
 * binary_tree - insert 1023 numbers into an unbalanced search tree, look each up, and write them out in order.
 *
 * Work: no tree of 1023 nodes has less than the full one's path lengths, sum d * 2^d for d = 0 .. 9 = 8194; insertion
 * and look-up each go all paths, per step a load of the key, a comparison and a load of the link: 2 * 8194 * 3 = 49164.
 */
#include "../sample.h"

#define COUNT 1023

struct node {
    int key;
    struct node *left, *right;
};

static struct node pool[COUNT];
static int keys[COUNT], written[COUNT];
static struct node *root;
static int hits, written_count;

static void insert(struct node *fresh)
{
    struct node **link = &root;

    while (*link != NULL)
        link = fresh->key < (*link)->key ? &(*link)->left : &(*link)->right;
    *link = fresh;
}

static const struct node *look_up(int key)
{
    const struct node *at = root;

    while (at != NULL && at->key != key)
        at = key < at->key ? at->left : at->right;
    return at;
}

static void write_in_order(const struct node *at)
{
    if (at == NULL)
        return;
    write_in_order(at->left);
    written[written_count++] = at->key;
    write_in_order(at->right);
}

static void build(void)
{
    int i;

    for (i = 0; i < COUNT; i++) {
        pool[i].key = keys[i];
        pool[i].left = pool[i].right = NULL;
        insert(&pool[i]);
    }
}

int main(void)
{
    int i;

    /* 2^i mod 1283, for the prime 1283 with primitive root 2: all different, in no visible order. */
    for (i = 0, keys[0] = 1; i + 1 < COUNT; i++)
        keys[i + 1] = keys[i] * 2 % 1283;
    root = NULL;
    hits = written_count = 0;
    SHIM_KEEP(keys);
    SHIM_KEEP(&root);
    SHIM_KEEP(&hits);
    shim_region_begin("binary_tree");
    build();
    for (i = 0; i < COUNT; i++)
        if (look_up(keys[i]) == &pool[i])
            hits++;
    write_in_order(root);
    shim_region_end("binary_tree");
    SHIM_KEEP(written);
    SHIM_KEEP(&hits);
    for (i = 1; i < COUNT; i++)
        if (sample_verdict_int("whether neighbours ascend", written[i - 1] < written[i], 1))
            return 1;
    return sample_verdict_int("keys found", hits, COUNT) || sample_verdict_int("keys written", written_count, COUNT);
}
