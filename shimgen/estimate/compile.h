/*
 * compile.h - the steps from a source to a counted program, each a child process:
 * source -> optimised IR -> IR with counters -> object. The IR is optimised once;
 * what is counted and what is measured are made from it by the back end alone.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILE_H
#define SHIMGEN_ESTIMATE_COMPILE_H

#include "base/error.h"
#include "boards/boards.h"

/* Texts up to a NULL. */
void args_add_all(struct board_args *a, const char *const *texts);
/* The words of a text, parted by spaces; NULL: none. */
void args_add_words(struct board_args *a, const char *text);
#define ARGS_ADD(args, ...) args_add_all(args, (const char *const[]){__VA_ARGS__, 0})

/* Runs a command quietly; when it fails, what it said is in the error. */
enum status compile_run(const struct board_args *command, struct error *e) MUST_CHECK;

/* C to optimised IR, with the board's flags for the level followed by `flags`. */
enum status compile_ir(const struct board *b, const char *level, const char *const *flags, const char *source,
                       const char *ir, struct error *e) MUST_CHECK;
/* IR to an object by the back end alone: it is not optimised again. */
enum status compile_object(const struct board *b, const char *level, const char *ir, const char *object,
                           struct error *e) MUST_CHECK;
/* IR with counters to an object of the target that counted programs run on: board_counted_flags. */
enum status compile_counted_object(const struct board *b, const char *level, const char *ir, const char *object,
                                   struct error *e) MUST_CHECK;
/* irprof instrument; `options` are those of that command (NULL-terminated; NULL: none). */
enum status compile_counters(const char *ir, const char *const *options, const char *out, struct error *e) MUST_CHECK;
/* What counted objects are linked with: the counting runtime, for a foreign target compiled below `work` (see
 * board_foreign_runtime), the board's link flags, what the runtime needs. Put it after the objects. */
enum status compile_counted_link(const struct board *b, const char *work, struct board_args *link,
                                 struct error *e) MUST_CHECK;

#endif
