/* history.c - turns stamps into times and intervals. Handles clocks that go back, and begins and ends that do not
 * pair. */
#include "irprof/history/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "irprof/stamp/stamping.h"

uint64_t clock_nearest(uint64_t before, uint64_t low, unsigned bits)
{
    uint64_t mask = UINT64_MAX >> (64 - bits), half = (uint64_t)1 << (bits - 1);
    uint64_t ahead = (low - before) & mask;
    return ahead < half ? before + ahead : before + ahead - mask - 1;
}

uint64_t clock_next(uint64_t before, uint64_t low, unsigned bits)
{
    return before + ((low - before) & (UINT64_MAX >> (64 - bits)));
}

/* A damaged file may contain any number. Within this range, of decades, differences do not overflow. */
static int64_t since(const struct history *h, uint64_t ticks)
{
    static const int64_t limit = INT64_C(1) << 61;
    int64_t at = (int64_t)(ticks - h->start);
    return at > limit ? limit : at < -limit ? -limit : at;
}

static void set_times(const struct history *h, struct history_thread *t)
{
    for (size_t i = 0; i < t->stamps.n; i++) {
        struct history_stamp *s = &t->stamps.at[i], *before = i ? s - 1 : 0;
        s->at = since(h, s->ticks);
        if (!before || s->at >= before->at)
            continue;
        uint64_t by = (uint64_t)before->at - (uint64_t)s->at;
        if (by > t->back_most) {
            t->back_most = by;
            t->back_from = before->processor;
            t->back_to = s->processor;
        }
        t->back++;
        s->at = before->at;
    }
}

/* ---- intervals ---- */

struct open {
    VEC(size_t) all; /* indices of intervals, the innermost last */
};

static void close_interval(struct history_thread *t, struct open *o, int64_t at)
{
    t->intervals.at[o->all.at[--o->all.n]].to = at;
}

static void begin(const struct history *h, struct history_thread *t, const struct history_stamp *s, struct open *o)
{
    vec_push(&o->all, t->intervals.n);
    vec_push(&t->intervals, (struct history_interval){.label = h->points.at[s->point].label,
                                                      .from = s->at,
                                                      .depth = (unsigned)o->all.n - 1,
                                                      .processor = s->processor});
}

/* Ends an interval. Intervals that began inside it and have no end (a longjmp, an exception) end with it. */
static void end(const struct history *h, struct history_thread *t, const struct history_stamp *s, struct open *o)
{
    size_t label = h->points.at[s->point].label, depth = o->all.n;
    while (depth && t->intervals.at[o->all.at[depth - 1]].label != label)
        depth--;
    if (!depth) {
        t->stray++;
        return;
    }
    while (o->all.n > depth) {
        t->intervals.at[o->all.at[o->all.n - 1]].open = true;
        close_interval(t, o, s->at);
    }
    close_interval(t, o, s->at);
}

static void pair(const struct history *h, struct history_thread *t)
{
    struct open o = {0};
    for (size_t i = 0; i < t->stamps.n; i++) {
        const struct history_stamp *s = &t->stamps.at[i];
        if (h->points.at[s->point].kind == HISTORY_BEGIN)
            begin(h, t, s, &o);
        else if (h->points.at[s->point].kind == HISTORY_END)
            end(h, t, s, &o);
    }
    while (o.all.n) {
        t->intervals.at[o.all.at[o.all.n - 1]].open = true;
        close_interval(t, &o, t->stamps.at[t->stamps.n - 1].at);
    }
    vec_release(&o.all);
}

static int by_number(const void *a, const void *b)
{
    const struct history_thread *x = a, *y = b;
    if (!x->number != !y->number)
        return x->number ? -1 : 1; /* results come last */
    return (x->number > y->number) - (x->number < y->number);
}

static bool begins(const struct str *bytes, const char *magic)
{
    size_t n = strlen(magic);
    return bytes->len >= n && memcmp(bytes->s, magic, n) == 0;
}

static enum status read_raw(struct history *h, const char *path, const char *module, struct error *e)
{
    struct str bytes = STR_INIT;
    enum status s = file_read(&bytes, path, FILE_LIMIT, e);
    if (!s && begins(&bytes, STAMP_KERNEL_MAGIC))
        s = raw_kernels_read(h, &bytes, path, module, e);
    else if (!s && begins(&bytes, STAMP_MAGIC))
        s = module ? error_set(e, ERR_INPUT, AT_FILE(path), "has the points of its program itself: leave out --module")
                   : raw_read(h, &bytes, path, e);
    else if (!s)
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "not a file of stamps: a program that was made with 'irprof stamp' writes one");
    str_release(&bytes);
    return s;
}

enum status history_read(struct history **out, const char *path, const char *module, struct error *e)
{
    struct history *h = xcalloc(1, sizeof *h);
    h->path = xstrdup(path);
    enum status s = read_raw(h, path, module, e);
    if (s) {
        history_free(h);
        return s;
    }
    if (h->threads.n)
        qsort(h->threads.at, h->threads.n, sizeof *h->threads.at, by_number);
    for (size_t i = 0; i < h->threads.n; i++) {
        set_times(h, &h->threads.at[i]);
        pair(h, &h->threads.at[i]);
    }
    if (h->kernels)
        lanes_find(h);
    *out = h;
    return OK;
}

static void free_all(char **at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(at[i]);
}

void history_free(struct history *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->points.n; i++) {
        char *owned[] = {h->points.at[i].name, h->points.at[i].mode, h->points.at[i].function, h->points.at[i].file};
        free_all(owned, sizeof owned / sizeof *owned);
    }
    for (size_t i = 0; i < h->threads.n; i++) {
        free(h->threads.at[i].name);
        vec_release(&h->threads.at[i].stamps);
        vec_release(&h->threads.at[i].intervals);
    }
    free_all(h->labels.at, h->labels.n);
    for (size_t i = 0; i < h->missing.n; i++) {
        free(h->missing.at[i].spec);
        map_release(&h->missing.at[i].names);
    }
    free_all(h->found.at, h->found.n);
    vec_release(&h->points);
    vec_release(&h->threads);
    vec_release(&h->labels);
    vec_release(&h->missing);
    vec_release(&h->found);
    free(h->path);
    free(h->program);
    str_release(&h->said);
    free(h);
}

const char *history_who(const struct history *h)
{
    return h->kernels ? "work-items" : "threads";
}

/* ---- times ---- */

double history_ns(const struct history *h, int64_t ticks)
{
    return h->per_ns > 0 ? (double)ticks / h->per_ns : (double)ticks;
}

int64_t history_first(const struct history *h)
{
    int64_t first = 0;
    bool any = false;
    for (size_t i = 0; i < h->threads.n; i++)
        if (h->threads.at[i].stamps.n && (!any || h->threads.at[i].stamps.at[0].at < first)) {
            first = h->threads.at[i].stamps.at[0].at;
            any = true;
        }
    return first;
}

int64_t history_last(const struct history *h)
{
    int64_t last = history_first(h);
    for (size_t i = 0; i < h->threads.n; i++) {
        size_t n = h->threads.at[i].stamps.n;
        if (n && h->threads.at[i].stamps.at[n - 1].at > last)
            last = h->threads.at[i].stamps.at[n - 1].at;
    }
    return last;
}

/* ---- notes ---- */

static void processor_words(struct str *out, uint32_t from, uint32_t to)
{
    if (from != STAMP_NO_PROCESSOR && to != STAMP_NO_PROCESSOR && from != to)
        str_addf(out, ", from processor %u to %u", from, to);
}

static void thread_notes(const struct history *h, const struct history_thread *t, struct str *out)
{
    if (t->lost && !h->kernels)
        str_addf(out,
                 "%s: %" PRIu64 " stamps found no room and are missing at its end; IRPROF_STAMPS=%" PRIu64
                 " keeps them all\n",
                 t->name, t->lost, t->lost + t->stamps.n);
    if (t->back && t->number) {
        str_addf(out, "%s: the clock went back at %zu stamps, by at most %.0f %s", t->name, t->back,
                 history_ns(h, (int64_t)t->back_most), h->per_ns > 0 ? "ns" : "ticks");
        processor_words(out, t->back_from, t->back_to);
        str_add(out, "; they have the time of the stamp before\n");
    }
    if (t->stray)
        str_addf(out, "%s: %zu ends without a begin are left out\n", t->name, t->stray);
    if (t->unset)
        str_addf(out, "%s: %zu results have no stamp\n", t->name, t->unset);
}

static bool is_found(const struct history *h, const char *spec)
{
    for (size_t i = 0; i < h->found.n; i++)
        if (strcmp(h->found.at[i], spec) == 0)
            return true;
    return false;
}

/* The text for a point that is missing in all modules. */
static void missing_note(const struct history *h, const char *spec, struct str *out)
{
    struct map names = {0};
    for (size_t i = 0; i < h->missing.n; i++)
        for (size_t k = 0; k < h->missing.at[i].names.n && strcmp(h->missing.at[i].spec, spec) == 0; k++)
            map_number(&names, h->missing.at[i].names.keys[k]);
    str_addf(out, "%s: no module of the program has this point", spec);
    stamp_names_say(out, spec, (const char *const *)names.keys, names.n);
    str_addch(out, '\n');
    map_release(&names);
}

static void missing_notes(const struct history *h, struct str *out)
{
    for (size_t i = 0; i < h->missing.n; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= strcmp(h->missing.at[k].spec, h->missing.at[i].spec) == 0;
        if (!again && !is_found(h, h->missing.at[i].spec))
            missing_note(h, h->missing.at[i].spec, out);
    }
}

void history_notes(const struct history *h, struct str *out)
{
    size_t open = 0;
    if (h->cut)
        str_addf(out, "its last %zu bytes are cut off: the program was killed while it wrote them\n", h->cut);
    if (!h->complete)
        str_add(
            out,
            "the program did not write its end (it was killed, or ended by _exit): stamps of the threads that had not "
            "ended are missing\n");
    else if (h->signal)
        str_addf(out, "the program was ended by signal %u\n", h->signal);
    if (!(h->per_ns > 0))
        str_add(out, "the clock's rate is not known: times are ticks\n");
    for (size_t i = 0; i < h->threads.n; i++) {
        thread_notes(h, &h->threads.at[i], out);
        for (size_t k = 0; k < h->threads.at[i].intervals.n; k++)
            open += h->threads.at[i].intervals.at[k].open;
    }
    if (open)
        str_addf(out, "%zu intervals have a begin and no end: they end with what is around them\n", open);
    missing_notes(h, out);
    str_add(out, str_text(&h->said));
}
