/* test_diagnose.c - tests of regress_diagnose: VIF, leverage, findings. */
#include "support.h"

static struct regress_diagnosis *diagnosed(const char *text, const char *classes)
{
    struct error e = ERROR_INIT;
    struct regress_diagnosis *g = 0;
    struct regress_data *d = data_of(text);
    struct regress_classes *c = classes_of(classes);
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    must(regress_diagnose(&g, d, c, &settings, 0, &e), &e);
    regress_classes_free(c);
    regress_data_free(d);
    return g;
}

static const struct regress_finding *find(const struct regress_diagnosis *g, const char *id, const char *subject)
{
    for (size_t i = 0; i < g->n_findings; i++)
        if (strcmp(g->findings[i].id, id) == 0 && strcmp(g->findings[i].subject, subject) == 0)
            return &g->findings[i];
    return 0;
}

/* Equal targets, so that rows keep their proportions. Columns (3 0 4) and (0 5 0) / (4 0 3): lengths 5; the cosine of
 * the first and the last is 24/25, so VIF = 1 / (1 - (24/25)^2) = 625/49, singular values^2 1 +- 24/25 and 1: the
 * condition number is sqrt(1.96 / 0.04) = 7. */
static void measures_collinearity(void **state)
{
    (void)state;
    struct regress_diagnosis *g = diagnosed("program,cycles,x,y,z\na,9,3,0,4\nb,9,0,5,0\nc,9,4,0,3\n", "each *\n");
    assert_int_equal(g->rank, 3);
    near(g->vif[0], 625.0 / 49, 1e-12);
    near(g->vif[1], 1, 1e-12);
    near(g->vif[2], 625.0 / 49, 1e-12);
    near(g->condition_raw, 7, 1e-12);
    near(g->condition_rows, 7, 1e-12);
    near(g->condition_scaled, 7, 1e-12);
    const struct regress_finding *f = find(g, "collinear", "x");
    assert_non_null(f);
    assert_non_null(strstr(f->text, "most like 'z' (cosine 0.960)"));
    assert_non_null(strstr(f->remedy, "merge it with 'z'"));
    assert_null(find(g, "collinear", "y"));
    regress_diagnosis_free(g);
}

/* Above a VIF of 10 it is said. Of (s 0 t) and (t 0 s) it is ((s^2 + t^2) / (s^2 - t^2))^2: 9.51 of 7 and 5, 10.53 of 11 and 8. */
static void collinear_is_above_ten(void **state)
{
    (void)state;
    struct regress_diagnosis *g = diagnosed("program,cycles,x,y,z\na,9,7,0,5\nb,9,0,5,0\nc,9,5,0,7\n", "each *\n");
    near(g->vif[0], 74.0 * 74 / (24 * 24), 1e-9);
    assert_null(find(g, "collinear", "x"));
    regress_diagnosis_free(g);
    g = diagnosed("program,cycles,x,y,z\na,9,11,0,8\nb,9,0,5,0\nc,9,8,0,11\n", "each *\n");
    near(g->vif[0], 185.0 * 185 / (57 * 57), 1e-9);
    assert_non_null(find(g, "collinear", "x"));
    regress_diagnosis_free(g);
}

/* Dividing rows by their target takes the lengths of the programs out: counts diag(1000, 1), cycles in proportion. */
static void shows_what_scaling_does(void **state)
{
    (void)state;
    struct regress_diagnosis *g = diagnosed("program,cycles,x,y\na,1000,1000,0\nb,1,0,1\n", "each *\n");
    near(g->condition_raw, 1000, 1e-9);
    near(g->condition_rows, 1, 1e-12);
    regress_diagnosis_free(g);
}

/* One column of ones: the leverage of n equal rows is 1/n. A row that alone has a variable: 1. The sum is the rank. */
static void measures_leverage(void **state)
{
    (void)state;
    struct regress_diagnosis *g =
        diagnosed("program,cycles,x,y\na,1,1,0\nb,1,1,0\nc,1,1,0\nd,1,1,0\ne,1,0,1\n", "each *\n");
    for (size_t i = 0; i < 4; i++)
        near(g->leverage[i], 0.25, 1e-12);
    near(g->leverage[4], 1, 1e-12);
    assert_non_null(find(g, "leverage", "e"));
    assert_null(find(g, "leverage", "a"));
    assert_non_null(find(g, "rare", "y"));
    regress_diagnosis_free(g);
}

/* In four programs, but less than a ten-thousandth of all counts: 7 of 400,007; 700 are more. */
static void a_small_share_is_rare(void **state)
{
    (void)state;
    struct regress_diagnosis *g =
        diagnosed("program,cycles,x,y\na,1,100000,1\nb,1,100000,2\nc,1,100000,3\nd,1,100000,1\n", "each *\n");
    const struct regress_finding *f = find(g, "rare", "y");
    assert_non_null(f);
    assert_non_null(strstr(f->text, "occurs in 4 programs, 0.0017 % of all counts"));
    assert_null(find(g, "rare", "x"));
    regress_diagnosis_free(g);
    g = diagnosed("program,cycles,x,y\na,1,100000,100\nb,1,100000,200\nc,1,100000,300\nd,1,100000,100\n", "each *\n");
    assert_null(find(g, "rare", "y"));
    regress_diagnosis_free(g);
}

/* Counts over cycles 1, 1, 1, 1.1: the value is 4.1 / 4.21 = 0.974, without the last program 1. That is 2.7 %, and no news,
 * although it is far more than the standard error. */
static void a_small_influence_is_not_named(void **state)
{
    (void)state;
    struct regress_diagnosis *g = diagnosed("program,cycles,x\na,10,10\nb,20,20\nc,30,30\nd,10,11\n", "map v *\n");
    near(g->values[0], 4.1 / 4.21, 1e-14);
    near(g->without[0], 1, 1e-14);
    assert_true(g->dfbetas[0] < -1);
    assert_null(find(g, "influence", "v"));
    regress_diagnosis_free(g);
}

static void names_what_cannot_be_told_apart(void **state)
{
    (void)state;
    struct regress_diagnosis *g = diagnosed("program,cycles,x,y,z,w\na,10,1,2,3,0\nb,20,2,4,1,0\nc,30,5,10,4,0\n"
                                            "d,20,2,4,8,0\ne,20,9,18,1,0\n",
                                            "each *\n");
    assert_int_equal(g->rank, 2);
    assert_true(isinf(g->vif[0]) && isinf(g->vif[1]) && !isinf(g->vif[2]) && isnan(g->vif[3]));
    const struct regress_finding *f = find(g, "not-identified", "x, y");
    assert_non_null(f);
    assert_int_equal(f->severity, REGRESS_SEVERE);
    assert_non_null(find(g, "empty", "w"));
    assert_true(isinf(g->condition_scaled));
    regress_diagnosis_free(g);
}

/* Two pairs, each in one proportion, are two findings with two remedies. */
static void names_each_tie(void **state)
{
    (void)state;
    struct regress_diagnosis *g =
        diagnosed("program,cycles,a,b,c,d,e\np,10,1,3,2,6,0\nq,20,2,1,4,2,1\nr,30,5,1,10,2,0\n"
                  "s,20,2,8,4,16,3\nt,20,9,1,18,2,1\n",
                  "each *\n");
    const struct regress_finding *f = find(g, "not-identified", "a, c");
    assert_non_null(f);
    assert_string_equal(f->remedy, "merge them, or add a sample that executes 'a' without 'c'");
    assert_non_null(find(g, "not-identified", "b, d"));
    regress_diagnosis_free(g);
}

/* One variable, counts over cycles 1, 1, 1, 2: its value is 5/7, without the last program 1, without another one 2/3;
 * their mean is 3/4, the jackknife's standard error sqrt(3/4 (3/144 + 1/16)) = 1/4. By the first three the last is
 * estimated 100 % too high, by the last these are estimated 50 % too low. */
static void names_the_most_influential_program(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_diagnosis *g = 0;
    struct regress_data *d = data_of("program,domain,cycles,x\na,s,10,10\nb,s,20,20\nc,s,30,30\nd,t,10,20\n");
    struct regress_classes *c = classes_of("map v *\n");
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    settings.solver = "ols";
    must(regress_diagnose(&g, d, c, &settings, 0, &e), &e);
    near(g->values[0], 5.0 / 7, 1e-14);
    near(g->without[0], 1, 1e-14);
    near(g->dfbetas[0], (5.0 / 7 - 1) * 4, 1e-12);
    assert_string_equal(g->group_names[g->most_influential[0]], "d");
    assert_non_null(find(g, "influence", "v"));
    assert_int_equal(g->n_domains, 2);
    assert_int_equal(g->domains[0].groups, 3);
    assert_true(g->domains[0].training.n == 3 && g->domains[0].held_out.n == 3 && g->domains[1].held_out.n == 1);
    near(g->domains[0].training.mean, 5.0 / 7 - 1, 1e-14);
    near(g->domains[0].held_out.mean, -0.5, 1e-14);
    near(g->domains[1].held_out.mean, 1, 1e-14);
    assert_non_null(find(g, "domain", "s"));
    assert_non_null(strstr(find(g, "domain", "s")->text, "3 programs are estimated 50 % too low"));
    assert_null(find(g, "domain", "t")); /* one program is no kind */
    regress_diagnosis_free(g);
    regress_classes_free(c);
    regress_data_free(d);
}

static void notices_sizes_and_constants(void **state)
{
    (void)state;
    struct regress_diagnosis *g = diagnosed("program,cycles,x,y,z\na,10,1,7,3\nb,20,2,7,1\n", "each *\n");
    assert_non_null(find(g, "few-rows", "2 rows"));
    assert_non_null(find(g, "constant", "y"));
    assert_null(find(g, "constant", "x"));
    assert_non_null(find(g, "not-identified", "x, y, z"));
    regress_diagnosis_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_collinearity),
        cmocka_unit_test(collinear_is_above_ten),
        cmocka_unit_test(shows_what_scaling_does),
        cmocka_unit_test(measures_leverage),
        cmocka_unit_test(a_small_share_is_rare),
        cmocka_unit_test(names_what_cannot_be_told_apart),
        cmocka_unit_test(notices_sizes_and_constants),
        cmocka_unit_test(names_each_tie),
        cmocka_unit_test(names_the_most_influential_program),
        cmocka_unit_test(a_small_influence_is_not_named),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
