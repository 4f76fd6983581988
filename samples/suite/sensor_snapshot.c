/*
 * sensor_snapshot - measured values are shared without waiting: a writer counts a sequence up before and after, a
 * reader reads again when it changed; beside it a ring with one writer and one reader, a lock that is taken by a flag,
 * and one by tickets. 150 rounds.
 *
 * The truth: sums of what was written, outside.
 *
 * Work: each of 150 rounds stores and loads 6 values, and changes the sequence and two locks: 150 * 20.
 */
#include <stdatomic.h>

#include "../sample.h"
#include "lcg.h"

#define ROUNDS 150
#define VALUES 6
#define RING   8

static struct {
    _Atomic uint32_t sequence;
    _Atomic int32_t value[VALUES];
} shared;
static struct {
    _Atomic uint8_t head, tail;
    int32_t at[RING];
} ring;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static _Atomic uint16_t ticket, serving;
static int32_t readings[ROUNDS][VALUES];
static int64_t total, passed_on;
static int lost;

static void publish(const int32_t *v)
{
    uint32_t s = atomic_load_explicit(&shared.sequence, memory_order_relaxed);

    atomic_store_explicit(&shared.sequence, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    for (int i = 0; i < VALUES; i++)
        atomic_store_explicit(&shared.value[i], v[i], memory_order_relaxed);
    atomic_store_explicit(&shared.sequence, s + 2, memory_order_release);
}

static void snapshot(int32_t *v)
{
    uint32_t s;

    do {
        s = atomic_load_explicit(&shared.sequence, memory_order_acquire);
        for (int i = 0; i < VALUES; i++)
            v[i] = atomic_load_explicit(&shared.value[i], memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    } while (s % 2 || s != atomic_load_explicit(&shared.sequence, memory_order_relaxed));
}

static void send(int32_t v)
{
    uint8_t head = atomic_load_explicit(&ring.head, memory_order_relaxed);

    if ((uint8_t)(head - atomic_load_explicit(&ring.tail, memory_order_acquire)) == RING) {
        lost++;
        return;
    }
    ring.at[head % RING] = v;
    atomic_store_explicit(&ring.head, (uint8_t)(head + 1), memory_order_release);
}

static void receive(void)
{
    uint8_t tail = atomic_load_explicit(&ring.tail, memory_order_relaxed);

    if (tail == atomic_load_explicit(&ring.head, memory_order_acquire))
        return;
    passed_on += ring.at[tail % RING];
    atomic_store_explicit(&ring.tail, (uint8_t)(tail + 1), memory_order_release);
}

static void work(void)
{
    int32_t v[VALUES];

    for (int i = 0; i < ROUNDS; i++) {
        publish(readings[i]);
        snapshot(v);
        while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
            ;
        for (int k = 0; k < VALUES; k++)
            total += v[k];
        atomic_flag_clear_explicit(&busy, memory_order_release);
        uint16_t mine = atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed);
        while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
            ;
        send(v[i % VALUES]);
        send(v[(i + 3) % VALUES]);
        atomic_store_explicit(&serving, (uint16_t)(mine + 1), memory_order_release);
        receive();
        if (i % 3)
            receive();
    }
}

static int check(void)
{
    int64_t all = 0, passed = 0;
    int32_t kept[2 * ROUNDS];
    int n = 0, first = 0, refused = 0;

    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < VALUES; k++)
            all += readings[i][k];
        for (int k = 0; k < 2; k++) {
            if (n - first < RING)
                kept[n++] = readings[i][(i + 3 * k) % VALUES];
            else
                refused++;
        }
        for (int k = 0; k < (i % 3 ? 2 : 1) && first < n; k++)
            passed += kept[first++];
    }
    return sample_verdict_int("total", total, all) | sample_verdict_int("passed on", passed_on, passed) |
           sample_verdict_int("lost", lost, refused) | sample_verdict_int("whether any was", refused > 0, 1);
}

int main(void)
{
    uint32_t seed = 19;

    memset(&shared, 0, sizeof shared);
    memset(&ring, 0, sizeof ring);
    atomic_flag_clear(&busy);
    atomic_init(&ticket, 65500);
    atomic_init(&serving, 65500);
    total = passed_on = lost = 0;
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < VALUES; k++)
            readings[i][k] = (int32_t)lcg_draw(&seed) - 32768;
    SHIM_KEEP(&shared);
    SHIM_KEEP(readings);
    shim_region_begin("sensor_snapshot");
    work();
    SHIM_KEEP(&total);
    SHIM_KEEP(&passed_on);
    shim_region_end("sensor_snapshot");
    return check();
}
