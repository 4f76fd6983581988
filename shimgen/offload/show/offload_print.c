/* offload_print.c - prints offload candidates as text for people, or as a table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/demangle.h"
#include "base/file.h"
#include "shimgen/offload/show/offload_json.h"
#include "shimgen/offload/show/offload_page.h"
#include "shimgen/offload/show/offload_time.h"

enum { LOOPS_SHOWN = 5 };
/* functions with a smaller share of a root's work are not listed */
#define LEAST_SHOWN 0.001

static const char *function_name(const struct offload_report *r, uint32_t function)
{
    return function == OFFLOAD_WHOLE ? "(program)" : r->table->functions.at[function].name;
}

/* ---- text ---- */

static void write_threshold(const char *name, const struct offload_threshold *t, double scale, const char *unit,
                            FILE *f)
{
    if (isnan(t->value))
        fprintf(f, "  %-22s not given\n", name);
    else
        fprintf(f, "  %-22s %.4g %s (%s)\n", name, t->value / scale, unit, t->source ? t->source : "no source given");
}

static void write_accelerator(const struct accelerator *a, FILE *f)
{
    fprintf(f, "accelerator: %s, local memory %g KiB, host: %s\n", a->name ? a->name : a->path,
            (double)a->local.size / 1024, a->host_name ? a->host_name : "not named");
    write_threshold("intensity", &a->intensity, 1, "operations/B", f);
    write_threshold("integer intensity", &a->integer_intensity, 1, "operations/B", f);
    write_threshold("peak data rate", &a->rate, 1e9, "GB/s", f);
    write_threshold("functions", &a->functions, 1, "", f);
    write_threshold("share of the work", &a->share, 0.01, "%", f);
    fprintf(f, "rule: %s\n", offload_rule());
}

static const char *mark(enum offload_state s)
{
    return s == OFFLOAD_PASS ? "+" : s == OFFLOAD_FAIL ? "-" : "?";
}

/* Writes the ratio right-aligned in 12 columns, with its mark. */
static void write_ratio(const struct offload_ratio *r, FILE *f)
{
    if (r->no_data)
        fprintf(f, " %11s%s", "no data", mark(r->state));
    else if (isnan(r->value))
        fprintf(f, " %11s%s", "unknown", mark(r->state));
    else
        fprintf(f, " %11.4g%s", r->value, mark(r->state));
}

static void write_bound(double bound, FILE *f)
{
    if (isinf(bound))
        fprintf(f, " %8s", "none");
    else
        fprintf(f, " %8.3g", bound);
}

static void write_rank(const struct offload_candidate *c, FILE *f)
{
    char *rank = !c->rank_from                ? xstrdup("")
                 : c->rank_from == c->rank_to ? xasprintf("%zu", c->rank_from)
                                              : xasprintf("%zu-%zu", c->rank_from, c->rank_to);
    fprintf(f, " %6s", rank);
    free(rank);
}

static void write_candidate(const struct offload_report *r, const struct offload_candidate *c, FILE *f)
{
    char *name = demangle(function_name(r, c->function));
    fprintf(f, "%-8s%-9s", offload_verdict_name(c->verdict), c->on_integers ? "integers" : "floats");
    write_ratio(&c->intensity, f);
    write_ratio(&c->integer_intensity, f);
    if (isnan(c->rate))
        fprintf(f, " %10s%s", "unknown", mark(c->rate_state));
    else
        fprintf(f, " %2s%8.3g%s", c->peak == SIZE_MAX ? ">=" : "", c->rate / 1e9, mark(c->rate_state));
    fprintf(f, " %4zu%s %6.1f%% %6.1f%%", c->needed, mark(c->needed_state), 100 * c->share, 100 * c->self_share);
    write_bound(c->bound, f);
    write_rank(c, f);
    fprintf(f, "  %s\n", name);
    free(name);
}

/* Writes operations by width and lanes: "double 12, floatx4 8". */
static void write_widths(const struct offload_table *t, FILE *f)
{
    bool any = false;
    struct operations sum = {.integers = 0};
    for (size_t i = 0; i < t->functions.n; i++)
        operations_add(&sum, &t->functions.at[i].operations, 1);
    for (int width = 0; width < OPERATIONS_WIDTHS; width++)
        for (int l = 0; l < OPERATIONS_LANES; l++)
            if (sum.fp[width][l] > 0) {
                fprintf(f, "%s%s%s%.0d %.0f", any ? ", " : "", operations_width_name((enum operations_width)width),
                        l ? "x" : "", l ? 1 << l : 0, sum.fp[width][l]);
                any = true;
            }
    fputs(any ? "" : "none", f);
}

static void write_operations(const struct offload_report *r, FILE *f)
{
    const struct offload_candidate *w = &r->judgement->whole;
    fprintf(f, "%.0f instructions", w->costs[OFFLOAD_INSTRUCTIONS]);
    if (offload_knows(r->table, OFFLOAD_FLOPS)) {
        fprintf(f, "; W = %.0f single-precision operations (", w->costs[OFFLOAD_FLOPS]);
        write_widths(r->table, f);
        fprintf(f, "); %.0f on integers", w->costs[OFFLOAD_INTEGERS]);
    }
    if (offload_knows(r->table, OFFLOAD_BYTES))
        fprintf(f, "; D = %.0f B", w->costs[OFFLOAD_BYTES]);
    if (offload_knows(r->table, OFFLOAD_BYTES_L2))
        fprintf(f, "; %.0f B beyond the host's L2", w->costs[OFFLOAD_BYTES_L2]);
    if (offload_knows(r->table, OFFLOAD_TIME))
        fprintf(f, "; %.4g ms", 1e3 * w->costs[OFFLOAD_TIME]);
    fputc('\n', f);
}

static void write_loops(const struct offload_function *function, FILE *f)
{
    for (size_t i = 0; i < function->loops.n && i < LOOPS_SHOWN; i++) {
        const struct offload_loop *l = &function->loops.at[i];
        fprintf(f, "      loop at %s:%lu, depth %u: entered %.0f times, %.4g iterations each\n",
                l->file ? path_basename(l->file) : "?", l->line, l->depth, l->entered,
                l->entered > 0 ? l->iterations / l->entered : 0);
    }
}

static void write_obstacles(unsigned obstacles, FILE *f)
{
    for (unsigned i = 0, n = 0; i < OFFLOAD_OBSTACLES; i++)
        if (obstacles >> i & 1)
            fprintf(f, "%s%s", n++ ? ", " : "", offload_obstacle_name(i));
    fputs(obstacles ? "\n" : "none found\n", f);
}

static void write_smallest(const struct offload_report *r, const struct accelerator *a, FILE *f)
{
    const struct offload_judgement *j = r->judgement;
    if (j->smallest == OFFLOAD_WHOLE) {
        fprintf(f, "no function covers %.0f %% of the work\n", 100 * a->share.value);
        return;
    }
    const struct offload_candidate *c = &j->roots.at[j->smallest];
    char *name = demangle(function_name(r, c->function));
    fprintf(f, "smallest that covers %.0f %% of the work: %s (%.1f %%, %zu functions), at most %.3g times as fast",
            100 * a->share.value, name, 100 * c->share, c->working, c->bound);
    if (c->bound_low < c->bound_high)
        fprintf(f, " (%.3g to %.3g by the SHIM file's best and worst values)", c->bound_low, c->bound_high);
    fputs("\n  obstacles: ", f);
    write_obstacles(c->obstacles, f);
    if (!isnan(c->footprint[OFFLOAD_NEEDED]))
        fprintf(f,
                "  touches %.0f B and writes %.0f B; over the link go at least the %.0f B that it needs and the %.0f B "
                "that it leaves\n",
                c->footprint[OFFLOAD_TOUCHED], c->footprint[OFFLOAD_WRITTEN], c->footprint[OFFLOAD_NEEDED],
                c->footprint[OFFLOAD_LEFT]);
    free(name);
    for (size_t i = 0; i < c->inside.n && c->inside.at[i].share >= LEAST_SHOWN; i++) {
        name = demangle(function_name(r, c->inside.at[i].function));
        fprintf(f, "  %5.1f %%  %s\n", 100 * c->inside.at[i].share, name);
        write_loops(&r->table->functions.at[c->inside.at[i].function], f);
        free(name);
    }
}

static void write_report(const struct offload_print *p, const struct offload_report *r, FILE *f)
{
    fprintf(f, "\n%s (%s)\n", r->table->program, r->table->kind);
    write_operations(r, f);
    fprintf(f, "%-8s%-9s %12s %12s %11s %5s %7s %7s %8s %6s  %s\n", "verdict", "by", "intensity", "on integers",
            "peak GB/s", "fns", "share", "self", "bound", "rank", p->alone ? "function" : "function and what it calls");
    write_candidate(r, &r->judgement->whole, f);
    for (size_t i = 0; i < r->judgement->roots.n; i++)
        write_candidate(r, &r->judgement->roots.at[i], f);
    if (!p->alone)
        write_smallest(r, p->accelerator, f);
}

static void print_text(const struct offload_print *p, FILE *f)
{
    write_accelerator(p->accelerator, f);
    fputs("after an index: + pass, - fail, ? unknown. >=: the peak of the data rate is not known exactly. rank: by the "
          "bound, from best to worst if that has a range\n",
          f);
    for (size_t i = 0; i < p->n; i++)
        write_report(p, &p->reports[i], f);
}

static enum status check_windows(const struct offload_print *p, struct error *e)
{
    for (size_t i = 0; p->by_time && i < p->n; i++)
        if (!p->reports[i].table->windows.n)
            return error_set(e, ERR_INPUT, AT_FILE(p->reports[i].table->path),
                             "--by time needs to know what happened when: take a profile of 'irprof instrument "
                             "--windows N', or samples of perf");
    return OK;
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

static void put_text(const char *text, FILE *f)
{
    fputc(',', f);
    csv_put(f, text);
}

static void put_ratio(const struct offload_ratio *r, FILE *f)
{
    if (r->no_data)
        put_text("no data demanded", f);
    else
        put_number(r->value, true, f);
    put_text(offload_state_name(r->state), f);
}

static void csv_row(const struct offload_report *r, const struct offload_candidate *c, FILE *f)
{
    csv_put(f, r->table->program);
    put_text(function_name(r, c->function), f);
    put_text(offload_verdict_name(c->verdict), f);
    put_text(c->on_integers ? "integers" : "floats", f);
    put_ratio(&c->intensity, f);
    put_ratio(&c->integer_intensity, f);
    put_number(c->rate, true, f);
    put_text(offload_state_name(c->rate_state), f);
    put_number((double)c->needed, true, f);
    put_text(offload_state_name(c->needed_state), f);
    put_number((double)c->working, true, f);
    put_number(c->share, true, f);
    put_number(c->self_share, true, f);
    put_number(c->bound, true, f);
    put_number(c->bound_low, true, f);
    put_number(c->bound_high, true, f);
    put_number(c->calls, true, f);
    for (int k = 0; k <= OFFLOAD_TIME; k++)
        put_number(c->costs[k], offload_knows(r->table, (enum offload_cost)k), f);
    for (int k = 0; k < OFFLOAD_FOOTPRINT; k++)
        put_number(c->footprint[k], true, f);
    put_number((double)c->rank_from, c->rank_from > 0, f);
    put_number((double)c->rank_to, c->rank_to > 0, f);
    struct str names = STR_INIT;
    for (unsigned i = 0; i < OFFLOAD_OBSTACLES; i++)
        if (c->obstacles >> i & 1)
            str_addf(&names, "%s%s", names.len ? "; " : "", offload_obstacle_name(i));
    put_text(str_text(&names), f);
    str_release(&names);
    fputc('\n', f);
}

static void print_csv(const struct offload_print *p, FILE *f)
{
    fputs("program,function,verdict,by,intensity,intensity_state,integer_intensity,integer_intensity_state,"
          "rate_at_least,rate_state,functions_needed,functions_state,functions,share,self_share,bound,bound_low,"
          "bound_high,calls,instructions,flops,integer_operations,bytes,bytes_beyond_l2,seconds,bytes_touched,bytes_"
          "written,bytes_needed,bytes_left,rank_from,rank_to,obstacles\n",
          f);
    for (size_t i = 0; i < p->n; i++) {
        const struct offload_judgement *j = p->reports[i].judgement;
        csv_row(&p->reports[i], &j->whole, f);
        for (size_t k = 0; k < j->roots.n; k++)
            csv_row(&p->reports[i], &j->roots.at[k], f);
    }
}

enum status offload_print(const struct offload_print *p, const char *format, const char *output, struct error *e)
{
    struct outfile o = {0};
    enum status s = check_windows(p, e);
    if (!s && strcmp(format, "json") == 0)
        return offload_json(p, output, e);
    if (!s)
        s = outfile_open(&o, output, e);
    if (s)
        return s;
    if (strcmp(format, "csv") == 0)
        (p->by_time ? offload_time_csv : print_csv)(p, o.f);
    else if (strcmp(format, "html") == 0)
        offload_page(p, o.f);
    else {
        outfile_is_text(&o);
        (p->by_time ? offload_time_text : print_text)(p, o.f);
    }
    return outfile_commit(&o, e);
}
