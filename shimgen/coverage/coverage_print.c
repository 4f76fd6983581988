/* coverage_print.c - prints a coverage as text, CSV or JSON. */
#include "shimgen/coverage/coverage_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"

static const char *name_of(const struct regress_coverage *c, size_t variable)
{
    return variable == REGRESS_NONE ? "" : c->variables[variable].name;
}

static const char *like_of(const struct regress_covered *list, const struct regress_covered *x)
{
    return x->like == REGRESS_NONE ? "" : list[x->like].name;
}

static const char *many(size_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- text ---- */

static void put_figure(FILE *f, int width, const char *format, double v)
{
    if (isnan(v)) {
        fprintf(f, "  %*s", width, "-");
        return;
    }
    char *text = isinf(v) ? xstrdup("inf") : xasprintf(format, v);
    fprintf(f, "  %*s", width, text);
    free(text);
}

static int longest(const struct regress_covered *list, size_t n)
{
    size_t most = 8;
    for (size_t i = 0; i < n; i++)
        most = strlen(list[i].name) > most ? strlen(list[i].name) : most;
    return (int)most;
}

static void text_line(FILE *f, int width, const struct regress_covered *x, bool variable)
{
    fprintf(f, "%-*s  %8zu  %5zu", width, x->name, x->groups, x->rows);
    put_figure(f, 7, "%.2f", 100 * x->share);
    put_figure(f, 7, "%.2f", 100 * x->cycle_share);
    put_figure(f, 5, "%.0f", 100 * x->dependent);
    put_figure(f, 6, "%.1f", x->effective);
    put_figure(f, 5, "%.0f", 100 * x->strongest);
    put_figure(f, 8, "%.3g", x->value);
    if (variable) {
        put_figure(f, 8, "%.2g", x->error);
        put_figure(f, 8, "%.3g", x->vif);
    }
    fprintf(f, "  %s: %s\n", regress_standing_text(x->standing), x->words);
}

static void text_head(FILE *f, int width, const char *what, bool variable)
{
    fprintf(f, "%-*s  programs   rows  count%%  cycle%%  dep.%%   worth  top%%     value%s  standing\n", width, what,
            variable ? "        +-       VIF" : "");
}

static int by_cycles(const void *a, const void *b)
{
    const struct regress_covered *const *x = a, *const *y = b;
    double p = isnan((*x)->cycle_share) ? -1 : (*x)->cycle_share, q = isnan((*y)->cycle_share) ? -1 : (*y)->cycle_share;
    return p != q ? (p < q) - (p > q) : strcmp((*x)->name, (*y)->name);
}

static void text_keys(FILE *f, const struct regress_coverage *c)
{
    const struct regress_covered **order = xcalloc(c->n_keys, sizeof *order);
    int width = longest(c->keys, c->n_keys);
    for (size_t k = 0; k < c->n_keys; k++)
        order[k] = &c->keys[k];
    qsort(order, c->n_keys, sizeof *order, by_cycles);
    fputc('\n', f);
    text_head(f, width, "key", false);
    for (size_t k = 0; k < c->n_keys; k++)
        text_line(f, width, order[k], false);
    free(order);
}

static void text_instructions(FILE *f, const struct coverage *c)
{
    fprintf(f,
            "\nof %zu instructions of a SHIM file, programs execute %zu; %zu have a microbenchmark, %zu the value of "
            "their class, %zu that of another, %zu the mean of all, and %zu C programs do not execute\n",
            c->n_instructions, coverage_count(c, COVERAGE_SEEN), coverage_count(c, COVERAGE_MICRO),
            coverage_count(c, COVERAGE_CLASS), coverage_count(c, COVERAGE_LIKE), coverage_count(c, COVERAGE_NONE),
            coverage_count(c, COVERAGE_NEVER));
    for (size_t i = 0; i < c->n_instructions; i++) {
        const struct coverage_instruction *x = &c->instructions[i];
        if (x->source == COVERAGE_SEEN)
            continue;
        fprintf(f, "  %-15s %s%s%s; %s\n", x->name, coverage_source_text(x->source), x->from ? " " : "",
                x->from ? x->from : "", x->makes);
    }
}

static void text_pool(FILE *f, const struct coverage *c)
{
    fprintf(f, "\nto be measured next, each after those above it (gain: of ln det):\n");
    for (size_t i = 0; i < c->n_candidates; i++) {
        const struct regress_candidate *x = &c->candidates[i];
        fprintf(f, "  %-30s %3zu row%s, gain %.3f (alone %.3f)", x->name, x->rows, many(x->rows), x->after, x->gain);
        if (x->helps != REGRESS_NONE)
            fprintf(f, "; the variance of '%s' falls by %.0f %%", name_of(c->of, x->helps), 100 * x->falls);
        fputc('\n', f);
    }
    if (!c->n_candidates)
        fputs("  the pool has no program that is not measured already\n", f);
}

static void text_help(FILE *f, const struct coverage *c, const char *data)
{
    bool first = true;
    for (size_t v = 0; v < c->of->n_variables; v++) {
        if (!c->help[v])
            continue;
        fprintf(f, "%s  %s: %s\n", first ? "\nwhat would help:\n" : "", c->of->variables[v].name, c->help[v]);
        first = false;
    }
    if (!first)
        fprintf(f, "programs can be made for it, too: shimgen generate -o FOLDER --given %s\n", data);
}

static void text_about(FILE *f, const struct coverage *c, const struct coverage_about *a)
{
    const struct regress_coverage *o = c->of;
    fprintf(f, "%s: %zu rows of %zu programs, classification %s: %zu variables, rank %zu\n", a->data, o->n, o->n_groups,
            a->classes, o->n_variables, o->rank);
    if (c->test_rows)
        fprintf(f, "left out: %zu row%s of test programs\n", c->test_rows, many(c->test_rows));
    fprintf(f, "condition number: counts %.3g, rows divided by their %s %.3g, columns scaled too %.3g\n",
            o->condition_raw, o->measured ? "target" : "number of instructions", o->condition_rows,
            o->condition_scaled);
    if (!o->measured)
        fputs("counts alone: every count is taken to cost 1, every row to scatter by 10 %\n", f);
    else if (isnan(o->sigma))
        fprintf(f, "a count costs %.3g on average; as many values as rows: their scatter is not seen\n", o->unit);
    else
        fprintf(f, "a count costs %.3g on average; rows scatter about the values by %.2g %%\n", o->unit,
                100 * o->sigma);
}

static void print_text(FILE *f, const struct coverage *c, const struct coverage_about *a)
{
    const struct regress_coverage *o = c->of;
    int width = longest(o->variables, o->n_variables);
    text_about(f, c, a);
    fputc('\n', f);
    text_head(f, width, "variable", true);
    for (size_t j = 0; j < o->n_variables; j++)
        text_line(f, width, &o->variables[j], true);
    if (a->keys)
        text_keys(f, o);
    text_instructions(f, c);
    text_help(f, c, a->data);
    if (a->pool)
        text_pool(f, c);
}

/* ---- CSV ---- */

static void csv_figure(FILE *f, double v)
{
    char *text = isnan(v) ? xstrdup("") : isinf(v) ? xstrdup("inf") : xasprintf(v == floor(v) ? "%.0f" : "%.9g", v);
    fprintf(f, ",%s", text);
    free(text);
}

static void csv_text(FILE *f, const char *text)
{
    fputc(',', f);
    csv_put(f, text ? text : "");
}

/* A line of the table. Cells that a kind does not have are NULL or NAN. */
struct csv_line {
    const char *kind, *name, *variable, *variable_d;
    double programs, rows, figures[10];
    const char *strongest_of, *like, *standing, *words, *help;
    double gain[3];
};
#define NOT_KNOWN                                                                                                      \
    {                                                                                                                  \
        NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN                                                               \
    }

static void csv_line(FILE *f, const struct csv_line *l)
{
    fputs(l->kind, f);
    csv_text(f, l->name);
    csv_text(f, l->variable);
    csv_text(f, l->variable_d);
    csv_figure(f, l->programs);
    csv_figure(f, l->rows);
    for (size_t k = 0; k < sizeof l->figures / sizeof *l->figures; k++)
        csv_figure(f, l->figures[k]);
    csv_text(f, l->strongest_of);
    csv_text(f, l->like);
    csv_text(f, l->standing);
    csv_text(f, l->words);
    csv_text(f, l->help);
    for (size_t k = 0; k < 3; k++)
        csv_figure(f, l->gain[k]);
    fputc('\n', f);
}

static void csv_covered(FILE *f, const char *kind, const struct coverage *c, const struct regress_covered *list,
                        size_t i, const char *help)
{
    const struct regress_covered *x = &list[i];
    csv_line(f, &(struct csv_line){kind,
                                   x->name,
                                   name_of(c->of, x->variable[0]),
                                   name_of(c->of, x->variable[1]),
                                   (double)x->groups,
                                   (double)x->rows,
                                   {x->count, x->share, x->cycle_share, x->dependent, x->effective, x->strongest,
                                    x->value, x->error, x->vif, x->likeness},
                                   x->strongest_of,
                                   like_of(list, x),
                                   regress_standing_text(x->standing),
                                   x->words,
                                   help,
                                   {NAN, NAN, NAN}});
}

static void csv_instruction(FILE *f, const struct coverage_instruction *x)
{
    struct csv_line l = {.kind = "instruction", .name = x->name, .variable = x->from, .figures = NOT_KNOWN};
    l.programs = (double)x->programs;
    l.rows = NAN;
    l.figures[0] = x->count;
    l.figures[3] = x->dependent;
    l.standing = coverage_source_text(x->source);
    l.help = x->makes;
    l.gain[0] = l.gain[1] = l.gain[2] = NAN;
    csv_line(f, &l);
}

static void csv_candidate(FILE *f, const struct coverage *c, const struct regress_candidate *x)
{
    struct csv_line l = {.kind = "candidate", .name = x->name, .figures = NOT_KNOWN, .programs = 1};
    l.variable = name_of(c->of, x->helps);
    l.rows = (double)x->rows;
    l.gain[0] = x->after;
    l.gain[1] = x->gain;
    l.gain[2] = x->falls;
    csv_line(f, &l);
}

static void print_csv(FILE *f, const struct coverage *c)
{
    const struct regress_coverage *o = c->of;
    fputs("kind,name,variable,variable_d,programs,rows,count,share,cycle_share,dependent,effective,strongest,value,"
          "error,vif,likeness,strongest_of,like,standing,words,help,gain,gain_alone,variance_falls_by\n",
          f);
    for (size_t j = 0; j < o->n_variables; j++)
        csv_covered(f, "variable", c, o->variables, j, c->help[j]);
    for (size_t k = 0; k < o->n_keys; k++)
        csv_covered(f, "key", c, o->keys, k, 0);
    for (size_t i = 0; i < c->n_instructions; i++)
        csv_instruction(f, &c->instructions[i]);
    for (size_t i = 0; i < c->n_candidates; i++)
        csv_candidate(f, c, &c->candidates[i]);
}

/* ---- JSON ---- */

static void put_number(json_t *o, const char *name, double v)
{
    json_object_set_new(o, name, isfinite(v) ? json_real(v) : json_null());
}

static void put_text(json_t *o, const char *name, const char *text)
{
    json_object_set_new(o, name, text && *text ? json_string(text) : json_null());
}

static json_t *json_covered(const struct coverage *c, const struct regress_covered *list, size_t i, bool variable)
{
    const struct regress_covered *x = &list[i];
    json_t *o = json_object();
    put_text(o, "name", x->name);
    if (!variable) {
        put_text(o, "variable", name_of(c->of, x->variable[0]));
        put_text(o, "variable_d", name_of(c->of, x->variable[1]));
    }
    json_object_set_new(o, "programs", json_integer((json_int_t)x->groups));
    json_object_set_new(o, "rows", json_integer((json_int_t)x->rows));
    put_number(o, "count", x->count);
    put_number(o, "share", x->share);
    put_number(o, "cycle_share", x->cycle_share);
    put_number(o, "dependent", x->dependent);
    put_number(o, "effective", x->effective);
    put_number(o, "strongest", x->strongest);
    put_text(o, "strongest_of", x->strongest_of);
    put_number(o, "value", x->value);
    if (variable) {
        put_number(o, "error", x->error);
        put_number(o, "vif", x->vif);
        json_object_set_new(o, "identified", json_boolean(x->rows > 0 && !isinf(x->vif)));
    }
    put_text(o, "like", like_of(list, x));
    put_number(o, "likeness", x->likeness);
    put_text(o, "standing", regress_standing_text(x->standing));
    put_text(o, "words", x->words);
    if (variable)
        put_text(o, "help", c->help[i]);
    return o;
}

static json_t *json_instruction(const struct coverage_instruction *x)
{
    json_t *o = json_object();
    put_text(o, "name", x->name);
    json_object_set_new(o, "programs", json_integer((json_int_t)x->programs));
    put_number(o, "count", x->count);
    put_number(o, "dependent", x->dependent);
    put_text(o, "evidence", coverage_source_text(x->source));
    put_text(o, "from", x->from);
    put_text(o, "in_c", x->makes);
    return o;
}

static json_t *json_candidate(const struct coverage *c, const struct regress_candidate *x)
{
    json_t *o = json_object();
    put_text(o, "name", x->name);
    json_object_set_new(o, "rows", json_integer((json_int_t)x->rows));
    put_number(o, "gain", x->after);
    put_number(o, "gain_alone", x->gain);
    put_text(o, "helps", name_of(c->of, x->helps));
    put_number(o, "variance_falls_by", x->falls);
    return o;
}

static json_t *json_head(const struct coverage *c, const struct coverage_about *a)
{
    const struct regress_coverage *r = c->of;
    json_t *o = json_object(), *condition = json_object();
    put_text(o, "format", "shimgen coverage 1");
    put_text(o, "data", a->data);
    put_text(o, "classes", a->classes);
    json_object_set_new(o, "measured", json_boolean(r->measured));
    json_object_set_new(o, "rows", json_integer((json_int_t)r->n));
    json_object_set_new(o, "programs", json_integer((json_int_t)r->n_groups));
    json_object_set_new(o, "test_rows", json_integer((json_int_t)c->test_rows));
    json_object_set_new(o, "rank", json_integer((json_int_t)r->rank));
    put_number(condition, "counts", r->condition_raw);
    put_number(condition, "rows_scaled", r->condition_rows);
    put_number(condition, "rows_and_columns_scaled", r->condition_scaled);
    json_object_set_new(o, "condition", condition);
    put_number(o, "scatter", r->sigma);
    put_number(o, "average", r->unit);
    return o;
}

static enum status print_json(const char *path, const struct coverage *c, const struct coverage_about *a,
                              struct error *e)
{
    json_t *o = json_head(c, a), *variables = json_array(), *keys = json_array(), *instructions = json_array(),
           *candidates = json_array();
    for (size_t j = 0; j < c->of->n_variables; j++)
        json_array_append_new(variables, json_covered(c, c->of->variables, j, true));
    for (size_t k = 0; k < c->of->n_keys; k++)
        json_array_append_new(keys, json_covered(c, c->of->keys, k, false));
    for (size_t i = 0; i < c->n_instructions; i++)
        json_array_append_new(instructions, json_instruction(&c->instructions[i]));
    for (size_t i = 0; i < c->n_candidates; i++)
        json_array_append_new(candidates, json_candidate(c, &c->candidates[i]));
    json_object_set_new(o, "variables", variables);
    json_object_set_new(o, "keys", keys);
    json_object_set_new(o, "instructions", instructions);
    json_object_set_new(o, "candidates", candidates);
    enum status s = json_write(o, path, e);
    json_decref(o);
    return s;
}

enum status coverage_print(const struct coverage *c, const struct coverage_about *about, const char *format,
                           const char *path, struct error *e)
{
    if (strcmp(format, "json") == 0)
        return print_json(path, c, about, e);
    struct outfile out;
    enum status s = outfile_open(&out, path, e);
    if (s)
        return s;
    if (strcmp(format, "csv") != 0)
        outfile_is_text(&out);
    if (strcmp(format, "csv") == 0)
        print_csv(out.f, c);
    else
        print_text(out.f, c, about);
    return outfile_commit(&out, e);
}
