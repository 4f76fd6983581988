/*
 * json.h - the border to jansson: reading and writing whole documents with our
 * errors. Work on the values with jansson's own calls (json_t, json_decref).
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

/* Reads a document ("-": standard input). Doubled keys, trailing text and files over FILE_LIMIT are refused; errors
 * carry the line. The caller owns *out (json_decref). */
enum status json_read(json_t **out, const char *path, struct error *e) MUST_CHECK;
/* Atomic; path NULL or "-": standard output. Two blanks a level, members in order of insertion, reals that read back
 * equal; the same value gives the same bytes. `value` is borrowed. */
enum status json_write(const json_t *value, const char *path, struct error *e) MUST_CHECK;

/* New members of an object: json_put takes the value over; text NULL, and what is not finite, becomes null. That text
 * is UTF-8 json_write checks. */
void json_put(json_t *object, const char *key, json_t *value);
void json_put_text(json_t *object, const char *key, const char *text);
void json_put_real(json_t *object, const char *key, double value);

/* Typed members of an object; a missing or wrong one is ERR_INPUT naming file and member. Texts are borrowed. */
enum status json_need_string(const json_t *object, const char *key, const char **out, const char *path,
                             struct error *e) MUST_CHECK;
enum status json_need_number(const json_t *object, const char *key, double *out, const char *path,
                             struct error *e) MUST_CHECK; /* finite */
enum status json_need_array(const json_t *object, const char *key, json_t **out, const char *path,
                            struct error *e) MUST_CHECK; /* borrowed */
enum status json_need_object(const json_t *object, const char *key, json_t **out, const char *path,
                             struct error *e) MUST_CHECK; /* borrowed */

#endif
