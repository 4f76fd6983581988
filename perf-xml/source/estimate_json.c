/* estimate_json.c - reads the JSON of `shimgen estimate`: estimated cycles of programs, their threads and functions. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "perf-xml/source/source.h"

static void add(struct rows *r, struct rows_thread *t, const char *event, const char *unit, const json_t *value,
                const char *function)
{
    struct perf_data d = {.unit = unit, .state = PERF_DERIVED};
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        d.value = perf_unsigned((uint64_t)json_integer_value(value));
    else if (json_is_number(value))
        d.value = (struct perf_number){.kind = PERF_REAL, .d = json_number_value(value)};
    else
        return;
    if (strcmp(event, "instructions") == 0)
        d.state = PERF_MEASURED;
    rows_add(r, t, event, &d, 0);
    if (function)
        rows_add(r, t, event, &d, function);
}

static enum status add_line(struct rows *r, const json_t *line, bool functions, const char *path, struct error *e)
{
    double cycles;
    enum status s = json_need_number(line, "cycles", &cycles, path, e);
    const char *function = functions ? source_text(line, "what") : 0, *cause;
    json_t *value;
    if (s)
        return s;
    struct rows_thread *t =
        rows_thread(r, source_text(line, "program"),
                    source_is_thread(line) ? source_text(line, "region") : source_text(line, "core"));
    add(r, t, "instructions", "counts", json_object_get(line, "instructions"), function);
    add(r, t, "estimated_cycles", "cycles", json_object_get(line, "cycles"), function);
    add(r, t, "seconds", "sec", json_object_get(line, "seconds"), function);
    json_object_foreach(json_object_get(line, "causes"), cause, value)
    {
        char *event = xasprintf("cause.%s", cause);
        add(r, t, event, "cycles", value, function);
        free(event);
    }
    return OK;
}

/* Does the program have lines of threads? Then its other regions are left out. */
static bool has_threads(const json_t *lines, const json_t *line)
{
    size_t i;
    const json_t *other;
    json_array_foreach((json_t *)lines, i, other)
    {
        if (source_is_thread(other) && strcmp(source_text(other, "program"), source_text(line, "program")) == 0)
            return true;
    }
    return false;
}

enum status estimate_json(const json_t *all, const char *path, struct perf_sink *to, struct error *e)
{
    struct rows r = {0};
    struct perf_head head = {.source = path_basename(path), .machine = source_text(all, "shim"), .names = "estimate"};
    const char *by = source_text(all, "by");
    json_t *lines;
    size_t i;
    const json_t *line;
    enum status s = json_need_array(all, "estimates", &lines, path, e);
    json_array_foreach(lines, i, line)
    {
        if (!s && (source_is_thread(line) || !has_threads(lines, line)))
            s = add_line(&r, line, strcmp(by, "function") == 0, path, e);
    }
    if (!s && !r.at.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no estimate in it");
    if (!s)
        s = rows_send(&r, &head, to, e);
    rows_release(&r);
    return s;
}
