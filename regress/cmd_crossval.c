/* cmd_crossval.c - regress crossval: compares classifications and solvers on held-out programs. */
#include "regress/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "regress/print_crossval.h"

struct options {
    struct fit_options fit;
    const char *classes, *solvers, *scheme, *test_rows, *format, *output, *predictions, *priors;
    bool intervals;
};
static const struct cli_option options[] = {
    {CLI_TEXT, "classes", 'c', "NAME,...", REGRESS_DEFAULT_CLASSES, "classifications to compare",
     offsetof(struct options, classes)},
    {CLI_TEXT, "solvers", 0, REGRESS_SOLVER_NAMES ",...", REGRESS_DEFAULT_SOLVER, "solvers to compare",
     offsetof(struct options, solvers)},
    {CLI_TEXT, "solvers", 's', "NAME,...", 0, 0, offsetof(struct options, solvers)},
    {CLI_TEXT, "scheme", 0, "SCHEME", "loo", "loo, lodo, kfold:K, test (with --test-rows) or test:FILE",
     offsetof(struct options, scheme)},
    {CLI_TEXT, "test-rows", 0, "GLOB,...", 0, "rows to test on, of DATA or of the test file",
     offsetof(struct options, test_rows)},
    FIT_OPTIONS(struct options),
    {CLI_TEXT, "priors", 0, "FILE", 0, "expected costs of variables (CSV); only 'shrink' uses them",
     offsetof(struct options, priors)},
    {CLI_BOOL, "intervals", 0, 0, 0, "also print prediction intervals and how many held-out rows they cover",
     offsetof(struct options, intervals)},
    {CLI_CHOICE, "format", 'f', "text|csv|json|markdown", "text", "format of the table",
     offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "the table", offsetof(struct options, output)},
    {CLI_TEXT, "predictions", 0, "FILE", 0, "also write every held-out prediction (CSV)",
     offsetof(struct options, predictions)},
    {0},
};

/* What the specification borrows. */
struct held {
    struct regress_data *data, *test; /* test: NULL if the test rows are in `data` */
    struct regress_rows rows, test_rows;
    char **classes, **solvers;
};

static enum status read_scheme(struct regress_crossval_spec *spec, const struct options *o, struct held *h,
                               struct error *e)
{
    long folds;
    bool test = strcmp(o->scheme, "test") == 0 || strncmp(o->scheme, "test:", 5) == 0;
    if (o->test_rows && !test)
        return usage_error(e, "--test-rows belongs to --scheme test");
    if (strcmp(o->scheme, "loo") == 0) {
        spec->scheme = REGRESS_LEAVE_ONE_OUT;
        return OK;
    }
    if (strcmp(o->scheme, "lodo") == 0) {
        spec->scheme = REGRESS_LEAVE_ONE_DOMAIN_OUT;
        return OK;
    }
    if (strncmp(o->scheme, "kfold:", 6) == 0) {
        if (!parse_long(o->scheme + 6, &folds) || folds < 2)
            return usage_error(e, "--scheme: '%s' is not a number of folds from 2", o->scheme + 6);
        spec->scheme = REGRESS_K_FOLD;
        spec->folds = (size_t)folds;
        return OK;
    }
    if (!test)
        return usage_error(e, "--scheme: '%s' is not one of loo, lodo, kfold:K, test, test:FILE", o->scheme);
    if (!o->scheme[4] && !o->test_rows)
        return usage_error(e, "--scheme test needs --test-rows");
    spec->scheme = REGRESS_TEST;
    enum status s = o->scheme[4] ? fit_data(&h->test, o->scheme + 5, &o->fit, e) : OK;
    spec->test = h->test ? h->test : h->data;
    if (!s && o->test_rows) {
        s = regress_rows_select(&h->test_rows, spec->test, o->test_rows, e);
        spec->test_rows = &h->test_rows;
    }
    return s;
}

/* It is a mistake if no solver in the list uses the priors. If one does, the others may ignore them. */
static enum status check_priors(const struct options *o, const struct held *h, size_t n, struct error *e)
{
    bool known = true, heeded = !o->priors;
    for (size_t i = 0; i < n; i++) {
        known = known && regress_solver_known(h->solvers[i]);
        heeded = heeded || regress_solver_heeds(h->solvers[i], REGRESS_COSTS);
    }
    return known && !heeded ? usage_error(e, "--priors: no solver of '%s' takes them; 'shrink' does", o->solvers) : OK;
}

static enum status prepare(struct regress_crossval_spec *spec, const struct options *o, const char *path,
                           struct held *h, struct error *e)
{
    enum status s = fit_settings(&spec->settings, &o->fit, e);
    if (!s)
        s = split_list(o->classes, "classifications", &h->classes, &spec->n_classes, e);
    if (!s)
        s = split_list(o->solvers, "solvers", &h->solvers, &spec->n_solvers, e);
    if (!s)
        s = check_priors(o, h, spec->n_solvers, e);
    if (!s)
        s = fit_data(&h->data, path, &o->fit, e);
    if (!s)
        s = read_scheme(spec, o, h, e);
    if (!s && o->fit.rows) {
        s = regress_rows_select(&h->rows, h->data, o->fit.rows, e);
        spec->rows = &h->rows;
    }
    spec->intervals = o->intervals;
    spec->priors = o->priors;
    spec->classes = (const char *const *)h->classes;
    spec->solvers = (const char *const *)h->solvers;
    return s;
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct held h = {0};
    struct regress_crossval_spec spec = {0};
    struct regress_crossval *c = 0;
    enum status s = prepare(&spec, o, args->argv[0], &h, e);
    if (!s)
        s = regress_crossval(&c, h.data, &spec, e);
    if (!s && o->predictions)
        s = write_crossval_predictions(c, spec.test ? spec.test : h.data, o->predictions, e);
    if (!s)
        s = write_crossval(c, o->scheme, o->format, o->output, e);
    regress_crossval_free(c);
    free(h.classes);
    free(h.solvers);
    free(h.rows.at);
    free(h.test_rows.at);
    regress_data_free(h.test);
    regress_data_free(h.data);
    return s;
}

const struct cli_command cmd_crossval = {
    .name = "crossval",
    .synopsis = "crossval DATA.csv [--classes a,b,...] [--solvers x,y,...] [options]",
    .summary = "Compares classifications and solvers: errors on the rows of the fit and on held-out rows.",
    .details =
        "Whole programs are left out: all rows whose names agree up to '@'. With lodo, all programs of a domain\n"
        "are left out, so that no near copy of a program stays in the fit. The first line of the table is the\n"
        "baseline that a model must beat: cycles = k x executed instructions. Errors are (estimate - measured) /\n"
        "measured.\n"
        "A classification that needs events that the data lack is listed as unavailable.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
