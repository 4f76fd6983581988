/* packed.c - the fuzz target of packed SHIM files. By the first byte the rest is a packed file as it stands, or a text
 * that is packed here, whole or in two files behind each other, and perhaps damaged: a text says the same packed and
 * not packed, and damage is refused with a reason. */
#include <bzlib.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "shim-xml/shimxml.h"
#include "tests/fuzz/target.h"

enum { GZIP_WINDOW = 15 + 16 };

struct bytes {
    uint8_t *at;
    size_t n;
};

static void add_gzip(struct bytes *out, const uint8_t *text, size_t n)
{
    z_stream z = {0};
    if (deflateInit2(&z, 1, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        BUG("zlib does not begin");
    size_t room = deflateBound(&z, n);
    out->at = xreallocarray(out->at, out->n + room, 1);
    z.next_in = (Bytef *)text;
    z.avail_in = (uInt)n;
    z.next_out = out->at + out->n;
    z.avail_out = (uInt)room;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        BUG("zlib does not end");
    out->n += room - z.avail_out;
    deflateEnd(&z);
}

static void add_bzip2(struct bytes *out, const uint8_t *text, size_t n)
{
    unsigned room = (unsigned)(n + n / 100 + 600);
    out->at = xreallocarray(out->at, out->n + room, 1);
    if (BZ2_bzBuffToBuffCompress((char *)out->at + out->n, &room, (char *)text, (unsigned)n, 1, 0, 0) != BZ_OK)
        BUG("libbz2 does not pack");
    out->n += room;
}

/* Read and checked; the number of findings, or -1. */
static long look(const uint8_t *bytes, size_t n)
{
    struct shimxml_doc *d = 0;
    struct error e = ERROR_INIT;
    struct shimxml_findings f = {0};
    if (!target_passed(shimxml_parse(&d, (const char *)bytes, n, "packed", &e), &e))
        return -1;
    shimxml_check(d, &f);
    long found = (long)(f.errors + f.warnings + f.hints);
    shimxml_findings_release(&f);
    shimxml_free(d);
    return found;
}

static void pack(uint8_t how, const uint8_t *text, size_t n)
{
    struct bytes packed = {0};
    size_t cut = how & 4 ? n / 2 : n;
    void (*add)(struct bytes *, const uint8_t *, size_t) = how & 1 ? add_gzip : add_bzip2;
    add(&packed, text, cut);
    if (how & 4)
        add(&packed, text + cut, n - cut);
    if (how & 8) {
        packed.at[(how >> 4) * packed.n / 16] ^= (uint8_t)(1u << (how >> 4 & 7));
        look(packed.at, packed.n);
    } else if (look(packed.at, packed.n) != look(text, n)) {
        BUG("packed it says something else");
    }
    free(packed.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    if (data[0] & 2)
        look(data + 1, size - 1);
    else if (data[1] != 0x1f && data[1] != 'B') /* what is packed twice is unpacked once */
        pack(data[0], data + 1, size - 1);
    return 0;
}
