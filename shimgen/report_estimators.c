/* report_estimators.c - how well `shimgen estimate` does on the programs that were measured, by each method that needs
 * the SHIM file and the profile alone, for the report page. Part of publish.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/report/derived.h"
#include "shimgen/report_fill.h"

static const char *const methods[] = {"sum", "operand", "schedule"};
enum { METHODS = sizeof methods / sizeof *methods };

/* Errors of one method on programs of one role. */
struct errors {
    VEC(double) each;
    double worst;
    const char *worst_program;
};
struct judge {
    struct fill *f;
    const struct regress_data *data;
    const char *work;
    struct costs costs;
    struct errors of[METHODS][2]; /* by role */
};

static void add_error(struct errors *to, double error, const char *program)
{
    vec_push(&to->each, error);
    if (!to->worst_program || fabs(error) > fabs(to->worst)) {
        to->worst = error;
        to->worst_program = program;
    }
}

static enum status judge_row(struct judge *j, const struct irprof_profile *p, size_t row, struct error *e)
{
    const struct report_program *program = &j->f->report.programs[row];
    struct estimate_request q = {.profile = p, .costs = &j->costs};
    enum status s = irprof_region(&q.region, p, j->data->regions[row], e);
    for (size_t i = 0; i < METHODS && !s; i++) {
        struct estimate *est = 0;
        s = estimate_run(&est, estimator_find(methods[i]), &q, e);
        if (!s)
            add_error(&j->of[i][program->role], relative_error(est->total.typical, program->measured), program->name);
        estimate_free(est);
    }
    return s;
}

/* The rows of one program follow each other. */
static enum status judge_all(struct judge *j, struct error *e)
{
    struct irprof_profile *p = 0;
    enum status s = OK;
    for (size_t i = 0; i < j->f->report.n_programs && !s; i++) {
        bool same = i && strcmp(j->data->programs[i], j->data->programs[i - 1]) == 0;
        if (!same) {
            char *folder = path_join(j->work, j->data->programs[i]), *path = path_join(folder, "profile");
            irprof_free(p);
            p = 0;
            s = irprof_read(&p, path, e);
            free(path);
            free(folder);
        }
        if (!s && j->f->report.programs[i].measured > 0)
            s = judge_row(j, p, i, e);
    }
    irprof_free(p);
    return s;
}

static struct report_errors summary(struct fill *f, struct errors *from)
{
    struct report_errors to = REPORT_ERRORS_INIT;
    to.rows = from->each.n;
    if (!to.rows)
        return to;
    double *absolute = xcalloc(to.rows, sizeof *absolute);
    to.mean = to.mean_abs = 0;
    for (size_t i = 0; i < to.rows; i++) {
        absolute[i] = fabs(from->each.at[i]);
        to.mean += from->each.at[i] / (double)to.rows;
        to.mean_abs += absolute[i] / (double)to.rows;
    }
    to.median_abs = quantile(absolute, to.rows, 0.5);
    to.worst = from->worst;
    to.worst_program = from->worst_program;
    to.each = from->each.at;
    vec_push(&f->texts, (char *)from->each.at);
    free(absolute);
    return to;
}

static void add_lines(struct judge *j)
{
    for (size_t i = 0; i < METHODS; i++) {
        struct report_evaluation line = REPORT_EVALUATION_INIT;
        line.classes = methods[i];
        line.solver = "shimgen estimate";
        line.scheme = "estimators on the SHIM file, test programs held out";
        line.train = summary(j->f, &j->of[i][REPORT_TRAIN]);
        line.heldout = summary(j->f, &j->of[i][REPORT_TEST]);
        vec_push(&j->f->evaluations, line);
    }
    j->f->report.evaluations = j->f->evaluations.at;
    j->f->report.n_evaluations = j->f->evaluations.n;
}

enum status report_fill_estimators(struct fill *f, const char *shim, const char *work, const struct regress_data *d,
                                   const struct schedule_model *schedule, struct error *e)
{
    (void)schedule;
    struct judge j = {.f = f, .data = d, .work = work};
    struct error why = ERROR_INIT; /* a folder without profiles, or with old ones, has a report all the same */
    enum status s = costs_from_shim(&j.costs, shim, 0, e);
    bool judged = !s && !judge_all(&j, &why);
    if (judged)
        add_lines(&j);
    for (size_t i = 0; i < METHODS && !judged; i++)
        for (size_t role = 0; role < 2; role++)
            vec_release(&j.of[i][role].each);
    error_release(&why);
    costs_release(&j.costs);
    return s;
}
