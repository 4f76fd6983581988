/* writer.c - a profile as a file that appears whole or not at all, packed by gzip if wanted. */
#include "perf-xml/document/writer.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { ROOM = 1 << 16, WINDOW = 15 + 16 /* of zlib: the largest window, plus 16 for gzip's header */ };

/* A full disk is noticed by outfile_commit. `failed` only stops the packing. */
static void pack(struct writer *w, int flush)
{
    unsigned char out[ROOM];
    w->packer.next_in = (unsigned char *)w->text.s;
    w->packer.avail_in = (uInt)w->text.len;
    do {
        w->packer.next_out = out;
        w->packer.avail_out = sizeof out;
        if (deflate(&w->packer, flush) == Z_STREAM_ERROR)
            w->failed = true;
        size_t n = sizeof out - w->packer.avail_out;
        w->failed = w->failed || fwrite(out, 1, n, w->file.f) != n;
    } while (!w->packer.avail_out && !w->failed);
}

static void flush(struct writer *w, bool end)
{
    str_add(&w->text, "");
    if (w->packing)
        pack(w, end ? Z_FINISH : Z_NO_FLUSH);
    else
        fwrite(w->text.s, 1, w->text.len, w->file.f);
    str_clear(&w->text);
}

enum status writer_go_on(struct writer *w)
{
    if (w->text.len >= ROOM)
        flush(w, false);
    return OK;
}

static const struct perf_sink *const sinks[] = {
    [PERF_XML] = &writer_xml, [PERF_CSV] = &writer_csv, [PERF_JSON] = &writer_json, [PERF_CUBEX] = &writer_cubex};

enum status perf_writer_open(struct perf_sink **out, const char *path, const struct perf_layout *layout,
                             struct error *e)
{
    struct writer *w = xcalloc(1, sizeof *w);
    w->sink = *sinks[layout->format];
    w->layout = *layout;
    enum status s = outfile_open(&w->file, path, e);
    if (!s && layout->gzip) {
        w->packing = true;
        if (deflateInit2(&w->packer, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
            w->packing = false;
            s = error_set(e, ERR_SYSTEM, NOWHERE, "zlib cannot start to pack");
        }
    }
    *out = &w->sink;
    if (s) {
        perf_writer_abort(*out);
        *out = 0;
    }
    return s;
}

static void release(struct writer *w)
{
    if (w->packing)
        deflateEnd(&w->packer);
    str_release(&w->text);
    cubex_release(w->cube);
    perf_place_release(&w->place);
    free(w);
}

enum status perf_writer_commit(struct perf_sink *sink, struct error *e)
{
    struct writer *w = (struct writer *)sink;
    enum status s = w->layout.format == PERF_CUBEX ? cubex_finish(w, e) : OK;
    if (s) {
        perf_writer_abort(sink);
        return s;
    }
    flush(w, true);
    s = outfile_commit(&w->file, e);
    release(w);
    return s;
}

void perf_writer_abort(struct perf_sink *sink)
{
    struct writer *w = (struct writer *)sink;
    if (!w)
        return;
    outfile_abort(&w->file);
    release(w);
}
