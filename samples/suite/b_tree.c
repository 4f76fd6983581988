/*
 * b_tree - 2000 records of a 32-bit key and a 64-bit value in a B-tree with 3 to 7 keys a node; then 2000 are found,
 * and the values between two keys are added up 50 times.
 *
 * Bayer and McCreight, "Organization and Maintenance of Large Ordered Indexes", 1972; nodes are split on the way down
 * (Cormen and others, "Introduction to Algorithms", chapter 18). The truth: an array of the records, sorted by qsort.
 *
 * Work: 2000 keys stand in nodes of at most 7, so 1600 of them are at least three nodes down; each found compares a key
 * (load, comparison) in each and loads a link: 1600 * 3 * 3 = 14400.
 */
#include "../sample.h"
#include "lcg.h"

#define RECORDS 2000
#define LEAST   4 /* children of a node that is not the root */
#define MOST    (2 * LEAST)
#define RANGES  50

struct node {
    uint8_t count, leaf;
    uint32_t keys[MOST - 1];
    int64_t values[MOST - 1];
    struct node *children[MOST];
};
struct record {
    uint32_t key;
    int64_t value;
};

static struct node pool[RECORDS / (LEAST - 1) + 2];
static size_t used;
static struct node *root;
static struct record records[RECORDS], sorted[RECORDS];
static int64_t found[RECORDS], sums[RANGES];
static uint32_t limits[RANGES][2];

static struct node *new_node(int leaf)
{
    struct node *n = &pool[used++];

    n->count = 0;
    n->leaf = (uint8_t)leaf;
    return n;
}

/* Makes room at `at` and moves the middle of the full child there. */
static void split_child(struct node *n, int at)
{
    struct node *full = n->children[at], *half = new_node(full->leaf);

    half->count = LEAST - 1;
    for (int i = 0; i < LEAST - 1; i++) {
        half->keys[i] = full->keys[i + LEAST];
        half->values[i] = full->values[i + LEAST];
    }
    if (!full->leaf)
        for (int i = 0; i < LEAST; i++)
            half->children[i] = full->children[i + LEAST];
    full->count = LEAST - 1;
    for (int i = n->count; i > at; i--) {
        n->keys[i] = n->keys[i - 1];
        n->values[i] = n->values[i - 1];
        n->children[i + 1] = n->children[i];
    }
    n->keys[at] = full->keys[LEAST - 1];
    n->values[at] = full->values[LEAST - 1];
    n->children[at + 1] = half;
    n->count++;
}

static int place_in(const struct node *n, uint32_t key)
{
    int at = 0;

    while (at < n->count && n->keys[at] < key)
        at++;
    return at;
}

static void insert(const struct record *record)
{
    struct node *n = root;

    if (n->count == MOST - 1) {
        root = new_node(0);
        root->children[0] = n;
        split_child(root, 0);
        n = root;
    }
    while (!n->leaf) {
        int at = place_in(n, record->key);

        if (n->children[at]->count == MOST - 1) {
            split_child(n, at);
            at += record->key > n->keys[at];
        }
        n = n->children[at];
    }
    for (int at = place_in(n, record->key), i = n->count++;; i--) {
        if (i == at) {
            n->keys[i] = record->key;
            n->values[i] = record->value;
            return;
        }
        n->keys[i] = n->keys[i - 1];
        n->values[i] = n->values[i - 1];
    }
}

static const int64_t *find(uint32_t key)
{
    for (const struct node *n = root;;) {
        int at = place_in(n, key);

        if (at < n->count && n->keys[at] == key)
            return &n->values[at];
        if (n->leaf)
            return NULL;
        n = n->children[at];
    }
}

static int64_t sum_between(const struct node *n, uint32_t low, uint32_t high)
{
    int64_t sum = 0;
    int at = place_in(n, low);

    for (;; at++) {
        if (!n->leaf)
            sum += sum_between(n->children[at], low, high);
        if (at == n->count || n->keys[at] > high)
            return sum;
        sum += n->values[at];
    }
}

static void work(void)
{
    root = new_node(1);
    for (int i = 0; i < RECORDS; i++)
        insert(&records[i]);
    for (int i = 0; i < RECORDS; i++) {
        const int64_t *value = find(records[i].key);

        found[i] = value != NULL ? *value : 0;
    }
    for (int i = 0; i < RANGES; i++)
        sums[i] = sum_between(root, limits[i][0], limits[i][1]);
}

static int by_key(const void *left, const void *right)
{
    const struct record *a = left, *b = right;

    return (a->key > b->key) - (a->key < b->key);
}

static void prepare(void)
{
    uint32_t seed = 32;

    for (unsigned i = 0; i < RECORDS; i++) {
        records[i].key = (i + 1) * 2654435761U;
        records[i].value = (int64_t)lcg_draw(&seed) * 1000003 - 30000000000;
    }
    for (int i = 0; i < RANGES; i++) {
        limits[i][0] = lcg_draw(&seed) << 15;
        limits[i][1] = limits[i][0] + (lcg_draw(&seed) << 12);
    }
    used = 0;
    memcpy(sorted, records, sizeof sorted);
    qsort(sorted, RECORDS, sizeof sorted[0], by_key);
    SHIM_KEEP(records);
    SHIM_KEEP(limits);
    SHIM_KEEP(&used);
}

int main(void)
{
    prepare();
    shim_region_begin("b_tree");
    work();
    SHIM_KEEP(found);
    SHIM_KEEP(sums);
    shim_region_end("b_tree");
    for (int i = 0; i < RECORDS; i++)
        if (sample_verdict_int("value of a record", found[i], records[i].value))
            return 1;
    for (int i = 0; i < RANGES; i++) {
        int64_t sum = 0;

        for (int k = 0; k < RECORDS; k++)
            if (sorted[k].key >= limits[i][0] && sorted[k].key <= limits[i][1])
                sum += sorted[k].value;
        if (sample_verdict_int("sum of a range", sums[i], sum))
            return 1;
    }
    return 0;
}
