/* test_solvers.c - tests of the solvers against certified values and optimality conditions. */
#include "problem.h"

#include "regress/solve/box.h"

enum { N = 16 }; /* of random problems */

/* 2 x + y = 4, x + 3 y = 7: x = 1, y = 2. */
static void solves_what_is_exact(void **state)
{
    (void)state;
    struct case_ c;
    plain(&c, 2, 2);
    memcpy(c.a, (double[]){2, 1, 1, 3}, 4 * sizeof *c.a);
    memcpy(c.b, (double[]){4, 7}, 2 * sizeof *c.b);
    for (int k = 0; k < 2; k++) {
        solve(&c, k ? "nnls" : "ols", -1);
        near(c.x[0], 1, 1e-14);
        near(c.x[1], 2, 1e-14);
    }
}

/* Two equal columns (1 2 3)' and b = (2 4 6)': any x with x0 + x1 = 2; the least has x0 = x1 = 1. */
static void takes_the_least_of_many(void **state)
{
    (void)state;
    struct case_ c;
    plain(&c, 3, 2);
    memcpy(c.a, (double[]){1, 2, 3, 1, 2, 3}, 6 * sizeof *c.a);
    memcpy(c.b, (double[]){2, 4, 6}, 3 * sizeof *c.b);
    solve(&c, "ols", -1);
    near(c.x[0], 1, 1e-13);
    near(c.x[1], 1, 1e-13);
    solve(&c, "nnls", -1);
    near(c.x[0] + c.x[1], 2, 1e-13);
}

/* x + 2 z = 3, with a column of zeros between. With columns of length 1 each of the two carries half: 1.5 + 2 * 0.75.
 */
static void copes_with_fewer_rows_than_columns(void **state)
{
    (void)state;
    struct case_ c;
    plain(&c, 1, 3);
    memcpy(c.a, (double[]){1, 0, 2}, 3 * sizeof *c.a);
    c.b[0] = 3;
    solve(&c, "ols", -1);
    near(c.x[0], 1.5, 1e-13);
    assert_true(c.x[1] == 0);
    near(c.x[2], 0.75, 1e-13);
    solve(&c, "nnls", -1);
    near(c.x[0] + 2 * c.x[2], 3, 1e-13);
    assert_true(c.x[1] == 0);
}

/* Where ols goes negative, nnls leaves out: min (x - 1)^2 + (x + y)^2 + ... solved by hand. Rows (1 1 | 1), (1 2 | 0):
 * unconstrained x = 2, y = -1; with y = 0, x = (1 + 0) / 2. */
static void stops_at_zero(void **state)
{
    (void)state;
    struct case_ c;
    plain(&c, 2, 2);
    memcpy(c.a, (double[]){1, 1, 1, 2}, 4 * sizeof *c.a);
    memcpy(c.b, (double[]){1, 0}, 2 * sizeof *c.b);
    solve(&c, "ols", -1);
    near(c.x[0], 2, 1e-13);
    near(c.x[1], -1, 1e-13);
    solve(&c, "nnls", -1);
    near(c.x[0], 0.5, 1e-13);
    assert_true(c.x[1] == 0);
}

/* The least residual over all 2^p choices of the places that may be positive, each solved on its own by ols and kept
 * where nothing is negative: that is the definition of the problem's solution. */
static double best_of_all_sets(const struct case_ *c)
{
    double zero[MOST_P] = {0}, best = residual(c, zero);
    for (unsigned set = 1; set < 1u << c->p; set++) {
        struct case_ part;
        plain(&part, c->n, 0);
        memcpy(part.b, c->b, sizeof part.b);
        for (size_t j = 0; j < c->p; j++)
            if (set >> j & 1)
                memcpy(part.a + part.p++ * c->n, c->a + j * c->n, c->n * sizeof *c->a);
        solve(&part, "ols", -1);
        bool feasible = true;
        for (size_t j = 0; j < part.p; j++)
            feasible &= part.x[j] >= 0;
        if (feasible)
            best = fmin(best, residual(&part, part.x));
    }
    return best;
}

static void agrees_with_all_active_sets(void **state)
{
    (void)state;
    struct random r = random_start(42);
    size_t bound = 0;
    for (int k = 0; k < 300; k++) {
        struct case_ c;
        make_random(&c, &r, 1 + random_below(&r, N), 1 + random_below(&r, MOST_P));
        if (k % 5 == 0 && c.p > 1) /* two equal columns */
            memcpy(c.a, c.a + c.n, c.n * sizeof *c.a);
        if (k % 7 == 0) /* columns of very different size, as counts are */
            for (size_t i = 0; i < c.n; i++)
                c.a[i] *= 1e7;
        solve(&c, "nnls", -1);
        double best = best_of_all_sets(&c), got = residual(&c, c.x);
        for (size_t j = 0; j < c.p; j++) {
            assert_true(c.x[j] >= 0);
            bound += c.x[j] == 0;
        }
        if (fabs(got - best) > 1e-12 * (1 + best))
            fail_msg("problem %d: residual %.17g, the best set has %.17g", k, got, best);
    }
    assert_true(bound > 200); /* the bound was at work */
}

/* From whatever start, the same solution. */
static void warm_starts_change_nothing(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct random r = random_start(7);
    for (int k = 0; k < 100; k++) {
        struct case_ c;
        make_random(&c, &r, 12, 5);
        solve(&c, "nnls", -1);
        double x[MOST_P];
        for (size_t j = 0; j < c.p; j++)
            x[j] = uniform(&r) < 0.5 ? 0 : 3 * uniform(&r);
        struct box_work *w = box_work_new(c.n, c.p);
        must(box_solve(w, c.n, c.p, c.a, c.b, 0, 0, x, &e), &e);
        box_work_free(w);
        for (size_t j = 0; j < c.p; j++)
            assert_true(fabs(x[j] - c.x[j]) < 1e-10);
    }
}

/* ---- shrink ---- */

/* Counts like those of programs: rows divided by their total, b = 1000; X (0), X_d (1), a class of prior 10 (2), and
 * one that a single row has (3). */
static void make_programs(struct case_ *c, struct random *r, size_t n)
{
    plain(c, n, 4);
    c->unit = 1000;
    c->variables[1].twin = 0;
    c->variables[2].prior = 10;
    for (size_t i = 0; i < n; i++) {
        double counts[4] = {50 + 50 * uniform(r), 20 + 60 * uniform(r), 5 * uniform(r), i == 0 ? 3 : 0};
        double cycles = counts[0] + 3 * counts[1] + 12 * counts[2] + 2 * counts[3];
        cycles *= 0.9 + 0.2 * uniform(r);
        for (size_t j = 0; j < 4; j++)
            c->a[j * n + i] = counts[j] * 1000 / cycles;
        c->b[i] = 1000;
    }
}

/* k of the formula in shrink.c. */
static double baseline(const struct case_ *c)
{
    double ab = 0, aa = 0;
    for (size_t i = 0; i < c->n; i++) {
        double all = 0;
        for (size_t j = 0; j < c->p; j++)
            all += c->a[j * c->n + i] * c->variables[j].prior;
        ab += all * c->b[i];
        aa += all * all;
    }
    return ab / aa;
}

/* What is minimised, written down from the formula, not from the code. */
static double objective(const struct case_ *c, const double *x, double t)
{
    double k = baseline(c), sum = residual(c, x);
    for (size_t v = 0; v < c->p; v++) {
        size_t base = c->variables[v].twin;
        double d = base == REGRESS_NONE ? (x[v] - k * c->variables[v].prior) / (k * c->variables[v].prior)
                                        : (x[v] - x[base]) / (k * c->variables[base].prior);
        sum += t * 1e6 * d * d;
    }
    return sum;
}

static void minimises_its_formula(void **state)
{
    (void)state;
    struct random r = random_start(3);
    for (int k = 0; k < 20; k++) {
        struct case_ c;
        make_programs(&c, &r, 12);
        double t = pow(10, -3 + 0.2 * k), least;
        assert_true(solve(&c, "shrink", t) == t);
        least = objective(&c, c.x, t);
        assert_true(c.x[1] >= c.x[0]);
        for (int step = 0; step < 400; step++) { /* nearby points that are allowed are no better */
            double x[MOST_P] = {0};
            for (size_t j = 0; j < c.p; j++)
                x[j] = fmax(0, c.x[j] + 0.01 * (uniform(&r) - 0.5));
            if (x[1] >= x[0] && objective(&c, x, t) < least * (1 - 1e-9))
                fail_msg("t = %g: %.17g, but nearby %.17g", t, least, objective(&c, x, t));
        }
    }
}

static void ends_at_the_baseline_and_at_nnls(void **state)
{
    (void)state;
    struct random r = random_start(5);
    struct case_ c, free_;
    make_programs(&c, &r, 12);
    double k = baseline(&c);
    solve(&c, "shrink", 1e9);
    near(c.x[0], k, 1e-6);
    near(c.x[1], k, 1e-6);
    near(c.x[2], 10 * k, 1e-6);
    near(c.x[3], k, 1e-6);
    free_ = c;
    solve(&c, "shrink", 1e-12);
    solve(&free_, "nnls", -1);
    assert_true(free_.x[1] > free_.x[0]); /* the order holds by itself: so both are the same problem */
    for (size_t j = 0; j < 3; j++)
        near(c.x[j], free_.x[j], 1e-3);
}

/* The rare one stays near what is expected where nnls lets it answer for one row's noise. */
static void holds_rare_variables(void **state)
{
    (void)state;
    struct random r = random_start(11);
    double off_shrink = 0, off_nnls = 0;
    for (int k = 0; k < 20; k++) {
        struct case_ c;
        make_programs(&c, &r, 12);
        double t = solve(&c, "shrink", -1);
        assert_true(t >= 1e-4 && t <= 10);
        off_shrink += fabs(c.x[3] - 2);
        solve(&c, "nnls", -1);
        off_nnls += fabs(c.x[3] - 2);
    }
    assert_true(off_shrink < 0.5 * off_nnls);
}

static void names_its_solvers(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    const struct solver *s;
    assert_int_equal(regress_solver_count(), 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(regress_solver_known(regress_solver_name(i)) && *regress_solver_summary(i));
    refused(solver_need(&s, "lasso", &e), ERR_INPUT, &e, 0,
            "there is no solver 'lasso'; there are ols, nnls, bounded, shrink, tree, huber");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_what_is_exact),
        cmocka_unit_test(takes_the_least_of_many),
        cmocka_unit_test(copes_with_fewer_rows_than_columns),
        cmocka_unit_test(stops_at_zero),
        cmocka_unit_test(agrees_with_all_active_sets),
        cmocka_unit_test(warm_starts_change_nothing),
        cmocka_unit_test(minimises_its_formula),
        cmocka_unit_test(ends_at_the_baseline_and_at_nnls),
        cmocka_unit_test(holds_rare_variables),
        cmocka_unit_test(names_its_solvers),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
