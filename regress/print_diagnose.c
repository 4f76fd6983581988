/* print_diagnose.c - prints a diagnosis as text or JSON. */
#include "regress/commands.h"

#include <math.h>
#include <string.h>

static const char *const severities[] = {"note", "warning", "severe"};

/* Prints what influences each value most. */
static void print_values(FILE *f, const struct regress_diagnosis *g, int width)
{
    if (!g->n_groups)
        return;
    fprintf(f, "\n%-*s  %10s  %10s  %8s  %s\n", width, "variable", "value", "without", "DFBETAS",
            "the most influential program");
    for (size_t j = 0; j < g->p; j++) {
        fprintf(f, "%-*s  %10.4g  ", width, g->variables[j], g->values[j]);
        if (isnan(g->dfbetas[j]))
            fprintf(f, "%10s  %8s  -\n", "-", "-");
        else
            fprintf(f, "%10.4g  %+8.2f  %s\n", g->without[j], g->dfbetas[j], g->group_names[g->most_influential[j]]);
    }
}

static void print_domains(FILE *f, const struct regress_diagnosis *g)
{
    int width = 8;
    for (size_t k = 0; k < g->n_domains; k++)
        width = (int)strlen(g->domains[k].name) > width ? (int)strlen(g->domains[k].name) : width;
    if (g->n_domains)
        fprintf(f,
                "\nerrors in %%    %*s training            left out with its domain\n%-*s  programs  "
                "rows%10s%10s%10s%10s%10s\n",
                width, "", width, "domain", "mean", "mean abs", "mean", "mean abs", "worst");
    for (size_t k = 0; k < g->n_domains; k++) {
        const struct regress_domain *d = &g->domains[k];
        fprintf(f, "%-*s  %8zu  %4zu", width, *d->name ? d->name : "(none)", d->groups, d->rows);
        put_percent(f, d->training.mean, 10, true);
        put_percent(f, d->training.mean_abs, 10, false);
        put_percent(f, d->held_out.n ? d->held_out.mean : (double)NAN, 10, true);
        put_percent(f, d->held_out.n ? d->held_out.mean_abs : (double)NAN, 10, false);
        put_percent(f, d->held_out.n ? d->held_out.worst : (double)NAN, 10, true);
        fputc('\n', f);
    }
}

static void print_text(FILE *f, const struct regress_diagnosis *g)
{
    int width = text_width((const char *const *)g->variables, g->p, 8);
    fprintf(f, "%zu rows, %zu variables, rank %zu; values as 'regress fit --solver %s' finds them\n", g->n, g->p,
            g->rank, g->solver);
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
    print_values(f, g, width);
    print_domains(f, g);
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

static void print_json_domains(FILE *f, const struct regress_diagnosis *g)
{
    fputs("  \"domains\": [", f);
    for (size_t k = 0; k < g->n_domains; k++) {
        const struct regress_domain *d = &g->domains[k];
        fprintf(f, "%s\n    {\"domain\": ", k ? "," : "");
        put_json_text(f, d->name);
        fprintf(f, ", \"programs\": %zu, \"rows\": %zu, ", d->groups, d->rows);
        put_member(f, "training_mean", d->training.mean, ", ");
        put_member(f, "training_mean_abs", d->training.mean_abs, ", ");
        put_member(f, "left_out_mean", d->held_out.n ? d->held_out.mean : (double)NAN, ", ");
        put_member(f, "left_out_mean_abs", d->held_out.n ? d->held_out.mean_abs : (double)NAN, "}");
    }
    fputs(g->n_domains ? "\n  ],\n" : "],\n", f);
}

static void print_json(FILE *f, const struct regress_diagnosis *g)
{
    fprintf(
        f,
        "{\n  \"solver\": \"%s\",\n  \"rows\": %zu,\n  \"variables_count\": %zu,\n  \"rank\": %zu,\n  \"condition\": {",
        g->solver, g->n, g->p, g->rank);
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
        put_member(f, "vif", g->vif[j], g->n_groups ? ", " : "}");
        if (!g->n_groups)
            continue;
        put_member(f, "value", g->values[j], ", ");
        put_member(f, "without", g->without[j], ", ");
        put_member(f, "dfbetas", g->dfbetas[j], ", \"program\": ");
        put_json_text(f, g->group_names[g->most_influential[j]]);
        fputc('}', f);
    }
    fputs("\n  ],\n  \"leverage\": [", f);
    for (size_t i = 0; i < g->n; i++) {
        fprintf(f, "%s\n    {\"row\": ", i ? "," : "");
        put_json_text(f, g->labels[i]);
        fputs(", ", f);
        put_member(f, "leverage", g->leverage[i], "}");
    }
    fputs("\n  ],\n", f);
    print_json_domains(f, g);
    print_json_findings(f, g);
}

enum status write_diagnosis(const struct regress_diagnosis *g, const char *format, const char *path, struct error *e)
{
    struct outfile out;
    enum status s = outfile_open(&out, path, e);
    if (s)
        return s;
    if (strcmp(format, "json") != 0)
        outfile_is_text(&out);
    if (strcmp(format, "json") == 0)
        print_json(out.f, g);
    else
        print_text(out.f, g);
    return outfile_commit(&out, e);
}
