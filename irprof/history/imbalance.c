/* imbalance.c - how long intervals took, and how unevenly they are distributed over threads and processors. */
#include <stdlib.h>

#include "irprof/history/history.h"

static void add_interval(struct history_figure *f, double ns)
{
    f->least = f->count == 0 || ns < f->least ? ns : f->least;
    f->most = ns > f->most ? ns : f->most;
    f->total += ns;
    f->count++;
}

/* `sums`: of one thread, by label. */
static void add_thread(struct history_figure *all, const double *sums, const size_t *counts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!counts[i])
            continue;
        all[i].threads++;
        all[i].thread_most = sums[i] > all[i].thread_most ? sums[i] : all[i].thread_most;
    }
}

static void take_thread(const struct history *h, const struct history_thread *t, struct history_figure *all,
                        double *sums, size_t *counts)
{
    for (size_t i = 0; i < h->labels.n; i++)
        sums[i] = 0, counts[i] = 0;
    for (size_t i = 0; i < t->intervals.n; i++) {
        const struct history_interval *v = &t->intervals.at[i];
        double ns = history_ns(h, v->to - v->from);
        add_interval(&all[v->label], ns);
        sums[v->label] += ns;
        counts[v->label]++;
    }
    for (size_t i = 0; i < t->stamps.n; i++) {
        const struct history_point *p = &h->points.at[t->stamps.at[i].point];
        if (p->kind != HISTORY_MARK && p->kind != HISTORY_RESULT)
            continue;
        all[p->label].mark = true;
        all[p->label].count++;
        counts[p->label]++;
        sums[p->label]++; /* marks are counted */
    }
    add_thread(all, sums, counts, h->labels.n);
}

size_t history_figures(const struct history *h, struct history_figure **out)
{
    struct history_figure *all = xcalloc(h->labels.n + 1, sizeof *all);
    double *sums = xcalloc(h->labels.n + 1, sizeof *sums);
    size_t *counts = xcalloc(h->labels.n + 1, sizeof *counts), n = 0;
    for (size_t i = 0; i < h->threads.n; i++)
        take_thread(h, &h->threads.at[i], all, sums, counts);
    for (size_t i = 0; i < h->labels.n; i++) {
        struct history_figure f = all[i];
        if (!f.count)
            continue;
        f.label = i;
        f.thread_mean = (f.mark ? (double)f.count : f.total) / (double)f.threads;
        f.imbalance = f.thread_mean > 0 ? f.thread_most / f.thread_mean - 1 : 0;
        all[n++] = f;
    }
    free(sums);
    free(counts);
    *out = all;
    return n;
}

double thread_busy(const struct history *h, const struct history_thread *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->intervals.n; i++)
        if (!t->intervals.at[i].depth)
            sum += history_ns(h, t->intervals.at[i].to - t->intervals.at[i].from);
    return sum;
}

static int by_processor(const void *a, const void *b)
{
    const struct history_processor *x = a, *y = b;
    return (x->processor > y->processor) - (x->processor < y->processor);
}

static void add_to(struct history_processor *p, const struct history_processor *more)
{
    p->threads += more->threads;
    p->stamps += more->stamps;
    p->lost += more->lost;
    p->first = more->first < p->first ? more->first : p->first;
    p->last = more->last > p->last ? more->last : p->last;
    p->busy += more->busy;
}

size_t history_processors(const struct history *h, struct history_processor **out)
{
    struct history_processor *all = xcalloc(h->threads.n + 1, sizeof *all);
    size_t n = 0, merged = 0;
    for (size_t i = 0; i < h->threads.n; i++) {
        const struct history_thread *t = &h->threads.at[i];
        if (t->stamps.n)
            all[n++] = (struct history_processor){.processor = t->stamps.at[0].processor,
                                                  .threads = 1,
                                                  .stamps = t->stamps.n,
                                                  .lost = t->lost,
                                                  .first = t->stamps.at[0].at,
                                                  .last = t->stamps.at[t->stamps.n - 1].at,
                                                  .busy = thread_busy(h, t)};
    }
    qsort(all, n, sizeof *all, by_processor);
    for (size_t i = 0; i < n; i++) {
        if (merged && all[merged - 1].processor == all[i].processor)
            add_to(&all[merged - 1], &all[i]);
        else
            all[merged++] = all[i];
    }
    *out = all;
    return merged;
}
