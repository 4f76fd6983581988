/* crossval_print.c - prints the comparison as text, CSV or Markdown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/map.h"
#include "base/program_name.h"
#include "shimgen/estimate/intervals/crossval_estimators.h"

enum { FIGURES = 5 };
static const char *const figures[FIGURES] = {"mean", "mean_abs", "median_abs", "p90_abs", "worst"};

/* A line for one level, in the parts that every format shows. */
struct shown {
    const char *level; /* "all" or a level */
    const struct crossval_line *line;
    struct regress_errors sides[2]; /* training, held out */
    int width;                      /* width of the classifications' names */
};
typedef void put_t(FILE *f, const struct shown *s);

static double figure(const struct regress_errors *r, size_t i)
{
    const double all[FIGURES] = {r->mean, r->mean_abs, r->median_abs, r->p90_abs, r->worst};
    return all[i];
}

/* Mean and worst error have a sign. */
static bool has_sign(size_t i)
{
    return i == 0 || i + 1 == FIGURES;
}

static void put_percent(FILE *f, double fraction, int width, bool sign)
{
    if (isnan(fraction))
        fprintf(f, "%*s", width, "-");
    else
        fprintf(f, sign ? "%+*.1f" : "%*.1f", width, 100 * fraction);
}

static void text_line(FILE *f, const struct shown *s)
{
    const struct crossval_line *l = s->line;
    fprintf(f, "%-5s  %-12s  %-*s  %-7s", s->level, l->method, s->width, l->classes, l->solver);
    if (l->unavailable) {
        fprintf(f, "  unavailable: %s\n", l->unavailable);
        return;
    }
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < FIGURES; i++)
            put_percent(f, figure(&s->sides[side], i), i ? 9 : 10, has_sign(i));
    fprintf(f, "  %s\n", s->sides[1].worst_of ? s->sides[1].worst_of : "-");
}

static void csv_line(FILE *f, const struct shown *s)
{
    const struct crossval_line *l = s->line;
    const char *const texts[] = {s->level, l->method, l->classes, l->solver};
    for (size_t i = 0; i < 4; i++) {
        csv_put(f, texts[i]);
        fputc(',', f);
    }
    for (size_t side = 0; side < 2; side++) {
        fprintf(f, "%zu", s->sides[side].n);
        for (size_t i = 0; i < FIGURES; i++) {
            double value = figure(&s->sides[side], i);
            fprintf(f, isnan(value) ? "," : ",%.6g", value);
        }
        fputc(',', f);
        csv_put(f, s->sides[side].worst_of ? s->sides[side].worst_of : "");
        fputc(',', f);
    }
    csv_put(f, l->unavailable ? l->unavailable : "");
    fputc('\n', f);
}

static void markdown_line(FILE *f, const struct shown *s)
{
    const struct crossval_line *l = s->line;
    fprintf(f, "| %s | %s | %s | %s |", s->level, l->method, l->classes, l->solver);
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < FIGURES; i++) {
            fputc(' ', f);
            put_percent(f, figure(&s->sides[side], i), 0, has_sign(i));
            fputs(" |", f);
        }
    fprintf(f, " %s |\n", l->unavailable ? "unavailable" : s->sides[1].worst_of ? s->sides[1].worst_of : "-");
}

static void put_head(FILE *f, const struct crossval *c, const struct crossval_spec *spec, const char *scheme,
                     const char *format, int width)
{
    if (strcmp(format, "csv") == 0) {
        fputs("level,method,classes,solver", f);
        for (size_t side = 0; side < 2; side++) {
            const char *name = side ? "held_out" : "training";
            fprintf(f, ",%s_rows", name);
            for (size_t i = 0; i < FIGURES; i++)
                fprintf(f, ",%s_%s", name, figures[i]);
            fprintf(f, ",%s_worst_of", name);
        }
        fputs(",unavailable\n", f);
    } else if (strcmp(format, "markdown") == 0) {
        fputs("| level | method | classes | solver | training: mean | mean abs | median abs | 90 % abs | worst "
              "| held out: mean | mean abs | median abs | 90 % abs | worst | worst of |\n"
              "|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
              f);
    } else {
        size_t held = 0;
        for (size_t i = 0; i < spec->data->n; i++)
            held += c->fold[i] < c->n_folds;
        fprintf(f, "errors in %%; %zu rows held out (%s)\n%*s%-46s   held out\n", held, scheme, width + 30, "",
                "   training");
        fprintf(f, "%-5s  %-12s  %-*s  %-7s", "level", "method", width, "classes", "solver");
        for (size_t side = 0; side < 2; side++)
            fprintf(f, "%10s%9s%9s%9s%9s", "mean", "mean abs", "median", "90 %", "worst");
        fputs("  (worst of)\n", f);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The programs' levels in order. Free the map with map_release. */
static char **levels_of(const struct regress_data *d, struct map *levels)
{
    for (size_t i = 0; i < d->n; i++) {
        const char *level = program_level(d->programs[i]);
        if (level)
            map_number(levels, level);
    }
    char **sorted = xcalloc(levels->n + 1, sizeof *sorted);
    for (size_t i = 0; i < levels->n; i++)
        sorted[i] = levels->keys[i];
    qsort(sorted, levels->n, sizeof *sorted, by_text);
    return sorted;
}

enum status crossval_print(const struct crossval *c, const struct crossval_spec *spec, const char *scheme,
                           const char *format, const char *path, struct error *e)
{
    struct outfile out;
    struct map levels = {0};
    enum status s = outfile_open(&out, path, e);
    if (s)
        return s;
    if (strcmp(format, "csv") != 0)
        outfile_is_text(&out);
    put_t *put = strcmp(format, "csv") == 0 ? csv_line : strcmp(format, "markdown") == 0 ? markdown_line : text_line;
    char **sorted = levels_of(spec->data, &levels);
    int width = 7;
    for (size_t i = 0; i < c->n; i++)
        width = width > (int)strlen(c->lines[i].classes) ? width : (int)strlen(c->lines[i].classes);
    put_head(out.f, c, spec, scheme, format, width);
    for (size_t v = 0; v <= levels.n; v++)
        for (size_t i = 0; i < c->n; i++) {
            const char *level = v ? sorted[v - 1] : 0;
            struct shown shown = {level ? level : "all",
                                  &c->lines[i],
                                  {crossval_errors(spec->data, c->lines[i].training, level),
                                   crossval_errors(spec->data, c->lines[i].held_out, level)},
                                  width};
            put(out.f, &shown);
        }
    if (spec->trust)
        crossval_print_trust(out.f, c, spec, sorted, levels.n);
    free(sorted);
    map_release(&levels);
    return outfile_commit(&out, e);
}
