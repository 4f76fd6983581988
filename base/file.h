/*
 * file.h - files. Output appears whole or not at all: it is written to a temporary
 * beside the target and renamed when complete; the temporary is removed on failure,
 * on exit and on SIGINT, SIGTERM, SIGHUP.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/str.h"

/* Largest input any reader takes in memory [bytes]; larger is refused with a sentence. */
#define FILE_LIMIT ((size_t)2 << 30)

/* Reads all of `path` ("-": standard input) into *out (emptied first); at most `limit` bytes, else ERR_INPUT. */
enum status file_read(struct str *out, const char *path, size_t limit, struct error *e) MUST_CHECK;

/* An output file in the making. path NULL or "-": standard output. Calling sequence:
 *   outfile_open -> fprintf(o.f, ...) -> outfile_commit, or outfile_abort on any error in between.
 * outfile_commit checks every earlier write (a full disk is an error here), brings the file to the disk, renames, and
 * brings the folder there. What lies in a temporary directory is not waited for. */
struct outfile {
    FILE *f;         /* write here */
    char *path;      /* owned; NULL: standard output */
    char *temporary; /* owned */
};
enum status outfile_open(struct outfile *o, const char *path, struct error *e) MUST_CHECK;
enum status outfile_commit(struct outfile *o, struct error *e) MUST_CHECK;
void outfile_abort(struct outfile *o); /* safe after commit, and on a zeroed object */

/* The whole of a file in one call, atomic as above. */
enum status file_write(const char *path, const char *bytes, size_t n, struct error *e) MUST_CHECK;

bool file_exists(const char *path);
bool file_is_directory(const char *path);
enum status make_directories(const char *path, struct error *e) MUST_CHECK; /* like mkdir -p */
enum status remove_tree(const char *path, struct error *e) MUST_CHECK;      /* like rm -rf; absent is fine */
/* A new empty directory under $TMPDIR or /tmp, "<prefix>-XXXXXX"; removed with all in it at exit or on a signal.
 * The caller frees the path. */
enum status temp_directory(char **path, const char *prefix, struct error *e) MUST_CHECK;
/* Sorted names in a directory, "." and ".." left out; free each and the array. */
enum status list_directory(char ***names, size_t *n, const char *path, struct error *e) MUST_CHECK;
uint64_t free_bytes(const char *path); /* on the file system of `path`; 0 when unknown */
enum status file_hash(uint64_t *hash, const char *path, struct error *e) MUST_CHECK; /* FNV-1a of the content */

/* Joins with '/'; borrowed name parts; the caller frees. */
char *path_join(const char *directory, const char *name);
const char *path_basename(const char *path); /* borrowed from path */

/* Where the product's own files are. `name` is relative to <prefix>/lib/shimgen, share/shimgen, include:
 * <prefix> is $SHIMGEN_PREFIX, else the parent of the directory of the running program (build/ or the installed
 * prefix). The caller frees. The file need not exist. */
char *resource_lib(const char *name);
char *resource_share(const char *name);
char *resource_include(const char *name);
char *resource_program(const char *name); /* <prefix>/bin/name */

/* Installs the clean-up for temporaries (atexit and signals). cli_main calls it; a second call does nothing. */
void cleanup_install(void);
/* Names a path that must vanish (file or tree) if the program ends before cleanup_forget. */
void cleanup_add(const char *path);
void cleanup_forget(const char *path);
bool cleanup_covers(const char *path); /* it is in a tree that vanishes */
void cleanup_now(void);
/* True after SIGINT/SIGTERM was received while cancellation is deferred (see cancel_defer). */
bool cancelled(void);
/* From now on SIGINT and SIGTERM only set `cancelled()` and end the running child; the caller winds up and returns
 * ERR_CANCELLED. Without this call these signals clean up and end the program. */
void cancel_defer(void);

#endif
