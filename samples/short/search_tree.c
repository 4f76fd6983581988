/*
 * search_tree - fifteen keys entered into an unbalanced search tree and visited in order, by recursion.
 *
 * Truth: the keys are a permutation of 0 to 14, so the k-th visited is k.
 * Work: 15 keys are stored, and 15 nodes are visited by loads of two links: 45.
 */
#include "../sample.h"

enum { N = 15 };
struct node {
    struct node *child[2];
    int key;
};
static struct node nodes[N], *root;
static int keys[N], visited[N], count;

static void enter(struct node *n)
{
    struct node **at = &root;

    while (*at)
        at = &(*at)->child[n->key > (*at)->key];
    *at = n;
}

static void visit(const struct node *n)
{
    if (n->child[0])
        visit(n->child[0]);
    visited[count++] = n->key;
    if (n->child[1])
        visit(n->child[1]);
}

int main(void)
{
    int wrong = 0;

    memset(nodes, 0, sizeof nodes);
    root = 0;
    count = 0;
    for (int i = 0; i < N; i++)
        keys[i] = (i * 11 + 7) % N;
    SHIM_KEEP(nodes);
    SHIM_KEEP(&root);
    SHIM_KEEP(keys);
    SHIM_KEEP(&count);
    shim_region_begin("search_tree");
    for (int i = 0; i < N; i++) {
        nodes[i].key = keys[i];
        enter(&nodes[i]);
    }
    visit(root);
    SHIM_KEEP(visited);
    SHIM_KEEP(&count);
    shim_region_end("search_tree");
    for (int i = 0; i < N; i++)
        wrong += visited[i] != i;
    return sample_verdict_int("out of order", wrong, 0) | sample_verdict_int("visited", count, N);
}
