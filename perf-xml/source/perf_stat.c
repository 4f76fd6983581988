/* perf_stat.c - reads what `perf stat` writes for programs: lines of fields (-x,) or JSON objects (-j). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "perf-xml/source/source.h"

enum { FIELDS = 16 };

/* "<not counted>" and "<not supported>" are values without a number. */
static bool a_value(const char *text)
{
    double d;
    return strncmp(text, "<not ", 5) == 0 || (parse_double(text, &d) && isfinite(d));
}

static bool a_number(const char *text)
{
    double d;
    return parse_double(text, &d);
}

/* Whole numbers stay exact, although -j writes them with decimals. */
static struct perf_number number_of(const char *text)
{
    struct perf_number n = {.kind = PERF_NONE};
    char *whole = xstrdup(text), *point = strchr(whole, '.');
    if (point && !point[1 + strspn(point + 1, "0")])
        *point = 0;
    if (!perf_number_parse(&n, whole))
        n.kind = PERF_NONE;
    free(whole);
    return n;
}

static void add(struct rows *r, const char *thread, const char *event, const char *unit, const char *value,
                double running)
{
    struct perf_data d = {.unit = unit, .value = number_of(value)};
    if (d.value.kind == PERF_NONE) {
        d.state = PERF_UNAVAILABLE;
        d.why = strstr(value, "supported") ? "perf: not supported" : "perf: not counted";
    } else if (running < 100) {
        d.state = PERF_DERIVED; /* the event was counted part of the time, and scaled */
    }
    rows_add(r, rows_thread(r, "perf", thread), event, &d, 0);
}

/* "cpu/event=0x3c": a comma belongs to the event until its second slash. */
static bool is_open(const char *field)
{
    size_t strokes = 0;
    for (; (field = strchr(field, '/')); field++)
        strokes++;
    return strokes % 2;
}

static size_t split(char *line, char *fields[FIELDS])
{
    size_t n = 0;
    for (char *rest = line; rest && n < FIELDS; n++) {
        fields[n] = strsep(&rest, ",");
        while (rest && is_open(fields[n]) && strchr(rest, '/')) {
            rest[-1] = ',';
            strsep(&rest, ",");
        }
    }
    return n;
}

/* Index of the value's field. Before it stand the time of an interval, and what perf tells apart: CPU, thread, or
 * socket and number of CPUs. */
static size_t value_at(char *const *fields, size_t n)
{
    for (size_t i = 0; i + 2 < n && i < 4; i++)
        if (a_value(fields[i]) && !a_number(fields[i + 1]) && *fields[i + 2] && !a_number(fields[i + 2]))
            return i;
    return n;
}

static bool csv_line(struct rows *r, char *line)
{
    char *fields[FIELDS];
    size_t n = split(line, fields), at = value_at(fields, n);
    const char *thread = "all";
    double running = 100;
    if (at == n)
        return false;
    for (size_t i = 0; i < at; i++)
        if (!a_number(fields[i]))
            thread = fields[i];
    if (at + 4 < n && parse_double(fields[at + 4], &running) && !(running <= 100))
        running = 100;
    add(r, thread, fields[at + 2], fields[at + 1], fields[at], running);
    return true;
}

static enum status send(struct rows *r, const char *path, struct perf_sink *to, enum status s, struct error *e)
{
    struct perf_head head = {.source = path_basename(path), .names = "perf"};
    if (!s && !r->at.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no event of perf stat in it");
    if (!s)
        s = rows_send(r, &head, to, e);
    rows_release(r);
    return s;
}

static bool json_line(struct rows *r, const json_t *o)
{
    static const char *const places[] = {"cpu", "thread", "socket", "die", "core", "node", "cgroup"};
    const char *event = json_string_value(json_object_get(o, "event")), *thread = "all";
    const char *value = json_string_value(json_object_get(o, "counter-value"));
    const char *unit = json_string_value(json_object_get(o, "unit"));
    const json_t *running = json_object_get(o, "pcnt-running");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (json_is_string(json_object_get(o, places[i])))
            thread = json_string_value(json_object_get(o, places[i]));
    if (!event || !*event || !value || !a_value(value))
        return json_object_get(o, "metric-value") != 0; /* a metric without an event */
    add(r, thread, event, unit, value, json_is_number(running) ? json_number_value(running) : 100);
    return true;
}

static bool one_line(struct rows *r, const char *path, char *line, bool json, enum status *s, struct error *e)
{
    json_t *o = 0;
    if (!json)
        return csv_line(r, line);
    *s = json_parse(&o, line, strlen(line), path, e);
    bool good = !*s && json_line(r, o);
    json_decref(o);
    return good;
}

static enum status lines(const struct str *text, const char *path, bool json, struct perf_sink *to, struct error *e)
{
    struct rows r = {0};
    enum status s = OK;
    char *copy = xstrndup(str_text(text), text->len), *rest = copy;
    for (unsigned long n = 1; !s && rest; n++) {
        char *line = strsep(&rest, "\n");
        line[strcspn(line, "\r")] = 0;
        if (!*line || *line == '#')
            continue;
        bool good = one_line(&r, path, line, json, &s, e);
        if (s && e)
            s = error_set(e, ERR_INPUT, AT(path, n), "this line of perf stat is not a JSON object");
        else if (!good)
            s = error_set(e, ERR_INPUT, AT(path, n),
                          "this is not a line of perf stat (value, unit, event: use -x, or -j), and the file is of no "
                          "other known kind");
    }
    free(copy);
    return send(&r, path, to, s, e);
}

enum status perf_stat_csv(const struct str *text, const char *path, struct perf_sink *to, struct error *e)
{
    return lines(text, path, false, to, e);
}

enum status perf_stat_json(const struct str *text, const char *path, struct perf_sink *to, struct error *e)
{
    return lines(text, path, true, to, e);
}
