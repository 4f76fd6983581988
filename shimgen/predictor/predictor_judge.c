/* predictor_judge.c - judges branch predictors by measured mispredictions. */
#include "shimgen/predictor/predictor_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/program_name.h"
#include "irprof/irprof.h"

static void judge_region(struct predictor_judged *j, const char *program, const double *simulated, double measured,
                         double cycles)
{
    char *name = program_without_level(program);
    map_number(&j->programs, name);
    free(name);
    for (size_t k = 0; k < j->names.n; k++)
        j->loss[k] += fmin(PREDICTOR_MOST_APART, 1000 * fabs(simulated[k] - measured) / cycles);
    j->regions++;
}

static enum status judge_row(struct predictor_judged *j, const struct csv *c, size_t row, const size_t *columns,
                             const struct measurements *m, struct error *e)
{
    const char *program = csv_cell(c, row, 0), *region = csv_cell(c, row, 1);
    const struct measurement *wrong = measurements_find(m, program, region, IRPROF_MISPREDICTED);
    const struct measurement *cycles = measurements_find(m, program, region, measurements_cycle_event(m));
    double simulated[PREDICTORS_MOST];
    enum status s = OK;
    if (!wrong || !cycles || !(cycles->value > 0))
        return OK;
    for (size_t k = 0; k < j->names.n && !s; k++)
        s = csv_number(c, row, columns[k], &simulated[k], e);
    if (!s)
        judge_region(j, program, simulated, wrong->value, cycles->value);
    return s;
}

static enum status find_columns(size_t *columns, const struct predictor_judged *j, const struct csv *c, struct error *e)
{
    enum status s = OK;
    for (size_t k = 0; k < j->names.n && !s; k++) {
        char *name = k ? xasprintf(IRPROF_MISPREDICTED ":%s", j->names.keys[k]) : xstrdup(IRPROF_MISPREDICTED);
        s = csv_need(c, name, &columns[k], e);
        free(name);
    }
    return s;
}

/* Turns the sums over all regions into means, and finds the smallest. */
static void choose(struct predictor_judged *j)
{
    for (size_t k = 0; k < j->names.n && j->regions; k++) {
        j->loss[k] /= (double)j->regions;
        j->nearest = j->loss[k] < j->loss[j->nearest] ? k : j->nearest;
    }
    j->best = j->loss[j->nearest] < (1 - PREDICTOR_MARGIN) * j->loss[0] ? j->nearest : 0;
}

enum status predictor_judge(struct predictor_judged *j, const char *table, const struct measurements *m,
                            struct error *e)
{
    struct csv *c = 0;
    size_t columns[PREDICTORS_MOST];
    if (j->names.n > PREDICTORS_MOST)
        BUG("%zu predictors side by side", j->names.n);
    enum status s = csv_read(&c, table, e);
    if (!s)
        s = find_columns(columns, j, c, e);
    for (size_t i = 0; !s && i < c->n_rows; i++)
        s = judge_row(j, c, i, columns, m, e);
    if (!s)
        choose(j);
    csv_free(c);
    return s;
}

void predictor_judged_release(struct predictor_judged *j)
{
    map_release(&j->names);
    map_release(&j->programs);
}
