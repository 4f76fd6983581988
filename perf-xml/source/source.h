/* source.h - readers of what other programs print: a text in memory, handed to a sink as a profile. Each refuses with
 * ERR_INPUT and the line what it does not know. */
#ifndef PERFXML_SOURCE_H
#define PERFXML_SOURCE_H

#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "perf-xml/source/gather.h"

/* `perf stat -x,` and `perf stat -j`: a thread for each CPU, thread or socket that it tells apart. */
enum status perf_stat_csv(const struct str *text, const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;
enum status perf_stat_json(const struct str *text, const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;
/* `likwid-perfctr -O`: a thread for each hardware thread. */
enum status likwid_csv(const struct str *text, const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;
/* `irprof report --format json`: a process for each program, a thread for each region thread:N. */
enum status irprof_json(const json_t *all, const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;
/* `shimgen estimate --format json`, likewise. */
enum status estimate_json(const json_t *all, const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;
/* What `perf-xml convert --to json` has written. */
enum status own_json(const json_t *all, const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;

/* Any of these; the text tells which. */
enum status source_read(const struct str *text, const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;

/* The text of a member, "" where it has none. */
static inline const char *source_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Is a region (of irprof and of estimates) that of a thread? */
static inline bool source_is_thread(const json_t *line)
{
    return strncmp(source_text(line, "region"), "thread:", 7) == 0;
}

#endif
