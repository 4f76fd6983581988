/*
 * hash_table - count 6000 occurrences of 1000 different keys in an open-addressing table of 2048 slots, then remove
 * half of the keys by shifting the others back.
 *
 * Work: per occurrence the hash's multiplication, a load, a comparison, and load, addition, store of the count:
 * 6000 * 6 = 36000; per removed key the same search, a store, and the look at the next slot: 500 * 5 = 2500.
 */
#include "../sample.h"
#include "lcg.h"

#define SLOTS   2048
#define KEYS    1000
#define DRAWS   6000
#define MISSING 0

struct slot {
    uint32_t key;
    uint32_t count;
};

static struct slot slots[SLOTS];
static uint32_t stream[DRAWS];
static uint32_t expected[KEYS];

/* Keys are made so that none is 0, the mark of an empty slot, and no two are equal: an odd factor permutes. */
static uint32_t key_of(uint32_t number)
{
    return (number + 1) * 2246822519U;
}

static uint32_t hash(uint32_t key)
{
    return (key ^ key >> 15) * 2654435761U >> 21;
}

static struct slot *find(uint32_t key)
{
    uint32_t at = hash(key);

    while (slots[at].key != key && slots[at].key != MISSING)
        at = (at + 1) % SLOTS;
    return &slots[at];
}

static void count_key(uint32_t key)
{
    struct slot *slot = find(key);

    slot->key = key;
    slot->count++;
}

static void remove_key(uint32_t key)
{
    uint32_t hole = (uint32_t)(find(key) - slots), at = hole, home;

    for (;;) {
        at = (at + 1) % SLOTS;
        if (slots[at].key == MISSING)
            break;
        home = hash(slots[at].key);
        if ((at - home) % SLOTS >= (at - hole) % SLOTS) {
            slots[hole] = slots[at];
            hole = at;
        }
    }
    slots[hole].key = MISSING;
    slots[hole].count = 0;
}

int main(void)
{
    uint32_t seed = 5, number;
    int i;

    memset(slots, 0, sizeof slots);
    memset(expected, 0, sizeof expected);
    for (i = 0; i < DRAWS; i++) {
        number = i < KEYS ? (uint32_t)i : lcg_draw(&seed) % KEYS;
        stream[i] = key_of(number);
        expected[number]++;
    }
    SHIM_KEEP(slots);
    SHIM_KEEP(stream);
    shim_region_begin("hash_table");
    for (i = 0; i < DRAWS; i++)
        count_key(stream[i]);
    for (i = 0; i < KEYS; i += 2)
        remove_key(stream[i]);
    shim_region_end("hash_table");
    SHIM_KEEP(slots);
    for (i = 0; i < KEYS; i++)
        if (sample_verdict_int("count of a key", find(key_of((uint32_t)i))->count, i % 2 ? expected[i] : 0))
            return 1;
    return 0;
}
