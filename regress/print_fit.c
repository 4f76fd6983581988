/* print_fit.c - prints a fit for people: values with their intervals, errors, and what cannot be trusted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/commands.h"

static void print_errors(FILE *f, const char *name, const struct regress_errors *r)
{
    fprintf(f, "%-9s mean", name);
    put_percent(f, r->mean, 8, true);
    fprintf(f, " %%  mean abs");
    put_percent(f, r->mean_abs, 8, false);
    fprintf(f, " %%  median abs");
    put_percent(f, r->median_abs, 8, false);
    fprintf(f, " %%  90 %% within");
    put_percent(f, r->p90_abs, 8, false);
    fprintf(f, " %%  worst");
    put_percent(f, r->worst, 8, true);
    fprintf(f, " %% (%s)\n", r->worst_of ? r->worst_of : "-");
}

/* Lists what the classification says and the solver does not use. */
static void print_unheeded(const struct regress_model *m, FILE *f)
{
    const struct regress_classes *c = m->classes;
    size_t orders = 0, bounds = 0;
    for (size_t i = 0; i < c->n_variables; i++) {
        orders += c->variables[i].below != REGRESS_NONE;
        bounds += c->variables[i].low > 0 || isfinite(c->variables[i].high);
    }
    if (bounds && !regress_solver_heeds(m->solver, REGRESS_BOUNDS))
        fprintf(f, "the classification's bounds (%zu) are not kept: solver %s knows none, 'bounded' does\n", bounds,
                m->solver);
    if (orders && !regress_solver_heeds(m->solver, REGRESS_ORDERS))
        fprintf(f, "the classification's orders (%zu) are not kept: solver %s knows none, 'bounded' and 'shrink' do\n",
                orders, m->solver);
}

void print_fit_summary(const struct regress_model *m, FILE *f)
{
    size_t empty = 0, negative = 0;
    for (size_t i = 0; i < m->n_values; i++) {
        empty += m->values[i].rows == 0;
        negative += m->values[i].value < 0;
    }
    fprintf(f, "%s of %s by %s: %zu rows (%zu programs), %zu variables, rank %zu\n", m->solver, m->target,
            m->classes->name, m->n_rows, m->n_groups, m->n_values, m->rank);
    if (empty)
        fprintf(f, "%zu variable%s without evidence in these rows\n", empty, empty == 1 ? "" : "s");
    if (m->rank + empty < m->n_values)
        fprintf(f, "%zu variables are not determined by these rows; see 'regress diagnose'\n",
                m->n_values - empty - m->rank);
    if (negative)
        fprintf(f, "%zu variable%s came out negative\n", negative, negative == 1 ? "" : "s");
    print_unheeded(m, f);
    print_errors(f, "training", &m->training);
    if (m->held_out.n)
        print_errors(f, "held out", &m->held_out);
    else
        fprintf(f, "one program only: nothing could be held out, there is no prediction interval\n");
}

static void print_value(FILE *f, const struct regress_value *v, int width, bool interval)
{
    fprintf(f, "%-*s  %12.5g", width, v->name, v->value);
    if (!v->rows)
        fputs("  no row has it", f);
    else if (interval)
        fprintf(f, "  %12.5g  %12.5g", v->low, v->high);
    else
        fprintf(f, "  %12s  %12s", "-", "-");
    if (v->rows)
        fprintf(f, "  %8zu  %7.2f", v->groups, 100 * v->share);
    fputc('\n', f);
}

enum status write_fit(const struct regress_model *m, const char *path, struct error *e)
{
    struct outfile out;
    const char **names = xcalloc(m->n_values + 1, sizeof *names);
    enum status s = outfile_open(&out, path, e);
    if (!s) {
        outfile_is_text(&out);
        for (size_t i = 0; i < m->n_values; i++)
            names[i] = m->values[i].name;
        int width = text_width(names, m->n_values, 8);
        fprintf(out.f, "%-*s  %12s  %12s  %12s  %8s  %7s\n", width, "variable", "value", "5 %", "95 %", "programs",
                "share %");
        for (size_t i = 0; i < m->n_values; i++)
            print_value(out.f, &m->values[i], width, m->resamples > 0);
        fputc('\n', out.f);
        print_fit_summary(m, out.f);
        s = outfile_commit(&out, e);
    }
    free(names);
    return s;
}
