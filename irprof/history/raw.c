/* raw.c - reads the raw file of stamps. Its contents are not trusted: it may be cut off or damaged. */
#include <stdlib.h>
#include <string.h>

#include "irprof/history/history.h"

struct reader {
    struct history *h;
    const char *path;
    const unsigned char *at;
    size_t left;
    struct stamp_moment first, last; /* of the file; they tell the clock's rate */
    uint64_t frequency;
    struct point_list points; /* of modules */
    VEC(size_t) by_name;      /* indices of points, by their numbers from STAMP_NAMED on */
    VEC(size_t) by_thread;    /* indices of threads, by their numbers; SIZE_MAX: none */
    size_t unknown;           /* the point for all other numbers; SIZE_MAX: none yet */
    bool started;
};

static enum status damaged(const struct reader *r, const char *what, struct error *e)
{
    return error_set(e, ERR_INPUT, AT_FILE(r->path), "damaged: %s; run the program again", what);
}

/* A copy of n bytes as printable text. The caller frees. */
static char *text_of(const unsigned char *at, size_t n)
{
    char *copy = xstrndup((const char *)at, n), *clean = printable_text(copy);
    free(copy);
    return clean;
}

/* ---- points ---- */

enum { MOST_POINTS = 1 << 20 };

static enum status read_module(struct reader *r, const unsigned char *at, size_t n, struct error *e)
{
    struct stamp_module_head head;
    if (n < sizeof head)
        return damaged(r, "a module's points are cut", e);
    memcpy(&head, at, sizeof head);
    if (head.n_points > MOST_POINTS || r->h->points.n > MOST_POINTS)
        return damaged(r, "more points than a program has", e);
    if (head.first != r->points.all.n)
        return damaged(r, "points are not numbered one after the other", e);
    if (!points_add_text(&r->points, (const char *)at + sizeof head, n - sizeof head, head.n_points))
        return damaged(r, "a module's text does not list its points", e);
    return OK;
}

static enum status read_name(struct reader *r, const unsigned char *at, size_t n, struct error *e)
{
    struct stamp_name head;
    if (n < sizeof head || r->h->points.n > MOST_POINTS)
        return damaged(r, "the name of a point is cut", e);
    memcpy(&head, at, sizeof head);
    if (head.point != STAMP_NAMED + r->by_name.n)
        return damaged(r, "names of points are not numbered one after the other", e);
    struct history_point p = {.kind = HISTORY_MARK,
                              .number = head.point,
                              .mode = xstrdup(STAMP_MODE_USUAL),
                              .function = xstrdup(""),
                              .file = xstrdup(""),
                              .name = text_of(at + sizeof head, n - sizeof head)};
    p.label = points_label(&r->points, p.name);
    vec_push(&r->by_name, r->h->points.n);
    vec_push(&r->h->points, p);
    return OK;
}

static size_t find_point(struct reader *r, uint32_t number)
{
    struct history *h = r->h;
    if (number < r->points.all.n)
        return r->points.all.at[number];
    if (number >= STAMP_NAMED && number - STAMP_NAMED < r->by_name.n)
        return r->by_name.at[number - STAMP_NAMED];
    if (r->unknown == SIZE_MAX) {
        struct history_point p = {.kind = HISTORY_MARK,
                                  .number = number,
                                  .mode = xstrdup(""),
                                  .function = xstrdup(""),
                                  .file = xstrdup(""),
                                  .name = xstrdup("(not known)")};
        p.label = points_label(&r->points, p.name);
        r->unknown = h->points.n;
        vec_push(&h->points, p);
    }
    return r->unknown;
}

/* ---- threads ---- */

enum { MOST_THREADS = 1 << 20 };

static struct history_thread *thread_of(struct reader *r, const struct stamp_thread_head *head)
{
    struct history *h = r->h;
    while (r->by_thread.n <= head->thread)
        vec_push(&r->by_thread, SIZE_MAX);
    size_t *number = &r->by_thread.at[head->thread];
    if (*number == SIZE_MAX) {
        *number = h->threads.n;
        vec_push(&h->threads, (struct history_thread){.name = xasprintf("thread %u", head->thread),
                                                      .number = head->thread,
                                                      .id = head->id});
    }
    return &h->threads.at[*number];
}

static void note_moment(struct reader *r, const struct stamp_moment *m)
{
    if (m->ns > r->last.ns && m->ticks > r->last.ticks)
        r->last = *m;
}

static enum status read_thread(struct reader *r, const unsigned char *at, size_t n, struct error *e)
{
    struct stamp_thread_head head;
    size_t one = sizeof(struct stamp_record);
    if (n < sizeof head || (n - sizeof head) % one)
        return damaged(r, "a thread's stamps are cut", e);
    memcpy(&head, at, sizeof head);
    if (!head.thread || head.thread > MOST_THREADS || r->h->threads.n > MOST_THREADS)
        return damaged(r, "a thread without a number, or too many of them", e);
    note_moment(r, &head.at);
    struct history_thread *t = thread_of(r, &head);
    t->lost += head.lost;
    t->ended |= head.ended != 0;
    uint32_t last_number = 0;
    size_t last_point = SIZE_MAX;
    for (at += sizeof head, n -= sizeof head; n; at += one, n -= one) {
        struct stamp_record record;
        memcpy(&record, at, one);
        if (last_point == SIZE_MAX || record.point != last_number)
            last_point = find_point(r, record.point);
        last_number = record.point;
        vec_push(&t->stamps,
                 (struct history_stamp){.ticks = record.clock, .point = last_point, .processor = record.processor});
    }
    return OK;
}

/* ---- results ---- */

static enum status read_results(struct reader *r, const unsigned char *at, size_t n, struct error *e)
{
    struct stamp_results head;
    if (n < sizeof head)
        return damaged(r, "results are cut", e);
    memcpy(&head, at, sizeof head);
    if ((head.element != 4 && head.element != 8) || head.name > n - sizeof head ||
        (n - sizeof head - head.name) % head.element)
        return damaged(r, "results of no known size", e);
    char *name = text_of(at + sizeof head, head.name), *full = xasprintf("result %s", name);
    struct history_thread t = {.name = xasprintf("results %s", name)};
    struct history_point p = {.kind = HISTORY_RESULT,
                              .number = UINT32_MAX,
                              .mode = xstrdup("replace"),
                              .function = xstrdup(""),
                              .file = xstrdup(""),
                              .name = xstrdup(full)};
    p.label = points_label(&r->points, full);
    vec_push(&r->h->points, p);
    uint64_t before = r->first.ticks;
    for (at += sizeof head + head.name, n -= sizeof head + head.name; n; at += head.element, n -= head.element) {
        uint64_t clock = 0;
        memcpy(&clock, at, head.element); /* little-endian */
        if (!clock) {
            t.unset++;
            continue;
        }
        if (head.element == 4)
            clock = clock_nearest(before, clock, 32);
        if (!t.stamps.n || clock != before)
            vec_push(&t.stamps, (struct history_stamp){
                                    .ticks = clock, .point = r->h->points.n - 1, .processor = STAMP_NO_PROCESSOR});
        before = clock;
    }
    vec_push(&r->h->threads, t);
    free(name);
    free(full);
    return OK;
}

/* ---- the rest ---- */

static enum status read_start(struct reader *r, const unsigned char *at, size_t n, struct error *e)
{
    struct stamp_start s;
    struct history *h = r->h;
    if (n < sizeof s || r->started)
        return damaged(r, "its start is cut, or there are two", e);
    memcpy(&s, at, sizeof s);
    if (s.clock >= STAMP_CLOCKS)
        return damaged(r, "a clock that is not known", e);
    r->started = true;
    r->first = r->last = s.at;
    r->frequency = s.frequency;
    h->start = s.at.ticks;
    h->cost = (double)s.cost / 1000;
    h->clock = (enum stamp_clock)s.clock;
    h->process = s.process;
    h->program = text_of(at + sizeof s, n - sizeof s);
    return OK;
}

static enum status read_end(struct reader *r, const unsigned char *at, size_t n, struct error *e)
{
    struct stamp_end end;
    if (n != sizeof end)
        return damaged(r, "its end has another size", e);
    memcpy(&end, at, sizeof end);
    note_moment(r, &end.at);
    r->h->complete = true;
    r->h->signal = end.signal;
    return OK;
}

static enum status read_chunk(struct reader *r, const struct stamp_chunk *c, struct error *e)
{
    if (!r->started && c->kind != STAMP_START)
        return damaged(r, "it does not begin with its start", e);
    switch (c->kind) {
    case STAMP_START:
        return read_start(r, r->at, c->size, e);
    case STAMP_MODULE:
        return read_module(r, r->at, c->size, e);
    case STAMP_THREAD:
        return read_thread(r, r->at, c->size, e);
    case STAMP_END:
        return read_end(r, r->at, c->size, e);
    case STAMP_RESULTS:
        return read_results(r, r->at, c->size, e);
    case STAMP_NAMES:
        return read_name(r, r->at, c->size, e);
    default:
        return damaged(r, "a part of a kind that is not known", e);
    }
}

static enum status read_chunks(struct reader *r, struct error *e)
{
    enum status s = OK;
    while (r->left && !s) {
        struct stamp_chunk c;
        if (r->left >= sizeof c)
            memcpy(&c, r->at, sizeof c);
        if (r->left < sizeof c || c.size > r->left - sizeof c) {
            r->h->cut = r->left; /* the program was killed while it wrote this */
            return OK;
        }
        r->at += sizeof c;
        r->left -= sizeof c;
        s = read_chunk(r, &c, e);
        r->at += c.size;
        r->left -= c.size;
    }
    return s;
}

enum status raw_read(struct history *h, const struct str *bytes, const char *path, struct error *e)
{
    size_t n = strlen(STAMP_MAGIC);
    struct reader r = {.h = h,
                       .path = path,
                       .points = {.h = h},
                       .unknown = SIZE_MAX,
                       .at = (const unsigned char *)bytes->s + n,
                       .left = bytes->len - n};
    enum status s = read_chunks(&r, e);
    if (!s && !r.started)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "it ends before its start: the program was killed at once");
    if (!s && r.frequency)
        h->per_ns = (double)r.frequency / 1e9;
    else if (!s && r.last.ns > r.first.ns)
        h->per_ns = (double)(r.last.ticks - r.first.ticks) / (double)(r.last.ns - r.first.ns);
    points_release(&r.points);
    vec_release(&r.by_name);
    vec_release(&r.by_thread);
    return s;
}
