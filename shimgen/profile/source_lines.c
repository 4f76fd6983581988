/* source_lines.c - asks LLVM's symbolizer for source lines. It answers with a JSON document per line. */
#include "shimgen/profile/source_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/json.h"
#include "base/llvm_programs.h"
#include "base/proc.h"

static enum status write_addresses(const char *path, const uint64_t *addresses, size_t n, struct error *e)
{
    struct str text = STR_INIT;
    for (size_t i = 0; i < n; i++)
        str_addf(&text, "0x%" PRIx64 "\n", addresses[i]);
    enum status s = file_write(path, str_text(&text), text.len, e);
    str_release(&text);
    return s;
}

static enum status ask(const char *program, const char *question, const char *answer, struct error *e)
{
    char *found = proc_find(SYMBOLIZER_PROGRAM), *object = xasprintf("--obj=%s", program);
    struct proc p = {.argv = (const char *const[]){SYMBOLIZER_PROGRAM, object, "--output-style=JSON", 0},
                     .in_path = question,
                     .out_path = answer,
                     .capture = true,
                     .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = found ? proc_must(&p, &r, e)
                          : error_set(e, ERR_SYSTEM, NOWHERE,
                                      SYMBOLIZER_PROGRAM " is not installed: it knows the source lines of machine "
                                                         "code (Debian: apt-get install " LLVM_PACKAGE ")");
    proc_result_release(&r);
    free(object);
    free(found);
    return s;
}

/* Reads {"Symbol": [{"FileName": "/a/fir.c", "Line": 3, "StartLine": 2 ...}, ...]}. The innermost inlined call comes
 * first. If only the symbol table has the file, its function has no line. */
static void take(struct source_line *to, const char *text)
{
    json_t *document = json_loads(text, 0, 0), *first = json_array_get(json_object_get(document, "Symbol"), 0);
    const char *file = json_string_value(json_object_get(first, "FileName"));
    json_int_t line = json_integer_value(json_object_get(first, "Line"));
    if (file && *file && (line > 0 || json_integer_value(json_object_get(first, "StartLine")) > 0)) {
        to->file = xstrdup(file);
        to->line = line > 0 && line < INT32_MAX ? (unsigned)line : 0;
    }
    json_decref(document);
}

static enum status take_all(struct source_line *out, size_t n, const char *answer, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, answer, FILE_LIMIT, e);
    size_t k = 0;
    for (char *at = text.s, *end; !s && at && k < n && (end = strchr(at, '\n')); at = end + 1) {
        *end = 0;
        take(&out[k++], at);
    }
    str_release(&text);
    if (!s && k < n)
        s = error_set(e, ERR_SYSTEM, NOWHERE, SYMBOLIZER_PROGRAM " answered %zu of %zu addresses", k, n);
    return s;
}

enum status source_lines(struct source_line *out, const char *program, const uint64_t *addresses, size_t n,
                         struct error *e)
{
    char *folder = 0;
    memset(out, 0, n * sizeof *out);
    enum status s = temp_directory(&folder, "shimgen-lines", e);
    if (s)
        return s;
    char *question = path_join(folder, "addresses"), *answer = path_join(folder, "lines");
    s = write_addresses(question, addresses, n, e);
    if (!s)
        s = ask(program, question, answer, e);
    if (!s)
        s = take_all(out, n, answer, e);
    enum status removed = remove_tree(folder, s ? 0 : e);
    cleanup_remove(folder);
    free(question);
    free(answer);
    free(folder);
    return s ? s : removed;
}

void source_lines_release(struct source_line *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(lines[i].file);
}
