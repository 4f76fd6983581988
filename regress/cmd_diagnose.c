#include "regress/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct fit_options fit;
    const char *classes, *format, *output;
};
static const struct cli_option options[] = {
    {CLI_TEXT, "classes", 'c', "NAME|FILE", REGRESS_DEFAULT_CLASSES, "which keys share a variable",
     offsetof(struct options, classes)},
    FIT_OPTIONS(struct options),
    {CLI_CHOICE, "format", 'f', "text|json", "text", "how the result is written", offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "the result", offsetof(struct options, output)},
    {0},
};

static const char *const severities[] = {"note", "warning", "severe"};

static void print_text(FILE *f, const struct regress_diagnosis *g)
{
    int width = text_width((const char *const *)g->variables, g->p, 8);
    fprintf(f, "%zu rows, %zu variables, rank %zu\n", g->n, g->p, g->rank);
    fprintf(f, "condition number: counts %.3g, rows divided by their target %.3g, columns scaled too %.3g\n\n",
            g->condition_raw, g->condition_rows, g->condition_scaled);
    fprintf(f, "%-*s  %14s  %9s  %5s  %8s  %10s\n", width, "variable", "count", "share [%]", "rows", "programs", "VIF");
    for (size_t j = 0; j < g->p; j++) {
        fprintf(f, "%-*s  %14.0f  %9.3f  %5zu  %8zu  ", width, g->variables[j], g->counts[j], 100 * g->shares[j],
                g->rows[j], g->groups[j]);
        if (isnan(g->vif[j]))
            fprintf(f, "%10s\n", "-");
        else
            fprintf(f, "%10.3g\n", g->vif[j]);
    }
    fprintf(f, g->n_findings ? "\n" : "\nnothing found\n");
    for (size_t i = 0; i < g->n_findings; i++) {
        const struct regress_finding *x = &g->findings[i];
        fprintf(f, "%s (%s): %s: %s\n  %s\n", severities[x->severity], x->id, x->subject, x->text, x->remedy);
    }
}

static void put_member(FILE *f, const char *name, double value, const char *after)
{
    fprintf(f, "\"%s\": ", name);
    put_json_number(f, value);
    fputs(after, f);
}

static void print_json_findings(FILE *f, const struct regress_diagnosis *g)
{
    fputs("  \"findings\": [", f);
    for (size_t i = 0; i < g->n_findings; i++) {
        const struct regress_finding *x = &g->findings[i];
        fprintf(f, "%s\n    {\"severity\": \"%s\", \"id\": \"%s\", \"subject\": ", i ? "," : "",
                severities[x->severity], x->id);
        put_json_text(f, x->subject);
        fputs(", \"text\": ", f);
        put_json_text(f, x->text);
        fputs(", \"remedy\": ", f);
        put_json_text(f, x->remedy);
        fputc('}', f);
    }
    fputs(g->n_findings ? "\n  ]\n}\n" : "]\n}\n", f);
}

static void print_json(FILE *f, const struct regress_diagnosis *g)
{
    fprintf(f, "{\n  \"rows\": %zu,\n  \"variables_count\": %zu,\n  \"rank\": %zu,\n  \"condition\": {", g->n, g->p,
            g->rank);
    put_member(f, "counts", g->condition_raw, ", ");
    put_member(f, "rows_scaled", g->condition_rows, ", ");
    put_member(f, "rows_and_columns_scaled", g->condition_scaled, "},\n  \"variables\": [");
    for (size_t j = 0; j < g->p; j++) {
        fprintf(f, "%s\n    {\"name\": ", j ? "," : "");
        put_json_text(f, g->variables[j]);
        fputs(", ", f);
        put_member(f, "count", g->counts[j], ", ");
        put_member(f, "share", g->shares[j], ", ");
        fprintf(f, "\"rows\": %zu, \"programs\": %zu, ", g->rows[j], g->groups[j]);
        put_member(f, "vif", g->vif[j], "}");
    }
    fputs("\n  ],\n  \"leverage\": [", f);
    for (size_t i = 0; i < g->n; i++) {
        fprintf(f, "%s\n    {\"row\": ", i ? "," : "");
        put_json_text(f, g->labels[i]);
        fputs(", ", f);
        put_member(f, "leverage", g->leverage[i], "}");
    }
    fputs("\n  ],\n", f);
    print_json_findings(f, g);
}

static enum status print_all(const struct options *o, const struct regress_diagnosis *g, struct error *e)
{
    struct outfile out;
    enum status s = outfile_open(&out, o->output, e);
    if (s)
        return s;
    if (strcmp(o->format, "json") == 0)
        print_json(out.f, g);
    else
        print_text(out.f, g);
    return outfile_commit(&out, e);
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct regress_data *d = 0;
    struct regress_classes *c = 0;
    struct regress_rows rows = {0};
    struct regress_diagnosis *g = 0;
    struct regress_settings settings;
    enum status s = fit_settings(&settings, &o->fit, e);
    if (!s)
        s = fit_data(&d, args->argv[0], &o->fit, e);
    if (!s)
        s = regress_classes_load(&c, o->classes, e);
    if (!s)
        s = regress_rows_select(&rows, d, o->fit.rows, e);
    if (!s)
        s = regress_diagnose(&g, d, c, &settings, &rows, e);
    if (!s)
        s = print_all(o, g, e);
    regress_diagnosis_free(g);
    free(rows.at);
    regress_classes_free(c);
    regress_data_free(d);
    return s;
}

const struct cli_command cmd_diagnose = {
    .name = "diagnose",
    .synopsis = "diagnose DATA.csv [options]",
    .summary = "Tells what a fit on these rows can and cannot find out, and what to do about it.",
    .details =
        "VIF: variance inflation factor; above 10 a variable is nearly a combination of the others, 'inf': it is\n"
        "one. Findings are no failure: the exit status is 0.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
