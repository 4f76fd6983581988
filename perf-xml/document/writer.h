/* writer.h - what the sinks that write have in common: a file, its text that is not yet written, gzip. */
#ifndef PERFXML_WRITER_H
#define PERFXML_WRITER_H

#include <zlib.h>

#include "base/file.h"
#include "base/str.h"
#include "perf-xml/perfxml.h"

struct cubex_out;
struct writer {
    struct perf_sink sink;
    struct outfile file;
    struct perf_layout layout;
    struct str text; /* not yet written */
    z_stream packer;
    bool packing, failed, inside, callpaths;
    unsigned depth;
    struct perf_place place;       /* of CSV */
    struct cubex_out *cube;        /* owned; of .cubex */
    bool children[PERF_DEPTH + 4]; /* of JSON: has the element at this depth any? */
};
/* Writes the text if there is much of it. Each sink calls it where nothing is half done. */
enum status writer_go_on(struct writer *w);

/* Sinks of a format; each is a struct writer. */
extern const struct perf_sink writer_xml, writer_csv, writer_json, writer_cubex;

#endif
