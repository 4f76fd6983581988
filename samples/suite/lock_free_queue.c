/*
 * lock_free_queue - a bounded queue for many writers and readers (each cell has a sequence number that says whose turn
 * it is, after Vyukov), 16 of them, used by one thread: 120 rounds of pushing 3 and popping 2, or 2 and 3, in
 * turns of 20.
 *
 * The truth: an ordinary queue outside counts what is refused and says what comes out.
 *
 * Work: a push and a pop read a place and a sequence, compare them, and write both: 120 * 5 = 600 calls of 6.
 */
#include <stdatomic.h>

#include "../sample.h"
#include "lcg.h"

#define SIZE   16
#define ROUNDS 120

struct cell {
    _Atomic uint32_t turn;
    uint32_t value;
};
struct queue {
    struct cell cells[SIZE];
    _Atomic uint32_t head, tail;
};

static struct queue queue;
static uint32_t offered[3 * ROUNDS], taken[3 * ROUNDS];
static uint8_t accepted[3 * ROUNDS];
static int n_offered, n_taken;

static int push(struct queue *q, uint32_t value)
{
    uint32_t at = atomic_load_explicit(&q->tail, memory_order_relaxed);

    for (;;) {
        struct cell *c = &q->cells[at % SIZE];
        int32_t ahead = (int32_t)(atomic_load_explicit(&c->turn, memory_order_acquire) - at);

        if (ahead < 0)
            return 0;
        if (ahead > 0) {
            at = atomic_load_explicit(&q->tail, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(&q->tail, &at, at + 1, memory_order_relaxed,
                                                         memory_order_relaxed)) {
            c->value = value;
            atomic_store_explicit(&c->turn, at + 1, memory_order_release);
            return 1;
        }
    }
}

static int pop(struct queue *q, uint32_t *value)
{
    uint32_t at = atomic_load_explicit(&q->head, memory_order_relaxed);

    for (;;) {
        struct cell *c = &q->cells[at % SIZE];
        int32_t ahead = (int32_t)(atomic_load_explicit(&c->turn, memory_order_acquire) - (at + 1));

        if (ahead < 0)
            return 0;
        if (ahead > 0) {
            at = atomic_load_explicit(&q->head, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(&q->head, &at, at + 1, memory_order_relaxed,
                                                         memory_order_relaxed)) {
            *value = c->value;
            atomic_store_explicit(&c->turn, at + SIZE, memory_order_release);
            return 1;
        }
    }
}

static void work(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        int in = round / 20 % 2 ? 2 : 3;

        for (int i = 0; i < in; i++, n_offered++)
            accepted[n_offered] = (uint8_t)push(&queue, offered[n_offered]);
        for (int i = 0; i < 5 - in; i++)
            n_taken += pop(&queue, &taken[n_taken]);
    }
}

static int check(void)
{
    int order[3 * ROUNDS], first = 0, last = 0, next = 0, bad = 0;

    for (int round = 0; round < ROUNDS; round++) {
        int in = round / 20 % 2 ? 2 : 3;

        for (int i = 0; i < in; i++, next++) {
            bad |= accepted[next] != (last - first < SIZE);
            if (last - first < SIZE)
                order[last++] = next;
        }
        for (int i = 0; i < 5 - in && first < last; i++, first++)
            bad |= taken[first] != offered[order[first]];
    }
    return sample_verdict_int("taken", n_taken, first) | sample_verdict_int("whether all came in order", !bad, 1) |
           sample_verdict_int("whether any was refused", next > last, 1);
}

int main(void)
{
    uint32_t seed = 411;

    atomic_init(&queue.head, 0xfffffff0U); /* both wrap on the way */
    atomic_init(&queue.tail, 0xfffffff0U);
    for (uint32_t i = 0; i < SIZE; i++)
        atomic_init(&queue.cells[i].turn, 0xfffffff0U + i);
    for (int i = 0; i < 3 * ROUNDS; i++)
        offered[i] = lcg_draw(&seed);
    n_offered = n_taken = 0;
    SHIM_KEEP(&queue);
    SHIM_KEEP(offered);
    shim_region_begin("lock_free_queue");
    work();
    SHIM_KEEP(taken);
    SHIM_KEEP(accepted);
    shim_region_end("lock_free_queue");
    return check();
}
