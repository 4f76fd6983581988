/* compare_print.c - prints what changed between two tables: as text, CSV, JSON, or Markdown for a pull request. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "shimgen/compare/compare.h"

const char *compare_change_name(enum compare_change c)
{
    static const char *const names[] = {[COMPARE_SAME] = "same",
                                        [COMPARE_FASTER] = "faster",
                                        [COMPARE_SLOWER] = "slower",
                                        [COMPARE_NEW] = "new",
                                        [COMPARE_GONE] = "gone"};
    return names[c];
}

static bool is_shown(const struct compare_row *r, bool all)
{
    return all || r->total || r->change != COMPARE_SAME;
}

static size_t count_hidden(const struct compare *c, bool all)
{
    size_t n = 0;
    for (size_t i = 0; i < c->rows.n; i++)
        n += !is_shown(&c->rows.at[i], all);
    return n;
}

/* "+12.3 %", "new", "gone" */
static const char *percent_text(char *out, size_t size, const struct compare_row *r)
{
    double percent = compare_percent(r);
    if (r->change == COMPARE_NEW || r->change == COMPARE_GONE || isnan(percent))
        return compare_change_name(r->change);
    snprintf(out, size, "%+.2f %%", percent);
    return out;
}

static bool any(const struct compare *c, bool all, bool apart)
{
    for (size_t i = 0; i < c->rows.n; i++)
        if (is_shown(&c->rows.at[i], all) && (apart ? c->rows.at[i].apart : c->rows.at[i].beyond))
            return true;
    return false;
}

static const char *beyond_text(const struct compare *c)
{
    return c->request->budget ? "above its budget, or not there" : "grew by more than it may";
}

static void write_text(const struct compare *c, bool all, FILE *f)
{
    char percent[64];
    fprintf(f, "%14s %14s %14s %12s    what\n", c->request->budget ? "budget" : "old", c->request->column, "change",
            "");
    for (size_t i = 0; i < c->rows.n; i++) {
        const struct compare_row *r = &c->rows.at[i];
        if (is_shown(r, all))
            fprintf(f, "%14.8g %14.8g %+14.8g %12s %s%s %s\n", r->before, r->after, r->after - r->before,
                    percent_text(percent, sizeof percent, r), r->beyond ? "!" : " ", r->apart ? "*" : " ", r->what);
    }
    size_t hidden = count_hidden(c, all);
    if (hidden)
        fprintf(f, "%zu row%s as before (--all)\n", hidden, hidden == 1 ? " is" : "s are");
    if (any(c, all, true))
        fputs("* the intervals of old and new do not overlap\n", f);
    if (any(c, all, false))
        fprintf(f, "! %s\n", beyond_text(c));
}

static void put_cell(const char *text, FILE *f)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>[]", *text))
            fputc('\\', f);
        fputc(*text == '\n' ? ' ' : *text, f);
    }
}

static void write_markdown(const struct compare *c, bool all, FILE *f)
{
    char percent[64];
    fprintf(f, "| what | %s | %s | change | |\n|---|---:|---:|---:|---|\n", c->request->budget ? "budget" : "old",
            c->request->column);
    for (size_t i = 0; i < c->rows.n; i++) {
        const struct compare_row *r = &c->rows.at[i];
        if (!is_shown(r, all))
            continue;
        fputs("| ", f);
        put_cell(r->what, f);
        fprintf(f, " | %.8g | %.8g | %s | %s |\n", r->before, r->after, percent_text(percent, sizeof percent, r),
                r->beyond  ? beyond_text(c)
                : r->apart ? "intervals do not overlap"
                           : "");
    }
    size_t hidden = count_hidden(c, all);
    if (hidden)
        fprintf(f, "\n%zu row%s as before.\n", hidden, hidden == 1 ? " is" : "s are");
}

static void write_csv(const struct compare *c, bool all, FILE *f)
{
    fputs("what,total,old,new,change,percent,intervals_apart,beyond\n", f);
    for (size_t i = 0; i < c->rows.n; i++) {
        const struct compare_row *r = &c->rows.at[i];
        if (!is_shown(r, all))
            continue;
        csv_put(f, r->what);
        fprintf(f, ",%d,%.17g,%.17g,%s,", r->total, r->before, r->after, compare_change_name(r->change));
        if (!isnan(compare_percent(r)))
            fprintf(f, "%.6g", compare_percent(r));
        fprintf(f, ",%d,%d\n", r->apart, r->beyond);
    }
}

static json_t *row_json(const struct compare_row *r)
{
    json_t *row = json_object();
    json_put_text(row, "what", r->what);
    json_put(row, "total", json_boolean(r->total));
    json_put_real(row, "old", r->before);
    json_put_real(row, "new", r->after);
    json_put_text(row, "change", compare_change_name(r->change));
    json_put_real(row, "percent", compare_percent(r));
    json_put(row, "intervals_apart", json_boolean(r->apart));
    json_put(row, "beyond", json_boolean(r->beyond));
    return row;
}

static enum status write_json(const struct compare *c, bool all, const char *path, struct error *e)
{
    json_t *value = json_object(), *rows = json_array();
    json_put_text(value, "old", c->request->old);
    json_put_text(value, "new", c->request->new_);
    json_put_text(value, "column", c->request->column);
    for (size_t i = 0; i < c->rows.n; i++)
        if (is_shown(&c->rows.at[i], all))
            json_array_append_new(rows, row_json(&c->rows.at[i]));
    json_put(value, "rows", rows);
    enum status s = json_write(value, path, e);
    json_decref(value);
    return s;
}

enum status compare_print(const struct compare *c, const char *format, bool all, const char *path, struct error *e)
{
    struct outfile o;
    if (strcmp(format, "json") == 0)
        return write_json(c, all, path, e);
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    if (strcmp(format, "csv") != 0)
        outfile_is_text(&o);
    if (strcmp(format, "csv") == 0)
        write_csv(c, all, o.f);
    else if (strcmp(format, "markdown") == 0)
        write_markdown(c, all, o.f);
    else
        write_text(c, all, o.f);
    return outfile_commit(&o, e);
}
