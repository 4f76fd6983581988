/* hash_join.c - joins a table of 2^20 rows with one of 2^17 rows by a chained hash table of 4 MiB. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
enum { BUILD = 1 << 17, PROBE = 1 << 20, SLOTS = 1 << 18 };
struct row {
    uint32_t key, value;
    struct row *next;
};
static struct row *slots[SLOTS];
static struct row rows[BUILD];
static uint32_t next_random(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}
static uint32_t slot_of(uint32_t key)
{
    return key * 2654435761u >> 14;
}
__attribute__((noinline)) static void build(void)
{
    uint32_t x = 1;
    for (int i = 0; i < BUILD; i++) {
        x = next_random(x);
        rows[i] = (struct row){x & 0x3ffff, (uint32_t)i, slots[slot_of(x & 0x3ffff)]};
        slots[slot_of(x & 0x3ffff)] = &rows[i];
    }
}
__attribute__((noinline)) static uint64_t probe(void)
{
    uint32_t x = 7;
    uint64_t sum = 0;
    for (int i = 0; i < PROBE; i++) {
        x = next_random(x);
        for (const struct row *r = slots[slot_of(x & 0x3ffff)]; r; r = r->next)
            if (r->key == (x & 0x3ffff))
                sum += r->value;
    }
    return sum;
}
int main(void)
{
    build();
    printf("%llu\n", (unsigned long long)probe());
    return 0;
}
