/* cubex.h - a .cubex profile: the members of its tar, what anchor.xml says, and the values of each metric. Values
 * of a plain file that are not packed stay in the file, and are read for some locations at a time. */
#ifndef PERFXML_CUBEX_H
#define PERFXML_CUBEX_H

#include <zlib.h>

#include "base/alloc.h"
#include "base/str.h"
#include "perf-xml/perfxml.h"

struct member {
    char *name; /* owned */
    struct str bytes;
    bool in_file;      /* `bytes` is empty: they stand in the file, */
    uint64_t at, size; /* here, and so many; both only then */
};
struct tar {
    struct member *at;
    size_t n, cap;
    int fd; /* the file, where members are left in it; else -1 */
};
/* Reads the members that a profile has (anchor.xml, N.index, N.data), and passes over all others. Nothing is ever
 * written under a member's name. Checksums of headers are not looked at: writers are around that get them wrong. */
enum status tar_read(struct tar *t, gzFile f, const char *path, struct error *e) MUST_CHECK;
const struct member *tar_find(const struct tar *t, const char *name); /* NULL: there is none */
void tar_release(struct tar *t);

struct metric {
    uint32_t id;
    char *name, *unit, *type, *kind; /* owned; type: UINT64 ..., kind: EXCLUSIVE, INCLUSIVE ... */
};
struct region {
    uint32_t id;
    char *name;
};
struct cnode {
    uint32_t id, callee;
    size_t parent;   /* in cnodes; NO_PARENT */
    size_t children; /* how many */
    size_t first;    /* where these stand in cube.wide */
    const char *name;
};
#define NO_PARENT SIZE_MAX
struct location {
    uint32_t id, rank;
    char *name;
    size_t group;
};
struct group {
    uint32_t rank;
    char *name;
};
struct cube {
    const char *path; /* borrowed; for messages */
    char *machine;    /* owned; NULL: not said */
    VEC(struct metric) metrics;
    VEC(struct region) regions;
    VEC(struct cnode) cnodes; /* as they stand in anchor.xml: a parent before its children */
    VEC(struct group) groups;
    VEC(struct location) locations; /* as they stand; the columns of the data are in the order of their ids */
    size_t *wide; /* cnodes: the roots, then the children of each, each followed by what is below it */
};
enum status cube_parse(struct cube *c, const struct str *anchor, struct error *e) MUST_CHECK;
void cube_release(struct cube *c);

/* The values of some locations, where values stay in the file. */
struct window {
    int fd;               /* borrowed */
    uint64_t at;          /* where the values begin */
    unsigned char *bytes; /* owned; rows of n values */
    size_t first, n;      /* the locations; n 0: none yet */
    size_t most;          /* room for so many */
    bool failed;          /* the file could not be read: all values are 0 */
};
/* The values of one metric: rows of call paths, columns of locations. */
struct values {
    const struct cube *cube;
    const struct metric *metric;
    const unsigned char *bytes; /* n_rows * locations, in the byte order of the file */
    unsigned char *unpacked;    /* owned; NULL: `bytes` are the member's */
    struct window *window;      /* owned; NULL: `bytes` has all */
    size_t *row;                /* of each cnode; NO_ROW */
    size_t n_rows, size;        /* bytes of a value */
    enum perf_kind kind;
    bool big_endian, inclusive;
    const char *missing; /* why there are no values; NULL: there are */
};
#define NO_ROW SIZE_MAX
enum status metric_values_read(struct values *v, const struct cube *c, const struct metric *m, const struct tar *t,
                               struct error *e) MUST_CHECK;
void values_release(struct values *v);
/* Gives all metrics that stay in the file their room, after metric_values_read of each. */
void windows_share(struct values *all, size_t n);
const unsigned char *window_value(const struct values *v, size_t row, size_t location);
void window_free(struct window *w);
/* Reads n bytes; false: there are none, or an error. */
bool file_bytes(int fd, uint64_t at, unsigned char *to, size_t n);
/* As stored, 0 where there is no row. */
struct perf_number values_stored(const struct values *v, size_t cnode, size_t location);
/* Without what is below the call path. */
struct perf_number values_exclusive(const struct values *v, size_t cnode, size_t location);
/* Over the whole call tree. */
struct perf_number values_total(const struct values *v, size_t location);

enum status cubex_read(gzFile f, const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;

#endif
