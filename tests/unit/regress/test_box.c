/* Least squares in a box: the optimality conditions by hand, and that no result is given which does not meet them. */
#include "support.h"

#include "regress/solve/box.h"

/* Columns (3, 4) of length 5 and (0, 2) of length 2. b = (3, 6) is reached by x = (1, 1). */
static const double a[] = {3, 4, 0, 2}, b[] = {3, 6};

static double fault_of(const double *columns, const double *right, const double *low, const double *high, double x0,
                       double x1)
{
    struct box_work *w = box_work_new(2, 2);
    double fault = box_fault(w, 2, 2, columns, right, low, high, (double[]){x0, x1});
    box_work_free(w);
    return fault;
}

static void near_to(double got, double expected)
{
    if (!(fabs(got - expected) < 1e-14))
        fail_msg("%.17g, expected %.17g", got, expected);
}

/* With x = (1, 0) b - A x is (0, 2), which draws the first value by 8/5 upwards and the second by 2; with (1, 2) as
 * much downwards. */
static void conditions_by_hand(void **state)
{
    (void)state;
    static const double low[] = {0, 2}, high[] = {INFINITY, 0}, two[] = {INFINITY, 2};
    near_to(fault_of(a, b, 0, 0, 1, 1), 0);
    near_to(fault_of(a, b, 0, 0, 1, 0), 2); /* the second is on its lower side and drawn inwards */
    near_to(fault_of(a, b, 0, 0, 1, 2), 2); /* between its sides and drawn downwards */
    near_to(fault_of(a, b, 0, two, 1, 2), 2);
    near_to(fault_of(a, b, low, 0, 1, 2), 1.6);  /* on its lower side, drawn outwards: only the first counts */
    near_to(fault_of(a, b, 0, high, 1, 0), 1.6); /* held at 0: only the first counts, drawn upwards */
    near_to(fault_of(a, b, 0, 0, 0, 3), 1.8);    /* b - A x = (3, 0): the first by 9/5, the second by nothing */
}

/* Outside the box, by the column's length. */
static void outside_of_the_box(void **state)
{
    (void)state;
    static const double low[] = {0, 1.5}, high[] = {INFINITY, 0.25}, zero[] = {3, 4, 0, 0}, reached[] = {3, 4};
    near_to(fault_of(a, b, low, 0, 1, 1), 1);
    near_to(fault_of(a, b, 0, high, 1, 1), 1.5);
    near_to(fault_of(zero, reached, 0, 0, 1, 7), 0); /* a column of nothing may be anything */
}

static void what_is_no_number_is_no_solution(void **state)
{
    (void)state;
    static const double bad_a[] = {3, NAN, 0, 2}, bad_b[] = {3, NAN};
    assert_true(isinf(fault_of(a, b, 0, 0, NAN, 1)));
    assert_true(isinf(fault_of(a, b, 0, 0, 1, NAN)));
    assert_true(isinf(fault_of(bad_a, b, 0, 0, 1, 1)));
    assert_true(isinf(fault_of(a, bad_b, 0, 0, 1, 1)));
    struct box_work *w = box_work_new(2, 2);
    for (int k = 0; k < 2; k++) {
        struct error e = ERROR_INIT;
        double x[2] = {0, 0};
        refused(box_solve(w, 2, 2, k ? a : bad_a, k ? bad_b : b, 0, 0, x, &e), ERR_UNSUPPORTED, &e, 0, "optimality");
    }
    box_work_free(w);
}

/* Two equal columns: any two values that add up to 2 reach b. Only one is freed, so that the solution is one of the two
 * corners, also from a start between them. */
static void a_column_that_depends_on_another_stays(void **state)
{
    (void)state;
    static const double twice[] = {3, 4, 3, 4}, right[] = {6, 8};
    struct box_work *w = box_work_new(2, 2);
    double x[] = {1, 1};
    struct error e = ERROR_INIT;
    must(box_solve(w, 2, 2, twice, right, 0, 0, x, &e), &e);
    near_to(x[0], 2);
    assert_true(x[1] == 0);
    box_work_free(w);
}

/* Wherever the search starts, the same solution, which meets the conditions. */
static void solutions_meet_the_conditions(void **state)
{
    (void)state;
    enum { N = 8, P = 5 };
    struct random r = random_start(3);
    struct box_work *w = box_work_new(N, P);
    for (int k = 0; k < 200; k++) {
        double m[N * P], right[N], low[P], high[P], x[P], again[P], scale = pow(10, (double)(k % 13) - 6);
        for (size_t i = 0; i < N * P; i++)
            m[i] = uniform(&r) - 0.3;
        for (size_t i = 0; i < N; i++)
            right[i] = scale * (uniform(&r) - 0.3);
        for (size_t j = 0; j < P; j++) {
            x[j] = low[j] = scale * (uniform(&r) - 0.7);
            high[j] = low[j] + scale * 0.5 * uniform(&r);
            again[j] = j % 2 ? high[j] : (low[j] + high[j]) / 2;
        }
        struct error e = ERROR_INIT;
        must(box_solve(w, N, P, m, right, low, high, x, &e), &e);
        must(box_solve(w, N, P, m, right, low, high, again, &e), &e);
        assert_true(box_fault(w, N, P, m, right, low, high, x) < 1e-13 * scale);
        for (size_t j = 0; j < P; j++)
            assert_true(fabs(x[j] - again[j]) < 1e-12 * scale);
    }
    box_work_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_by_hand),
        cmocka_unit_test(outside_of_the_box),
        cmocka_unit_test(what_is_no_number_is_no_solution),
        cmocka_unit_test(solutions_meet_the_conditions),
        cmocka_unit_test(a_column_that_depends_on_another_stays),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
