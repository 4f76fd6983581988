/*
 * far_table - 20000 readings are added to the counters of 32768 devices in a hash table with chains: table and entries
 * are 1.3 MB and lie apart, so that most readings miss a second-level cache of 512 KB twice.
 *
 * The truth: each device's sum, kept in an array outside.
 *
 * Work: each of the 20000 readings hashes (a product, a shift), loads a chain's head, loads and compares at least one
 * key, and loads, adds and stores a sum: 20000 * 8 = 160000.
 */
#include "../sample.h"
#include "lcg.h"

#define DEVICES  32768
#define BUCKETS  32768
#define READINGS 20000

struct entry {
    struct entry *chain;
    uint64_t device;
    int64_t sum;
    int32_t least, greatest;
};
struct reading {
    uint64_t device;
    int32_t value;
};

static struct entry entries[DEVICES];
static struct entry *buckets[BUCKETS];
static struct reading readings[READINGS];
static int64_t expected[DEVICES];
static int unknown;

static uint64_t name_of(uint64_t number)
{
    return (number + 1) * UINT64_C(0xd6e8feb86659fd93);
}

static size_t hash(uint64_t device)
{
    return (size_t)((device ^ device >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 49);
}

static void take(const struct reading *reading)
{
    struct entry *e = buckets[hash(reading->device)];

    while (e != NULL && e->device != reading->device)
        e = e->chain;
    if (e == NULL) {
        unknown++;
        return;
    }
    e->sum += reading->value;
    if (reading->value < e->least)
        e->least = reading->value;
    if (reading->value > e->greatest)
        e->greatest = reading->value;
}

static void prepare(void)
{
    uint32_t seed = 43;

    memset(buckets, 0, sizeof buckets);
    memset(expected, 0, sizeof expected);
    for (unsigned i = 0; i < DEVICES; i++) {
        struct entry **head = &buckets[hash(name_of(i))];

        entries[i] = (struct entry){*head, name_of(i), 0, INT32_MAX, INT32_MIN};
        *head = &entries[i];
    }
    for (int i = 0; i < READINGS; i++) {
        unsigned number = lcg_draw(&seed) % DEVICES;

        readings[i].device = name_of(number);
        readings[i].value = (int32_t)lcg_draw(&seed) - 32768;
        expected[number] += readings[i].value;
    }
    unknown = 0;
    SHIM_KEEP(entries);
    SHIM_KEEP(buckets);
    SHIM_KEEP(readings);
    SHIM_KEEP(&unknown);
}

int main(void)
{
    prepare();
    shim_region_begin("far_table");
    for (int i = 0; i < READINGS; i++)
        take(&readings[i]);
    SHIM_KEEP(entries);
    SHIM_KEEP(&unknown);
    shim_region_end("far_table");
    for (int i = 0; i < DEVICES; i++)
        if (sample_verdict_int("sum of a device", entries[i].sum, expected[i]) ||
            sample_verdict_int("order of its extremes", entries[i].sum != 0 && entries[i].least > entries[i].greatest,
                               0))
            return 1;
    return sample_verdict_int("readings of unknown devices", unknown, 0);
}
