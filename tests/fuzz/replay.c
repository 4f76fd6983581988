/*
 * replay.c - the fuzz target without libFuzzer, for make check: takes profiles as they are, cut at every byte, with
 * every byte changed, and in many repaired mutations, the same ones each time.
 *
 *     replay MUTATIONS PROFILE...
 *
 * Whole profiles must be read; cut or changed ones must be refused. Prints how many were read and refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "irprof/irprof.h"
#include "tests/fuzz/fuzz.h"

static uint64_t state;
static unsigned long n_read, n_refused;

/* splitmix64; Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014. */
static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static size_t below(size_t n)
{
    return (size_t)(next() % n);
}

/* One small change: a byte, a bit, a number at a border; bytes that come, go, or are copied. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    static const uint8_t borders[] = {0, 1, 2, 3, 0x3f, 0x7f, 0x80, 0xff};
    if (max == 0)
        BUG("no room to change anything in: libFuzzer's own would write a byte all the same");
    size_t at = size ? below(size) : 0, n = size ? 1 + below(size - at < 16 ? size - at : 16) : 0;
    switch (below(6)) {
    case 0:
        if (size)
            data[at] = (uint8_t)next();
        return size;
    case 1:
        if (size)
            data[at] ^= (uint8_t)(1u << below(8));
        return size;
    case 2:
        if (size)
            data[at] = borders[below(sizeof borders)];
        return size;
    case 3:
        memmove(data + at, data + at + n, size - at - n);
        return size - n;
    case 4:
        if (n == 0 || size + n > max)
            return size;
        memmove(data + at + n, data + at, size - at);
        for (size_t i = 0; i < n; i++)
            data[at + i] = borders[below(sizeof borders)];
        return size + n;
    default:
        if (n)
            memmove(data + below(size - n + 1), data + at, n);
        return size;
    }
}

static bool readable(const uint8_t *data, size_t size)
{
    struct irprof_profile *p;
    struct error e = ERROR_INIT;
    bool ok = irprof_parse(&p, data, size, "profile", &e) == OK;
    if (ok)
        irprof_free(p);
    error_release(&e);
    n_read += ok;
    n_refused += !ok;
    return ok;
}

/* In memory of exactly that size, so that a sanitizer sees one byte too far. */
static bool readable_copy(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    bool ok = readable(copy, size);
    free(copy);
    return ok;
}

static bool check_damaged(const char *path, uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        if (readable_copy(data, n)) {
            printf("%s: its first %zu bytes of %zu are taken for a profile\n", path, n, size);
            return false;
        }
    }
    for (size_t i = 0; i < size; i++) {
        uint8_t flip = (uint8_t)(1 + next() % 255);
        data[i] ^= flip;
        if (readable(data, size)) {
            printf("%s: byte %zu changed by %#x goes unseen\n", path, i, flip);
            return false;
        }
        data[i] ^= flip;
    }
    return true;
}

/* Chains of mutations, each from the whole profile, in memory that holds no byte more than it may grow to, often none.
 */
static void mutate(const uint8_t *data, size_t size, long mutations)
{
    for (long i = 0; i < mutations;) {
        size_t n = size, max = size + (below(2) ? below(size + 64) : 0);
        uint8_t *changed = xmalloc(max);
        memcpy(changed, data, size);
        for (size_t k = 1 + below(5); k > 0 && i < mutations; k--, i++) {
            n = LLVMFuzzerCustomMutator(changed, n, max, (unsigned)next());
            readable_copy(changed, n);
            LLVMFuzzerTestOneInput(changed, n);
        }
        free(changed);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: replay MUTATIONS PROFILE...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        struct str bytes = STR_INIT;
        struct error e = ERROR_INIT;
        if (file_read(&bytes, argv[i], FILE_LIMIT, &e)) {
            error_print(&e, "replay");
            error_release(&e);
            return 1;
        }
        uint8_t *data = (uint8_t *)bytes.s;
        state = (uint64_t)i;
        if (!readable(data, bytes.len)) {
            printf("%s: not readable as it is\n", argv[i]);
            return 1;
        }
        LLVMFuzzerTestOneInput(data, bytes.len);
        if (!check_damaged(argv[i], data, bytes.len))
            return 1;
        mutate(data, bytes.len, atol(argv[1]));
        str_release(&bytes);
    }
    printf("%d profiles; %lu of their variants read, %lu refused\n", argc - 2, n_read, n_refused);
    return 0;
}
