/*
 * file.h - files. An output file appears whole or not at all: it is written to a temporary beside the target and
 * renamed when complete. The temporary is removed on failure, at exit, and on SIGINT, SIGTERM and SIGHUP.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/str.h"

/* Largest input that a reader takes into memory [bytes]; a larger one is refused. */
#define FILE_LIMIT ((size_t)2 << 30)

/* Reads all of `path` ("-": standard input) into *out, replacing its content. ERR_INPUT: more than `limit` bytes. */
enum status file_read(struct str *out, const char *path, size_t limit, struct error *e) MUST_CHECK;

/* An output file being written. path NULL or "-": standard output. Order of calls:
 *   outfile_open -> fprintf(o.f, ...) -> outfile_commit, or outfile_abort on any error in between.
 * outfile_commit checks all earlier writes (a full disk is an error here), syncs the file, renames it and syncs the
 * folder. Files in a temporary directory are not synced. */
struct outfile {
    FILE *f;         /* write here */
    char *path;      /* owned; NULL: standard output */
    char *temporary; /* owned */
    FILE *raw;       /* of a text for people: where it goes */
    char *text;      /* of a text for people: what is written so far; owned */
    size_t n;
};
enum status outfile_open(struct outfile *o, const char *path, struct error *e) MUST_CHECK;
/* Of an open file: what is written into it is a text for people, who read it on a terminal. outfile_commit makes it
 * printable (printable_text): names come from programs and files. */
void outfile_is_text(struct outfile *o);
enum status outfile_commit(struct outfile *o, struct error *e) MUST_CHECK;
void outfile_abort(struct outfile *o); /* safe after commit, and on a zeroed object */

/* Writes a whole file in one call, whole or not at all. */
enum status file_write(const char *path, const char *bytes, size_t n, struct error *e) MUST_CHECK;

bool file_exists(const char *path);
bool file_is_directory(const char *path);
enum status make_directories(const char *path, struct error *e) MUST_CHECK; /* like mkdir -p */
/* like rm -rf; a missing path is no error */
enum status remove_tree(const char *path, struct error *e) MUST_CHECK;
/* Makes an empty directory "<prefix>-XXXXXX" in $TMPDIR or /tmp. It is removed with its content at exit or on a signal.
 * The caller frees the path. */
enum status temp_directory(char **path, const char *prefix, struct error *e) MUST_CHECK;
/* The sorted names in a directory, without "." and "..". Free each name and the array. */
enum status list_directory(char ***names, size_t *n, const char *path, struct error *e) MUST_CHECK;
uint64_t free_bytes(const char *path); /* free bytes on the file system of `path`; 0: unknown */
enum status file_hash(uint64_t *hash, const char *path, struct error *e) MUST_CHECK; /* FNV-1a of the content */

/* Joins two names with '/'. The caller frees the result. */
char *path_join(const char *directory, const char *name);
const char *path_basename(const char *path); /* borrowed from path */

/* Paths of the product's own files. `name` is relative to <prefix>/lib/shimgen, <prefix>/share/shimgen or
 * <prefix>/include. <prefix> is $SHIMGEN_PREFIX, otherwise the parent of the running program's directory (build/ or the
 * installed prefix). The file need not exist. The caller frees the path. */
char *resource_lib(const char *name);
char *resource_share(const char *name);
char *resource_include(const char *name);
char *resource_program(const char *name); /* <prefix>/bin/name */
/* Puts <prefix>/lib/shimgen/llvm/bin first in PATH, where there is such a folder: LLVM's programs, which a tarball brings
 * along for machines without them. */
void use_own_llvm(void);

/* Installs the removal of temporaries at exit and on signals. cli_main calls it; a second call does nothing. */
void cleanup_install(void);
/* Registers a file or tree to be removed if the program ends before cleanup_remove. */
void cleanup_add(const char *path);
void cleanup_remove(const char *path);
bool cleanup_covers(const char *path); /* the path is in a registered tree */
void cleanup_now(void);
/* True: SIGINT or SIGTERM was received after cancel_defer. */
bool cancelled(void);
/* After this call SIGINT and SIGTERM only set `cancelled()` and end the running child; the caller finishes and returns
 * ERR_CANCELLED. Without it these signals clean up and end the program. */
void cancel_defer(void);

#endif
