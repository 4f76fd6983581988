/*
 * lru_cache - 8000 look-ups in a cache of 256 pages that forgets the one not used for longest: a hash table with chains
 * and a doubly linked list through the same entries.
 *
 * The truth: hits counted with time stamps and a search of all entries, outside.
 *
 * Work: each look-up hashes (a product), loads a chain's head and compares a key at least once, and moves its entry to
 * the front: two links loaded, at least two stored: 8000 * 7 = 56000.
 */
#include "../sample.h"
#include "lcg.h"

#define ENTRIES 256
#define BUCKETS 128
#define LOOKUPS 8000

struct entry {
    struct entry *chain; /* the next of the same hash */
    struct entry *before, *after;
    uint32_t page;
    uint32_t uses;
};

struct cache {
    struct entry *buckets[BUCKETS];
    struct entry ends; /* of the ring: after it the newest, before it the oldest */
    struct entry entries[ENTRIES];
    int filled;
    int hits;
};

static struct cache cache;
static uint32_t pages[LOOKUPS];

static unsigned hash(uint32_t page)
{
    return page * 2654435769U >> 25;
}

static void unlink_entry(struct entry *e)
{
    e->before->after = e->after;
    e->after->before = e->before;
}

static void link_newest(struct cache *c, struct entry *e)
{
    e->before = &c->ends;
    e->after = c->ends.after;
    c->ends.after->before = e;
    c->ends.after = e;
}

static struct entry *find(const struct cache *c, uint32_t page)
{
    struct entry *e = c->buckets[hash(page)];

    while (e != NULL && e->page != page)
        e = e->chain;
    return e;
}

static struct entry *make_room(struct cache *c)
{
    struct entry *oldest, **link;

    if (c->filled < ENTRIES)
        return &c->entries[c->filled++];
    oldest = c->ends.before;
    unlink_entry(oldest);
    for (link = &c->buckets[hash(oldest->page)]; *link != oldest; link = &(*link)->chain)
        ;
    *link = oldest->chain;
    return oldest;
}

static void look_up(struct cache *c, uint32_t page)
{
    struct entry *e = find(c, page);

    if (e != NULL) {
        c->hits++;
        unlink_entry(e);
    } else {
        e = make_room(c);
        e->page = page;
        e->uses = 0;
        e->chain = c->buckets[hash(page)];
        c->buckets[hash(page)] = e;
    }
    e->uses++;
    link_newest(c, e);
}

static int hits_by_stamps(void)
{
    uint32_t held[ENTRIES];
    int stamp[ENTRIES], filled = 0, hits = 0;

    for (int now = 0; now < LOOKUPS; now++) {
        int at = 0, oldest = 0;

        while (at < filled && held[at] != pages[now])
            at++;
        hits += at < filled;
        if (at == ENTRIES) {
            for (int i = 1; i < ENTRIES; i++)
                if (stamp[i] < stamp[oldest])
                    oldest = i;
            at = oldest;
        } else {
            filled += at == filled;
        }
        held[at] = pages[now];
        stamp[at] = now;
    }
    return hits;
}

int main(void)
{
    uint32_t seed = 36;

    for (int i = 0; i < LOOKUPS; i++) { /* mostly within a window that wanders, else anywhere */
        unsigned draw = lcg_draw(&seed);

        pages[i] = draw % 4 ? (unsigned)i / 20 + draw / 4 % 150 : draw / 4 % 2000;
    }
    memset(&cache, 0, sizeof cache);
    cache.ends.before = cache.ends.after = &cache.ends;
    SHIM_KEEP(pages);
    SHIM_KEEP(&cache);
    shim_region_begin("lru_cache");
    for (int i = 0; i < LOOKUPS; i++)
        look_up(&cache, pages[i]);
    SHIM_KEEP(&cache);
    shim_region_end("lru_cache");
    return sample_verdict_int("hits", cache.hits, hits_by_stamps());
}
