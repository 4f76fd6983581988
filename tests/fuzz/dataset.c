/*
 * dataset.c - the fuzz target of regress: whatever the bytes are, they are refused with a reason, or they are a table
 * that is the same when written and read again, and that can be described, fitted, judged, diagnosed and predicted
 * from, each with a result or a reason. Up to the first NUL byte it is the table; what follows, if anything, a
 * classification.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "regress/data/classes.h"
#include "regress/regress.h"
#include "tests/fuzz/target.h"

#define MOST_ROWS 40 /* of tables that are fitted: what takes long is no finding */
#define MOST_COLS 24

static void again(const struct regress_data *d)
{
    struct error e = ERROR_INIT;
    struct regress_data *b = 0;
    char *path = target_path("again.csv");
    if (regress_data_write(d, path, &e) || regress_data_read(&b, path, &e))
        BUG("what was written cannot be read: %s", e.message);
    bool named = strncmp(d->programs[0], "row ", 4) != 0; /* rows without a name get one */
    if (b->n != d->n || b->cols != d->cols || (named && b->hash != d->hash))
        BUG("written and read it differs");
    regress_data_free(b);
    free(path);
}

static void use_model(const struct regress_model *m, const struct regress_data *d)
{
    struct error e = ERROR_INIT;
    struct regress_model *b = 0;
    struct regress_prediction *p = 0;
    size_t n = 0;
    char *path = target_path("model.json");
    for (size_t j = 0; j < m->n_values; j++)
        if (!isfinite(m->values[j].value) || !(m->values[j].low <= m->values[j].value) ||
            !(m->values[j].high >= m->values[j].value) || (m->non_negative && m->values[j].value < 0))
            BUG("'%s' has the value %g, from %g to %g", m->values[j].name, m->values[j].value, m->values[j].low,
                m->values[j].high);
    if (target_passed(regress_model_write(m, path, &e), &e)) {
        if (regress_model_read(&b, path, &e))
            BUG("the model that was written cannot be read: %s", e.message);
        regress_model_free(b);
    }
    if (target_passed(regress_predict(&p, &n, m, d, 0, &e), &e))
        free(p);
    free(path);
}

static void judge(const struct regress_data *d, const struct regress_classes *c,
                  const struct regress_settings *settings)
{
    struct error e = ERROR_INIT;
    struct regress_model *m = 0;
    struct regress_diagnosis *g = 0;
    if (target_passed(regress_fit(&m, d, c, settings, 0, 0, &e), &e)) {
        use_model(m, d);
        regress_model_free(m);
    }
    if (target_passed(regress_diagnose(&g, d, c, settings, 0, &e), &e))
        regress_diagnosis_free(g);
}

static void describe(const struct regress_data *d, const char *target)
{
    struct error e = ERROR_INIT;
    struct regress_classes *c = 0;
    char *text = 0;
    struct regress_counters_spec spec = {.target = target, .intercept = true, .standardise = true, .sparse = 0.5};
    if (!target_passed(regress_counters(&text, d, &spec, &e), &e))
        return;
    if (classes_parse(&c, text, "counters", "counters", &e))
        BUG("the classification that was written cannot be read: %s", e.message);
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    settings.target = target;
    settings.solver = "ols";
    settings.absolute = true;
    settings.resamples = 3;
    settings.jobs = 1;
    judge(d, c, &settings);
    regress_classes_free(c);
    free(text);
}

static void fit_all(const struct regress_data *d, const struct regress_classes *c)
{
    for (size_t k = 0; k < regress_solver_count(); k++) {
        struct regress_settings settings = REGRESS_SETTINGS_INIT;
        settings.target = d->names[0];
        settings.solver = regress_solver_name(k);
        settings.resamples = 3;
        settings.strength = 0.1;
        settings.jobs = 1;
        judge(d, c, &settings);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char each[] = "columns all\neach *\n";
    struct error e = ERROR_INIT;
    struct regress_data *d = 0;
    struct regress_classes *c = 0;
    const uint8_t *end = size ? memchr(data, 0, size) : 0;
    size_t n = end ? (size_t)(end - data) : size;
    char *path = target_file("fuzzed.csv", data, n);
    char *rules = end ? xstrndup((const char *)end + 1, size - n - 1) : xstrdup(each);
    if (target_passed(regress_data_read(&d, path, &e), &e)) {
        again(d);
        if (target_passed(classes_parse(&c, rules, "fuzzed", "fuzzed.classes", &e), &e)) {
            if (d->n <= MOST_ROWS && d->cols <= MOST_COLS) {
                fit_all(d, c);
                describe(d, d->names[0]);
            }
            regress_classes_free(c);
        }
        regress_data_free(d);
    }
    free(rules);
    free(path);
    return 0;
}
