/* source.c - recognises what other programs print: JSON of irprof, shimgen, perf or our own; tables of perf or
 * likwid. */
#include "perf-xml/source/source.h"

#include <stdlib.h>
#include <string.h>

static enum status read_json(const json_t *all, const char *path, struct perf_sink *to, struct error *e)
{
    if (json_is_array(all))
        return irprof_json(all, path, to, e);
    if (json_object_get(all, "estimates"))
        return estimate_json(all, path, to, e);
    if (json_object_get(all, "processes"))
        return own_json(all, path, to, e);
    return error_set(e, ERR_INPUT, AT_FILE(path),
                     "this JSON is none of 'irprof report', 'shimgen estimate', 'perf stat -j' and perf-xml");
}

/* The text after spaces and comment lines. */
static const char *begin_of(const struct str *text)
{
    const char *at = str_text(text);
    for (;;) {
        at += strspn(at, " \t\r\n");
        if (*at != '#')
            return at;
        at += strcspn(at, "\n");
    }
}

/* perf writes an object per line, all with the same members. */
static bool of_perf_stat(const struct str *text)
{
    const char *begin = begin_of(text);
    char *line = xstrndup(begin, strcspn(begin, "\n"));
    bool good = *line == '{' && (strstr(line, "\"counter-value\"") || strstr(line, "\"metric-value\""));
    free(line);
    return good;
}

static bool of_likwid(const struct str *text)
{
    const char *s = str_text(text);
    return strncmp(s, "TABLE,", 6) == 0 || strstr(s, "\nTABLE,");
}

enum status source_read(const struct str *text, const char *path, struct perf_sink *to, struct error *e)
{
    const char first = *begin_of(text);
    json_t *all = 0;
    if (of_perf_stat(text))
        return perf_stat_json(text, path, to, e);
    if (first != '{' && first != '[')
        return of_likwid(text) ? likwid_csv(text, path, to, e) : perf_stat_csv(text, path, to, e);
    enum status s = json_parse(&all, str_text(text), text->len, path, e);
    if (!s)
        s = read_json(all, path, to, e);
    json_decref(all);
    return s;
}
