/* irprof.c - reads the JSON of `irprof report`: counts of IR instructions by key, for each thread and function. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "perf-xml/source/source.h"

/* Regions of a process: its threads, or the whole run if there are none. */
struct process {
    const char *program, *profile, *whole; /* whole: name of the region that is the whole run */
    bool threads;
};

static struct process process_of(const json_t *all, const json_t *region)
{
    struct process p = {source_text(region, "program"), source_text(region, "profile"), "", false};
    size_t i;
    const json_t *other;
    json_array_foreach((json_t *)all, i, other)
    {
        if (strcmp(source_text(other, "program"), p.program) != 0 ||
            strcmp(source_text(other, "profile"), p.profile) != 0)
            continue;
        p.threads = p.threads || source_is_thread(other);
        if (!*p.whole || strcmp(source_text(other, "region"), "(program)") == 0)
            p.whole = source_text(other, "region");
    }
    return p;
}

static enum status add(struct rows *r, struct rows_thread *t, const char *key, const json_t *count, const char *path,
                       const char *file, struct error *e)
{
    if (!json_is_integer(count) || json_integer_value(count) < 0)
        return error_set(e, ERR_INPUT, AT_FILE(file), "the count of '%s' is not a whole number of at least 0", key);
    struct perf_data d = {.unit = "counts", .value = perf_unsigned((uint64_t)json_integer_value(count))};
    rows_add(r, t, key, &d, 0);
    if (path)
        rows_add(r, t, key, &d, path);
    return OK;
}

static enum status add_row(struct rows *r, struct rows_thread *t, const json_t *row, const char *file, struct error *e)
{
    const char *function = json_string_value(json_object_get(row, "function"));
    enum status s = add(r, t, "instructions", json_object_get(row, "instructions"), function, file, e);
    const char *key;
    json_t *count;
    json_object_foreach(json_object_get(row, "keys"), key, count)
    {
        if (!s)
            s = add(r, t, key, count, function, file, e);
    }
    json_object_foreach(json_object_get(row, "events"), key, count)
    {
        if (!s)
            s = add(r, t, key, count, function, file, e);
    }
    return s;
}

static enum status add_region(struct rows *r, const json_t *all, const json_t *region, const char *file,
                              struct error *e)
{
    struct process p = process_of(all, region);
    const char *name = source_text(region, "region");
    json_t *rows;
    if (p.threads ? !source_is_thread(region) : strcmp(name, p.whole) != 0)
        return OK;
    enum status s = json_need_array(region, "rows", &rows, file, e);
    if (s)
        return s;
    char *process = xasprintf("%s (%s)", p.program, p.profile);
    struct rows_thread *t = rows_thread(r, process, name);
    size_t i;
    const json_t *row;
    free(process);
    json_array_foreach(rows, i, row)
    {
        if (!s)
            s = add_row(r, t, row, file, e);
    }
    return s;
}

enum status irprof_json(const json_t *all, const char *path, struct perf_sink *to, struct error *e)
{
    struct rows r = {0};
    struct perf_head head = {.source = path_basename(path), .names = "irprof"};
    enum status s = OK;
    size_t i;
    const json_t *region;
    json_array_foreach((json_t *)all, i, region)
    {
        if (!s && !json_is_object(region))
            s = error_set(e, ERR_INPUT, AT_FILE(path),
                          "this is not JSON of 'irprof report': a region is not an object");
        if (!s)
            s = add_region(&r, all, region, path, e);
    }
    if (!s && !r.at.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no region of 'irprof report' in it");
    if (!s)
        s = rows_send(&r, &head, to, e);
    rows_release(&r);
    return s;
}
