/*
 * event_counters - what a driver counts as if interrupts came in between: 600 packets' bytes, errors and sizes in
 * counters of 8 to 64 bits, flags that are set, cleared and turned, the largest size by compare and swap.
 *
 * The truth: the same sums without atomics, outside.
 *
 * Work: each of 600 packets is loaded, tested for an error, and changes four counters: 600 * 8.
 */
#include <stdatomic.h>

#include "../sample.h"
#include "lcg.h"

#define PACKETS 600
#define CLASSES 8

static struct {
    _Atomic uint64_t bytes;
    _Atomic uint32_t packets, flags;
    _Atomic uint16_t largest, sizes[CLASSES];
    _Atomic uint8_t errors;
    _Atomic(int32_t) balance;
} counters;
static uint16_t packets[PACKETS]; /* size in the lower 11 bits, port in the next 4, error on top */

static void note_largest(uint16_t size)
{
    uint16_t seen = atomic_load_explicit(&counters.largest, memory_order_relaxed);

    while (size > seen && !atomic_compare_exchange_weak(&counters.largest, &seen, size))
        ;
}

static void work(void)
{
    for (int i = 0; i < PACKETS; i++) {
        uint16_t size = packets[i] & 0x7ff;
        uint32_t port = 1U << (packets[i] >> 11 & 15);

        atomic_fetch_add_explicit(&counters.packets, 1, memory_order_relaxed);
        if (packets[i] & 0x8000) {
            counters.errors++;
            atomic_fetch_and(&counters.flags, ~port);
            continue;
        }
        atomic_fetch_add_explicit(&counters.bytes, size, memory_order_relaxed);
        atomic_fetch_add_explicit(&counters.sizes[size >> 8], 1, memory_order_relaxed);
        atomic_fetch_or_explicit(&counters.flags, port, memory_order_release);
        atomic_fetch_xor_explicit(&counters.flags, port << 16, memory_order_relaxed);
        if (size & 1)
            atomic_fetch_sub(&counters.balance, size);
        else
            counters.balance += size;
        note_largest(size);
    }
    atomic_thread_fence(memory_order_seq_cst);
}

static int check(void)
{
    uint64_t bytes = 0;
    uint32_t flags = 0, errors = 0;
    int largest = 0, balance = 0, sizes[CLASSES] = {0}, bad = 0;

    for (int i = 0; i < PACKETS; i++) {
        int size = packets[i] % 2048;
        uint32_t port = 1U << (packets[i] / 2048 % 16);

        if (packets[i] >= 0x8000) {
            errors++;
            flags &= ~port;
            continue;
        }
        bytes += (uint64_t)size;
        sizes[size / 256]++;
        flags = (flags | port) ^ port << 16;
        balance += size % 2 ? -size : size;
        largest = size > largest ? size : largest;
    }
    for (int i = 0; i < CLASSES; i++)
        bad |= counters.sizes[i] != sizes[i];
    return sample_verdict_int("bytes", (long long)counters.bytes, (long long)bytes) |
           sample_verdict_int("packets", counters.packets, PACKETS) |
           sample_verdict_int("flags", counters.flags, flags) |
           sample_verdict_int("errors", counters.errors, errors & 255) |
           sample_verdict_int("largest", counters.largest, largest) |
           sample_verdict_int("balance", counters.balance, balance) | sample_verdict_int("sizes", bad, 0);
}

int main(void)
{
    uint32_t seed = 72;

    memset(&counters, 0, sizeof counters);
    for (int i = 0; i < PACKETS; i++)
        packets[i] = (uint16_t)lcg_draw(&seed);
    SHIM_KEEP(&counters);
    SHIM_KEEP(packets);
    shim_region_begin("event_counters");
    work();
    SHIM_KEEP(&counters);
    shim_region_end("event_counters");
    return check();
}
