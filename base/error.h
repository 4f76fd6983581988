/*
 * error.h - the convention for errors: a status and an error object.
 *
 * A function that can fail returns an `enum status` and takes a `struct error *` as its last argument. The error is set
 * once, where the fact is known, with the user's file and line. Callers add context or pass it on. Libraries print
 * nothing; only a program's main prints the error, in the form
 * `program: file:line: what is wrong, and what to do`.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/error_public.h"

/* A place in the user's input. line 0: the file as a whole; file NULL: no file. */
struct loc {
    const char *file;
    unsigned long line;
};
#define AT(file_, line_) ((struct loc){(file_), (unsigned long)(line_)})
#define AT_FILE(file_)   ((struct loc){(file_), 0})
#define NOWHERE          ((struct loc){0, 0})

/* Sets the error, replacing an earlier one, and returns `s`: `return error_set(e, ERR_INPUT, AT(path, line), "...")`. e
 * may be NULL. */
enum status error_set(struct error *e, enum status s, struct loc at, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Like error_set with ERR_SYSTEM; strerror(errno) ends the sentence. */
enum status error_errno(struct error *e, struct loc at, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Puts "<context>: " before the message and returns the error's status. */
enum status error_context(struct error *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Appends the message of `one`, which must be set, to `all` as a new line. `all` keeps the status of its first
 * error. */
void error_collect(struct error *all, const struct error *one);

/* A defect of shimgen, not a mistake of the user: prints a message with the place in the source, then aborts. Also
 * active in release builds. */
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

#endif
