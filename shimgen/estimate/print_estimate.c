/* print_estimate.c - prints estimates as text, CSV or JSON. */
#include "shimgen/estimate/print_estimate.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"

static double seconds(const struct costs *c, double cycles)
{
    return c->clock_hz > 0 ? cycles / c->clock_hz : 0;
}

static bool has_callees(const struct estimate_table *t)
{
    return strcmp(t->kind, "function") == 0 || strcmp(t->kind, "loop") == 0;
}

/* ---- text ---- */

static void write_core(const struct costs *c, const char *method, FILE *f)
{
    fprintf(f, "core %s", c->core);
    if (c->alike)
        fprintf(f, " and %zu like it", c->alike);
    if (c->clock_hz > 0)
        fprintf(f, ", clock %.6g MHz", c->clock_hz / 1e6);
    else
        fprintf(f, ", clock not in the SHIM file: no times");
    fprintf(f, ", method %s\n", method);
}

static void write_time(const struct costs *c, double cycles, FILE *f)
{
    if (c->clock_hz > 0)
        fprintf(f, " %12.3f", 1e6 * seconds(c, cycles));
    else
        fprintf(f, " %12s", "-");
}

/* The readable form of the line's subject, if it is wanted and different. */
static const char *readable(const struct estimate_table *t, const struct estimate_line *l)
{
    return t->mangled ? 0 : l->readable;
}

static void write_name(const struct estimate_table *t, const struct estimate_line *l, FILE *f)
{
    const char *what = readable(t, l) ? readable(t, l) : l->what;
    fprintf(f, "  %s %s%s%s\n", l->program, l->region, *what ? " " : "", what);
}

static void write_bound(double cycles, FILE *f)
{
    if (isnan(cycles))
        fprintf(f, " %14s", "-");
    else
        fprintf(f, " %14.0f", cycles);
}

static void write_interval(const struct estimate_line *l, FILE *f)
{
    fputs("  ", f);
    write_bound(l->low, f);
    write_bound(l->high, f);
}

static void write_one_core(const struct estimate_table *t, FILE *f)
{
    bool callees = has_callees(t);
    write_core(t->cores, t->method, f);
    fprintf(f, "%14s", "cycles");
    if (t->level > 0)
        fprintf(f, " %7.0f %%: from %14s", 100 * t->level, "to");
    if (t->ranges)
        fprintf(f, " %14s %14s", "by best values", "by worst");
    fprintf(f, " %12s %7s", "time [us]", "share");
    if (callees)
        fprintf(f, " %14s", strcmp(t->kind, "loop") == 0 ? "with inner" : "with callees");
    fprintf(f, " %14s  what\n", "instructions");
    for (size_t i = 0; i < t->lines.n; i++) {
        const struct estimate_line *l = &t->lines.at[i];
        fprintf(f, "%14.0f", l->cycles.typical);
        if (t->level > 0)
            write_interval(l, f);
        if (t->ranges)
            fprintf(f, " %14.0f %14.0f", l->cycles.best, l->cycles.worst);
        write_time(t->cores, l->cycles.typical, f);
        fprintf(f, " %6.2f%%", 100 * l->share);
        if (callees)
            fprintf(f, " %14.0f", l->with_callees.typical);
        fprintf(f, " %14llu", (unsigned long long)l->instructions);
        write_name(t, l, f);
    }
}

static bool same_part(const struct estimate_line *a, const struct estimate_line *b)
{
    return strcmp(a->program, b->program) == 0 && strcmp(a->region, b->region) == 0 && strcmp(a->what, b->what) == 0;
}

/* The same part on another core, where parts have another order. */
static const struct estimate_line *line_on(const struct estimate_table *t, const struct estimate_line *l, size_t core)
{
    for (size_t i = 0; i < t->lines.n; i++)
        if (t->lines.at[i].core == core && same_part(&t->lines.at[i], l))
            return &t->lines.at[i];
    return 0;
}

static void head_cores(const struct estimate_table *t, FILE *f)
{
    for (size_t c = 0; c < t->n_cores; c++)
        write_core(&t->cores[c], t->method, f);
    for (size_t c = 0; c < t->n_cores; c++) {
        fprintf(f, "%14.14s", t->cores[c].core);
        if (t->level > 0)
            fprintf(f, " %7.0f %%: from %14s", 100 * t->level, "to");
        fprintf(f, " %12s ", "time [us]");
    }
    fprintf(f, "  what\n");
}

/* Writes the part on one core; 0 if it has no line there. */
static void write_on_core(const struct estimate_table *t, const struct estimate_line *l, FILE *f)
{
    static const struct estimate_line none = {.low = NAN, .high = NAN};
    l = l ? l : &none;
    fprintf(f, "%14.0f", l->cycles.typical);
    if (t->level > 0)
        write_interval(l, f);
}

/* Writes a line per part: cycles, interval and time on each core, with a mark at the shortest time. */
static void write_cores(const struct estimate_table *t, FILE *f)
{
    head_cores(t, f);
    for (size_t i = 0; i < t->lines.n; i++) {
        const struct estimate_line *l = &t->lines.at[i];
        if (l->core)
            continue;
        double least = INFINITY;
        for (size_t c = 0; c < t->n_cores; c++) {
            const struct estimate_line *there = line_on(t, l, c);
            if (there && t->cores[c].clock_hz > 0)
                least = fmin(least, seconds(&t->cores[c], there->cycles.typical));
        }
        for (size_t c = 0; c < t->n_cores; c++) {
            const struct estimate_line *there = line_on(t, l, c);
            double cycles = there ? there->cycles.typical : 0;
            write_on_core(t, there, f);
            write_time(&t->cores[c], cycles, f);
            fputc(t->cores[c].clock_hz > 0 && seconds(&t->cores[c], cycles) <= least ? '*' : ' ', f);
        }
        write_name(t, l, f);
    }
}

/* ---- CSV, JSON ---- */

static void put_number(FILE *f, double x)
{
    if (!isnan(x))
        fprintf(f, "%.17g", x);
}

static void put_interval(const struct estimate_line *l, FILE *f)
{
    put_number(f, l->low);
    fputc(',', f);
    put_number(f, l->high);
    fputc(',', f);
    if (l->level > 0)
        fprintf(f, "%.6g", l->level);
    fputc(',', f);
}

/* Does the method tell what cycles are spent on? */
static bool has_causes(const struct estimate_table *t)
{
    for (size_t i = 0; i < t->lines.n; i++)
        if (t->lines.at[i].known_causes)
            return true;
    return false;
}

/* A cause that the estimate does not tell has an empty cell. */
static void put_causes(const struct estimate_line *l, FILE *f)
{
    for (int i = 0; i < CAUSES; i++) {
        fputc(',', f);
        if (l->known_causes >> i & 1)
            fprintf(f, "%.17g", l->causes.at[i]);
    }
}

static void write_csv(const struct estimate_table *t, FILE *f)
{
    const char *heading = strcmp(t->kind, "program") == 0 || strcmp(t->kind, "region") == 0 ? "part" : t->kind;
    fprintf(f,
            "program,region,%s,instructions,cycles,low,high,level,%sseconds,share,with_callees,core,method,"
            "readable",
            heading, t->ranges ? "cycles_best,cycles_worst," : "");
    bool causes = has_causes(t);
    for (int i = 0; i < CAUSES && causes; i++)
        fprintf(f, ",cause_%s", cause_name((enum estimate_cause)i));
    fputc('\n', f);
    for (size_t i = 0; i < t->lines.n; i++) {
        const struct estimate_line *l = &t->lines.at[i];
        const struct costs *core = &t->cores[l->core];
        csv_put(f, l->program);
        fputc(',', f);
        csv_put(f, l->region);
        fputc(',', f);
        csv_put(f, l->what);
        fprintf(f, ",%llu,%.17g,", (unsigned long long)l->instructions, l->cycles.typical);
        put_interval(l, f);
        if (t->ranges)
            fprintf(f, "%.17g,%.17g,", l->cycles.best, l->cycles.worst);
        if (core->clock_hz > 0)
            fprintf(f, "%.10g", seconds(core, l->cycles.typical));
        fprintf(f, ",%.6g,%.17g,", l->share, l->with_callees.typical);
        csv_put(f, core->core);
        fprintf(f, ",%s,", t->method);
        csv_put(f, readable(t, l) ? readable(t, l) : "");
        if (causes)
            put_causes(l, f);
        fputc('\n', f);
    }
}

static json_t *causes_json(const struct estimate_line *l)
{
    json_t *causes = json_object();
    for (int i = 0; i < CAUSES; i++)
        if (l->known_causes >> i & 1)
            json_put_real(causes, cause_name((enum estimate_cause)i), l->causes.at[i]);
    return causes;
}

static json_t *line_json(const struct estimate_table *t, const struct estimate_line *l)
{
    const struct costs *core = &t->cores[l->core];
    json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:I, s:f, s:f, s:f}", "program", l->program, "region", l->region,
                            "what", l->what, "core", core->core, "instructions", (json_int_t)l->instructions, "cycles",
                            l->cycles.typical, "share", l->share, "with_callees", l->with_callees.typical);
    if (l->known_causes)
        json_object_set_new(row, "causes", causes_json(l));
    if (readable(t, l))
        json_object_set_new(row, "readable", json_text(readable(t, l)));
    if (t->ranges) {
        json_put_real(row, "best", l->cycles.best);
        json_put_real(row, "worst", l->cycles.worst);
    }
    if (core->clock_hz > 0)
        json_object_set_new(row, "seconds", json_real(seconds(core, l->cycles.typical)));
    if (l->level > 0) {
        json_put_real(row, "level", l->level);
        json_put_real(row, "low", l->low);
        json_put_real(row, "high", l->high);
    }
    return row;
}

static json_t *lack_json(const struct estimate_table *t, const struct estimate_lack *l)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:f}", "program", l->program, "region", l->region, "core",
                     t->cores[l->core].core, "instruction", l->of.instruction, "as", l->of.as, "executed",
                     l->of.executed, "cycles", l->of.cycles);
}

static enum status write_json(const struct estimate_table *t, const char *path, struct error *e)
{
    json_t *rows = json_array(), *cores = json_array();
    for (size_t i = 0; i < t->lines.n; i++)
        json_array_append_new(rows, line_json(t, &t->lines.at[i]));
    for (size_t i = 0; i < t->n_cores; i++)
        json_array_append_new(cores, json_pack("{s:s, s:f, s:I}", "name", t->cores[i].core, "clock_hz",
                                               t->cores[i].clock_hz, "alike", (json_int_t)t->cores[i].alike));
    json_t *all = json_pack("{s:s, s:s, s:s, s:f, s:o, s:o}", "shim", t->shim, "method", t->method, "by", t->kind,
                            "level", t->level, "cores", cores, "estimates", rows);
    if (t->lacks.n) {
        json_t *lacks = json_array();
        for (size_t i = 0; i < t->lacks.n; i++)
            json_array_append_new(lacks, lack_json(t, &t->lacks.at[i]));
        json_object_set_new(all, "unmeasured", lacks);
    }
    enum status s = json_write(all, path, e);
    json_decref(all);
    return s;
}

enum status estimate_print(const struct estimate_table *t, const char *format, const char *path, struct error *e)
{
    struct outfile o;
    if (strcmp(format, "json") == 0)
        return write_json(t, path, e);
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    if (strcmp(format, "text") == 0)
        outfile_is_text(&o);
    if (strcmp(format, "csv") == 0)
        write_csv(t, o.f);
    else if (t->n_cores > 1)
        write_cores(t, o.f);
    else
        write_one_core(t, o.f);
    return outfile_commit(&o, e);
}
