/*
 * json.h - reads and writes whole JSON documents through jansson, with our errors. Use jansson's own calls
 * (json_t, json_decref) on the values.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

/* Reads a document ("-": standard input). ERR_INPUT with the line: repeated keys, trailing text, a file over
 * FILE_LIMIT. The caller owns *out (json_decref). */
enum status json_read(json_t **out, const char *path, struct error *e) MUST_CHECK;
/* The same from n bytes in memory; messages use `name`. */
enum status json_parse(json_t **out, const char *text, size_t n, const char *name, struct error *e) MUST_CHECK;
/* Writes a document as a whole or not at all; path NULL or "-": standard output. Two spaces per level, members in order
 * of insertion, reals that read back equal. The same value gives the same bytes. `value` is borrowed. */
enum status json_write(const json_t *value, const char *path, struct error *e) MUST_CHECK;

/* Add members to an object. json_put takes ownership of the value. A NULL text and a number that is not finite become
 * null. A text that is not UTF-8 becomes printable_text. */
json_t *json_text(const char *text);
void json_put(json_t *object, const char *key, json_t *value);
void json_put_text(json_t *object, const char *key, const char *text);
void json_put_real(json_t *object, const char *key, double value);

/* Read typed members of an object. ERR_INPUT: a missing member or one of another type; the message names file and
 * member. Texts are borrowed. */
enum status json_need_string(const json_t *object, const char *key, const char **out, const char *path,
                             struct error *e) MUST_CHECK;
enum status json_need_number(const json_t *object, const char *key, double *out, const char *path,
                             struct error *e) MUST_CHECK; /* finite */
enum status json_need_array(const json_t *object, const char *key, json_t **out, const char *path,
                            struct error *e) MUST_CHECK; /* borrowed */
enum status json_need_object(const json_t *object, const char *key, json_t **out, const char *path,
                             struct error *e) MUST_CHECK; /* borrowed */

#endif
