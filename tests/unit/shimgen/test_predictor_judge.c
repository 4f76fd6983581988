/* predictor_judge.h: losses of predictors that were calculated by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shimgen/predictor/predictor_judge.h"
#include "tests/unit/folder.h"

static char *put(const char *name, const char *text)
{
    char *path = in_folder(name);
    assert_int_equal(file_write(path, text, strlen(text), 0), OK);
    return path;
}

static struct measurements *measured(const char *rows)
{
    char text[2000];
    struct measurements *m = 0;
    struct error e = ERROR_INIT;
    snprintf(text, sizeof text, "program,region,event,value,stddev,runs,dropped\n%s", rows);
    if (measurements_read(&m, put("measured.csv", text), 0, &e))
        fail_msg("%s", e.message);
    return m;
}

/* The board's own is 'own'; the others are 'a' and 'b'. */
static struct predictor_judged judged(const char *counts, const char *rows)
{
    struct predictor_judged j = {.regions = 0};
    struct error e = ERROR_INIT;
    char text[2000];
    map_number(&j.names, "own");
    map_number(&j.names, "a");
    map_number(&j.names, "b");
    snprintf(text, sizeof text, "program,region,BR_MIS_PRED:b,BR_MIS_PRED,BR_MIS_PRED:a\n%s", counts);
    char *table = put("counts.csv", text);
    struct measurements *m = measured(rows);
    if (predictor_judge(&j, table, m, &e))
        fail_msg("%s", e.message);
    measurements_free(m);
    return j;
}

static void loss_is(const struct predictor_judged *j, double own, double a, double b)
{
    const double expected[] = {own, a, b};
    for (size_t i = 0; i < 3; i++)
        if (fabs(j->loss[i] - expected[i]) > 1e-12)
            fail_msg("loss of %s: %.17g, not %.17g", j->names.keys[i], j->loss[i], expected[i]);
}

/* Above and below the measurement count alike, and per 1000 cycles: 10 of 1000 cycles is 10, 10 of 5000 is 2.
 *   own: +10 -> 10; -10 -> 2: mean 6.    a: -4 -> 4; +5 -> 1: mean 2.5.    b: 0; -40 -> 8: mean 4. */
static void loss_is_the_mean_distance(void **state)
{
    (void)state;
    struct predictor_judged j =
        judged("s/p1@O0,r,20,30,16\ns/p2@O2,r,60,90,105\n", "s/p1@O0,r,CPU_CYCLES,1000,0,1,0\n"
                                                            "s/p1@O0,r,BR_MIS_PRED,20,0,1,0\n"
                                                            "s/p2@O2,r,CPU_CYCLES,5000,0,1,0\n"
                                                            "s/p2@O2,r,BR_MIS_PRED,100,0,1,0\n");
    assert_int_equal(j.regions, 2);
    assert_int_equal(j.programs.n, 2);
    assert_string_equal(j.programs.keys[0], "s/p1");
    loss_is(&j, 6, 2.5, 4);
    assert_int_equal(j.nearest, 1);
    assert_int_equal(j.best, 1);
    predictor_judged_release(&j);
}

/* A region counts 20 at most: own is 500 apart in one of two. Else it would be the worst, and so it is the best. */
static void no_region_decides_alone(void **state)
{
    (void)state;
    struct predictor_judged j = judged("s/p1@O0,r,30,500,30\ns/p2@O0,r,30,0,30\n", "s/p1@O0,r,CPU_CYCLES,1000,0,1,0\n"
                                                                                   "s/p1@O0,r,BR_MIS_PRED,0,0,1,0\n"
                                                                                   "s/p2@O0,r,CPU_CYCLES,1000,0,1,0\n"
                                                                                   "s/p2@O0,r,BR_MIS_PRED,0,0,1,0\n");
    loss_is(&j, 10, 20, 20);
    assert_int_equal(j.best, 0);
    predictor_judged_release(&j);
}

/* Another must be nearer by more than a tenth: 9 of 10 is not, 8.9 is. */
static void little_is_chance(void **state)
{
    (void)state;
    const char *rows = "s/p1@O0,r,CPU_CYCLES,100000,0,1,0\ns/p1@O0,r,BR_MIS_PRED,0,0,1,0\n";
    struct predictor_judged j = judged("s/p1@O0,r,900,1000,901\n", rows);
    loss_is(&j, 10, 9.01, 9);
    assert_int_equal(j.nearest, 2);
    assert_int_equal(j.best, 0);
    predictor_judged_release(&j);
    j = judged("s/p1@O0,r,890,1000,899\n", rows);
    assert_int_equal(j.nearest, 2);
    assert_int_equal(j.best, 2);
    predictor_judged_release(&j);
}

/* Regions that were not measured, or in no cycles, have no part; two levels of a program are one program. */
static void what_is_not_measured_has_no_part(void **state)
{
    (void)state;
    struct predictor_judged j =
        judged("s/p1@O0,r,5,1,2\ns/p1@O2,r,5,1,2\ns/p1@O0,other,9,9,9\ns/p2@O0,r,9,9,9\ns/p3@O0,r,9,9,9\n",
               "s/p1@O0,r,CPU_CYCLES,1000,0,1,0\ns/p1@O0,r,BR_MIS_PRED,0,0,1,0\n"
               "s/p1@O2,r,CPU_CYCLES,1000,0,1,0\ns/p1@O2,r,BR_MIS_PRED,0,0,1,0\n"
               "s/p2@O0,r,CPU_CYCLES,1000,0,1,0\n"
               "s/p3@O0,r,CPU_CYCLES,0,0,1,0\ns/p3@O0,r,BR_MIS_PRED,0,0,1,0\n");
    assert_int_equal(j.regions, 2);
    assert_int_equal(j.programs.n, 1);
    loss_is(&j, 1, 2, 5);
    predictor_judged_release(&j);
}

static void a_table_without_a_predictor_is_refused(void **state)
{
    (void)state;
    struct predictor_judged j = {.regions = 0};
    struct error e = ERROR_INIT;
    map_number(&j.names, "own");
    map_number(&j.names, "a");
    struct measurements *m = measurements_new();
    assert_int_equal(predictor_judge(&j, put("counts.csv", "program,region,BR_MIS_PRED\n"), m, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "BR_MIS_PRED:a"));
    error_release(&e);
    measurements_free(m);
    predictor_judged_release(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loss_is_the_mean_distance),
        cmocka_unit_test(no_region_decides_alone),
        cmocka_unit_test(little_is_chance),
        cmocka_unit_test(what_is_not_measured_has_no_part),
        cmocka_unit_test(a_table_without_a_predictor_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
