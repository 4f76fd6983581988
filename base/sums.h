/*
 * sums.h - checksums.csv of a folder: checksums of the files that a command wrote there. Commands that read such a file
 * later can tell whether it was edited or damaged since. Columns: file (path in the folder), checksum (FNV-1a, 64 bit,
 * hexadecimal).
 */
#ifndef BASE_SUMS_H
#define BASE_SUMS_H

#include "base/error.h"

#define SUMS_FILE "checksums.csv"
/* end of the note of commands that only read */
#define SUMS_TAKEN "it is used as it is; the same 'shimgen build' writes it again"

/* Removes files from the checksums before they are rewritten. `names` are paths in the folder; NULL ends them. */
enum status sums_remove(const char *folder, const char *const *names, struct error *e) MUST_CHECK;
/* Records files when they are complete. Files that do not exist get no line. */
enum status sums_renew(const char *folder, const char *const *names, struct error *e) MUST_CHECK;

/* Prints a note (progress_note) for each file that is not as it was written; `so` says what is done about it ("it is
 * made again"). names NULL: all recorded files. */
void sums_note(const char *folder, const char *const *names, const char *so);
/* The same for one file that a command reads as it is, wherever it is. */
void sums_note_read(const char *path);

/* Adds the remedy to an error whose file was written by a build; returns `s`. */
enum status sums_explain(enum status s, struct error *e);

#endif
