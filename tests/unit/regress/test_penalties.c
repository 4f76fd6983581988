/* A robust loss and hierarchical shrinkage: against programs far off; against its formula at nearby points, against
 * small problems solved by hand, and at both ends of its strength. */
#include "problem.h"

enum { N = 40, P = 4 };

static void make(struct case_ *t, struct random *r, size_t n, size_t p)
{
    plain(t, n, p);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < p; j++) {
            t->a[j * n + i] = uniform(r);
            t->b[i] += (double)(j + 1) * t->a[j * n + i];
        }
        t->b[i] += 0.4 * (uniform(r) - 0.5);
    }
}

/* Points near t->x that are allowed are no better. */
static void nothing_near_is_better(struct random *r, const struct case_ *t,
                                   double (*of)(const struct case_ *, const double *), double slack)
{
    double least = of(t, t->x);
    for (int k = 0; k < 500; k++) {
        double x[P], size = k % 2 ? 1e-2 : 1e-4;
        for (size_t j = 0; j < t->p; j++) {
            x[j] = fmax(0, t->x[j] + size * (uniform(r) - 0.5));
        }
        if (of(t, x) < least - slack * least)
            fail_msg("%.17g, but nearby %.17g", least, of(t, x));
    }
}

/* ---- robust ---- */

/* One row in ten a hundred times too high: least squares is bent, the robust loss is not. */
static void outliers_do_not_bend(void **state)
{
    (void)state;
    struct random r = random_start(6);
    struct case_ t;
    make(&t, &r, N, 3);
    for (size_t i = 0; i < t.n; i += 10)
        t.b[i] *= 100;
    solve(&t, "huber", -1);
    for (size_t j = 0; j < t.p; j++)
        assert_true(fabs(t.x[j] - (double)(j + 1)) < 0.5);
    solve(&t, "nnls", -1);
    double off = 0;
    for (size_t j = 0; j < t.p; j++)
        off = fmax(off, fabs(t.x[j] - (double)(j + 1)));
    assert_true(off > 3);
}

/* Without noise nothing is far off: it is exact. */
static void what_is_exact_is_found(void **state)
{
    (void)state;
    struct random r = random_start(7);
    struct case_ t;
    make(&t, &r, 20, 3);
    for (size_t i = 0; i < t.n; i++) {
        t.b[i] = 0;
        for (size_t j = 0; j < t.p; j++)
            t.b[i] += (double)(j + 1) * t.a[j * t.n + i];
    }
    solve(&t, "huber", -1);
    for (size_t j = 0; j < t.p; j++)
        assert_true(fabs(t.x[j] - (double)(j + 1)) < 1e-6);
}

/* ---- tree ---- */

static double baseline(const struct case_ *t)
{
    double ab = 0, aa = 0;
    for (size_t i = 0; i < t->n; i++) {
        double all = 0;
        for (size_t j = 0; j < t->p; j++)
            all += t->a[j * t->n + i] * t->variables[j].prior;
        ab += all * t->b[i];
        aa += all * all;
    }
    return ab / aa;
}

/* Variables 0 and 1 are in a group, 2 and 3 hang under the root. For given values the group's best place is known: it
 * is drawn to both of its variables and to 1. */
static double tree_strength;

static double tree_of(const struct case_ *t, const double *x)
{
    double k = baseline(t), z[P] = {0}, sum = residual(t, x), s = tree_strength;
    for (size_t j = 0; j < t->p; j++)
        z[j] = x[j] / (k * t->variables[j].prior);
    double group = (z[0] + z[1] + 1) / 3;
    sum += s * ((group - 1) * (group - 1) + (z[0] - group) * (z[0] - group) + (z[1] - group) * (z[1] - group));
    for (size_t j = 2; j < t->p; j++)
        sum += s * (z[j] - 1) * (z[j] - 1);
    return sum;
}

static char group_name[] = "memory";

static void make_tree(struct case_ *t, struct random *r, size_t n)
{
    make(t, r, n, 4);
    t->variables[0].group = t->variables[1].group = group_name;
    t->variables[2].prior = 3;
}

static void the_tree_minimises_its_formula(void **state)
{
    (void)state;
    struct random r = random_start(8);
    for (tree_strength = 1e-3; tree_strength < 200; tree_strength *= 10) {
        struct case_ t;
        make_tree(&t, &r, 30);
        assert_true(solve(&t, "tree", tree_strength) == tree_strength);
        nothing_near_is_better(&r, &t, tree_of, 1e-9);
    }
}

static void the_tree_ends_at_the_baseline_and_at_nnls(void **state)
{
    (void)state;
    struct random r = random_start(9);
    struct case_ t, plain;
    make_tree(&t, &r, 30);
    plain = t;
    solve(&t, "tree", 1e9);
    for (size_t j = 0; j < t.p; j++)
        assert_true(fabs(t.x[j] - baseline(&t) * t.variables[j].prior) < 1e-4);
    solve(&t, "tree", 1e-12);
    solve(&plain, "nnls", -1);
    for (size_t j = 0; j < t.p; j++)
        assert_true(fabs(t.x[j] - plain.x[j]) < 1e-6);
}

/* A variable that one row in thirty has takes its group's cost, four times the others', where a tree without groups
 * draws it to what all cost. */
static void a_rare_variable_takes_its_groups_cost(void **state)
{
    (void)state;
    struct random r = random_start(10);
    double with = 0, without = 0;
    for (int k = 0; k < 10; k++) {
        struct case_ t;
        make_tree(&t, &r, 30);
        t.variables[2].prior = 1;
        for (size_t i = 0; i < t.n; i++) {
            t.a[t.n + i] = i == 5 ? 0.02 : 0;
            t.b[i] = 4 * t.a[i] + 4 * t.a[t.n + i] + t.a[2 * t.n + i] + t.a[3 * t.n + i] + 0.02 * (uniform(&r) - 0.5);
        }
        solve(&t, "tree", 1e-2);
        with += fabs(t.x[1] - 4);
        t.variables[0].group = t.variables[1].group = 0;
        solve(&t, "tree", 1e-2);
        without += fabs(t.x[1] - 4);
    }
    assert_true(with < 0.7 * without);
}

static void strengths_are_chosen(void **state)
{
    (void)state;
    struct random r = random_start(11);
    struct case_ t;
    make_tree(&t, &r, N);
    double chosen = solve(&t, "tree", -1);
    assert_true(chosen >= 1e-4 && chosen <= 10);
    double first[P];
    memcpy(first, t.x, sizeof first);
    solve(&t, "tree", -1);
    assert_memory_equal(first, t.x, sizeof first);
}

static void groups_are_read(void **state)
{
    (void)state;
    struct regress_classes *c =
        classes_of("map load load.*\nmap store store.*\nmap rest *\ngroup machine/memory l* store\n");
    assert_string_equal(c->variables[0].group, "machine/memory");
    assert_string_equal(c->variables[1].group, "machine/memory");
    assert_null(c->variables[2].group);
    regress_classes_free(c);
    static const char *const wrong[] = {"map a *\ngroup\n", "map a *\ngroup g\n", "map a *\ngroup g b\n",
                                        "map a *\ngroup /g a\n", "map a *\ngroup g//h a\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = ERROR_INIT;
        refused(classes_parse(&c, wrong[i], "test", "test.classes", &e), ERR_INPUT, &e, 2, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outliers_do_not_bend),
        cmocka_unit_test(what_is_exact_is_found),
        cmocka_unit_test(the_tree_minimises_its_formula),
        cmocka_unit_test(the_tree_ends_at_the_baseline_and_at_nnls),
        cmocka_unit_test(a_rare_variable_takes_its_groups_cost),
        cmocka_unit_test(strengths_are_chosen),
        cmocka_unit_test(groups_are_read),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
