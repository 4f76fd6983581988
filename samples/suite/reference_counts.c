/*
 * reference_counts - 24 buffers are taken from a free list, handed on and given back 800 times in all, each with a
 * count of who holds it; the last one puts it back. The list is a stack by compare and swap, its head a place and a
 * stamp.
 *
 * The truth: plain counts outside, from the same draws: how many are free, how often each was freed.
 *
 * Work: each of 800 steps draws a slot, loads what it holds and changes one count: 800 * 5.
 */
#include <stdatomic.h>

#include "../sample.h"
#include "lcg.h"

#define BUFFERS 24
#define SLOTS   16
#define STEPS   800
#define NONE    0xffff

struct buffer {
    _Atomic uint16_t holders;
    uint16_t next, freed;
    uint8_t bytes[26];
};

static struct buffer pool[BUFFERS];
static _Atomic uint64_t free_list; /* the stamp above, the first free one below */
static uint16_t slots[SLOTS];
static uint16_t draws[STEPS];
static int refused;

static void put_back(struct buffer *b)
{
    uint64_t head = atomic_load_explicit(&free_list, memory_order_relaxed), mine;

    do {
        b->next = (uint16_t)head;
        mine = ((head >> 16) + 1) << 16 | (uint64_t)(b - pool);
    } while (
        !atomic_compare_exchange_weak_explicit(&free_list, &head, mine, memory_order_release, memory_order_relaxed));
}

static uint16_t take(void)
{
    uint64_t head = atomic_load_explicit(&free_list, memory_order_acquire), rest;

    do {
        if ((uint16_t)head == NONE)
            return NONE;
        rest = ((head >> 16) + 1) << 16 | pool[(uint16_t)head].next;
    } while (
        !atomic_compare_exchange_weak_explicit(&free_list, &head, rest, memory_order_acquire, memory_order_acquire));
    atomic_store_explicit(&pool[(uint16_t)head].holders, 1, memory_order_relaxed);
    return (uint16_t)head;
}

static void drop(uint16_t at)
{
    if (at == NONE || atomic_fetch_sub_explicit(&pool[at].holders, 1, memory_order_release) != 1)
        return;
    atomic_thread_fence(memory_order_acquire);
    pool[at].freed++;
    put_back(&pool[at]);
}

/* Into a slot a fresh buffer, or what another slot holds. */
static void work(void)
{
    for (int i = 0; i < STEPS; i++) {
        uint16_t to = draws[i] % SLOTS, from = draws[i] / SLOTS % SLOTS, now;

        if (draws[i] & 0x1000) {
            now = take();
            refused += now == NONE;
        } else {
            now = slots[from];
            if (now != NONE)
                atomic_fetch_add_explicit(&pool[now].holders, 1, memory_order_relaxed);
        }
        drop(slots[to]);
        slots[to] = now;
    }
}

/* Who is taken next decides nothing: only how many hold what. */
static int check(void)
{
    int owner[SLOTS], holders[STEPS] = {0}, fresh = 0, used = 0, freed = 0, freed_here = 0, held = 0;

    for (int s = 0; s < SLOTS; s++)
        owner[s] = -1;
    for (int i = 0; i < STEPS; i++) {
        int to = draws[i] % SLOTS, from = draws[i] / SLOTS % SLOTS;
        int now = draws[i] & 0x1000 ? (used < BUFFERS ? fresh++ : -1) : owner[from];

        if (now >= 0 && holders[now]++ == 0)
            used++;
        if (owner[to] >= 0 && --holders[owner[to]] == 0) {
            used--;
            freed++;
        }
        owner[to] = now;
    }
    for (int i = 0; i < BUFFERS; i++) {
        freed_here += pool[i].freed;
        held += pool[i].holders != 0;
    }
    return sample_verdict_int("freed", freed_here, freed) | sample_verdict_int("held", held, used) |
           sample_verdict_int("refused", refused, 0);
}

int main(void)
{
    uint32_t seed = 5;

    memset(pool, 0, sizeof pool);
    for (uint16_t i = 0; i < BUFFERS; i++)
        pool[i].next = i + 1 < BUFFERS ? i + 1 : NONE;
    atomic_init(&free_list, 0);
    for (int i = 0; i < SLOTS; i++)
        slots[i] = NONE;
    for (int i = 0; i < STEPS; i++)
        draws[i] = (uint16_t)lcg_draw(&seed);
    refused = 0;
    SHIM_KEEP(pool);
    SHIM_KEEP(draws);
    shim_region_begin("reference_counts");
    work();
    SHIM_KEEP(pool);
    SHIM_KEEP(slots);
    shim_region_end("reference_counts");
    return check();
}
