/* print_crossval.c - prints a cross-validation as text, CSV or JSON. */
#include "regress/print_crossval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "regress/commands.h"

static const char *shown_classes(const struct regress_crossval_line *l)
{
    return *l->classes ? l->classes : "baseline";
}

static const char *shown_solver(const struct regress_crossval_line *l)
{
    return *l->classes ? l->solver : "k x instr.";
}

static const char *worst_of(const struct regress_errors *r)
{
    return r->worst_of ? r->worst_of : "-";
}

/* ---- text ---- */

static void print_errors(FILE *f, const struct regress_errors *r)
{
    put_percent(f, r->mean, 10, true);
    put_percent(f, r->mean_abs, 10, false);
    put_percent(f, r->median_abs, 8, false);
    put_percent(f, r->p90_abs, 8, false);
    put_percent(f, r->worst, 10, true);
}

/* "+1.3 [-0.2, +2.9] ~": in percentage points; '~' if the interval contains 0. The caller frees. */
static char *difference_text(const struct regress_crossval *c, size_t line)
{
    const struct regress_difference *d = &c->lines[line].than_best;
    if (line == c->best)
        return xstrdup("best");
    if (isnan(d->low))
        return xstrdup("-");
    return xasprintf("%+.1f [%+.1f, %+.1f]%s", 100 * d->difference, 100 * d->low, 100 * d->high,
                     d->low <= 0 ? " ~" : "");
}

static void print_text(FILE *f, const struct regress_crossval *c, const char *scheme)
{
    int classes = 8, solver = 10;
    for (size_t i = 0; i < c->n; i++) {
        const char *texts[] = {shown_classes(&c->lines[i])};
        classes = text_width(texts, 1, classes);
    }
    fprintf(f, "errors in %%; fitted on %zu rows, held out %zu (%s)\n", c->training_rows, c->held_out_rows, scheme);
    if (c->shared_groups)
        fprintf(f, "%zu programs are on both sides, at other optimisation levels\n", c->shared_groups);
    fprintf(f, "%*s  %-46s%s\n", classes + solver + 13, "", "   training", "   held out");
    fprintf(f, "%-*s  %-*s  vars rank", classes, "classes", solver, "solver");
    for (int side = 0; side < 2; side++)
        fprintf(f, "%10s%10s%8s%8s%10s", "mean", "mean abs", "median", "90 %", "worst");
    fprintf(f, "  %-22s  (worst of)\n", "than best [95 %]");
    for (size_t i = 0; i < c->n; i++) {
        const struct regress_crossval_line *l = &c->lines[i];
        fprintf(f, "%-*s  %-*s", classes, shown_classes(l), solver, shown_solver(l));
        if (l->unavailable) {
            fprintf(f, "  unavailable: %s\n", l->unavailable);
            continue;
        }
        fprintf(f, "  %4zu %4zu", l->variables, l->rank);
        print_errors(f, &l->training);
        print_errors(f, &l->held_out);
        char *difference = difference_text(c, i);
        fprintf(f, "  %-22s  %s\n", difference, worst_of(&l->held_out));
        free(difference);
    }
    for (size_t i = 0; i < c->n; i++) {
        const struct regress_crossval_line *l = &c->lines[i];
        if (isnan(l->coverage))
            continue;
        fprintf(f, "%s%-*s  %-*s  %.1f %% of the held-out rows are within their %.0f %% intervals, ", i ? "" : "\n",
                classes, shown_classes(l), solver, shown_solver(l), 100 * l->coverage, 100 * l->level);
        if (isinf(l->width))
            fprintf(f, "unbounded as a rule\n");
        else
            fprintf(f, "upper end %.2f times the lower\n", l->width);
    }
}

/* ---- csv ---- */

static void csv_errors(FILE *f, const struct regress_errors *r)
{
    const double numbers[] = {r->mean, r->mean_abs, r->median_abs, r->p90_abs, r->worst};
    fprintf(f, ",%zu", r->n);
    for (size_t i = 0; i < 5; i++) {
        fputc(',', f);
        put_number(f, numbers[i]);
    }
    fputc(',', f);
    csv_put(f, r->worst_of ? r->worst_of : "");
}

static void print_csv(FILE *f, const struct regress_crossval *c)
{
    fputs("classes,solver,variables,rank,negative,strength", f);
    for (int side = 0; side < 2; side++) {
        static const char *const names[] = {"rows", "mean", "mean_abs", "median_abs", "p90_abs", "worst", "worst_of"};
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            fprintf(f, ",%s_%s", side ? "held_out" : "training", names[k]);
    }
    fputs(",than_best,than_best_low,than_best_high,coverage,level,width,unavailable\n", f);
    for (size_t i = 0; i < c->n; i++) {
        const struct regress_crossval_line *l = &c->lines[i];
        csv_put(f, shown_classes(l));
        fputc(',', f);
        csv_put(f, l->solver);
        if (l->unavailable) {
            fputs(",,,,,,,,,,,,,,,,,,,,,,,,,", f);
            csv_put(f, l->unavailable);
        } else {
            fprintf(f, ",%zu,%zu,%zu,", l->variables, l->rank, l->negative);
            put_number(f, l->strength);
            csv_errors(f, &l->training);
            csv_errors(f, &l->held_out);
            bool intervals = !isnan(l->coverage);
            const double more[] = {l->than_best.difference,    l->than_best.low,
                                   l->than_best.high,          l->coverage,
                                   intervals ? l->level : NAN, isinf(l->width) ? NAN : l->width};
            for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
                fputc(',', f);
                put_number(f, more[k]);
            }
            fputc(',', f);
        }
        fputc('\n', f);
    }
}

/* ---- json ---- */

static void json_errors(FILE *f, const char *name, const struct regress_errors *r)
{
    const char *const names[] = {"mean", "mean_abs", "median_abs", "p90_abs", "worst"};
    const double numbers[] = {r->mean, r->mean_abs, r->median_abs, r->p90_abs, r->worst};
    fprintf(f, ",\n     \"%s\": {\"rows\": %zu", name, r->n);
    for (size_t i = 0; i < 5; i++) {
        fprintf(f, ", \"%s\": ", names[i]);
        put_json_number(f, numbers[i]);
    }
    fputs(", \"worst_of\": ", f);
    put_json_text(f, worst_of(r));
    fputc('}', f);
}

static void print_json(FILE *f, const struct regress_crossval *c, const char *scheme)
{
    fputs("{\n  \"scheme\": ", f);
    put_json_text(f, scheme);
    fprintf(f, ",\n  \"training_rows\": %zu,\n  \"held_out_rows\": %zu,\n  \"shared_groups\": %zu,\n  \"lines\": [",
            c->training_rows, c->held_out_rows, c->shared_groups);
    for (size_t i = 0; i < c->n; i++) {
        const struct regress_crossval_line *l = &c->lines[i];
        fprintf(f, "%s\n    {\"classes\": ", i ? "," : "");
        put_json_text(f, shown_classes(l));
        fputs(", \"solver\": ", f);
        put_json_text(f, l->solver);
        fputs(", \"unavailable\": ", f);
        if (l->unavailable) {
            put_json_text(f, l->unavailable);
        } else {
            fprintf(f, "null, \"variables\": %zu, \"rank\": %zu, \"negative\": %zu, \"strength\": ", l->variables,
                    l->rank, l->negative);
            put_json_number(f, l->strength);
            json_errors(f, "training", &l->training);
            json_errors(f, "held_out", &l->held_out);
            fputs(",\n     \"than_best\": {\"difference\": ", f);
            put_json_number(f, l->than_best.difference);
            fputs(", \"low\": ", f);
            put_json_number(f, l->than_best.low);
            fputs(", \"high\": ", f);
            put_json_number(f, l->than_best.high);
            fputc('}', f);
            if (!isnan(l->coverage)) {
                fputs(",\n     \"intervals\": {\"coverage\": ", f);
                put_json_number(f, l->coverage);
                fputs(", \"level\": ", f);
                put_json_number(f, l->level);
                fputs(", \"width\": ", f);
                put_json_number(f, l->width);
                fputc('}', f);
            }
        }
        fputc('}', f);
    }
    fputs("\n  ]\n}\n", f);
}

/* ---- markdown ---- */

static void markdown_errors(FILE *f, const struct regress_errors *r)
{
    const double numbers[] = {r->mean, r->mean_abs, r->median_abs, r->p90_abs, r->worst};
    for (size_t i = 0; i < 5; i++) {
        fputs(" | ", f);
        put_percent(f, numbers[i], 0, i == 0 || i == 4);
    }
}

static void print_markdown(FILE *f, const struct regress_crossval *c)
{
    fputs("| classes | solver | variables | training: mean | mean abs | median abs | 90 % abs | worst "
          "| held out: mean | mean abs | median abs | 90 % abs | worst | than best [95 %] | worst of |\n"
          "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
          f);
    for (size_t i = 0; i < c->n; i++) {
        const struct regress_crossval_line *l = &c->lines[i];
        fprintf(f, "| %s | %s | ", shown_classes(l), shown_solver(l));
        if (l->unavailable) {
            fprintf(f, "| | | | | | | | | | | | unavailable: %s |\n", l->unavailable);
            continue;
        }
        fprintf(f, "%zu", l->variables);
        markdown_errors(f, &l->training);
        markdown_errors(f, &l->held_out);
        char *difference = difference_text(c, i);
        fprintf(f, " | %s | %s |\n", difference, worst_of(&l->held_out));
        free(difference);
    }
}

enum status write_crossval(const struct regress_crossval *c, const char *scheme, const char *format, const char *path,
                           struct error *e)
{
    struct outfile out;
    enum status s = outfile_open(&out, path, e);
    if (s)
        return s;
    if (strcmp(format, "csv") != 0 && strcmp(format, "json") != 0)
        outfile_is_text(&out);
    if (strcmp(format, "csv") == 0)
        print_csv(out.f, c);
    else if (strcmp(format, "json") == 0)
        print_json(out.f, c, scheme);
    else if (strcmp(format, "markdown") == 0)
        print_markdown(out.f, c);
    else
        print_text(out.f, c, scheme);
    return outfile_commit(&out, e);
}

enum status write_crossval_predictions(const struct regress_crossval *c, const struct regress_data *d, const char *path,
                                       struct error *e)
{
    struct outfile out;
    enum status s = outfile_open(&out, path, e);
    if (s)
        return s;
    fputs("classes,solver,program,region,predicted,low,high,measured,error\n", out.f);
    for (size_t i = 0; i < c->n; i++) {
        for (size_t k = 0; k < c->lines[i].n_predictions; k++) {
            const struct regress_prediction *p = &c->lines[i].predictions[k];
            const char *const texts[] = {shown_classes(&c->lines[i]), c->lines[i].solver, d->programs[p->row],
                                         d->regions[p->row]};
            const double numbers[] = {p->estimate, p->low, p->high, p->measured, p->error};
            for (size_t t = 0; t < 4; t++) {
                csv_put(out.f, texts[t]);
                fputc(',', out.f);
            }
            for (size_t t = 0; t < 5; t++) {
                put_number(out.f, numbers[t]);
                fputc(t < 4 ? ',' : '\n', out.f);
            }
        }
    }
    return outfile_commit(&out, e);
}
