/* report_coverage.c - for the report: how well the programs determine the values. Part of report_data.h. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/coverage/sample_coverage.h"
#include "shimgen/report_data/report_fill.h"

static const char *keep(struct fill *f, const char *text)
{
    char *copy = xstrdup(text);
    if (copy)
        vec_push(&f->texts, copy);
    return copy;
}

static void take(struct fill *f, const struct coverage *c)
{
    struct report_coverage *to = &f->report.coverage;
    to->variables = xcalloc(c->of->n_variables, sizeof *to->variables);
    to->n_variables = c->of->n_variables;
    vec_push(&f->texts, (char *)to->variables);
    for (size_t v = 0; v < to->n_variables; v++) {
        const struct regress_covered *x = &c->of->variables[v];
        to->variables[v] = (struct report_covered){keep(f, x->name),
                                                   x->groups,
                                                   x->share,
                                                   x->cycle_share,
                                                   x->dependent,
                                                   x->effective,
                                                   x->strongest,
                                                   keep(f, x->strongest_of),
                                                   x->value,
                                                   x->error,
                                                   regress_standing_text(x->standing),
                                                   keep(f, x->words),
                                                   keep(f, c->help[v])};
    }
    to->condition = c->of->condition_scaled;
    to->scatter = c->of->sigma;
    to->executed = coverage_count(c, COVERAGE_SEEN);
    to->micro = coverage_count(c, COVERAGE_MICRO);
    to->of_class = coverage_count(c, COVERAGE_CLASS);
    to->as_other = coverage_count(c, COVERAGE_LIKE);
    to->of_all = coverage_count(c, COVERAGE_NONE);
    to->never = coverage_count(c, COVERAGE_NEVER);
}

enum status report_fill_coverage(struct fill *f, const char *folder, const struct regress_data *d,
                                 const struct samples *samples, const struct regress_model *m, struct error *e)
{
    char *micro = path_join(folder, "micro.csv");
    struct coverage c = {0};
    const struct coverage_input in = {
        .data = d, .model = m, .samples = samples, .micro = file_exists(micro) ? micro : 0};
    enum status s = coverage_make(&c, &in, e);
    if (!s)
        take(f, &c);
    coverage_release(&c);
    free(micro);
    return s;
}
