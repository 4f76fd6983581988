/* test_conformal.c - tests of prediction intervals: coverage and limits. */
#include "support.h"

#include "base/random.h"
#include "base/str.h"
#include "regress/validate/conformal.h"

static struct conformal of_single(const double *errors, size_t n)
{
    size_t *group = xcalloc(n, sizeof *group);
    for (size_t i = 0; i < n; i++)
        group[i] = i;
    struct conformal c = conformal_of(errors, group, n, n);
    free(group);
    return c;
}

/* With a row for each program: (n + 1) / 20 of the errors are at or beyond each end. */
static void takes_ranks(void **state)
{
    (void)state;
    double errors[60];
    for (int i = 0; i < 60; i++)
        errors[i] = 59 - i;
    struct conformal c = of_single(errors, 19); /* 41 .. 59: rank 1 and 19 */
    assert_true(c.level == 0.9 && c.low == 41 && c.high == 59);
    c = of_single(errors, 39); /* 21 .. 59: rank 2 and 38 */
    assert_true(c.level == 0.9 && c.low == 22 && c.high == 58);
    c = of_single(errors, 60); /* rank 3 and 58 */
    assert_true(c.level == 0.9 && c.low == 2 && c.high == 57);
    c = of_single(errors, 9);
    near(c.level, 0.8, 1e-12); /* 8 / 10 */
    assert_true(c.low == 51 && c.high == 59);
    c = of_single(errors, 1);
    assert_true(c.level == 0 && isnan(c.low));
}

/* 19 programs, one of them with 100 rows: as much weight as any other. So its least row alone does not make the end:
 * 1/20 may be at or below it, which is all hundred of them, and no more. */
static void weighs_programs_alike(void **state)
{
    (void)state;
    double errors[118];
    size_t group[118];
    for (size_t i = 0; i < 118; i++) {
        group[i] = i < 100 ? 0 : i - 99;
        errors[i] = i < 100 ? -100 + (double)i : (double)(i - 99); /* -100 .. -1; 1 .. 18 */
    }
    struct conformal c = conformal_of(errors, group, 118, 19);
    assert_true(c.level == 0.9 && c.low == -1 && c.high == 18);
    errors[50] = NAN; /* not known: the others of its program weigh more */
    c = conformal_of(errors, group, 118, 19);
    assert_true(c.low == -1 && c.high == 18);
    c = conformal_of(errors, group, 101, 2); /* two programs, whatever their rows, promise a third */
    near(c.level, 1.0 / 3, 1e-15);
    assert_true(c.low == -100 && c.high == 1);
}

static void bounds_what_was_measured(void **state)
{
    (void)state;
    double low, high;
    conformal_bound(300, &(struct conformal){0.9, -0.5, 0.5}, &low, &high);
    near(low, 200, 1e-12);
    near(high, 600, 1e-12);
    conformal_bound(300, &(struct conformal){0.9, -1, 0.5}, &low, &high);
    assert_true(low == 200 && isnan(high));
    conformal_bound(-300, &(struct conformal){0.9, -0.5, 0.5}, &low, &high);
    assert_true(isnan(low) && isnan(high));
}

/* Programs of two rows that share a part of their error, which is skewed and has a long tail. */
static char *programs(uint64_t seed, size_t n, const char *name)
{
    struct random r = random_start(seed);
    struct str text = STR_INIT;
    str_add(&text, "program,cycles,a,b,c,d\n");
    for (size_t i = 0; i < n; i++) {
        double own = exp(0.5 * pow(uniform(&r), 3) - 0.2 * uniform(&r));
        for (int level = 0; level < 2; level++) {
            double count[4], sum = 0;
            for (size_t j = 0; j < 4; j++) {
                count[j] = (double)random_below(&r, 100);
                sum += count[j] * (double)(j + 1);
            }
            str_addf(&text, "%s%zu@O%d,%.17g,%g,%g,%g,%g\n", name, i, level,
                     (5 + sum) * own * (0.9 + 0.2 * uniform(&r)), count[0], count[1], count[2], count[3]);
        }
    }
    return str_detach(&text);
}

/* Errors of a tenth at O0 and of two fifths at O2: each kind of code has its own interval, in the model's file too; a
 * program without a level has that of all. */
static void kinds_of_code_have_their_own(void **state)
{
    (void)state;
    struct str text = STR_INIT;
    struct error e = ERROR_INIT;
    struct random r = random_start(7);
    str_add(&text, "program,cycles,a\n");
    for (int i = 0; i < 200; i++)
        for (int level = 0; level < 2; level++)
            str_addf(&text, "p%d@O%d,%.17g,10\n", i, 2 * level,
                     100 * (1 + (level ? 0.4 : 0.1) * (2 * uniform(&r) - 1)));
    struct regress_data *d = data_of(str_text(&text)), *new = data_of("program,a\nx@O0,10\nx@O3,10\nx,10\n");
    struct regress_classes *c = classes_of("each *\n");
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    struct regress_model *m = 0, *again = 0;
    struct regress_prediction *p = 0;
    size_t n;
    settings.solver = "nnls";
    settings.resamples = 0;
    must(regress_fit(&m, d, c, &settings, 0, 0, &e), &e);
    char *path = file_of("codes.json", "");
    must(regress_model_write(m, path, &e), &e);
    must(regress_model_read(&again, path, &e), &e);
    assert_memory_equal(again->of_code, m->of_code, sizeof m->of_code);
    must(regress_predict(&p, &n, again, new, 0, &e), &e);
    near(p[0].high / p[0].low, 1.09 / 0.91, 0.03);
    near(p[1].high / p[1].low, 1.36 / 0.64, 0.15);
    assert_true(p[2].high / p[2].low > 1.3 && p[2].high / p[2].low < p[1].high / p[1].low);
    regress_model_free(m);
    regress_model_free(again);
    regress_data_free(d);
    regress_data_free(new);
    regress_classes_free(c);
    str_release(&text);
    free(path);
    free(p);
}

/* Over 30 models of 60 programs each, the 90 % intervals hold 85 to 95 % of 100 programs that no fit saw; so says the
 * count within the data (`crossval --intervals`) too. */
static void covers_what_it_promises(void **state)
{
    (void)state;
    double covered = 0, all = 0, counted = 0;
    struct regress_classes *c = classes_of("each *\n");
    char *file = file_of("each.classes", "each *\n");
    for (uint64_t round = 0; round < 30; round++) {
        struct error e = ERROR_INIT;
        struct regress_settings settings = REGRESS_SETTINGS_INIT;
        char *text = programs(2 * round + 1, 60, "p"), *fresh = programs(2 * round + 2, 100, "q");
        struct regress_data *d = data_of(text), *unseen = data_of(fresh);
        struct regress_model *m = 0;
        struct regress_prediction *p = 0;
        size_t n;
        settings.solver = "nnls";
        settings.resamples = 0;
        must(regress_fit(&m, d, c, &settings, 0, 0, &e), &e);
        must(regress_predict(&p, &n, m, unseen, 0, &e), &e);
        for (size_t i = 0; i < n; i++)
            covered += p[i].measured >= p[i].low && p[i].measured <= p[i].high;
        all += (double)n;
        struct regress_crossval *v = 0;
        const char *const names[] = {file};
        struct regress_crossval_spec spec = {.classes = names, .n_classes = 1, .n_solvers = 1, .intervals = true};
        static const char *const nnls[] = {"nnls"};
        spec.solvers = nnls;
        spec.scheme = REGRESS_K_FOLD;
        spec.folds = 10;
        spec.settings = settings;
        must(regress_crossval(&v, d, &spec, &e), &e);
        assert_true(v->lines[1].level == 0.9);
        counted += v->lines[1].coverage;
        regress_crossval_free(v);
        regress_model_free(m);
        regress_data_free(d);
        regress_data_free(unseen);
        free(p);
        free(text);
        free(fresh);
    }
    if (covered / all < 0.85 || covered / all > 0.95 || counted / 30 < 0.85 || counted / 30 > 0.95)
        fail_msg("%.1f %% covered, %.1f %% counted", 100 * covered / all, 100 * counted / 30);
    near(covered / all, counted / 30, 0.03);
    regress_classes_free(c);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_ranks),
        cmocka_unit_test(weighs_programs_alike),
        cmocka_unit_test(bounds_what_was_measured),
        cmocka_unit_test(kinds_of_code_have_their_own),
        cmocka_unit_test(covers_what_it_promises),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
