/* offload_time.c - prints what a program does at which time, as text or as a table. */
#include "shimgen/offload/show/offload_time.h"

#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/demangle.h"
#include "base/file.h"

static int more_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static size_t functions_needed(const struct offload_table *t, const struct offload_window *w, enum offload_cost work,
                               double share)
{
    double *parts = xcalloc(w->n, sizeof *parts), all = 0, sum = 0;
    size_t needed = 0;
    for (size_t i = 0; i < w->n; i++)
        all += parts[i] = t->spent.at[w->first + i].costs[work];
    if (w->n)
        qsort(parts, w->n, sizeof *parts, more_first);
    /* a rounding error in the sum must not miss 0.8 */
    while (needed < w->n && sum < share * all * (1 - 1e-12))
        sum += parts[needed++];
    free(parts);
    return needed;
}

static double ratio(const struct offload_table *t, const double *costs, enum offload_cost operations)
{
    if (!offload_knows(t, operations) || !offload_knows(t, OFFLOAD_BYTES))
        return NAN;
    return costs[operations] <= 0 ? 0 : costs[OFFLOAD_BYTES] <= 0 ? INFINITY : costs[operations] / costs[OFFLOAD_BYTES];
}

void offload_moment(struct offload_moment *out, const struct offload_table *t, const struct accelerator *a,
                    const struct offload_window *w)
{
    enum offload_cost work = offload_knows(t, OFFLOAD_TIME) ? OFFLOAD_TIME : OFFLOAD_INSTRUCTIONS;
    double most = 0;
    *out = (struct offload_moment){.busiest = OFFLOAD_WHOLE, .rate = NAN, .state = OFFLOAD_NOT_KNOWN};
    for (size_t i = w->first; i < w->first + w->n; i++) {
        const struct offload_spent *spent = &t->spent.at[i];
        for (int k = 0; k < OFFLOAD_COSTS; k++)
            out->costs[k] += spent->costs[k];
        if (spent->costs[work] > most) {
            most = spent->costs[work];
            out->busiest = spent->function;
        }
    }
    out->share = out->costs[work] > 0 ? most / out->costs[work] : 0;
    out->needed = functions_needed(t, w, work, a->share.value);
    out->intensity = ratio(t, out->costs, OFFLOAD_FLOPS);
    out->integer_intensity = ratio(t, out->costs, OFFLOAD_INTEGERS);
    if (offload_knows(t, OFFLOAD_BYTES) && w->seconds > 0) {
        out->rate = out->costs[OFFLOAD_BYTES] / w->seconds;
        out->state = out->rate <= a->rate.value ? OFFLOAD_PASS : OFFLOAD_FAIL;
    }
}

/* ---- text ---- */

static void write_number(double value, double scale, FILE *f)
{
    if (isinf(value))
        fprintf(f, " %11s", "no data");
    else if (isnan(value))
        fprintf(f, " %11s", "unknown");
    else
        fprintf(f, " %11.4g", value * scale);
}

static void write_window(const struct offload_table *t, const struct accelerator *a, const struct offload_window *w,
                         FILE *f)
{
    struct offload_moment m;
    offload_moment(&m, t, a, w);
    write_number(w->begin, 1e3, f);
    write_number(w->seconds, 1e3, f);
    write_number(m.intensity, 1, f);
    write_number(m.integer_intensity, 1, f);
    write_number(m.rate, 1e-9, f);
    char *name = m.busiest == OFFLOAD_WHOLE ? NULL : demangle(t->functions.at[m.busiest].name);
    fprintf(f, "%c %4zu %6.1f%%  %s\n", "+-?"[m.state], m.needed, 100 * m.share, name ? name : "");
    free(name);
}

void offload_time_text(const struct offload_print *p, FILE *f)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct offload_table *t = p->reports[i].table;
        fprintf(f, "\n%s (%s), %zu windows of %s\n", t->program, t->kind, t->windows.n, t->window_size);
        fprintf(f, "%11s  %11s %11s %11s %11s  %5s %7s  %s\n", "begin [ms]", "ms", "intensity", "on integers", "GB/s",
                "fns", "share", "busiest function");
        for (size_t k = 0; k < t->windows.n; k++)
            write_window(t, p->accelerator, &t->windows.at[k], f);
    }
}

/* ---- CSV ---- */

/* Unknown numbers are empty cells. */
static void put_number(double value, bool known, FILE *f)
{
    fputc(',', f);
    if (known && isfinite(value)) {
        char *text = format_double(value);
        fputs(text, f);
        free(text);
    }
}

static void csv_row(const struct offload_table *t, size_t number, const struct accelerator *a, FILE *f)
{
    const struct offload_window *w = &t->windows.at[number];
    struct offload_moment m;
    offload_moment(&m, t, a, w);
    csv_put(f, t->program);
    fprintf(f, ",%zu", number + 1);
    put_number(w->begin, true, f);
    put_number(w->seconds, true, f);
    for (int k = 0; k <= OFFLOAD_BYTES_L2; k++)
        put_number(m.costs[k], offload_knows(t, (enum offload_cost)k), f);
    put_number(m.rate, true, f);
    fprintf(f, ",%s,%zu,", offload_state_name(m.state), m.needed);
    csv_put(f, m.busiest == OFFLOAD_WHOLE ? "" : t->functions.at[m.busiest].name);
    put_number(m.share, true, f);
    fputc('\n', f);
}

void offload_time_csv(const struct offload_print *p, FILE *f)
{
    fputs("program,window,begin,window_seconds,instructions,flops,integer_operations,bytes,bytes_beyond_l2,rate,"
          "rate_state,functions_needed,busiest,busiest_share\n",
          f);
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->reports[i].table->windows.n; k++)
            csv_row(p->reports[i].table, k, p->accelerator, f);
}
