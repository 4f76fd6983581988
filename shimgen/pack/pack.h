/*
 * pack.h - packs: a few files with an index of their checksums in one gzipped tar archive. The same files and the same
 * index give the same bytes. A pack may come from anyone: everything in it is checked before any of it is used.
 *
 * The first member is pack.json, the index: an object that says what the pack is for (`kind`, and what its writer adds)
 * and lists every other member with size and SHA-256. docs/formats/pack.md.
 */
#ifndef SHIMGEN_PACK_PACK_H
#define SHIMGEN_PACK_PACK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"

struct pack_member {
    char *name; /* in the pack: "work/0.bc"; see pack_name_is_good */
    char *path; /* of the file here */
};
/* Members in any order; they are packed sorted by name. All zeros is an empty list. */
struct pack_members {
    VEC(struct pack_member) list;
};
void pack_add(struct pack_members *m, const char *name, const char *path); /* copied */
void pack_members_release(struct pack_members *m);

/* A relative path of letters, digits and . _ - + @ between slashes, without empty parts and parts that begin with a dot,
 * at most 200 bytes. */
bool pack_name_is_good(const char *name);

/* Writes a pack, whole or not at all. `index` is an object with the member "kind"; format, version and files are added to
 * it. ERR_INPUT: a name that is not good, a name given twice; ERR_SYSTEM: a file cannot be read or written. */
enum status pack_write(const char *path, json_t *index, struct pack_members *members, struct error *e) MUST_CHECK;

/* The largest pack that is accepted. */
struct pack_limits {
    size_t members;  /* number of members without the index */
    uint64_t member; /* bytes of the largest one */
    uint64_t all;    /* bytes of all together, unpacked */
};
/* Unpacks into `folder`, which must be empty, and checks: format, version and `kind`, good names, regular files only, the
 * limits, each member in the index and each of the index there, sizes, checksums. *index is the caller's (json_decref).
 * ERR_INPUT: anything else; then the caller must remove what was unpacked. */
enum status pack_read(json_t **index, const char *path, const char *kind, const char *folder,
                      const struct pack_limits *limits, struct error *e) MUST_CHECK;

/* SHA-256 of a file as 64 hexadecimal digits; the caller frees. */
enum status pack_sha256(char **out, const char *path, struct error *e) MUST_CHECK;

#endif
