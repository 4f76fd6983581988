/*
 * record_store - 120 records are allocated one by one in a growing array of pointers, sorted, looked up 60 times, half
 * of them copied and all freed: malloc, realloc, calloc, free, qsort, bsearch, memcmp, memcpy of the library.
 *
 * The truth: keys are a known permutation of 0 to 119, so where a record must stand is its key.
 *
 * Work: each record is filled and compared at least once, each look-up compares five times: 120 * 10 + 60 * 5.
 */
#include "../sample.h"
#include "lcg.h"

#define RECORDS 120
#define QUERIES 60

struct record {
    uint8_t key[4];
    uint32_t serial;
    char text[20];
};
static uint16_t order[RECORDS], queries[QUERIES];
static uint32_t found[QUERIES], sum;
static int n_sorted;

static int by_key(const void *a, const void *b)
{
    const struct record *x = *(struct record *const *)a, *y = *(struct record *const *)b;

    return memcmp(x->key, y->key, sizeof x->key);
}

static struct record *make(uint16_t key, uint32_t serial)
{
    struct record *r = malloc(sizeof *r);

    if (!r)
        return 0;
    r->key[0] = r->key[1] = 0;
    r->key[2] = (uint8_t)(key >> 8);
    r->key[3] = (uint8_t)key;
    r->serial = serial;
    memset(r->text, 'a' + key % 26, sizeof r->text);
    return r;
}

static void work(void)
{
    struct record **list = 0, *copies = calloc(RECORDS / 2, sizeof *copies);
    int n = 0, room = 0;

    for (; copies && n < RECORDS; n++) {
        if (n == room) {
            struct record **more = realloc(list, (size_t)(room = room ? 2 * room : 8) * sizeof(struct record *));
            if (!more)
                break;
            list = more;
        }
        if (!(list[n] = make(order[n], (uint32_t)n)))
            break;
    }
    if (n == RECORDS) {
        qsort(list, RECORDS, sizeof(struct record *), by_key);
        for (int i = 0; i < QUERIES; i++) {
            struct record wanted = {.key = {0, 0, (uint8_t)(queries[i] >> 8), (uint8_t)queries[i]}}, *p = &wanted;
            struct record **at = bsearch(&p, list, RECORDS, sizeof(struct record *), by_key);

            found[i] = at ? (*at)->serial : RECORDS;
        }
        for (int i = 0; i < RECORDS / 2; i++) {
            memcpy(&copies[i], list[2 * i], sizeof *copies);
            sum += copies[i].serial + (uint32_t)copies[i].text[7];
        }
        for (int i = 0; i + 1 < RECORDS; i++)
            n_sorted += list[i]->key[3] + 1 == list[i + 1]->key[3];
    }
    for (int i = 0; i < n; i++)
        free(list[i]);
    free(list);
    free(copies);
}

static int check(void)
{
    uint32_t expected = 0;
    int bad = 0;

    for (int i = 0; i < RECORDS; i++)
        if (order[i] % 2 == 0)
            expected += (uint32_t)i + 'a' + order[i] % 26;
    for (int i = 0; i < QUERIES; i++)
        bad |= found[i] != RECORDS ? order[found[i]] != queries[i] : queries[i] < RECORDS;
    return sample_verdict_int("neighbours in order", n_sorted, RECORDS - 1) | sample_verdict_int("sum", sum, expected) |
           sample_verdict_int("look-ups that failed", bad, 0);
}

int main(void)
{
    uint32_t seed = 12;

    for (int i = 0; i < RECORDS; i++)
        order[i] = (uint16_t)(i * 77 % RECORDS); /* 77 and 120 have no common divisor */
    for (int i = 0; i < QUERIES; i++)
        queries[i] = (uint16_t)(lcg_draw(&seed) % (RECORDS + 10));
    sum = 0;
    n_sorted = 0;
    SHIM_KEEP(order);
    SHIM_KEEP(queries);
    shim_region_begin("record_store");
    work();
    SHIM_KEEP(found);
    SHIM_KEEP(&sum);
    shim_region_end("record_store");
    return check();
}
