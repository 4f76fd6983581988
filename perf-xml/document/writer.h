/* writer.h - what the sinks that write have in common: a file, its text that is not yet written, gzip. */
#ifndef PERFXML_WRITER_H
#define PERFXML_WRITER_H

#include <zlib.h>

#include "base/file.h"
#include "base/str.h"
#include "perf-xml/perfxml.h"

struct cubex_out;
/* Of compact XML: values of call paths that follow each other. */
struct xml_list {
    bool held, has_value; /* an item of a call path that is not written yet, and its value */
    uint64_t path;
    struct perf_number value;
    bool open; /* a list is being written: its next call path, and how many it has */
    uint64_t next;
    unsigned n;
};
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
    struct xml_list list;
};
/* Writes the text if there is much of it. Each sink calls it where nothing is half done. */
enum status writer_go_on(struct writer *w);

/* .cubex is made at the end, from what its sink has kept: puts the file into w->text. ERR_INPUT: there is nothing that Cube
 * could show. */
enum status cubex_finish(struct writer *w, struct error *e) MUST_CHECK;
void cubex_release(struct cubex_out *c); /* NULL is fine */

/* Sinks of a format; each is a struct writer. */
extern const struct perf_sink writer_xml, writer_csv, writer_json, writer_cubex;

#endif
