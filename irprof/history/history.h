/*
 * history.h - an execution history: what the threads of a stamped program did when, from the raw file that it wrote
 * (docs/formats/stamps.md). In the order of use: history_read, one of history_write_*, history_free. Internal to irprof.
 */
#ifndef IRPROF_HISTORY_HISTORY_H
#define IRPROF_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"
#include "irprof/profile/stamp_format.h"

enum history_kind { HISTORY_BEGIN, HISTORY_END, HISTORY_MARK, HISTORY_RESULT };
struct history_point {
    enum history_kind kind;
    char *name, *mode, *function, *file; /* owned; "" where not known */
    unsigned line;                       /* 0: not known */
    uint32_t number;                     /* in the program */
    size_t label;                        /* of its name, in history.labels */
};
/* A stamp as it was taken. */
struct history_stamp {
    uint64_t ticks;     /* as read */
    int64_t at;         /* [ticks] since the program's start; never less than the one before */
    size_t point;       /* in history.points */
    uint32_t processor; /* STAMP_NO_PROCESSOR: not known */
};
/* A begin and its end. */
struct history_interval {
    size_t label;
    int64_t from, to;   /* [ticks] since the start */
    unsigned depth;     /* 0: in no other */
    uint32_t processor; /* at its begin */
    bool open;          /* it has no end: `to` is the thread's last stamp */
};
struct history_thread {
    char *name;      /* owned; "thread 1", "results c" */
    uint32_t number; /* from 1; 0: replaced results */
    uint32_t id;     /* the system's */
    bool ended;      /* before the program did */
    uint64_t lost;   /* stamps that found no room */
    VEC(struct history_stamp) stamps;
    VEC(struct history_interval) intervals; /* in the order of their begins */
    size_t stray;                           /* ends without a begin */
    size_t back;                            /* stamps at which the clock went back */
    uint64_t back_most;                     /* [ticks] by so much at most; the processors then: */
    uint32_t back_from, back_to;
    size_t unset;  /* results that no stamp was written to */
    unsigned lane; /* of a work-item: its first lane in the row of its processor; else 0 */
};
struct history_missing {
    char *spec;       /* owned */
    struct map names; /* what the module has of its kind: the nearest and some others */
};
struct history {
    char *path, *program; /* owned */
    uint32_t process;
    enum stamp_clock clock;
    double per_ns;   /* ticks a nanosecond; 0: not known, and times are ticks */
    double cost;     /* [ticks] of a stamp, as calibrated at the program's start */
    uint64_t start;  /* [ticks] */
    bool complete;   /* the program wrote its end */
    uint32_t signal; /* that ended it; 0: none */
    size_t cut;      /* bytes of a last chunk that is not whole */
    VEC(struct history_point) points;
    VEC(struct history_thread) threads;  /* by number; then results */
    VEC(char *) labels;                  /* names of points, each once; owned */
    VEC(struct history_missing) missing; /* points that were asked for, of each module that has them not */
    VEC(char *) found;                   /* points that a module has; owned */
    bool kernels;                        /* its threads are the work-items of kernels */
    struct str said;                     /* further notes, a line each */
};

/* Reads a raw file. `module`: the stamped IR of the kernels whose stamps it holds; NULL for one of a program. ERR_INPUT: it is
 * none, damaged in a way that cannot come from a program that was killed, or not of this module. */
enum status history_read(struct history **out, const char *path, const char *module, struct error *e) MUST_CHECK;
void history_free(struct history *h); /* NULL is fine */
/* What the user should know: one line each. Appends. */
void history_notes(const struct history *h, struct str *out);

/* raw.c, raw_kernels.c: the bytes of a file, whose magic was looked at, into *h, without times and intervals. `path` stands in
 * messages. */
enum status raw_read(struct history *h, const struct str *bytes, const char *path, struct error *e) MUST_CHECK;
enum status raw_kernels_read(struct history *h, const struct str *bytes, const char *path, const char *module,
                             struct error *e) MUST_CHECK;

/* points.c: points by their numbers, as texts of modules list them. Starts as {.h = h}. */
struct point_list {
    struct history *h;
    struct map labels;
    VEC(size_t) all; /* in h->points */
};
size_t points_label(struct point_list *l, const char *name); /* in h->labels */
/* Adds the `n_points` points of a module text (docs/formats/stamps.md). False: it does not list so many. */
bool points_add_text(struct point_list *l, const char *bytes, size_t n, size_t n_points);
void points_release(struct point_list *l);

/* The clock whose low `bits` bits (1 to 64) are `low`: the nearest to `before`; the first from `before` on. */
uint64_t clock_nearest(uint64_t before, uint64_t low, unsigned bits);
uint64_t clock_next(uint64_t before, uint64_t low, unsigned bits);

/* lanes.c: work-items of a processor side by side: sets the lanes of all threads. */
void lanes_find(struct history *h);

const char *history_who(const struct history *h); /* "threads", "work-items" */

/* ---- times ---- */
double history_ns(const struct history *h, int64_t ticks); /* a length [ns] */
int64_t history_last(const struct history *h);             /* [ticks] of the last stamp; 0: there is none */
int64_t history_first(const struct history *h);

/* ---- imbalance.c ---- */
struct history_figure {
    size_t label;
    size_t count, threads;           /* intervals, threads that have any */
    double total, least, most;       /* [ns] */
    double thread_most, thread_mean; /* [ns] of a thread in all */
    double imbalance;                /* thread_most / thread_mean - 1 */
    bool mark;                       /* marks have no lengths */
};
/* One for each label that was met; the caller frees *out. */
size_t history_figures(const struct history *h, struct history_figure **out);
/* What the threads that began on one processor are, together. */
struct history_processor {
    uint32_t processor;
    size_t threads, stamps;
    uint64_t lost;       /* stamps */
    int64_t first, last; /* [ticks] stamps */
    double busy;         /* [ns] in outermost intervals */
};
/* Those of which there are stamps, by number; the caller frees *out. */
size_t history_processors(const struct history *h, struct history_processor **out);
/* [ns] in outermost intervals. */
double thread_busy(const struct history *h, const struct history_thread *t);

/* ---- what is written; whole or not at all ---- */
enum status history_write_csv(const struct history *h, const char *path, struct error *e) MUST_CHECK;
enum status history_write_trace(const struct history *h, const char *path, struct error *e) MUST_CHECK;
enum status history_write_svg(const struct history *h, bool by_processor, const char *path, struct error *e) MUST_CHECK;
enum status history_write_page(const struct history *h, const char *path, struct error *e) MUST_CHECK;
/* path ends in .otf2: the anchor file; definitions and events are beside it. */
enum status history_write_otf2(const struct history *h, const char *path, struct error *e) MUST_CHECK;

/* page_tables.c: tables of the page. */
void page_figures(const struct history *h, struct str *out);
void page_progress(const struct history *h, struct str *out);

/* gantt.c: rows of a drawing, by thread or by processor; lanes of a row by depth. */
struct gantt_bar {
    size_t label;
    int64_t from, to;
    unsigned depth;
    size_t thread;
    bool mark;
};
struct gantt_row {
    char *name;     /* owned */
    unsigned lanes; /* of intervals; marks have one more, below */
    bool marks;
    VEC(struct gantt_bar) bars;
};
struct gantt {
    VEC(struct gantt_row) rows;
};
void gantt_make(struct gantt *g, const struct history *h, bool by_processor);
void gantt_release(struct gantt *g);
/* Appends the drawing: an svg element, `width` pixels wide. Bars that are too narrow and follow each other become one. */
void gantt_svg(struct str *out, const struct history *h, const struct gantt *g, int width, bool alone);

#endif
