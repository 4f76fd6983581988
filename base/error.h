/*
 * error.h - one convention for errors: a status and an error object.
 *
 * A function that can fail returns an `enum status` and takes a `struct error *`
 * as its last argument. The error is set once, where the fact is known, with the
 * user's file and line; callers add context or hand it on. Libraries print
 * nothing; only a program's main does, in the form
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

/* Sets the error (an earlier one is replaced) and returns `s`, so that a caller writes
 * `return error_set(e, ERR_INPUT, AT(path, line), "...")`. e may be NULL. */
enum status error_set(struct error *e, enum status s, struct loc at, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* error_set with ERR_SYSTEM, and strerror(errno) at the end of the sentence. */
enum status error_errno(struct error *e, struct loc at, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Puts "<context>: " before the message; returns the status that is set. */
enum status error_context(struct error *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Adds `one`, which is set, to those that `all` tells of, a line each; `all` has its first one's status. */
void error_collect(struct error *all, const struct error *one);

/* Our own mistake, not the user's: one message with the source place, then abort. Stays on in release builds. */
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

#endif
