/*
 * sums.h - checksums.csv of a folder: the files in it as the command wrote them that made
 * them. Commands that read such a file later can tell whether it was edited or damaged
 * since. Columns: file (a path in the folder), checksum (FNV-1a, 64 bit, hexadecimal).
 */
#ifndef BASE_SUMS_H
#define BASE_SUMS_H

#include "base/error.h"

#define SUMS_FILE  "checksums.csv"
#define SUMS_TAKEN "it is taken as it is, and the same 'shimgen build' makes it anew" /* what readers do */

/* Before the files are written anew: what is known of them holds no longer. `names` are paths in the folder; NULL ends
 * them. */
enum status sums_forget(const char *folder, const char *const *names, struct error *e) MUST_CHECK;
/* When they are whole: as they are from now on. Those that are not there have no line. */
enum status sums_renew(const char *folder, const char *const *names, struct error *e) MUST_CHECK;

/* A note (base/progress.h) for each of these files that is not as it was written; `so` says what is done about it
 * ("it is made anew"). names NULL: all that have a line. */
void sums_note(const char *folder, const char *const *names, const char *so);
/* For a command that reads the file at `path`, wherever it is: the same of this file alone, which is taken as it is. */
void sums_note_read(const char *path);

/* Adds the cure to an error whose file is one that a build wrote; returns `s`. */
enum status sums_explain(enum status s, struct error *e);

#endif
