/*
 * skip_list - 800 keys into a skip list, 1600 searches, 400 removals, 1600 searches.
 *
 * Pugh, "Skip Lists: A Probabilistic Alternative to Balanced Trees", 1990, with levels of probability 1/4 drawn from a
 * shift register inside. The truth: which keys are in, known by their making.
 *
 * Work: a search of one key passes 12 levels, on each loads a link and a key (or finds no link) and compares:
 * 3200 searches, 800 insertions and 400 removals: 4400 * 12 * 2 = 105600.
 */
#include "../sample.h"
#include "lcg.h"

#define KEYS   800
#define LEVELS 12

struct node {
    double key;
    struct node *next[LEVELS];
};

static struct node pool[KEYS], head;
static struct node *spare;
static double keys[2 * KEYS]; /* those of odd places are never in */
static uint8_t first[2 * KEYS], second[2 * KEYS];
static uint16_t dice;

/* Galois register of period 65535. */
static int draw_levels(void)
{
    int levels = 1;

    while (levels < LEVELS) {
        dice = (uint16_t)(dice >> 1 ^ (dice & 1 ? 0xb400 : 0));
        if (dice & 3)
            break;
        levels++;
    }
    return levels;
}

static struct node *search(double key, struct node *before[LEVELS])
{
    struct node *at = &head;

    for (int level = LEVELS - 1; level >= 0; level--) {
        while (at->next[level] != NULL && at->next[level]->key < key)
            at = at->next[level];
        before[level] = at;
    }
    at = at->next[0];
    return at != NULL && at->key == key ? at : NULL;
}

static void insert(double key)
{
    struct node *before[LEVELS], *node = spare++;
    int levels = draw_levels();

    search(key, before);
    node->key = key;
    for (int level = 0; level < levels; level++) {
        node->next[level] = before[level]->next[level];
        before[level]->next[level] = node;
    }
}

static void take_out(double key)
{
    struct node *before[LEVELS], *node = search(key, before);

    if (node == NULL)
        return;
    for (int level = 0; level < LEVELS && before[level]->next[level] == node; level++)
        before[level]->next[level] = node->next[level];
}

static void search_all(uint8_t *results)
{
    struct node *before[LEVELS];

    for (int i = 0; i < 2 * KEYS; i++)
        results[i] = search(keys[i], before) != NULL;
}

static void work(void)
{
    for (int i = 0; i < 2 * KEYS; i += 2)
        insert(keys[i]);
    search_all(first);
    for (int i = 0; i < 2 * KEYS; i += 4)
        take_out(keys[i]);
    search_all(second);
}

int main(void)
{
    uint32_t seed = 33;

    for (int i = 0; i < 2 * KEYS; i++) /* no two alike: the fraction is the number */
        keys[i] = (double)lcg_draw(&seed) + i / 2048.0;
    memset(pool, 0, sizeof pool);
    memset(&head, 0, sizeof head);
    spare = pool;
    dice = 0xace1;
    SHIM_KEEP(pool);
    SHIM_KEEP(&head);
    SHIM_KEEP(&spare);
    SHIM_KEEP(&dice);
    SHIM_KEEP(keys);
    shim_region_begin("skip_list");
    work();
    SHIM_KEEP(first);
    SHIM_KEEP(second);
    shim_region_end("skip_list");
    for (int i = 0; i < 2 * KEYS; i++)
        if (sample_verdict_int("found at first", first[i], i % 2 == 0) ||
            sample_verdict_int("found after removals", second[i], i % 4 == 2))
            return 1;
    return 0;
}
