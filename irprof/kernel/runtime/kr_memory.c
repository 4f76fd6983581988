/* kr_memory.c - buffers: memory that ends at a protected page, and its initial contents. */
#include "irprof/kernel/runtime/host.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* An access beyond a buffer's end ends the program at once, unless it stays within the alignment. */
enum { ALIGNMENT = 128 };

void *host_memory(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), used = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t pages = (used + page - 1) / page * page;
    char *p = mmap(0, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED || mprotect(p + pages, page, PROT_NONE) != 0)
        host_fail("there is no memory for a buffer");
    return p + pages - used;
}

/* Knuth, The Art of Computer Programming, volume 2, 3.3.4: MMIX's linear congruential generator. */
static uint64_t next(uint64_t *state)
{
    return *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

static double real_element(const struct host_buffer *b, size_t i, uint64_t *state)
{
    switch (b->fill) {
    case HOST_UNIFORM:
        return (double)(next(state) >> 40) / (double)(1 << 24);
    case HOST_RANDOM:
        return (double)(next(state) >> 40) / (double)(1 << 23) - 1;
    case HOST_COUNT:
        return (double)i;
    default:
        return b->value;
    }
}

static uint64_t whole_element(const struct host_buffer *b, size_t i, uint64_t *state)
{
    switch (b->fill) {
    case HOST_UNIFORM:
    case HOST_RANDOM:
        return next(state) >> (64 - 8 * b->element);
    case HOST_COUNT:
        return i;
    default:
        return b->value < 0 ? (uint64_t)(int64_t)b->value : (uint64_t)b->value;
    }
}

static void put(const struct host_buffer *b, void *at, size_t i, uint64_t *state)
{
    char *to = (char *)at + i * b->element;
    if (b->real) {
        double d = real_element(b, i, state);
        float f = (float)d;
        memcpy(to, b->element == sizeof f ? (const void *)&f : (const void *)&d, b->element);
    } else {
        uint64_t v = whole_element(b, i, state);
        for (size_t k = 0; k < b->element; k++)
            to[k] = (char)(v >> 8 * k);
    }
}

static void read_file(const struct host_buffer *b, void *at)
{
    FILE *f = fopen(b->file, "rb");
    size_t size = b->count * b->element, n = f ? fread(at, 1, size, f) : 0;
    if (!f || n != size || fgetc(f) != EOF)
        host_fail("the file of a buffer cannot be read, or has not as many bytes as the buffer");
    fclose(f);
}

void host_fill(const struct host_buffer *b, void *at)
{
    uint64_t state = b->seed;
    if (b->fill == HOST_FILE)
        read_file(b, at);
    for (size_t i = 0; b->fill != HOST_FILE && b->fill != HOST_ZERO && i < b->count; i++)
        put(b, at, i, &state);
}
