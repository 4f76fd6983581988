/*
 * perfxml.h - performance data as a stream: a profile is read once, from front to back, and each thing in it is handed
 * to a sink. Readers (performance XML, .cubex) and sinks (XML, CSV, the commands) know nothing of each other.
 *
 * The order: the head, all call paths, then process > thread > category > item > item ..., each opened and closed. The
 * data of a group come before its children. A call path without an item has the value 0.
 */
#ifndef PERFXML_H
#define PERFXML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define PERF_VERSION "1.0"

enum perf_level { PERF_ROOT, PERF_PROCESS, PERF_THREAD, PERF_CATEGORY, PERF_ITEM };
enum perf_state { PERF_MEASURED, PERF_DERIVED, PERF_UNAVAILABLE };
enum perf_kind { PERF_NONE, PERF_UNSIGNED, PERF_SIGNED, PERF_REAL };

struct perf_number {
    enum perf_kind kind;
    union {
        uint64_t u;
        int64_t i;
        double d;
    };
};

/* All texts are borrowed for the call. NULL: not known. */
struct perf_head {
    const char *source, *machine, *date;
    const char *names; /* the naming scheme of the events (template.h); not written */
};
struct perf_callpath {
    uint64_t id, parent; /* the parent was handed over before */
    bool has_parent;
    const char *name;
};
struct perf_group {
    enum perf_level level;
    const char *name;  /* of a category or an item; NULL for an item of a call path */
    uint64_t id;       /* of a process, a thread, or a call path */
    const char *label; /* what the source calls a process or a thread; may be NULL */
};
struct perf_data {
    const char *unit; /* NULL: that of the item around it */
    enum perf_state state;
    const char *why; /* of data that are not available */
    struct perf_number value;
};

struct perf_sink {
    enum status (*head)(struct perf_sink *s, const struct perf_head *h, struct error *e);
    enum status (*callpath)(struct perf_sink *s, const struct perf_callpath *c, struct error *e);
    enum status (*open)(struct perf_sink *s, const struct perf_group *g, struct error *e);
    enum status (*data)(struct perf_sink *s, const struct perf_data *d, struct error *e);
    enum status (*close)(struct perf_sink *s, enum perf_level level, struct error *e);
};

/* Reads a profile of any known kind; the content tells which. Everything is checked: what a sink gets is well-formed. */
enum status perf_read(const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;
/* Reads standard input. Performance XML is read as a stream; *copy stays NULL. Any other kind must be read more than once: then
 * nothing is handed to the sink, and *copy is the path of a copy, for perf_read. The caller frees it. */
enum status perf_read_input(char **copy, struct perf_sink *to, struct error *e) MUST_CHECK;
/* Reads several profiles as one: the numbers of processes go on from file to file. `items` is the naming scheme of the events,
 * from which items are made: one of TEMPLATE_NAMES, "auto" or "none". Performance XML has its items already: it takes "auto" and
 * "none" only, which then mean the same. */
enum status perf_read_all(char *const *paths, size_t n, const char *items, struct perf_sink *to,
                          struct error *e) MUST_CHECK;
/* Hands the head, data ... to a sink. A call that the sink lacks is skipped. */
enum status perf_send_head(struct perf_sink *s, const struct perf_head *h, struct error *e) MUST_CHECK;
enum status perf_send_callpath(struct perf_sink *s, const struct perf_callpath *c, struct error *e) MUST_CHECK;
enum status perf_send_open(struct perf_sink *s, const struct perf_group *g, struct error *e) MUST_CHECK;
enum status perf_send_data(struct perf_sink *s, const struct perf_data *d, struct error *e) MUST_CHECK;
enum status perf_send_close(struct perf_sink *s, enum perf_level level, struct error *e) MUST_CHECK;

/* A sink that writes a file, whole or not at all; path NULL: standard output. commit or abort ends and frees it. */
enum perf_format { PERF_XML, PERF_CSV, PERF_JSON, PERF_CUBEX };
struct perf_layout {
    enum perf_format format;
    bool gzip, indent;
};
enum status perf_writer_open(struct perf_sink **out, const char *path, const struct perf_layout *layout,
                             struct error *e) MUST_CHECK;
enum status perf_writer_commit(struct perf_sink *s, struct error *e) MUST_CHECK;
void perf_writer_abort(struct perf_sink *s); /* NULL is fine */

/* Numbers. The text reads back as an equal number; `room` has NUMBER_ROOM bytes; returns the length. */
enum { NUMBER_ROOM = 32 };
size_t perf_number_text(char *room, const struct perf_number *n);
bool perf_number_parse(struct perf_number *n, const char *text); /* false: no finite number */
double perf_number_real(const struct perf_number *n);
struct perf_number perf_unsigned(uint64_t u);

const char *perf_state_name(enum perf_state s);
bool perf_state_parse(enum perf_state *s, const char *name);

/* Where a stream stands: "process=3 thread=0 items time path=12", kept by a sink that calls these. */
struct perf_place {
    char *parts[64];
    size_t n;
    char *unit[64]; /* the unit of each item around */
};
enum { PERF_DEPTH = 64 };
void perf_place_open(struct perf_place *p, const struct perf_group *g);
void perf_place_close(struct perf_place *p);
char *perf_place_text(const struct perf_place *p); /* the caller frees it */
const char *perf_place_unit(struct perf_place *p, const char *unit);
void perf_place_release(struct perf_place *p);

#endif
