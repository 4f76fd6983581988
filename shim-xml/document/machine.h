/* machine.h - a machine as a description says it (docs/formats/machine.md). Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_MACHINE_H
#define SHIMXML_DOCUMENT_MACHINE_H

#include "shim-xml/document/skeleton.h"

struct machine_cache {
    int level;
    struct skeleton_cache geometry;
    long shared; /* cores of the cluster that share one: 1 or more */
    size_t base; /* machine_make.c: the number of the cluster's first one, of its level and kind */
    unsigned long line;
};
struct machine_access {
    char rw[4];
    unsigned bytes;
};
struct machine_cluster {
    char *name, *core, *arch, *option, *type, *endian;
    long cores, threads, pid;         /* pid: of the first core; -1: as its number */
    double clock_hz;                  /* 0: as the system's */
    VEC(struct machine_cache) caches; /* from the cores outwards */
    VEC(struct machine_access) accesses;
    size_t first; /* machine_make.c: the number of its first core */
    unsigned long line;
};
/* A cache that clusters share. */
struct machine_outer {
    char *name, *of; /* of: globs of clusters, spaces between */
    struct skeleton_cache geometry;
    unsigned long line;
};
struct machine_memory {
    char *name, *rw, *in, *from; /* in: a cluster, NULL: the system; from: globs of clusters */
    uint64_t bytes, start, end;  /* both inclusive, known when it is read */
    bool has_start, has_end;
    unsigned long line;
};
struct machine {
    const char *path; /* borrowed */
    char *name, *endian;
    double clock_hz; /* 0: not known */
    VEC(struct machine_cluster) clusters;
    VEC(struct machine_outer) outer;
    VEC(struct machine_memory) memories;
};
/* ERR_INPUT, with file and line: an unknown section or key, a value that cannot be, a cluster that is not there.
 * machine_free. */
enum status machine_read(struct machine **out, const char *path, struct error *e) MUST_CHECK;
void machine_free(struct machine *m);
/* Any of the globs, spaces between. */
bool machine_is_named(const char *globs, const char *name);

#endif
