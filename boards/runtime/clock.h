/*
 * clock.h - the architecture's constant-rate counter, readable from user mode, and a
 * chain of dependent additions that takes one core cycle each. Shared by the
 * measuring runtime and the detection of the machine.
 */
#ifndef BOARDS_RUNTIME_CLOCK_H
#define BOARDS_RUNTIME_CLOCK_H

#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define RT_CLOCK_EVENT "TSC_CYCLES"
#elif defined(__aarch64__)
#define RT_CLOCK_EVENT "CNTVCT_CYCLES"
#elif defined(__riscv)
#define RT_CLOCK_EVENT "RDTIME_CYCLES"
#else
#include <time.h>
#define RT_CLOCK_EVENT "MONOTONIC_NS"
#endif

/* All that stands before it is done when the counter is read, and nothing that follows has begun. */
static inline uint64_t rt_clock(void)
{
#if defined(__x86_64__) || defined(__i386__)
    uint32_t low, high, processor;
    __asm__ volatile("lfence\n\trdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(processor) : : "memory");
    (void)processor;
    return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
    uint64_t t;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(t) : : "memory");
    return t;
#elif defined(__riscv) && __riscv_xlen == 64
    uint64_t t;
    __asm__ volatile("fence rw, rw\n\trdtime %0\n\tfence rw, rw" : "=r"(t) : : "memory");
    return t;
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

/* The counter's frequency as the processor states it [Hz]; 0: it does not.
 * x86: CPUID leaf 0x15, crystal (ECX) * numerator (EBX) / denominator (EAX); Intel SDM vol. 2A. */
static inline uint64_t rt_clock_stated_hz(void)
{
#if defined(__x86_64__) || defined(__i386__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(0x15, &a, &b, &c, &d) || !a || !b || !c)
        return 0;
    return (uint64_t)c * b / a;
#elif defined(__aarch64__)
    uint64_t hz;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz & 0xffffffffu;
#elif defined(__riscv) && __riscv_xlen == 64
    return 0;
#else
    return 1000000000u;
#endif
}

#define RT_CHAIN_ADDS 256 /* in one rt_chain step */

/* steps * RT_CHAIN_ADDS additions, each of which needs the one before. Register + register: an addition of a constant
 * may cost nothing (recent Intel cores do it while renaming). */
static inline uint64_t rt_chain(unsigned steps, uint64_t x)
{
    uint64_t one = x | 1;
    for (unsigned i = 0; i < steps; i++) {
#if defined(__x86_64__)
        __asm__ volatile(".rept 256\n\taddq %1, %0\n\t.endr" : "+r"(x) : "r"(one) : "cc");
#elif defined(__aarch64__)
        __asm__ volatile(".rept 256\n\tadd %0, %0, %1\n\t.endr" : "+r"(x) : "r"(one));
#elif defined(__riscv) && __riscv_xlen == 64
        __asm__ volatile(".rept 256\n\tadd %0, %0, %1\n\t.endr" : "+r"(x) : "r"(one));
#else
        for (unsigned k = 0; k < RT_CHAIN_ADDS; k++)
            __asm__ volatile("" : "+r"(x) : "r"(one)); /* no figure for this architecture: rt_chain_known is 0 */
#endif
    }
    return x;
}
#if defined(__x86_64__) || defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64)
#define RT_CHAIN_KNOWN 1
#else
#define RT_CHAIN_KNOWN 0
#endif

#define RT_WIDE_ADDS 1024 /* in one rt_wide step, 8 chains side by side */

/* As many additions at once as the core can: unlike the chain, slower when another hardware thread takes a part of the
 * core. */
static inline void rt_wide(unsigned steps)
{
    uintptr_t a = 1, b = 2, c = 3, d = 4, f = 5, g = 6, h = 7, k = 8, one = steps | 1;
    for (unsigned i = 0; i < steps; i++) {
#if defined(__x86_64__)
        __asm__ volatile(".rept 128\n\taddq %8, %0\n\taddq %8, %1\n\taddq %8, %2\n\taddq %8, %3\n\taddq %8, %4\n\t"
                         "addq %8, %5\n\taddq %8, %6\n\taddq %8, %7\n\t.endr"
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(f), "+r"(g), "+r"(h), "+r"(k)
                         : "r"(one)
                         : "cc");
#elif defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64)
        __asm__ volatile(".rept 128\n\tadd %0, %0, %8\n\tadd %1, %1, %8\n\tadd %2, %2, %8\n\tadd %3, %3, %8\n\t"
                         "add %4, %4, %8\n\tadd %5, %5, %8\n\tadd %6, %6, %8\n\tadd %7, %7, %8\n\t.endr"
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(f), "+r"(g), "+r"(h), "+r"(k)
                         : "r"(one));
#endif
    }
    __asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d), "r"(f), "r"(g), "r"(h), "r"(k), "r"(one));
}

#endif
