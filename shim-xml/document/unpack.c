/* unpack.c - the border to zlib and libbz2: turns a stream of packed bytes into unpacked ones. */
#include "shim-xml/document/unpack.h"

#include <bzlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"

enum {
    ROOM = 1 << 16,
    WINDOW = 15 + 16, /* of zlib: the largest window, plus 16 for gzip's header */
    RATIO = 1000,     /* XML files are packed to a hundredth; a much higher ratio is made to fill memory */
    FREE_MIB = 64     /* this much may be unpacked at any ratio */
};

struct unpack {
    enum packing packing;
    unpack_source *source;
    void *user;
    z_stream gzip;
    bz_stream bzip2;
    bool open;         /* inside a packed file */
    bool any;          /* a packed file has ended */
    const char *fault; /* a static text */
    uint64_t taken, given;
    size_t n, at; /* number of bytes in `in`, and the position there */
    char in[ROOM];
};

enum packing packing_of(const char *head, size_t n)
{
    static const struct {
        enum packing packing;
        size_t n;
        const char *mark;
    } marks[] = {{PACKED_GZIP, 2, "\x1f\x8b"},
                 {PACKED_BZIP2, 3, "BZh"},
                 {PACKED_XZ, 6,
                  "\xfd"
                  "7zXZ\0"},
                 {PACKED_ZSTD, 4, "\x28\xb5\x2f\xfd"},
                 {PACKED_ZIP, 4, "PK\x03\x04"}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (n >= marks[i].n && memcmp(head, marks[i].mark, marks[i].n) == 0)
            return marks[i].packing;
    return PACKED_NOT;
}

const char *packing_name(enum packing p)
{
    static const char *const names[] = {"nothing", "gzip", "bzip2", "xz", "zstd", "zip"};
    return names[p];
}

struct unpack *unpack_new(enum packing p, unpack_source *source, void *user, const char *head, size_t n)
{
    struct unpack *u = xcalloc(1, sizeof *u);
    u->packing = p;
    u->source = source;
    u->user = user;
    memcpy(u->in, head, n);
    u->n = n;
    return u;
}

static bool is_gzip(const struct unpack *u)
{
    return u->packing == PACKED_GZIP;
}

static long fail(struct unpack *u, const char *of_gzip, const char *of_bzip2)
{
    u->fault = is_gzip(u) ? of_gzip : of_bzip2;
    return -1;
}

/* ---- one packed file ---- */

static bool begin(struct unpack *u)
{
    u->gzip = (z_stream){0};
    u->bzip2 = (bz_stream){0};
    u->open = is_gzip(u) ? inflateInit2(&u->gzip, WINDOW) == Z_OK : BZ2_bzDecompressInit(&u->bzip2, 0, 0) == BZ_OK;
    return u->open;
}

static void end(struct unpack *u)
{
    if (u->open && is_gzip(u))
        inflateEnd(&u->gzip);
    else if (u->open)
        BZ2_bzDecompressEnd(&u->bzip2);
    u->open = false;
}

enum step { WENT_ON, ENDED, DAMAGED };

static enum step step_gzip(struct unpack *u, char *out, size_t n, size_t *made)
{
    u->gzip.next_in = (Bytef *)u->in + u->at;
    u->gzip.avail_in = (uInt)(u->n - u->at);
    u->gzip.next_out = (Bytef *)out;
    u->gzip.avail_out = (uInt)n;
    int s = inflate(&u->gzip, Z_NO_FLUSH);
    u->at = u->n - u->gzip.avail_in;
    *made = n - u->gzip.avail_out;
    return s == Z_STREAM_END ? ENDED : s == Z_OK || s == Z_BUF_ERROR ? WENT_ON : DAMAGED;
}

static enum step step_bzip2(struct unpack *u, char *out, size_t n, size_t *made)
{
    u->bzip2.next_in = u->in + u->at;
    u->bzip2.avail_in = (unsigned)(u->n - u->at);
    u->bzip2.next_out = out;
    u->bzip2.avail_out = (unsigned)n;
    int s = BZ2_bzDecompress(&u->bzip2);
    u->at = u->n - u->bzip2.avail_in;
    *made = n - u->bzip2.avail_out;
    return s == BZ_STREAM_END ? ENDED : s == BZ_OK ? WENT_ON : DAMAGED;
}

/* ---- the stream ---- */

/* Reads more packed bytes. Returns false if there are none, or if they cannot be read. */
static bool refill(struct unpack *u, bool *unreadable)
{
    if (u->at < u->n)
        return true;
    long n = u->source(u->user, u->in, ROOM);
    *unreadable = n < 0;
    u->at = 0;
    u->n = n > 0 ? (size_t)n : 0;
    u->taken += u->n;
    return u->n > 0;
}

static bool is_bomb(const struct unpack *u)
{
    return u->given > ((uint64_t)FREE_MIB << 20) && u->given / RATIO > u->taken + PACKING_MARK;
}

/* Unpacks until there is output; 0: the end. */
static long produce(struct unpack *u, char *out, size_t n)
{
    for (;;) {
        bool unreadable = false;
        size_t made = 0;
        if (!refill(u, &unreadable)) {
            if (unreadable)
                return -1;
            return u->open ? fail(u, "the gzip data end too early", "the bzip2 data end too early") : 0;
        }
        if (!u->open && u->any && packing_of(u->in + u->at, u->n - u->at) != u->packing && u->n - u->at >= PACKING_MARK)
            return fail(u, "there are other bytes after the gzip data", "there are other bytes after the bzip2 data");
        if (!u->open && !begin(u))
            return fail(u, "zlib has no memory", "libbz2 has no memory");
        enum step step = is_gzip(u) ? step_gzip(u, out, n, &made) : step_bzip2(u, out, n, &made);
        if (step == DAMAGED)
            return fail(u, "damaged gzip data", "damaged bzip2 data");
        if (step == ENDED) {
            end(u);
            u->any = true;
        }
        u->given += made;
        if (is_bomb(u))
            return fail(u, "the gzip data unpack to more than a thousand times their size",
                        "the bzip2 data unpack to more than a thousand times their size");
        if (made)
            return (long)made;
    }
}

long unpack_read(struct unpack *u, char *out, size_t n)
{
    return u->fault || !n ? -1 : produce(u, out, n);
}

const char *unpack_fault(const struct unpack *u)
{
    return u->fault;
}

void unpack_free(struct unpack *u)
{
    if (!u)
        return;
    end(u);
    free(u);
}
