/* rt_known.c - known work: a chain of additions, loads from one page, a walk in random order over flushed lines, and
 * random branches. Also a little of each, as the check at the start and the end of a launch. */
#include "rt_known.h"
#include "clock.h"
#include "rt.h"

#include <sys/mman.h>

/* The walk's lines are 256 bytes apart, so the neighbouring line that a prefetcher brings is never one of them. Their
 * order is random, so successive lines are not neighbours. 4096 of them span 1 MB, and use a quarter of the sets of any
 * L1. */
enum {
    STRIDE = 256,
    LINES = 4096,
    PAGE_LOADS = 16384,
    CHAIN_STEPS = 64,
    BRANCHES = 4096,
    S_STEPS = 8,
    S_LOADS = 512,
    S_LINES = 256,
    S_BRANCHES = 512
};

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
#define FLUSHED(n) (n)
#else
#define FLUSHED(n) 0
#endif

#define ADDS(steps) ((steps)*RT_CHAIN_ADDS * RT_CHAIN_KNOWN)
static const struct rt_known known[RT_KNOWN_KINDS] = {
    [RT_KNOWN_CHAIN] = {"chain", ADDS(CHAIN_STEPS), ADDS(CHAIN_STEPS), 0, 0, 0, 0},
    [RT_KNOWN_LOADS] = {"loads", PAGE_LOADS, 0, PAGE_LOADS, 0, 0, 0},
    [RT_KNOWN_MISSES] = {"misses", LINES, 0, LINES, LINES, FLUSHED(LINES), 0},
    [RT_KNOWN_BRANCHES] = {"branches", 2 * BRANCHES, 0, 0, 0, 0, BRANCHES},
    [RT_KNOWN_SENTINEL] = {"sentinel", ADDS(S_STEPS) + S_LOADS + S_LINES + 2 * S_BRANCHES, ADDS(S_STEPS),
                           S_LOADS + S_LINES, FLUSHED(S_LINES), FLUSHED(S_LINES), S_BRANCHES},
};

static char *lines; /* each line begins with the address of the next one */
static int n_lines;
static uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);

/* splitmix64: no predictor finds a pattern in it. */
static inline uint64_t bits(void)
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Links all lines in one cycle (Sattolo's shuffle). */
static void link_lines(void)
{
    static uint16_t order[LINES];
    for (int i = 0; i < n_lines; i++)
        order[i] = (uint16_t)i;
    for (int i = n_lines - 1; i > 0; i--) {
        int k = (int)(bits() % (uint64_t)i);
        uint16_t keep = order[i];
        order[i] = order[k];
        order[k] = keep;
    }
    for (int i = 0; i < n_lines; i++)
        *(void **)(lines + (size_t)order[i] * STRIDE) = lines + (size_t)order[(i + 1) % n_lines] * STRIDE;
}

int rt_known_open(int sentinel)
{
    seed ^= rt_clock(); /* different bits in each launch */
    n_lines = sentinel ? S_LINES : LINES;
    void *at =
        mmap(0, (size_t)n_lines * STRIDE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (at == MAP_FAILED)
        return 0;
    lines = at;
    link_lines();
    return 1;
}

void rt_known_close(void)
{
    if (lines)
        munmap(lines, (size_t)n_lines * STRIDE);
    lines = 0;
}

const struct rt_known *rt_known_of(int kind)
{
    return &known[kind];
}

static void walk(unsigned n)
{
    void *volatile *at = (void *volatile *)lines;
    while (n--)
        at = (void *volatile *)*at;
    __asm__ volatile("" : : "r"(at));
}

static void load(unsigned n)
{
    volatile uint64_t *page = (volatile uint64_t *)lines;
    for (unsigned i = 0; i < n; i++)
        (void)page[i % 8];
}

/* The empty asm keeps the compiler from removing the branch. */
static void branch(unsigned n)
{
    uint64_t b = 0;
    for (unsigned i = 0; i < n; i++, b >>= 1) {
        if (i % 64 == 0)
            b = bits();
        if (b & 1)
            __asm__ volatile("nop");
    }
}

static void chain(unsigned steps)
{
    uint64_t x = rt_chain(steps, 1);
    __asm__ volatile("" : : "r"(x));
}

void rt_known_prepare(int kind)
{
    if (known[kind].near)
        rt_flush_range(lines, lines + (size_t)n_lines * STRIDE);
}

void rt_known_run(int kind)
{
    switch (kind) {
    case RT_KNOWN_CHAIN:
        chain(CHAIN_STEPS);
        break;
    case RT_KNOWN_LOADS:
        load(PAGE_LOADS);
        break;
    case RT_KNOWN_MISSES:
        walk(LINES);
        break;
    case RT_KNOWN_BRANCHES:
        branch(BRANCHES);
        break;
    default:
        chain(S_STEPS);
        load(S_LOADS);
        walk(S_LINES);
        branch(S_BRANCHES);
    }
}
