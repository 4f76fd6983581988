/*
 * cuckoo - 3000 keys of 64 bits in a table of 1024 buckets of four (64 KB with values), where a newcomer may drive another
 * out to its second bucket; before it a Bloom filter of 4 KB; 4000 look-ups, half of them in vain.
 *
 * Pagh and Rodler, "Cuckoo Hashing", 2004; Bloom, 1970. The truth: which keys were put in.
 *
 * Work: 4000 look-ups and 3000 insertions, each with two products, three filter bits and a comparison: 7000 * 8 = 56000.
 */
#include "judge.h"

#define BUCKETS 1024
#define WAYS    4
#define KEYS    3000
#define ASKED   4000
#define FILTER  32768 /* bits */

static struct {
    uint64_t key[WAYS]; /* 0: free */
    uint64_t value[WAYS];
} table[BUCKETS];
static uint32_t filter[FILTER / 32];
static uint64_t keys[KEYS], asked[ASKED], values[ASKED];
static uint32_t driven_out, passed, failed;

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x7FB5D329728EA185u;
    x ^= x >> 27;
    x *= 0x81DADEF4BC2DD44Du;
    return x ^ x >> 33;
}
static unsigned first_of(uint64_t h)
{
    return (unsigned)h % BUCKETS;
}
static unsigned other_of(unsigned bucket, uint64_t h)
{
    return (bucket ^ (((unsigned)(h >> 40) | 1))) % BUCKETS;
}
static int put(unsigned b, uint64_t key, uint64_t value)
{
    for (int i = 0; i < WAYS; i++)
        if (!table[b].key[i]) {
            table[b].key[i] = key;
            table[b].value[i] = value;
            return 1;
        }
    return 0;
}
static void insert(uint64_t key, uint64_t value)
{
    uint64_t h = mix(key);
    unsigned b = first_of(h);

    for (int i = 0; i < 3; i++) {
        unsigned bit = (unsigned)(h >> (i * 15)) % FILTER;
        filter[bit / 32] |= 1U << bit % 32;
    }
    if (put(b, key, value))
        return;
    b = other_of(b, h);
    for (unsigned round = 0; round < 100; round++) {
        uint64_t k, v;
        unsigned way = round * 7 % WAYS;

        if (put(b, key, value))
            return;
        k = table[b].key[way];
        v = table[b].value[way];
        table[b].key[way] = key;
        table[b].value[way] = value;
        key = k;
        value = v;
        h = mix(key);
        b = other_of(b, h);
        driven_out++;
    }
    failed++;
}
static uint64_t look_up(uint64_t key)
{
    uint64_t h = mix(key);
    unsigned b = first_of(h);

    for (int i = 0; i < 3; i++) {
        unsigned bit = (unsigned)(h >> (i * 15)) % FILTER;
        if (!(filter[bit / 32] >> bit % 32 & 1))
            return 0;
    }
    passed++;
    for (int side = 0; side < 2; side++, b = other_of(b, h))
        for (int i = 0; i < WAYS; i++)
            if (table[b].key[i] == key)
                return table[b].value[i];
    return 0;
}

int main(void)
{
    uint64_t seed = 43;
    long wrong = 0;

    for (uint64_t i = 0; i < KEYS; i++)
        keys[i] = (i + 1) * 0x9E3779B97F4A7C15u; /* an odd factor: no two alike */
    for (uint64_t i = 0; i < ASKED; i++)
        asked[i] = i % 2 ? keys[draw_below(&seed, KEYS)] : (i + 1 + KEYS) * 0x9E3779B97F4A7C15u;
    memset(table, 0, sizeof table);
    memset(filter, 0, sizeof filter);
    driven_out = passed = failed = 0;
    SHIM_KEEP(keys);
    SHIM_KEEP(asked);
    SHIM_KEEP(table);
    SHIM_KEEP(filter);
    shim_region_begin("cuckoo");
    for (int i = 0; i < KEYS; i++)
        insert(keys[i], ~keys[i]);
    for (int i = 0; i < ASKED; i++)
        values[i] = look_up(asked[i]);
    SHIM_KEEP(values);
    SHIM_KEEP(&driven_out);
    SHIM_KEEP(&passed);
    shim_region_end("cuckoo");
    for (int i = 0; i < ASKED; i++)
        wrong += values[i] != (i % 2 ? ~asked[i] : 0);
    return sample_verdict_int("wrong", wrong, 0) | sample_verdict_int("without a place", failed, 0) |
           sample_verdict_int("whether the filter keeps most out", passed < ASKED / 2 + ASKED / 20, 1);
}
