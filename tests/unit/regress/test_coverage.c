/* test_coverage.c - tests of the coverage figures: determined values, effective programs. */
#include "regress/design/coverage.h"

#include "support.h"
#include "base/str.h"

static struct regress_coverage *covered(const char *text, const char *classes, const char *solver)
{
    struct error e = ERROR_INIT;
    struct regress_coverage *g = 0;
    struct regress_data *d = data_of(text);
    struct regress_classes *c = classes_of(classes);
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    settings.solver = solver;
    must(regress_coverage(&g, d, c, 0, &settings, 0, &e), &e);
    regress_classes_free(c);
    regress_data_free(d);
    return g;
}

static void has(const struct regress_covered *x, const char *part)
{
    if (!strstr(x->words, part))
        fail_msg("'%s' is not in '%s'", part, x->words);
}

/* Counts by cycles: x (1, 1/2, 0, 0), y (0, 0, 1/2, 1/2). Least squares of 1 - r x: x = 1.5 / 1.25, y = 2; residuals
 * -0.2, 0.4, 0, 0, so sigma^2 = 0.2 / (4 - 2). Standard errors sigma / |column|; that by programs for x is
 * sqrt(4/3 (0.16^2 + 0.16^2)) = 0.261, the less. One value for all: sum s / sum s^2 of s = (1, 1/2, 1/2, 1/2). */
static void judges_values_apart(void **state)
{
    (void)state;
    struct regress_coverage *g =
        covered("program,cycles,x,y\na,10,10,0\nb,20,10,0\nc,10,0,5\nd,10,0,5\n", "each *\n", "ols");
    const struct regress_covered *x = &g->variables[0], *y = &g->variables[1];
    assert_true(g->measured);
    assert_int_equal(g->rank, 2);
    near(g->sigma, sqrt(0.1), 1e-12);
    near(g->unit, 2.5 / 1.75, 1e-12);
    near(g->condition_raw, 2, 1e-12);
    near(g->condition_rows, sqrt(2.5), 1e-12);
    near(g->condition_scaled, 1, 1e-12);
    near(x->value, 1.2, 1e-12);
    near(y->value, 2, 1e-12);
    near(x->error, sqrt(0.1 / 1.25), 1e-12);
    near(y->error, sqrt(0.1 / 0.5), 1e-12);
    near(x->vif, 1, 1e-12);
    near(x->count, 20, 0);
    near(x->share, 2.0 / 3, 1e-12);
    near(x->cycle_share, 24.0 / 44, 1e-12);
    near(x->effective, 1.25 * 1.25 / 1.0625, 1e-12);
    near(x->strongest, 0.8, 1e-12);
    assert_string_equal(x->strongest_of, "a");
    near(y->effective, 2, 1e-12);
    assert_int_equal(x->groups, 2);
    assert_int_equal(x->standing, REGRESS_WEAKLY);
    has(x, "+-20 %");
    regress_coverage_free(g);
}

/* Two programs at two levels each whose rows err together: relative rows r = 0.9, 0.9, 1.1, 1.1, so the value is
 * 4 / 4.04 and the residuals 1 - r v. By rows the error is sigma / |r|; that by programs is larger and counts. */
static void rows_of_a_program_err_together(void **state)
{
    (void)state;
    struct regress_coverage *g =
        covered("program,cycles,x\na@O0,10,9\na@O2,10,9\nb@O0,10,11\nb@O2,10,11\n", "each *\n", "ols");
    double v = 4 / 4.04, e1 = 1 - 0.9 * v, e2 = 1 - 1.1 * v;
    double first = 2 * 0.9 * e1 / 4.04, second = 2 * 1.1 * e2 / 4.04;
    near(g->variables[0].error, sqrt(2 * (first * first + second * second)), 1e-12);
    assert_true(g->variables[0].error > g->sigma / sqrt(4.04));
    assert_int_equal(g->variables[0].groups, 2);
    assert_int_equal(g->variables[0].rows, 4);
    regress_coverage_free(g);
}

/* The table of test_diagnose.c: cosine 24/25 of x and z, so VIF = 625/49, and the estimates of two columns with the
 * cosine c correlate by -c. As many values as rows: no scatter is seen. */
static void sees_what_goes_together(void **state)
{
    (void)state;
    struct regress_coverage *g = covered("program,cycles,x,y,z\na,9,3,0,4\nb,9,0,5,0\nc,9,4,0,3\n", "each *\n", "ols");
    const struct regress_covered *x = &g->variables[0], *y = &g->variables[1];
    near(x->vif, 625.0 / 49, 1e-12);
    near(x->likeness, 0.96, 1e-12);
    assert_int_equal(x->like, 2);
    near(g->condition_scaled, 7, 1e-12);
    assert_true(isnan(g->sigma) && isnan(x->error));
    assert_int_equal(x->standing, REGRESS_WEAKLY);
    has(x, "as many values as rows");
    assert_int_equal(y->standing, REGRESS_ONE_PROGRAM);
    has(y, "only b has it");
    near(y->effective, 1, 1e-12);
    regress_coverage_free(g);
}

/* y = 2 x everywhere, w nowhere. */
static void names_what_is_not_determined(void **state)
{
    (void)state;
    struct regress_coverage *g = covered("program,cycles,x,y,z,w\na,10,1,2,3,0\nb,20,2,4,1,0\nc,30,5,10,4,0\n"
                                         "d,20,2,4,8,0\ne,20,9,18,1,0\n",
                                         "each *\n", "nnls");
    assert_int_equal(g->rank, 2);
    assert_int_equal(g->variables[0].standing, REGRESS_ALIKE);
    assert_int_equal(g->variables[0].like, 1);
    near(g->variables[0].likeness, 1, 1e-9);
    assert_true(isinf(g->variables[0].error) && isinf(g->variables[0].vif));
    has(&g->variables[0], "cannot be told apart from 'y'");
    assert_true(g->variables[2].error < INFINITY);
    assert_int_equal(g->variables[3].standing, REGRESS_ABSENT);
    assert_int_equal(g->variables[3].rows, 0);
    assert_true(isinf(g->condition_scaled));
    assert_int_equal(g->keys[0].standing, REGRESS_ALIKE);
    has(&g->keys[0], "in proportion to 'y'");
    regress_coverage_free(g);
}

/* 16 programs with x alone, 16 with y alone, all as the values say but a hundredth more or less in turn. */
static void calls_well_what_is_well_determined(void **state)
{
    (void)state;
    struct str text = STR_INIT;
    str_add(&text, "program,cycles,x,y\n");
    for (int i = 0; i < 32; i++)
        str_addf(&text, "p%d,%d,%d,%d\n", i, i % 2 ? 101 : 99, i < 16 ? 100 : 0, i < 16 ? 0 : 25);
    struct regress_coverage *g = covered(str_text(&text), "each *\n", "nnls");
    assert_int_equal(g->variables[0].standing, REGRESS_WELL);
    assert_int_equal(g->variables[1].standing, REGRESS_WELL);
    near(g->variables[1].value, 4, 1e-3);
    near(g->sigma, 0.01, 0.05);
    assert_true(g->variables[1].effective > 15.9 && g->variables[1].effective <= 16);
    regress_coverage_free(g);
    str_release(&text);
}

/* Counts alone: each costs 1, so the rows are (1/2, 1/2), (3/4, 1/4), (1/4, 3/4); Z'Z = (0.875 0.625; 0.625 0.875), its
 * determinant 0.375. */
static const char *const counts = "program,x,y\na,1,1\nb,3,1\nc,1,3\n";

static void takes_counts_alone(void **state)
{
    (void)state;
    struct regress_coverage *g = covered(counts, "each *\n", 0);
    const struct regress_covered *x = &g->variables[0];
    assert_false(g->measured);
    near(g->unit, 1, 1e-12);
    near(g->sigma, 0.1, 0);
    near(x->value, 1, 0);
    near(x->error, 0.1 * sqrt(0.875 / 0.375), 1e-12);
    near(x->vif, 0.875 * 0.875 / 0.375, 1e-12);
    near(x->likeness, 0.625 / 0.875, 1e-12);
    near(g->moment[0], 0.875, 1e-12);
    near(g->moment[1], 0.625, 1e-12);
    assert_int_equal(g->n_keys, 2);
    assert_true(isnan(g->keys[0].error) && isnan(g->keys[0].vif)); /* of variables alone */
    regress_coverage_free(g);
}

/* M = Z'Z + 0.01 I = (0.885 0.625; 0.625 0.885), det 0.3926. d brings (1, 0): ln(1 + 0.885 / 0.3926). e brings (1, 0)
 * and (0, 1): ln(det(M + I) / det M), det(M + I) = 1.885^2 - 0.625^2 = 3.1626. d after e: ln(1 + 1.885 / 3.1626), and
 * the variance of x falls by the fraction a / (1 + a), a = 1.885 / 3.1626. */
static void ranks_candidates(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_coverage *g = covered(counts, "each *\n", 0);
    struct regress_data *known = data_of(counts);
    struct regress_data *pool = data_of("program,x,y\nd,7,0\na,5,5\ne@O0,2,0\ne@O2,0,9\nnone,0,0\n");
    struct regress_candidate *list = 0;
    size_t n = 0;
    must(regress_coverage_pool(&list, &n, g, pool, 0, known, 10, &e), &e);
    assert_int_equal(n, 2);
    assert_string_equal(list[0].name, "e");
    assert_int_equal(list[0].rows, 2);
    near(list[0].gain, log(3.1626 / 0.3926), 1e-9);
    near(list[0].after, list[0].gain, 1e-12);
    assert_string_equal(list[1].name, "d");
    near(list[1].gain, log1p(0.885 / 0.3926), 1e-9);
    near(list[1].after, log1p(1.885 / 3.1626), 1e-9);
    assert_int_equal(list[1].helps, 0);
    near(list[1].falls, (1.885 / 3.1626) / (1 + 1.885 / 3.1626), 1e-9);
    regress_candidates_free(list, n);
    must(regress_coverage_pool(&list, &n, g, pool, 0, known, 1, &e), &e);
    assert_int_equal(n, 1);
    assert_string_equal(list[0].name, "e");
    regress_candidates_free(list, n);
    const struct regress_rows one = {(size_t[]){0}, 1};
    must(regress_coverage_pool(&list, &n, g, pool, &one, known, 10, &e), &e);
    assert_int_equal(n, 1);
    assert_string_equal(list[0].name, "d");
    regress_candidates_free(list, n);
    regress_data_free(pool);
    regress_data_free(known);
    regress_coverage_free(g);
}

static void refuses_a_pool_it_cannot_read(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_coverage *g = covered(counts, "map x x\nmap y y\n", 0);
    struct regress_candidate *list = 0;
    size_t n = 0;
    struct regress_data *pool = data_of("program,x,z\nd,7,1\n");
    refused(regress_coverage_pool(&list, &n, g, pool, 0, 0, 10, &e), ERR_INPUT, &e, 2, "'z'");
    regress_data_free(pool);
    pool = data_of("program,x,y\nd,7,-1\n");
    refused(regress_coverage_pool(&list, &n, g, pool, 0, 0, 10, &e), ERR_INPUT, &e, 2, "negative count");
    regress_data_free(pool);
    regress_coverage_free(g);
}

/* add: 30 + 10 waiting of 40, mul: none. A key and its `_d` are one line; its value is the mean of its variables'. */
static void merges_dependent_keys(void **state)
{
    (void)state;
    struct regress_coverage *g = covered("program,add.i32,add.i32_d,mul.i32,phi\na,10,10,5,1\nb,20,0,15,2\n",
                                         "split add add.*\nignore phi\nmap others *\n", 0);
    assert_int_equal(g->n_keys, 3);
    const struct regress_covered *add = &g->keys[0], *mul = &g->keys[1], *phi = &g->keys[2];
    assert_string_equal(add->name, "add.i32");
    near(add->count, 40, 0);
    near(add->dependent, 0.25, 1e-12);
    near(mul->dependent, 0, 0);
    near(add->share, 40.0 / 63, 1e-12);
    assert_int_equal(add->groups, 2);
    assert_string_equal(g->variables[add->variable[1]].name, "add_d");
    assert_string_equal(g->variables[add->variable[0]].name, "add");
    assert_int_equal(phi->variable[0], REGRESS_NONE);
    near(phi->value, 0, 0);
    near(g->variables[0].dependent, 0.25, 1e-12);
    near(g->variables[1].dependent, 0.25, 1e-12);
    assert_int_equal(g->variables[add->variable[1]].standing, REGRESS_ONE_PROGRAM);
    regress_coverage_free(g);
}

/* With a model the values are the model's, and so is the classification. */
static void takes_a_model(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_data *d = data_of("program,cycles,x,y\na,10,10,0\nb,20,10,0\nc,10,0,5\nd,10,0,5\n");
    struct regress_classes *c = classes_of("each *\n");
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    struct regress_model *m = 0;
    struct regress_coverage *g = 0;
    settings.solver = "ols";
    must(regress_fit(&m, d, c, &settings, 0, 0, &e), &e);
    m->values[0].value = 1.5;
    must(regress_coverage(&g, d, 0, m, &settings, 0, &e), &e);
    near(g->variables[0].value, 1.5, 0);
    near(g->sigma, sqrt((0.25 + 0.0625) / 2), 1e-12); /* residuals 1 - 1.5, 1 - 0.75, 0, 0 */
    regress_coverage_free(g);
    regress_model_free(m);
    regress_classes_free(c);
    regress_data_free(d);
}

static void refuses_what_says_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *text, *target;
        unsigned long line;
        const char *part;
    } bad[] = {
        {"program,x\na,0\n", 0, 2, "'a' has no counts"},
        {"program,x\na,-1\nb,3\n", 0, 2, "negative count"},
        {"program,cycles,x\na,0,1\n", 0, 2, "cycles = 0"},
        {"program,x\na,1\n", "time", 0, "there is no column 'time'"},
        {"program,cycles,x\na,5,0\n", 0, 0, "every count of every row is 0"},
        {"program,cycles,x\na,5,-1\n", 0, 2, "negative count"},
        {"program,cycles,x\na,,1\n", 0, 2, "no value in column 'cycles'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error e = ERROR_INIT;
        struct regress_coverage *g = 0;
        struct regress_data *d = data_of(bad[i].text);
        struct regress_classes *c = classes_of("each *\n");
        struct regress_settings settings = REGRESS_SETTINGS_INIT;
        settings.target = bad[i].target;
        refused(regress_coverage(&g, d, c, 0, &settings, 0, &e), ERR_INPUT, &e, bad[i].line, bad[i].part);
        regress_classes_free(c);
        regress_data_free(d);
    }
}

/* One row, and fewer rows than variables: nothing is determined, nothing breaks. */
static void bears_small_tables(void **state)
{
    (void)state;
    struct regress_coverage *g = covered("program,cycles,x,y,z\na,9,3,1,4\n", "each *\n", "nnls");
    assert_int_equal(g->rank, 1);
    for (size_t j = 0; j < 3; j++)
        assert_int_equal(g->variables[j].standing, REGRESS_ONE_PROGRAM);
    regress_coverage_free(g);
    g = covered("program,cycles,x,y,z\na,9,3,1,4\nb,9,1,3,3\n", "each *\n", "shrink");
    assert_int_equal(g->rank, 2);
    for (size_t j = 0; j < 3; j++) {
        assert_true(isinf(g->variables[j].error));
        assert_int_equal(g->variables[j].standing, REGRESS_ALIKE);
    }
    regress_coverage_free(g);
}

static void standings_have_names(void **state)
{
    (void)state;
    assert_string_equal(regress_standing_text(REGRESS_WELL), "well");
    assert_string_equal(regress_standing_text(REGRESS_WEAKLY), "weakly");
    assert_string_equal(regress_standing_text(REGRESS_ALIKE), "alike");
    assert_string_equal(regress_standing_text(REGRESS_ONE_PROGRAM), "one program");
    assert_string_equal(regress_standing_text(REGRESS_ABSENT), "absent");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_values_apart),
        cmocka_unit_test(rows_of_a_program_err_together),
        cmocka_unit_test(sees_what_goes_together),
        cmocka_unit_test(names_what_is_not_determined),
        cmocka_unit_test(calls_well_what_is_well_determined),
        cmocka_unit_test(takes_counts_alone),
        cmocka_unit_test(ranks_candidates),
        cmocka_unit_test(refuses_a_pool_it_cannot_read),
        cmocka_unit_test(merges_dependent_keys),
        cmocka_unit_test(takes_a_model),
        cmocka_unit_test(refuses_what_says_nothing),
        cmocka_unit_test(bears_small_tables),
        cmocka_unit_test(standings_have_names),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
