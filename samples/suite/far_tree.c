/*
 * far_tree - 6000 look-ups in a binary tree of 32768 nodes that lie about 1.3 MB by lot: its lower levels miss a
 * second-level cache of 512 KB.
 *
 * The tree is balanced, made outside from the sorted keys. The truth: a key is a known function of its rank, so what
 * must be found is known without a tree.
 *
 * Work: 31/32 of the nodes stand at least 10 deep, and every look-up of a key that is not in ends below them: 3000 * 10
 * steps with the load of a key, a comparison and the load of a link: 90000.
 */
#include "../sample.h"
#include "lcg.h"

#define NODES   32767
#define LOOKUPS 6000

struct node {
    const struct node *left, *right;
    uint64_t key;
    double value;
    uint64_t filler;
};

static struct node nodes[NODES];
static uint16_t places[NODES];
static const struct node *root;
static uint64_t wanted[LOOKUPS];
static double found[LOOKUPS];

static uint64_t key_of(uint64_t rank)
{
    return rank * rank + 5 * rank + 11;
}

/* Ranks low to high - 1. */
static const struct node *make(unsigned low, unsigned high)
{
    unsigned middle = (low + high) / 2;
    struct node *n;

    if (low == high)
        return NULL;
    n = &nodes[places[middle]];
    n->key = key_of(middle);
    n->value = (double)middle / 8;
    n->left = make(low, middle);
    n->right = make(middle + 1, high);
    return n;
}

static double find(const struct node *n, uint64_t key)
{
    while (n != NULL) {
        if (n->key == key)
            return n->value;
        n = key < n->key ? n->left : n->right;
    }
    return -1;
}

int main(void)
{
    uint32_t seed = 42;

    for (unsigned i = 0; i < NODES; i++)
        places[i] = (uint16_t)i;
    for (unsigned i = NODES - 1; i > 0; i--) {
        unsigned other = lcg_draw(&seed) % (i + 1);
        uint16_t kept = places[i];

        places[i] = places[other];
        places[other] = kept;
    }
    root = make(0, NODES);
    for (int i = 0; i < LOOKUPS; i++)
        wanted[i] = key_of(lcg_draw(&seed) % NODES) + (unsigned)i % 2; /* odd keys only are in */
    SHIM_KEEP(nodes);
    SHIM_KEEP(&root);
    SHIM_KEEP(wanted);
    shim_region_begin("far_tree");
    for (int i = 0; i < LOOKUPS; i++)
        found[i] = find(root, wanted[i]);
    SHIM_KEEP(found);
    shim_region_end("far_tree");
    for (int i = 0; i < LOOKUPS; i++) {
        double rank = i % 2 ? -1 : (sqrt(4.0 * (double)wanted[i] - 19) - 5) / 2;

        if (sample_verdict_real("value found", found[i], i % 2 ? -1 : rank / 8, 1e-6))
            return 1;
    }
    return 0;
}
