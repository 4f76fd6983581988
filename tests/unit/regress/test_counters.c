/* test_counters.c - tests of regress_counters: classifications from any columns. */
#include "support.h"

static const char table[] = "program,time,clock_CYCLES,store_32b,store_64b,L1_HIT,L2_HIT,same,twice,none,ONCE\n"
                            "a,10,1,0,4,7,0,5,7,0,1\n"
                            "b,20,1,8,0,9,2,5,9,0,\n"
                            "c,30,1,0,0,2,0,5,2,0,2\n"
                            "d,25,1,0,2,4,1,5,4,0,3\n";

static char *counters(struct regress_data *d, struct regress_counters_spec spec)
{
    char *text = 0;
    struct error e = ERROR_INIT;
    spec.target = "time";
    must(regress_counters(&text, d, &spec, &e), &e);
    return text;
}

static bool has(const char *text, const char *line)
{
    return strstr(text, line) != 0;
}

/* What is constant, empty, double or not always known is left out with its reason; sparse columns whose names differ
 * by a size are one, but levels of caches are not sizes. */
static void chooses_columns(void **state)
{
    (void)state;
    struct regress_data *d = data_of(table);
    char *text = counters(d, (struct regress_counters_spec){.sparse = 0.6, .intercept = true});
    assert_true(has(text, "\ncolumns all\n"));
    assert_true(has(text, "\ncount intercept = 1\n"));
    assert_true(has(text, "\n# same is left out: it is the same in every row: an intercept\n"));
    assert_true(has(text, "\n# twice is left out: it is 'L1_HIT' in every row\n"));
    assert_true(has(text, "\n# none is left out: it is 0 in every row\n"));
    assert_true(has(text, "\n# ONCE is left out: it has no value in 1 of 4 rows\n"));
    assert_true(has(text, "rows with a value: 1 2 of 4\nmap store_Nb store_32b store_64b\n"));
    assert_true(has(text, "\nmap L1_HIT L1_HIT\nmap L2_HIT L2_HIT\n"));
    assert_true(has(text, "\nignore *\n"));
    assert_false(has(text, "time ")); /* the target */
    free(text);
    text = counters(d, (struct regress_counters_spec){.sparse = 0.3});
    assert_true(has(text, "\nmap store_32b store_32b\nmap store_64b store_64b\n"));
    assert_false(has(text, "intercept = 1"));
    free(text);
    text = counters(d, (struct regress_counters_spec){.columns = "L*_HIT,same"});
    assert_false(has(text, "store"));
    free(text);
    struct error e = ERROR_INIT;
    struct regress_counters_spec bad = {.target = "time", .columns = "x*"};
    refused(regress_counters(&text, d, &bad, &e), ERR_INPUT, &e, 0, "no column matches 'x*'");
    bad = (struct regress_counters_spec){.target = "T"};
    refused(regress_counters(&text, d, &bad, &e), ERR_INPUT, &e, 0, "no column 'T'");
    bad = (struct regress_counters_spec){.target = "time", .columns = "same"};
    refused(regress_counters(&text, d, &bad, &e), ERR_INPUT, &e, 0, "no column is left");
    regress_data_free(d);
    d = data_of("time,a b\n1,2\n");
    bad = (struct regress_counters_spec){.target = "time"};
    refused(regress_counters(&text, d, &bad, &e), ERR_INPUT, &e, 1, "'a b'");
    regress_data_free(d);
}

/* time = 5 + 2 x - y / 2: standardised, the values are 2 sd(x) and sd(y) / 2, the intercept is the mean time; what is
 * estimated is the same as with the counts as they are. */
static void standardises(void **state)
{
    (void)state;
    struct regress_data *d = data_of("time,x,y\n7,2,4\n8.5,3,5\n14,5,2\n20,8,2\n4,0,2\n");
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    struct error e = ERROR_INIT;
    settings.target = "time";
    settings.solver = "ols";
    settings.absolute = true;
    settings.resamples = 0;
    for (int k = 0; k < 2; k++) {
        char *text = counters(d, (struct regress_counters_spec){.intercept = true, .standardise = k});
        struct regress_classes *c = classes_of(text);
        struct regress_model *m = 0;
        struct regress_prediction *p = 0;
        size_t n;
        must(regress_fit(&m, d, c, &settings, 0, 0, &e), &e);
        const double sx = sqrt((1.6 * 1.6 + 0.6 * 0.6 + 1.4 * 1.4 + 4.4 * 4.4 + 3.6 * 3.6) / 5), sy = sqrt(8.0 / 5);
        near(m->values[0].value, k ? 10.7 : 5, 1e-12);
        near(m->values[1].value, k ? 2 * sx : 2, 1e-12);
        near(m->values[2].value, k ? -sy / 2 : -0.5, 1e-12);
        struct regress_data *other = data_of("x,y\n10,4\n");
        must(regress_predict(&p, &n, m, other, 0, &e), &e);
        near(p->estimate, 23, 1e-11);
        free(p);
        regress_data_free(other);
        regress_model_free(m);
        regress_classes_free(c);
        free(text);
    }
    regress_data_free(d);
}

static void takes_the_target_of_another(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    size_t without;
    struct regress_data *d = data_of("program,region,time,x\na,r,1,1\na,s,2,2\nb,,3,3\n"),
                        *other = data_of("program,region,time\nb,,30\na,s,20\nc,,1\n");
    must(regress_data_retarget(d, other, "time", &without, &e), &e);
    assert_int_equal(without, 1);
    assert_true(isnan(d->values[0]) && d->values[2] == 20 && d->values[4] == 30 && d->values[5] == 3);
    refused(regress_data_retarget(d, other, "x", &without, &e), ERR_INPUT, &e, 0, "no column 'x'");
    regress_data_free(other);
    other = data_of("program,time\nz,1\n");
    refused(regress_data_retarget(d, other, "time", &without, &e), ERR_INPUT, &e, 0, "no program and region");
    regress_data_free(other);
    regress_data_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_columns),
        cmocka_unit_test(standardises),
        cmocka_unit_test(takes_the_target_of_another),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
