/* access.c - the probe of memory accesses: latency and pitch by size, load and store, in each level of the caches and
 * in main memory. A program like any other that the measuring runtime measures; docs/method/memory.md.
 *
 *     access LINE idle|busy L1=BYTES L2=BYTES ...     the capacities of the data caches, inner first */
#include "others.h"
#include "points.h"

#include <shim_region.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEVELS = 5, UNROLL = 8, VISITS = POINT_ACCESSES / POINT_SLOTS_L1, L1_STRIDE = 64 };
#define MIB          ((size_t)1 << 20)
#define FAR_BYTES    (64 * MIB)
#define NEAR_BYTES   (16 * MIB)
#define UNKNOWN_LAST (8 * MIB)

/* An element, at the start of its slot: for every size, the number of the next slot of its island. */
struct element {
    uint64_t next_8;
    uint32_t next_4;
    uint16_t next_2;
    uint8_t next_1;
    uint8_t unused;
    uint64_t written; /* written by stores; the chain is not touched */
};
_Static_assert(sizeof(struct element) <= POINT_LINE, "an element fits in the smallest line");

struct place {
    const char *name, *order;
    char *base;
    size_t slots;  /* per island */
    size_t stride; /* between slots */
    size_t islands, groups, group_bytes, step;
    size_t passes, pass_bytes, pass_step; /* of all groups: each pass is shifted by so many bytes */
    size_t cursor;
    int stays; /* the set is to be in its cache before it is measured */
};
static struct place places[LEVELS + 2];
static size_t n_places;
static char level_names[LEVELS][16];
static size_t level_bytes[LEVELS], n_levels, line, page;

/* ---- laying out ---- */

static uint64_t random_state = 88172645463325252u;
static size_t random_below(size_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (size_t)(random_state >> 11) % n;
}

static char *island_at(const struct place *p, size_t i)
{
    i = i % p->islands * p->step % p->islands;
    return p->base + i % p->groups * p->group_bytes + i / p->groups * p->pass_step % p->passes * p->pass_bytes;
}

static void shuffle(uint8_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (uint8_t)i;
    for (size_t i = n - 1; i > 0; i--) {
        size_t k = random_below(i + 1);
        uint8_t t = order[i];
        order[i] = order[k];
        order[k] = t;
    }
}

/* Links all slots of the island in one cycle. Each island has a different one. */
static void lay_island(char *island, const struct place *p)
{
    uint8_t order[POINT_SLOTS];
    shuffle(order, p->slots);
    for (size_t i = 0; i < p->slots; i++) {
        struct element *e = (struct element *)(island + order[i] * p->stride);
        uint8_t next = order[(i + 1) % p->slots];
        e->next_8 = e->next_4 = e->next_2 = e->next_1 = next;
    }
}

/* Far: slots of an island are in different pages, and a page is visited again only after all others of the place. The
 * next visit is not at the next line, which processors fetch together with the requested one, but 3/8 of a page farther
 * on. */
static void make_far(struct place *p, char *base, size_t bytes)
{
    *p =
        (struct place){.name = POINT_MEMORY, .order = "far", .base = base, .slots = POINT_SLOTS, .stride = page + line};
    p->group_bytes = POINT_SLOTS * p->stride;
    p->passes = page / line;
    p->pass_bytes = line;
    p->pass_step = p->passes * 3 / 8 | 1; /* odd, so that each of the 2^n passes occurs once */
    p->groups = bytes / p->group_bytes;
    p->islands = p->groups * p->passes;
    p->step = 1;
}

static size_t gcd(size_t a, size_t b)
{
    while (b) {
        size_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* Near: an island is a few pages, all visited before the next island, which is not the neighbour. */
static void make_near(struct place *p, const char *name, char *base, size_t bytes, int stays)
{
    *p = (struct place){.name = name, .order = "near", .base = base, .slots = POINT_SLOTS, .stride = line};
    while (p->slots > POINT_SLOTS_L1 && p->slots * line > bytes)
        p->slots /= 2;
    p->group_bytes = p->slots * line;
    p->groups = p->islands = bytes / p->group_bytes ? bytes / p->group_bytes : 1;
    p->passes = 1;
    p->step = p->islands * 5 / 8 | 1;
    while (gcd(p->step, p->islands) != 1)
        p->step += 2;
    p->stays = stays;
}

static size_t root_of_product(size_t a, size_t b)
{
    size_t r = a;
    while ((r + r / 64 + 1) <= b && (double)(r + r / 64 + 1) * (double)(r + r / 64 + 1) <= (double)a * (double)b)
        r += r / 64 + 1;
    return r;
}

/* Size of a level's set: well above what the previous level holds, and well below what this level holds. */
static size_t set_bytes(size_t level)
{
    size_t bytes = level ? root_of_product(level_bytes[level - 1], level_bytes[level]) : level_bytes[0] / 2;
    return bytes / (POINT_SLOTS_L1 * line) * (POINT_SLOTS_L1 * line);
}

/* Lays out memory in the order in which it is written. It ensures that no line that is measured as main memory is still
 * in the last level: first what is visited far, then near, then as much again as twice the last level, then the sets of
 * the levels. */
static int lay_out(void)
{
    size_t last = n_levels ? level_bytes[n_levels - 1] : UNKNOWN_LAST, rest = 2 * last;
    size_t total = FAR_BYTES + NEAR_BYTES + rest;
    for (size_t i = 0; i < n_levels; i++)
        total += set_bytes(i) + page + POINT_SLOTS * L1_STRIDE;
    char *at = mmap(0, total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        fprintf(stderr, "there are no %zu MiB of memory to measure in\n", total / MIB);
        return -1;
    }
#ifdef MADV_NOHUGEPAGE
    madvise(at, total, MADV_NOHUGEPAGE);
#endif
    make_far(&places[n_places++], at, FAR_BYTES);
    make_near(&places[n_places++], POINT_MEMORY, at + FAR_BYTES, NEAR_BYTES, 0);
    char *end = at + FAR_BYTES + NEAR_BYTES + rest;
    for (size_t i = 0; i < n_levels; i++) {
        make_near(&places[n_places++], level_names[i], end, set_bytes(i), 1);
        end += (set_bytes(i) + page - 1) / page * page + POINT_SLOTS * L1_STRIDE;
    }
    for (size_t i = 0; i < n_places; i++) {
        if (i == 2)
            for (size_t k = 0; k < rest; k += line)
                at[FAR_BYTES + NEAR_BYTES + k] = 1;
        for (size_t k = 0; k < places[i].islands; k++)
            lay_island(island_at(&places[i], k), &places[i]);
    }
    return 0;
}

/* ---- accesses: addresses are computed before the region is entered ---- */

static char *visits[VISITS]; /* the islands of a region */
static size_t n_visits;
static uint32_t offsets[POINT_SLOTS + UNROLL]; /* of the slots, for independent accesses */

static void choose_islands(struct place *p)
{
    n_visits = POINT_ACCESSES / p->slots;
    for (size_t i = 0; i < n_visits; i++)
        visits[i] = island_at(p, p->cursor++);
    uint8_t order[POINT_SLOTS];
    shuffle(order, p->slots);
    for (size_t i = 0; i < p->slots + UNROLL; i++)
        offsets[i] = (uint32_t)(order[i % p->slots] * p->stride);
}

#define FOUR(X)  X X X X
#define EIGHT(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

/* Each load's address depends on the previous load's value. */
#define LATENCY(SIZE, BITS)                                                                                            \
    static __attribute__((noinline)) void load_latency_##SIZE(const struct place *p)                                   \
    {                                                                                                                  \
        size_t n = 0, stride = p->stride, slots = p->slots;                                                            \
        for (size_t v = 0; v < n_visits; v++) {                                                                        \
            const char *at = visits[v] + offsetof(struct element, next_##SIZE);                                        \
            for (size_t k = 0; k < slots; k += 4) {                                                                    \
                FOUR(n = *(const volatile uint##BITS##_t *)(at + n * stride);)                                         \
            }                                                                                                          \
        }                                                                                                              \
    }
/* The same, with the least possible work between two loads of any size: values are offsets in a table. */
#define CHAIN(SIZE, BITS)                                                                                              \
    static __attribute__((noinline)) void load_chain_##SIZE(const struct place *p)                                     \
    {                                                                                                                  \
        size_t n = 0;                                                                                                  \
        const char *at = (const char *)chain_##SIZE;                                                                   \
        (void)p;                                                                                                       \
        for (size_t k = 0; k < POINT_ACCESSES; k += 4) {                                                               \
            FOUR(n = *(const volatile uint##BITS##_t *)(at + n);)                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    static void lay_chain_##SIZE(void)                                                                                 \
    {                                                                                                                  \
        for (size_t i = 0; i < CHAIN_BYTES / (SIZE); i++)                                                              \
            chain_##SIZE[i] = (uint##BITS##_t)((i + CHAIN_BYTES / (SIZE)*3 / 8 + 1) * (SIZE) % CHAIN_BYTES);           \
    }

/* Independent accesses. The next eight addresses are loaded while eight accesses are in flight. */
#define OFFSET(I) size_t o##I = offsets[I];
#define NEXT(I)   o##I = *(const volatile uint32_t *)&offsets[k + UNROLL + (I)];
#define PITCH(NAME, ACCESS)                                                                                            \
    static __attribute__((noinline)) void NAME(const struct place *p)                                                  \
    {                                                                                                                  \
        size_t slots = p->slots;                                                                                       \
        for (size_t v = 0; v < n_visits; v++) {                                                                        \
            char *at = visits[v];                                                                                      \
            EIGHT(OFFSET)                                                                                              \
            for (size_t k = 0; k < slots; k += UNROLL) {                                                               \
                EIGHT(ACCESS)                                                                                          \
                EIGHT(NEXT)                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }
/* In the first level, loading addresses and the loop itself would show. So distances are constant, with 32 accesses per
 * iteration. */
#define EIGHT_MORE(ACCESS)                                                                                             \
    EIGHT(ACCESS)                                                                                                      \
    at += UNROLL * L1_STRIDE;
#define PITCH_L1(NAME, ACCESS)                                                                                         \
    static __attribute__((noinline)) void NAME##_l1(const struct place *p)                                             \
    {                                                                                                                  \
        enum { o0, o1 = L1_STRIDE, o2 = 2 * o1, o3 = 3 * o1, o4 = 4 * o1, o5 = 5 * o1, o6 = 6 * o1, o7 = 7 * o1 };     \
        size_t last = p->slots * L1_STRIDE - 1; /* slots are a power of two */                                         \
        for (size_t k = 0; k < POINT_ACCESSES; k += 4 * UNROLL) {                                                      \
            char *at = visits[0] + (k * L1_STRIDE & last);                                                             \
            FOUR(EIGHT_MORE(ACCESS))                                                                                   \
        }                                                                                                              \
    }
#define LOAD_1(I)  (void)*(const volatile uint8_t *)(at + o##I);
#define LOAD_2(I)  (void)*(const volatile uint16_t *)(at + o##I);
#define LOAD_4(I)  (void)*(const volatile uint32_t *)(at + o##I);
#define LOAD_8(I)  (void)*(const volatile uint64_t *)(at + o##I);
#define STORE(I)   (at + o##I + offsetof(struct element, written))
#define STORE_1(I) *(volatile uint8_t *)STORE(I) = 1;
#define STORE_2(I) *(volatile uint16_t *)STORE(I) = 1;
#define STORE_4(I) *(volatile uint32_t *)STORE(I) = 1;
#define STORE_8(I) *(volatile uint64_t *)STORE(I) = 1;

/* Loads the number of the next slot after a store and a fence. No load may pass the fence, and the fence ends only when
 * all others can see the store. */
#define FENCED(NAME, STORE_IT)                                                                                         \
    static __attribute__((noinline)) void NAME(const struct place *p)                                                  \
    {                                                                                                                  \
        size_t n = 0, stride = p->stride, slots = p->slots;                                                            \
        for (size_t v = 0; v < n_visits; v++) {                                                                        \
            char *at = visits[v];                                                                                      \
            for (size_t k = 0; k < slots; k++) {                                                                       \
                size_t o0 = n * stride;                                                                                \
                STORE_IT(0)                                                                                            \
                __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                               \
                n = *(const volatile uint64_t *)(at + o0 + offsetof(struct element, next_8));                          \
            }                                                                                                          \
        }                                                                                                              \
    }
#define NOTHING(I) __asm__ volatile("" : : "r"(STORE(I)));

enum { CHAIN_BYTES = 256 };
/* The same with no work at all between two loads: values are addresses. */
static void *pointers[CHAIN_BYTES / 8];
static void lay_pointers(void)
{
    for (size_t i = 0; i < CHAIN_BYTES / 8; i++)
        pointers[i] = &pointers[(i + CHAIN_BYTES / 8 * 3 / 8 + 1) % (CHAIN_BYTES / 8)];
}
static __attribute__((noinline)) void load_pointer_8(const struct place *p)
{
    const void *at = pointers;
    (void)p;
    for (size_t k = 0; k < POINT_ACCESSES; k += 4) {
        FOUR(at = *(void *const volatile *)at;)
    }
}

#define SIZE(SIZE, BITS)                                                                                               \
    static uint##BITS##_t chain_##SIZE[CHAIN_BYTES / (SIZE)];                                                          \
    LATENCY(SIZE, BITS)                                                                                                \
    CHAIN(SIZE, BITS)                                                                                                  \
    PITCH(load_pitch_##SIZE, LOAD_##SIZE)                                                                              \
    PITCH_L1(load_pitch_##SIZE, LOAD_##SIZE)                                                                           \
    PITCH(store_pitch_##SIZE, STORE_##SIZE)                                                                            \
    PITCH_L1(store_pitch_##SIZE, STORE_##SIZE)                                                                         \
    FENCED(store_latency_##SIZE, STORE_##SIZE)
SIZE(1, 8)
SIZE(2, 16)
SIZE(4, 32)
SIZE(8, 64)
FENCED(fence, NOTHING)

/* ---- the regions ---- */

typedef void run_t(const struct place *);
struct point {
    const char *quantity;
    char access;
    int bytes;
    run_t *run, *run_l1; /* run_l1 NULL: the same */
};
#define ALL_SIZES(QUANTITY, ACCESS, NAME, L1)                                                                          \
    {QUANTITY, ACCESS, 1, NAME##_1, L1(NAME##_1)}, {QUANTITY, ACCESS, 2, NAME##_2, L1(NAME##_2)},                      \
        {QUANTITY, ACCESS, 4, NAME##_4, L1(NAME##_4)},                                                                 \
    {                                                                                                                  \
        QUANTITY, ACCESS, 8, NAME##_8, L1(NAME##_8)                                                                    \
    }
#define SAME(NAME) 0
#define OWN(NAME)  NAME##_l1
static const struct point points[] = {
    ALL_SIZES("latency", 'R', load_latency, SAME), ALL_SIZES("pitch", 'R', load_pitch, OWN),
    ALL_SIZES("latency", 'W', store_latency, SAME), ALL_SIZES("pitch", 'W', store_pitch, OWN)};
static const struct point first_points[] = {
    ALL_SIZES("chain", 'R', load_chain, SAME), {"pointer", 'R', 8, load_pointer_8, 0}, {"fence", 'W', 0, fence, 0}};
#define COUNT(A) (sizeof(A) / sizeof *(A))

/* A copy that is never freed, since the runtime keeps the names. */
static const char *kept(const char *name)
{
    static char names[(LEVELS + 2) * (COUNT(points) + 5) + COUNT(first_points)][POINT_NAME];
    static size_t n;
    size_t i = 0;
    while (i < n && strcmp(names[i], name) != 0)
        i++;
    if (i == COUNT(names))
        return "too many";
    if (i == n)
        memcpy(names[n++], name, POINT_NAME);
    return names[i];
}

/* Brings the set into its cache in the order of its later visits, so that the next element to be visited is the
 * oldest. */
static void bring_in(const struct place *p)
{
    for (size_t i = 0; p->stays && i < p->islands; i++) {
        const char *at = island_at(p, p->cursor + i);
        for (size_t k = 0; k < p->slots; k++)
            (void)*(const volatile char *)(at + k * p->stride);
    }
}

static void measure_points(struct place *p, const struct point *x, size_t n, int first_level)
{
    for (size_t i = 0; i < n; i++) {
        run_t *run = first_level && x[i].run_l1 ? x[i].run_l1 : x[i].run;
        char text[POINT_NAME];
        snprintf(text, sizeof text, "%s %s %s %c %d", p->name, p->order, x[i].quantity, x[i].access, x[i].bytes);
        const char *name = kept(text);
        if (p->stays || i == 0) { /* this also fills the caches with the code and the page tables */
            choose_islands(p);
            run(p);
        }
        choose_islands(p);
        shim_region_begin(name);
        run(p);
        shim_region_end(name);
    }
}

/* Measured inside a region of its own: what the runtime does before an outermost region is done before the set is
 * brought in. */
static void measure_group(struct place *p, const struct point *x, size_t n, int first_level)
{
    char text[POINT_NAME];
    snprintf(text, sizeof text, "%s %s %s %c", p->name, p->order, x->quantity, x->access);
    const char *name = kept(text);
    shim_region_begin(name);
    bring_in(p);
    measure_points(p, x, n, first_level);
    shim_region_end(name);
}

static void measure(int busy)
{
    static struct others others;
    size_t last = n_levels ? level_bytes[n_levels - 1] : UNKNOWN_LAST;
    if (busy) {
        size_t each = 2 * last / (size_t)others_cores();
        others_keep_busy(&others, each > 4 * MIB ? each : 4 * MIB, -1);
    }
    for (int i = 0; i < others.n; i++) {
        shim_region_begin(POINT_OTHERS);
        shim_region_end(POINT_OTHERS);
    }
    for (size_t i = 0; i < n_places; i++) {
        int first_level = n_levels && places[i].name == level_names[0];
        if (first_level)
            measure_group(&places[i], first_points, COUNT(first_points), 1);
        for (size_t k = 0; k < COUNT(points); k += 4)
            measure_group(&places[i], &points[k], 4, first_level);
    }
    others_stop(&others);
}

/* ---- the whole ---- */

static int usage(void)
{
    fputs("usage: access LINE idle|busy [NAME=BYTES ...]\n", stderr);
    return 2;
}

static int take_levels(int n, char **texts)
{
    if (n > LEVELS)
        return -1;
    for (int i = 0; i < n; i++) {
        char *bytes = strchr(texts[i], '=');
        if (!bytes || bytes == texts[i] || (size_t)(bytes - texts[i]) >= sizeof level_names[0])
            return -1;
        memcpy(level_names[i], texts[i], (size_t)(bytes - texts[i]));
        level_bytes[i] = strtoul(bytes + 1, 0, 10);
        if (level_bytes[i] < 2 * POINT_SLOTS_L1 * line || (i && level_bytes[i] <= level_bytes[i - 1]))
            return -1;
    }
    n_levels = (size_t)n;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return usage();
    int busy = strcmp(argv[2], "busy") == 0;
    if (!n_places) { /* main runs twice if caches are warmed; the second run keeps the layout */
        line = strtoul(argv[1], 0, 10);
        page = (size_t)sysconf(_SC_PAGESIZE);
        if (line < POINT_LINE || line > page / 8 || (line & (line - 1)) || take_levels(argc - 3, argv + 3))
            return usage();
        lay_chain_1();
        lay_chain_2();
        lay_chain_4();
        lay_chain_8();
        lay_pointers();
        if (lay_out())
            return 1;
    }
    measure(busy);
    return 0;
}
