/* test_agree.c - boards of one kind compared; every figure derived by hand from the definition in agree.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "shimgen/farm/agree.h"

/* A table with a row of cycles for each value. */
static struct measurements *table(const char *event, const double *values, size_t n)
{
    struct measurements *m = measurements_new();
    for (size_t i = 0; i < n; i++)
        vec_push(&m->rows, (struct measurement){.program = xasprintf("p%zu@O0", i),
                                                .region = xstrdup("r"),
                                                .event = xstrdup(event),
                                                .value = values[i],
                                                .runs = 3,
                                                .half_width = NAN});
    return m;
}

struct bench {
    struct agree_place places[4];
    struct measurements *tables[4];
    struct agreement a;
    struct error e;
};

static enum status judge(struct bench *b, size_t n, double values[][3], double tolerance)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    *b = (struct bench){.e = ERROR_INIT};
    for (size_t i = 0; i < n; i++) {
        b->tables[i] = values[i][0] > 0 ? table("CPU_CYCLES", values[i], 3) : 0;
        b->places[i] = (struct agree_place){.name = names[i], .measured = b->tables[i]};
    }
    return agree_judge(&b->a, b->places, n, tolerance, &b->e);
}

static void finish(struct bench *b)
{
    for (size_t i = 0; i < 4; i++)
        measurements_free(b->tables[i]);
    error_release(&b->e);
}

static bool about(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* b is 1 % slower in every row, c 10 %. The median of the three is b's: a is 1/1.01 - 1 = -0.00990 below, c is 1.10/1.01 -
 * 1 = +0.08911 above, b 0. The middle is 0. With 3 % a and b agree; their mean is -0.004950, so the standard deviation is
 * sqrt(2 * 0.004950^2 / 1) = 0.0070014. */
static void one_deviates(void **state)
{
    (void)state;
    struct bench b;
    double values[][3] = {{100, 2000, 30000}, {101, 2020, 30300}, {110, 2200, 33000}};
    assert_int_equal(judge(&b, 3, values, 0.03), OK);
    assert_int_equal(b.a.rows, 3);
    assert_int_equal(b.a.agree, 2);
    assert_true(b.places[0].agrees && b.places[1].agrees && !b.places[2].agrees);
    assert_true(about(b.places[0].deviation, 1 / 1.01 - 1));
    assert_true(about(b.places[1].deviation, 0));
    assert_true(about(b.places[2].deviation, 1.10 / 1.01 - 1));
    assert_true(about(b.a.spread, (1 - 1 / 1.01) / sqrt(2)));
    finish(&b);
}

/* One row that is wild on one board moves its median over three rows to nothing. */
static void one_wild_row(void **state)
{
    (void)state;
    struct bench b;
    double values[][3] = {{100, 2000, 30000}, {100, 2000, 30000}, {100, 9000, 30000}};
    assert_int_equal(judge(&b, 3, values, 0.01), OK);
    assert_int_equal(b.a.agree, 3);
    assert_true(about(b.a.spread, 0));
    finish(&b);
}

/* Two boards: the median of two is their mean, so they are as far from it, to both sides. 100 and 104: -4/204 and +4/204. */
static void two_boards(void **state)
{
    (void)state;
    struct bench b;
    double values[][3] = {{100, 200, 300}, {104, 208, 312}};
    assert_int_equal(judge(&b, 2, values, 0.02), OK);
    assert_true(about(b.places[1].deviation, 4.0 / 204));
    assert_true(about(b.a.spread, 4.0 / 204 * sqrt(2)));
    finish(&b);
    assert_int_equal(judge(&b, 2, values, 0.019), ERR_INPUT);
    assert_non_null(strstr(b.e.message, "a -2.0 %, b +2.0 %"));
    finish(&b);
}

static void one_without_a_table(void **state)
{
    (void)state;
    struct bench b;
    double values[][3] = {{100, 200, 300}, {0}, {100, 200, 300}};
    assert_int_equal(judge(&b, 3, values, 0.01), OK);
    assert_true(b.places[0].agrees && !b.places[1].agrees && b.places[2].agrees);
    finish(&b);
    double alone[][3] = {{0}, {100, 200, 300}};
    assert_int_equal(judge(&b, 2, alone, 0.01), OK);
    assert_int_equal(b.a.agree, 1);
    assert_true(about(b.a.spread, 0));
    finish(&b);
    double none[][3] = {{0}, {0}};
    assert_int_equal(judge(&b, 2, none, 0.01), ERR_INPUT);
    finish(&b);
}

/* Half of four is not more than half. */
static void half_is_not_enough(void **state)
{
    (void)state;
    struct bench b;
    double values[][3] = {{100, 200, 300}, {100, 200, 300}, {150, 300, 450}, {150, 300, 450}};
    assert_int_equal(judge(&b, 4, values, 0.05), ERR_INPUT);
    finish(&b);
}

/* A spread of 3 % on 1000 cycles is 30: with 40 between runs the root of 30^2 + 40^2 is 50. Half of the interval: 1.96 *
 * 30 = 58.8, where none was known. Other events stay. */
static void widened(void **state)
{
    (void)state;
    const double value = 1000;
    struct measurements *m = table("CPU_CYCLES", &value, 1), *other = table("INST_RETIRED", &value, 1),
                        *same = table("CPU_CYCLES", &value, 1);
    m->rows.at[0].stddev = other->rows.at[0].stddev = same->rows.at[0].stddev = 40;
    agree_widen(m, 0.03);
    assert_true(about(m->rows.at[0].stddev, 50) && about(m->rows.at[0].half_width, 58.8));
    agree_widen(m, 0.03);
    assert_true(about(m->rows.at[0].half_width, 58.8 * sqrt(2)));
    agree_widen(other, 0.03);
    assert_true(about(other->rows.at[0].stddev, 40) && isnan(other->rows.at[0].half_width));
    agree_widen(same, 0);
    assert_true(about(same->rows.at[0].stddev, 40) && isnan(same->rows.at[0].half_width));
    measurements_free(m);
    measurements_free(other);
    measurements_free(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_deviates),       cmocka_unit_test(one_wild_row),
                                       cmocka_unit_test(two_boards),         cmocka_unit_test(one_without_a_table),
                                       cmocka_unit_test(half_is_not_enough), cmocka_unit_test(widened)};
    return cmocka_run_group_tests(tests, 0, 0);
}
