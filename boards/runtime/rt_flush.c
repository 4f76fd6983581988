/*
 * rt_flush.c - makes a run cold: branch predictors are untrained, and every line of the program's memory (code, data,
 * heap, stack, the C library) is written back and invalidated in all levels. If user mode has no instruction for that,
 * a buffer larger than the last level is read, which evicts nearly everything.
 */
#include "rt.h"
#include "rt_iss.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page;
static size_t line = 64;

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define BY_ADDRESS 1
static int has_opt;
static void method_open(void)
{
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) && (b >> 8 & 0xff))
        line = (b >> 8 & 0xff) * 8;
    has_opt = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 23 & 1);
    rt.flush_method = has_opt ? "clflushopt" : "clflush";
}
static void flush_lines(const char *from, const char *to)
{
    if (has_opt)
        for (; from < to; from += line)
            __asm__ volatile("clflushopt %0" : : "m"(*from) : "memory");
    else
        for (; from < to; from += line)
            __asm__ volatile("clflush %0" : : "m"(*from) : "memory");
}
static void flush_done(void)
{
    __asm__ volatile("mfence" : : : "memory");
}
#elif defined(__aarch64__)
#define BY_ADDRESS 1
static void method_open(void)
{
    uint64_t ctr; /* DminLine, bits 19:16, and IminLine, bits 3:0: log2 of 4-byte words */
    __asm__("mrs %0, ctr_el0" : "=r"(ctr));
    unsigned shift = ctr >> 16 & 15, i_shift = ctr & 15;
    line = (size_t)4 << (shift < i_shift ? shift : i_shift);
    rt.flush_method = "dc civac, ic ivau";
}
static void flush_lines(const char *from, const char *to)
{
    for (const char *p = from; p < to; p += line)
        __asm__ volatile("dc civac, %0" : : "r"(p) : "memory");
    __asm__ volatile("dsb ish" : : : "memory");
    for (const char *p = from; p < to; p += line)
        __asm__ volatile("ic ivau, %0" : : "r"(p) : "memory");
}
static void flush_done(void)
{
    __asm__ volatile("dsb ish\n\tisb" : : : "memory");
}
#else
#define BY_ADDRESS 0
#endif

#if BY_ADDRESS

/* A page that is not in memory is in no cache either, and flushing would bring it in, so it is skipped. */
static void flush_range(char *from, char *to)
{
    static unsigned char present[4096];
    while (from < to) {
        size_t bytes = (size_t)(to - from), limit = sizeof present * page;
        if (bytes > limit)
            bytes = limit;
        int known = mincore(from, bytes, present) == 0;
        for (size_t at = 0; known && at < bytes; at += page) {
            if (!(present[at / page] & 1))
                continue;
            if (rt.flush_bytes >= rt.flush_limit) {
                rt.flush_skipped += page;
                continue;
            }
            flush_lines(from + at, from + at + page);
            rt.flush_bytes += page;
        }
        from += bytes;
    }
}

static void flush_mapping(char *from, char *to, int writable)
{
    (void)writable;
    flush_range(from, to);
}

void rt_flush_range(char *from, char *to)
{
    flush_lines(from, to);
    flush_done();
}

static void flush_all(void)
{
    if (rt_each_mapping(flush_mapping))
        rt_problem("no-maps", "");
    flush_done();
}

#else /* there is no instruction for it */

static char *buffer;
static size_t buffer_size;

void rt_flush_range(char *from, char *to)
{
    (void)from;
    (void)to;
}

static size_t largest_cache(void)
{
    size_t largest = 0;
    for (int i = 0; i < 16; i++) {
        char path[80], text[32];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            break;
        ssize_t n = read(fd, text, sizeof text - 1);
        close(fd);
        if (n <= 0)
            continue;
        text[n] = 0;
        char *unit;
        size_t size = strtoul(text, &unit, 10) * (*unit == 'M' ? 1048576u : *unit == 'K' ? 1024u : 1u);
        if (size > largest)
            largest = size;
    }
    return largest ? largest : (size_t)32 << 20;
}

static void method_open(void)
{
    buffer_size = 4 * largest_cache();
    void *at = mmap(0, buffer_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    buffer = at == MAP_FAILED ? 0 : at;
    rt.flush_method = "eviction";
}

static void flush_all(void)
{
    if (!buffer) {
        rt_problem("no-memory", "");
        return;
    }
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < buffer_size; i += line)
            ((volatile char *)buffer)[i]++;
    rt.flush_bytes += buffer_size;
#if defined(__riscv)
    __asm__ volatile("fence rw, rw\n\tfence.i" : : : "memory");
#endif
}
#endif

void rt_flush_open(void)
{
    const char *limit = getenv("SHIM_MEASURE_FLUSH_LIMIT");
    page = (size_t)sysconf(_SC_PAGESIZE);
    rt.flush_limit = limit ? strtoull(limit, 0, 10) : (uint64_t)256 << 20;
    method_open();
}

void rt_flush(void)
{
    if (rt.simulated) {
        rt_iss_call(ISS_COLD, ISS_ALL, 0, 0);
        rt.flushes++;
        return;
    }
    uint64_t skipped = rt.flush_skipped;
    rt.flush_bytes = rt.flush_skipped = 0;
    rt_untrain(); /* first, since its own lines are flushed too */
    flush_all();
    if (skipped > rt.flush_skipped)
        rt.flush_skipped = skipped; /* the worst of all flushes */
    rt.flushes++;
}
