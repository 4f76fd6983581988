/* cmd_predict.c - regress predict: estimates the rows of a dataset by a model. */
#include "regress/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/sums.h"

struct options {
    const char *model, *rows, *format, *output;
};
static const struct cli_option options[] = {
    {CLI_TEXT, "model", 'm', "FILE", 0, "the model (needed)", offsetof(struct options, model)},
    {CLI_TEXT, "rows", 'r', "GLOB,...", 0, "only rows whose program matches", offsetof(struct options, rows)},
    {CLI_CHOICE, "format", 'f', "text|csv", 0, "default: csv with -o FILE, else text",
     offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "the predictions", offsetof(struct options, output)},
    {0},
};

struct predictions {
    const struct regress_model *model;
    const struct regress_data *data;
    struct regress_prediction *at;
    size_t n;
};

static void print_csv(FILE *f, const struct predictions *p)
{
    fputs("program,region,predicted,low,high,measured,error\n", f);
    for (size_t k = 0; k < p->n; k++) {
        const double numbers[] = {p->at[k].estimate, p->at[k].low, p->at[k].high, p->at[k].measured, p->at[k].error};
        csv_put(f, p->data->programs[p->at[k].row]);
        fputc(',', f);
        csv_put(f, p->data->regions[p->at[k].row]);
        for (size_t i = 0; i < 5; i++) {
            fputc(',', f);
            put_number(f, numbers[i]);
        }
        fputc('\n', f);
    }
}

static void print_cell(FILE *f, double value)
{
    if (isnan(value))
        fprintf(f, "  %14s", "-");
    else
        fprintf(f, fabs(value) < 1e12 ? "  %14.1f" : "  %14.6e", value);
}

static void print_text(FILE *f, const struct predictions *p)
{
    int width = text_width((const char *const *)p->data->labels, p->data->n, 7);
    fprintf(f, "%-*s  %14s  %14s  %14s  %14s  %9s\n", width, "program", "predicted", "low", "high", "measured",
            "error [%]");
    for (size_t k = 0; k < p->n; k++) {
        const struct regress_prediction *q = &p->at[k];
        fprintf(f, "%-*s", width, p->data->labels[q->row]);
        print_cell(f, q->estimate);
        print_cell(f, q->low);
        print_cell(f, q->high);
        print_cell(f, q->measured);
        fputs("  ", f);
        put_percent(f, q->error, 9, true);
        fputc('\n', f);
    }
    if (p->model->level > 0)
        fprintf(f, "low to high: %.0f %% interval from the model's held-out errors\n", 100 * p->model->level);
    struct regress_errors r = regress_errors_of(p->data, p->at, p->n);
    if (r.n)
        fprintf(f,
                "errors of %zu rows: mean %+.1f %%, mean abs %.1f %%, median abs %.1f %%, 90 %% within %.1f %%, "
                "worst %+.1f %% (%s)\n",
                r.n, 100 * r.mean, 100 * r.mean_abs, 100 * r.median_abs, 100 * r.p90_abs, 100 * r.worst, r.worst_of);
}

static enum status print_all(const struct options *o, const struct predictions *p, struct error *e)
{
    struct outfile out;
    enum status s = outfile_open(&out, o->output, e);
    if (s)
        return s;
    const char *format = o->format ? o->format : strcmp(o->output, "-") == 0 ? "text" : "csv";
    if (strcmp(format, "csv") != 0)
        outfile_is_text(&out);
    if (strcmp(format, "csv") == 0)
        print_csv(out.f, p);
    else
        print_text(out.f, p);
    return outfile_commit(&out, e);
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct regress_model *m = 0;
    struct regress_data *d = 0;
    struct regress_rows rows = {0};
    struct predictions p = {0};
    enum status s = o->model ? OK : usage_error(e, "--model FILE is needed");
    if (!s)
        sums_note_read(o->model);
    if (!s)
        s = regress_model_read(&m, o->model, e);
    if (!s)
        s = regress_data_read(&d, args->argv[0], e);
    if (!s)
        s = regress_rows_select(&rows, d, o->rows, e);
    if (!s)
        s = regress_predict(&p.at, &p.n, m, d, &rows, e);
    if (!s) {
        p.model = m;
        p.data = d;
        s = print_all(o, &p, e);
    }
    free(p.at);
    free(rows.at);
    regress_data_free(d);
    regress_model_free(m);
    return s;
}

const struct cli_command cmd_predict = {
    .name = "predict",
    .synopsis = "predict --model MODEL.json DATA.csv [-o OUT.csv] [options]",
    .summary =
        "Estimates the target of each row of a table, with an interval, and with the error if the target is known.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
