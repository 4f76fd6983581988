/*
 * mutate.c - changes a profile where it is interesting, and mends what would otherwise end the reading at once: marks,
 * lengths, build ids, the checksum. Without that no changed byte ever gets after the checksum.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "irprof/profile/format.h"
#include "tests/fuzz/fuzz.h"

static uint32_t get_u32(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static uint64_t get_u64(const uint8_t *b)
{
    return get_u32(b) | (uint64_t)get_u32(b + 4) << 32;
}
static void put_u64(uint8_t *b, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        b[i] = (uint8_t)(v >> 8 * i);
}
static uint64_t hash(const uint8_t *b, size_t n)
{
    uint64_t h = FORMAT_HASH_START;
    for (size_t i = 0; i < n; i++)
        h = (h ^ b[i]) * FORMAT_HASH_PRIME;
    return h;
}

/* A module in the file: offsets of its head, its description, its counters, and what is after it. */
struct place {
    size_t head, description, counters, end;
};

/* Module `wanted`, or the last there is; false: the file is no such thing. */
static int find_module(const uint8_t *b, size_t n, uint32_t wanted, struct place *p)
{
    if (n < FORMAT_HEADER_SIZE + FORMAT_TRAILER_SIZE)
        return 0;
    size_t body = n - FORMAT_TRAILER_SIZE, at = FORMAT_HEADER_SIZE + (size_t)get_u32(b + 28);
    int found = 0;
    for (uint32_t i = 0; i <= wanted && i < get_u32(b + 20); i++) {
        if (at > body || body - at < FORMAT_MODULE_SIZE)
            break;
        uint64_t left = body - at - FORMAT_MODULE_SIZE, size = get_u64(b + at + 8), counters = get_u64(b + at + 16);
        if (size > left || counters > (left - size) / 8)
            break;
        p->head = at;
        p->description = at + FORMAT_MODULE_SIZE;
        p->counters = p->description + (size_t)size;
        p->end = at = p->counters + 8 * (size_t)counters;
        found = 1;
    }
    return found;
}

static void mend(uint8_t *b, size_t n)
{
    struct place p = {0};
    if (n < FORMAT_HEADER_SIZE + FORMAT_TRAILER_SIZE)
        return;
    memcpy(b, FORMAT_MAGIC, FORMAT_MARK_SIZE);
    memcpy(b + n - FORMAT_MARK_SIZE, FORMAT_END_MARK, FORMAT_MARK_SIZE);
    b[8] = FORMAT_VERSION;
    b[9] = b[10] = b[11] = 0;
    put_u64(b + 32, n);
    size_t last = 0;
    for (uint32_t i = 0; find_module(b, n, i, &p) && p.head != last; i++) {
        last = p.head;
        put_u64(b + p.head, hash(b + p.description, p.counters - p.description));
    }
    put_u64(b + n - FORMAT_TRAILER_SIZE, hash(b, n - FORMAT_TRAILER_SIZE));
}

/* Changes b[from ... to) alone; what is after moves. The size of the whole. */
static size_t change(uint8_t *b, size_t size, size_t max, size_t from, size_t to)
{
    size_t n = to - from, room = max > size ? n + (max - size) : n;
    if (room == 0) /* libFuzzer's would write a byte into no room at all */
        return size;
    uint8_t *part = xmalloc(room);
    memcpy(part, b + from, n);
    size_t now = LLVMFuzzerMutate(part, n, room);
    memmove(b + from + now, b + to, size - to);
    memcpy(b + from, part, now);
    free(part);
    return size - n + now;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    struct place p;
    unsigned where = seed % 16;
    if (where == 0) /* as it comes: what the checks of the whole are for */
        return LLVMFuzzerMutate(data, size, max);
    if (!find_module(data, size, seed / 16 % 4, &p) || where == 1) {
        size = LLVMFuzzerMutate(data, size, max);
    } else if (where == 2) {
        size = change(data, size, max, p.counters, size - FORMAT_TRAILER_SIZE);
    } else if (where == 3) {
        size = change(data, size, max, p.head, p.description);
    } else {
        size_t now = change(data, size, max, p.description, p.counters);
        put_u64(data + p.head + 8, p.counters - p.description + now - size);
        size = now;
    }
    mend(data, size);
    return size;
}
