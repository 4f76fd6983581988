/*
 * gather.h - a profile that is read as a whole: threads with their events, and the functions that these belong to. In the
 * order of use: rows_thread, rows_add ..., rows_send, rows_release. All zeros is an empty one.
 */
#ifndef PERFXML_GATHER_H
#define PERFXML_GATHER_H

#include "base/alloc.h"
#include "base/map.h"
#include "perf-xml/perfxml.h"

struct row_path {
    size_t path; /* in rows.paths */
    struct perf_number value;
};
struct row {
    size_t event; /* in rows.events */
    char *unit;   /* owned */
    enum perf_state state;
    char *why; /* owned */
    struct perf_number value;
    VEC(struct row_path) paths;
};
struct rows_thread {
    size_t process; /* in rows.processes */
    uint64_t id;
    char *label;     /* owned */
    struct map seen; /* event -> row */
    VEC(struct row) rows;
};
struct rows {
    struct map processes, events, paths, threads;
    VEC(struct rows_thread) at; /* those of a process need not stand together */
};

/* The thread of a process by its label, made at the first call. Processes and threads are numbered as they come. Borrowed
 * until the next call. */
struct rows_thread *rows_thread(struct rows *r, const char *process, const char *label);
/* Adds to an event of a thread: numbers of the same event are summed. Spaces in a name become '_', since places are
 * words, and so do characters that XML has not. d->unit and d->why are copied. `path` NULL: the value of the whole thread; else that of the function. */
void rows_add(struct rows *r, struct rows_thread *t, const char *event, const struct perf_data *d, const char *path);
enum status rows_send(const struct rows *r, const struct perf_head *head, struct perf_sink *to,
                      struct error *e) MUST_CHECK;
void rows_release(struct rows *r);

#endif
