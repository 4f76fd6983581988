/*
 * cache.c - one or two levels of data cache. The sets of a level stand one after the other, `ways` entries each. Under
 * LRU and FIFO a set is kept in order, newest first; under the other policies a line stays in the way that it was put
 * into. If a signal handler that simulates as well interrupts an update, counts are wrong, but no access leaves the
 * tables.
 */
#include "sim/cache/cache.h"

#define NOTHING SIM_NO_LINE
#define SEED    UINT64_C(0x9e3779b97f4a7c15)

/* ---- geometry ---- */

static bool is_power(uint64_t v)
{
    return v && !(v & (v - 1));
}

static unsigned logarithm(uint64_t v)
{
    unsigned n = 0;
    while (v >>= 1)
        n++;
    return n;
}

static uint64_t sets_of(const struct sim_cache *c)
{
    return c->size / c->ways / c->line;
}

/* Two phrases for each fault: one for the first level, one for the second. */
#define FAULT(text)                                                                                                    \
    {                                                                                                                  \
        "l1d: " text, "l2: " text                                                                                      \
    }
static const char *const faults[][2] = {
    {0, 0},
    FAULT("the line must be a power of two from 8 to 4096 bytes"),
    FAULT("there must be 1 to 4096 ways"),
    FAULT("the size must be ways times line times a power of two"),
    FAULT("it must not have more than 1048576 lines"),
    FAULT("plru needs a power of two of ways, at most 64"),
};

static unsigned fault_of(const struct sim_cache *c)
{
    if (!is_power(c->line) || c->line < SIM_LINE_MIN || c->line > SIM_LINE_MAX)
        return 1;
    if (!c->ways || c->ways > SIM_WAYS_MAX)
        return 2;
    if (c->size % ((uint64_t)c->ways * c->line) || !is_power(sets_of(c)))
        return 3;
    if (c->size / c->line > SIM_LINES_MAX)
        return 4;
    if (c->replacement == SIM_PLRU && (!is_power(c->ways) || c->ways > SIM_PLRU_WAYS_MAX))
        return 5;
    return 0;
}

const char *sim_cache_levels_check(const struct sim_cache_levels *levels)
{
    unsigned fault = fault_of(&levels->l1d);
    if (fault)
        return faults[fault][0];
    fault = levels->l2.size ? fault_of(&levels->l2) : 0;
    if (fault)
        return faults[fault][1];
    if (levels->l2.size && levels->l2.line < levels->l1d.line)
        return "l2: its lines must not be shorter than those of l1d";
    return sim_prefetch_check(&levels->prefetch);
}

unsigned sim_caches_shift(const struct sim_cache_levels *levels)
{
    return logarithm(levels->l1d.line);
}

/* `recent` may skip a hit that changes no state. Under LRU and tree-PLRU that holds if no other line of its set was
 * used since. So all lines of a set must share a place in `recent`, and there are at most as many places as sets. Under
 * the other policies no hit changes anything. */
unsigned sim_caches_mask(const struct sim_cache_levels *levels)
{
    const struct sim_cache *c = &levels->l1d;
    bool ordered = c->replacement == SIM_LRU || c->replacement == SIM_PLRU;
    return ordered && sets_of(c) < SIM_RECENT ? (unsigned)sets_of(c) - 1 : SIM_RECENT - 1;
}

/* ---- state ---- */

static size_t aligned(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

static size_t lines_size(const struct sim_cache *c)
{
    return c->size ? aligned((size_t)(c->size / c->line) * sizeof(uintptr_t)) : 0;
}

static size_t trees_size(const struct sim_cache *c)
{
    return c->size && c->replacement == SIM_PLRU ? aligned((size_t)sets_of(c) * sizeof(uint64_t)) : 0;
}

static size_t head_size(void)
{
    return aligned(sizeof(struct sim_caches));
}

size_t sim_caches_size(const struct sim_cache_levels *levels)
{
    return head_size() + lines_size(&levels->l1d) + lines_size(&levels->l2) + trees_size(&levels->l1d) +
           trees_size(&levels->l2);
}

static void level_init(struct sim_level *v, const struct sim_cache *c, char **memory)
{
    *v = (struct sim_level){0};
    if (!c->size)
        return;
    v->lines = (uintptr_t *)(void *)*memory;
    *memory += lines_size(c);
    v->trees = (uint64_t *)(void *)*memory;
    *memory += trees_size(c);
    v->set_mask = (uintptr_t)sets_of(c) - 1;
    v->ways = c->ways;
    v->shift = logarithm(c->line);
    v->replacement = c->replacement;
}

void sim_level_flush(struct sim_level *v)
{
    if (!v->ways)
        return;
    for (size_t i = 0; i < (v->set_mask + 1) * v->ways; i++)
        v->lines[i] = NOTHING;
    for (size_t i = 0; v->replacement == SIM_PLRU && i <= v->set_mask; i++)
        v->trees[i] = 0;
    v->random = SEED;
}

void sim_caches_flush(struct sim_caches *c)
{
    for (size_t i = 0; i < SIM_RECENT; i++)
        c->recent.read[i] = c->recent.written[i] = NOTHING;
    sim_level_flush(&c->l1d);
    sim_level_flush(&c->l2);
    sim_prefetcher_reset(&c->prefetcher);
}

struct sim_caches *sim_caches_init(void *memory, const struct sim_cache_levels *levels)
{
    struct sim_caches *c = memory;
    char *at = (char *)memory + head_size();
    level_init(&c->l1d, &levels->l1d, &at);
    level_init(&c->l2, &levels->l2, &at);
    c->mask = sim_caches_mask(levels);
    sim_prefetcher_init(&c->prefetcher, &levels->prefetch, c->l1d.shift);
    sim_caches_flush(c);
    return c;
}

/* ---- one level: `line` is used, and is in the level afterwards ---- */

/* Rotates a set in one pass: `line` moves to the front, everything before its old place moves on by one. If it was not
 * there, the last entry is evicted. */
static inline __attribute__((always_inline)) struct sim_used rotate(uintptr_t *set, uint32_t ways, uintptr_t line,
                                                                    bool write)
{
    uintptr_t sought = line << 1, moving = sought | write;
#pragma GCC unroll 16
    for (uint32_t i = 0; i < ways; i++) {
        uintptr_t here = set[i];
        set[i] = moving;
        if ((here ^ sought) <= 1) {
            set[0] |= here & 1;
            return (struct sim_used){true, set[0] & 1, NOTHING};
        }
        moving = here;
    }
    return (struct sim_used){false, write, moving};
}

/* With a constant number of ways the compiler unrolls the loop. */
static struct sim_used use_lru(uintptr_t *set, uint32_t ways, uintptr_t line, bool write)
{
    switch (ways) {
    case 4:
        return rotate(set, 4, line, write);
    case 8:
        return rotate(set, 8, line, write);
    case 16:
        return rotate(set, 16, line, write);
    default:
        return rotate(set, ways, line, write);
    }
}

/* Returns the first way that holds the line, or `ways`. It looks at all ways: a loop that stopped early would be
 * mispredicted on the machine that runs this, and that costs more. */
static inline __attribute__((always_inline)) uint32_t look(const uintptr_t *set, uint32_t ways, uintptr_t line)
{
    uint32_t pairs = ways & ~UINT32_C(1), even = ways, odd = ways;
    if (ways > pairs && set[pairs] >> 1 == line)
        odd = pairs;
#pragma GCC unroll 8
    for (uint32_t i = pairs; i > 0; i -= 2) {
        even = set[i - 2] >> 1 == line ? i - 2 : even;
        odd = set[i - 1] >> 1 == line ? i - 1 : odd;
    }
    return even < odd ? even : odd;
}

static bool find(const uintptr_t *set, uint32_t ways, uintptr_t line, uint32_t *way)
{
    switch (ways) {
    case 4:
        *way = look(set, 4, line);
        break;
    case 8:
        *way = look(set, 8, line);
        break;
    case 16:
        *way = look(set, 16, line);
        break;
    default:
        *way = look(set, ways, line);
        break;
    }
    return *way < ways;
}

static struct sim_used hit(uintptr_t *entry, bool write)
{
    *entry |= write;
    return (struct sim_used){true, *entry & 1, NOTHING};
}

static struct sim_used replace(uintptr_t *entry, uintptr_t line, bool write)
{
    struct sim_used u = {false, write, *entry};
    *entry = line << 1 | write;
    return u;
}

static struct sim_used use_fifo(uintptr_t *set, uint32_t ways, uintptr_t line, bool write)
{
    uint32_t way;
    return find(set, ways, line, &way) ? hit(&set[way], write) : use_lru(set, ways, line, write);
}

/* Finds a free way. Ways are filled in order. */
static bool free_way(const uintptr_t *set, uint32_t ways, uint32_t *way)
{
    return set[ways - 1] == NOTHING && find(set, ways, NOTHING >> 1, way);
}

/* xorshift64 (Marsaglia, Journal of Statistical Software 8(14), 2003), the upper half scaled to 0 ... ways - 1. */
static uint32_t random_way(struct sim_level *v)
{
    uint64_t x = v->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    v->random = x;
    return (uint32_t)((x >> 32) * v->ways >> 32);
}

static struct sim_used use_random(struct sim_level *v, uintptr_t *set, uintptr_t line, bool write)
{
    uint32_t way;
    bool there = find(set, v->ways, line, &way);
    if (!there && !free_way(set, v->ways, &way))
        way = random_way(v);
    return there ? hit(&set[way], write) : replace(&set[way], line, write);
}

/* Makes all nodes above `way` point away from it. */
static void tree_use(uint64_t *tree, uint32_t ways, uint32_t way)
{
    for (uint32_t node = ways + way; node > 1; node /= 2) {
        uint64_t bit = UINT64_C(1) << node / 2;
        *tree = node % 2 ? *tree & ~bit : *tree | bit;
    }
}

static uint32_t tree_victim(uint64_t tree, uint32_t ways)
{
    uint32_t node = 1;
    while (node < ways)
        node = 2 * node + (tree >> node & 1);
    return node - ways;
}

static struct sim_used use_plru(struct sim_level *v, uint64_t *tree, uintptr_t *set, uintptr_t line, bool write)
{
    uint32_t way;
    bool there = find(set, v->ways, line, &way);
    if (!there && !free_way(set, v->ways, &way))
        way = tree_victim(*tree, v->ways);
    tree_use(tree, v->ways, way);
    return there ? hit(&set[way], write) : replace(&set[way], line, write);
}

static inline __attribute__((always_inline)) struct sim_used use(struct sim_level *v, uintptr_t line, bool write)
{
    uintptr_t number = line & v->set_mask;
    uintptr_t *set = v->lines + number * v->ways;
    switch (v->replacement) {
    case SIM_FIFO:
        return use_fifo(set, v->ways, line, write);
    case SIM_RANDOM:
        return use_random(v, set, line, write);
    case SIM_PLRU:
        return use_plru(v, &v->trees[number], set, line, write);
    default:
        return use_lru(set, v->ways, line, write);
    }
}

/* ---- both levels ---- */

static void drop_recent(struct sim_caches *c, uintptr_t line)
{
    uintptr_t i = line & c->mask;
    if (c->recent.read[i] == line)
        c->recent.read[i] = NOTHING;
    if (c->recent.written[i] == line)
        c->recent.written[i] = NOTHING;
}

/* Fetches `line` from the second level, or through it from memory. */
static void fetch(struct sim_caches *c, uintptr_t line, uint64_t *from_memory, struct sim_counts *add)
{
    if (!c->l2.ways)
        return;
    add->l2++;
    if (!use(&c->l2, line >> (c->l2.shift - c->l1d.shift), false).hit)
        ++*from_memory;
}

/* Writes an evicted line back. If the second level has longer lines, only a part of one is written, so the rest must be
 * fetched. */
static void write_back(struct sim_caches *c, uintptr_t evicted, struct sim_counts *add)
{
    unsigned longer = c->l2.shift - c->l1d.shift;
    if (!c->l2.ways || evicted == NOTHING || !(evicted & 1))
        return;
    add->l2++;
    if (!use(&c->l2, evicted >> 1 >> longer, true).hit && longer)
        add->l2_refills++;
}

/* Counts a miss of the first level for `line`, which evicted `evicted`. */
static void refill(struct sim_caches *c, uintptr_t line, uintptr_t evicted, struct sim_counts *add)
{
    add->refills++;
    if ((evicted >> 1 ^ line) & c->mask) /* otherwise `line` itself takes that place in `recent` */
        drop_recent(c, evicted >> 1);
    fetch(c, line, &add->l2_refills, add);
    write_back(c, evicted, add);
}

/* Brings in a prefetched line. It is now the newest of its set, so no entry of `recent` for that set holds any more. */
static void prefetch(struct sim_caches *c, uintptr_t line, struct sim_counts *add)
{
    if (sim_level_has(&c->l1d, line))
        return;
    uintptr_t evicted = use(&c->l1d, line, false).evicted;
    add->prefetched++;
    drop_recent(c, evicted >> 1);
    c->recent.read[line & c->mask] = c->recent.written[line & c->mask] = NOTHING;
    fetch(c, line, &add->l2_prefetched, add);
    write_back(c, evicted, add);
}

static void follow(struct sim_caches *c, uintptr_t line, bool missed, struct sim_counts *add)
{
    struct sim_fetch f = sim_prefetcher_see(&c->prefetcher, line, missed);
    drop_recent(c, f.expected);
    for (; f.n; f.n--, f.line += (uintptr_t)f.step)
        prefetch(c, f.line, add);
}

static void remember(struct sim_caches *c, uintptr_t line, bool dirty)
{
    c->recent.read[line & c->mask] = line;
    c->recent.written[line & c->mask] = dirty ? line : NOTHING;
}

static void use_line(struct sim_caches *c, uintptr_t line, bool write, struct sim_counts *add)
{
    add->accesses++;
    uintptr_t i = line & c->mask;
    if ((write ? c->recent.written : c->recent.read)[i] == line)
        return;
    struct sim_used u = use(&c->l1d, line, write);
    if (!u.hit)
        refill(c, line, u.evicted, add);
    remember(c, line, u.dirty);
    if (c->prefetcher.kind.streams)
        follow(c, line, !u.hit, add);
}

void sim_caches_access(struct sim_caches *c, uintptr_t address, size_t size, bool write, struct sim_counts *add)
{
    if (!size)
        return;
    uintptr_t end = size - 1 > UINTPTR_MAX - address ? UINTPTR_MAX : address + (size - 1);
    uintptr_t last = end >> c->l1d.shift;
    for (uintptr_t line = address >> c->l1d.shift; line <= last; line++)
        use_line(c, line, write, add);
}

bool sim_caches_hit(struct sim_caches *c, uintptr_t address, size_t size, bool write)
{
    struct sim_level *v = &c->l1d;
    uintptr_t line = address >> v->shift, *set = v->lines + (line & v->set_mask) * v->ways;
    uint32_t way;
    if (!size || (address + (size - 1)) >> v->shift != line || !find(set, v->ways, line, &way))
        return false;
    if (c->prefetcher.kind.streams && sim_prefetcher_expects(&c->prefetcher, line))
        return false;
    uintptr_t entry = set[way] | write;
    if (v->replacement == SIM_LRU)
        for (; way > 0; way--)
            set[way] = set[way - 1];
    else if (v->replacement == SIM_PLRU)
        tree_use(&v->trees[line & v->set_mask], v->ways, way);
    set[way] = entry;
    remember(c, line, entry & 1);
    return true;
}

/* ---- one level alone ---- */

size_t sim_level_size(const struct sim_cache *c)
{
    return lines_size(c) + trees_size(c);
}

void sim_level_init(struct sim_level *v, const struct sim_cache *c, void *memory)
{
    char *at = memory;
    level_init(v, c, &at);
    sim_level_flush(v);
}

struct sim_used sim_level_use(struct sim_level *v, uintptr_t line, bool write)
{
    return use(v, line, write);
}

bool sim_level_has(const struct sim_level *v, uintptr_t line)
{
    uint32_t way;
    return find(v->lines + (line & v->set_mask) * v->ways, v->ways, line, &way);
}
