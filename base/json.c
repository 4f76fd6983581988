/* json.c - reads and writes JSON documents through jansson. */
#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"

/* Advice for a text that is not JSON. */
static const char *syntax_cure(const json_error_t *je)
{
    if (strncmp(je->text, "'[' or '{' expected", strlen("'[' or '{' expected")) == 0)
        return "give a JSON file";
    switch (json_error_code(je)) {
    case json_error_premature_end_of_input:
        return "the file is truncated: make it again, or copy it again";
    case json_error_duplicate_key:
        return "keep one of the members with this name";
    case json_error_invalid_utf8:
        return "save the file as UTF-8 text";
    case json_error_numeric_overflow:
        return "write a smaller number";
    default:
        return "correct this line, or have the file made again";
    }
}

enum status json_parse(json_t **out, const char *text, size_t n, const char *name, struct error *e)
{
    json_error_t je;
    json_t *value = json_loadb(text, n, JSON_REJECT_DUPLICATES, &je);
    if (!value)
        return error_set(e, ERR_INPUT, AT(name, je.line > 0 ? je.line : 0), "not valid JSON: %s; %s", je.text,
                         syntax_cure(&je));
    *out = value;
    return OK;
}

enum status json_read(json_t **out, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    if (!s)
        s = json_parse(out, str_text(&text), text.len, path, e);
    str_release(&text);
    return s;
}

static int write_chunk(const char *buffer, size_t size, void *f)
{
    return fwrite(buffer, 1, size, f) == size ? 0 : -1;
}

enum status json_write(const json_t *value, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    /* Write errors are found by the commit, which checks the stream. */
    if (json_dump_callback(value, write_chunk, o.f, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) && !ferror(o.f)) {
        outfile_abort(&o);
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "this value cannot be written as JSON (a text that is not UTF-8?)");
    }
    fputc('\n', o.f);
    return outfile_commit(&o, e);
}

static enum status missing(const json_t *member, const char *key, const char *kind, const char *path, struct error *e)
{
    static const char *const kinds[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string", [JSON_INTEGER] = "a number",
        [JSON_REAL] = "a number",    [JSON_TRUE] = "true",      [JSON_FALSE] = "false",     [JSON_NULL] = "null"};
    if (!member)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "member '%s' is missing; add it (%s), or have the file made again", key, kind);
    return error_set(e, ERR_INPUT, AT_FILE(path),
                     "member '%s' must be %s, and is %s; correct it, or have the file made again", key, kind,
                     kinds[json_typeof(member)]);
}

enum status json_need_string(const json_t *object, const char *key, const char **out, const char *path, struct error *e)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_string(member))
        return missing(member, key, "a string", path, e);
    *out = json_string_value(member);
    return OK;
}

enum status json_need_number(const json_t *object, const char *key, double *out, const char *path, struct error *e)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_number(member) || !isfinite(json_number_value(member)))
        return missing(member, key, "a finite number", path, e);
    *out = json_number_value(member);
    return OK;
}

enum status json_need_array(const json_t *object, const char *key, json_t **out, const char *path, struct error *e)
{
    json_t *member = json_object_get(object, key);
    if (!json_is_array(member))
        return missing(member, key, "an array", path, e);
    *out = member;
    return OK;
}

enum status json_need_object(const json_t *object, const char *key, json_t **out, const char *path, struct error *e)
{
    json_t *member = json_object_get(object, key);
    if (!json_is_object(member))
        return missing(member, key, "an object", path, e);
    *out = member;
    return OK;
}

void json_put(json_t *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new(object, key, value))
        BUG("member '%s' could not be made", key);
}

json_t *json_text(const char *text)
{
    json_t *value = text ? json_string(text) : json_null();
    if (!value) {
        char *shown = printable_text(text);
        value = json_string_nocheck(shown);
        free(shown);
    }
    return value;
}

void json_put_text(json_t *object, const char *key, const char *text)
{
    json_put(object, key, json_text(text));
}

void json_put_real(json_t *object, const char *key, double value)
{
    json_put(object, key, isfinite(value) ? json_real(value) : json_null());
}
