/* Bounds and orders of values: least squares between bounds against all active sets of small problems, and what the
 * classification's lines `bound` and `order` say. */
#include "problem.h"

enum { N = 12, P = 4, LOW = 0, HIGH = 1, BETWEEN = 2 };

/* Places of part: values that are given are taken off b, the others are solved for by ols, those of one part[] being
 * one value; false: that is not within bounds and orders. */
static bool solve_set(const struct case_ *c, const size_t *part, const double *given, double *x)
{
    struct case_ s;
    size_t column[P];
    plain(&s, c->n, 0);
    memcpy(s.b, c->b, sizeof s.b);
    for (size_t j = 0; j < c->p; j++) {
        size_t first = 0;
        while (part[first] != part[j])
            first++;
        column[j] = first < j ? column[first] : isnan(given[part[j]]) ? s.p++ : REGRESS_NONE;
        for (size_t i = 0; i < c->n; i++) {
            if (column[j] == REGRESS_NONE)
                s.b[i] -= c->a[j * c->n + i] * given[part[j]];
            else
                s.a[column[j] * c->n + i] += c->a[j * c->n + i];
        }
    }
    if (s.p)
        solve(&s, "ols", -1);
    bool allowed = true;
    for (size_t j = 0; j < c->p; j++) {
        const struct regress_variable *v = &c->variables[j];
        x[j] = column[j] == REGRESS_NONE ? given[part[j]] : s.x[column[j]];
        allowed &= x[j] >= v->low && x[j] <= v->high;
    }
    for (size_t j = 0; j < c->p; j++)
        allowed &= c->variables[j].below == REGRESS_NONE || x[j] >= x[c->variables[j].below];
    return allowed;
}

/* The least residual over all choices of who is at the lower bound, at the upper one or between: by definition the
 * problem's solution. */
static double best_of_all_bounds(const struct case_ *c)
{
    size_t sets = 1, part[P];
    double best = INFINITY, given[P], x[P];
    for (size_t j = 0; j < c->p; j++) {
        sets *= 3;
        part[j] = j;
    }
    for (size_t set = 0; set < sets; set++) {
        bool there = true;
        for (size_t j = 0, rest = set; j < c->p; j++, rest /= 3) {
            given[j] = rest % 3 == LOW ? c->variables[j].low : rest % 3 == HIGH ? c->variables[j].high : (double)NAN;
            there &= !isinf(given[j]);
        }
        if (there && solve_set(c, part, given, x))
            best = fmin(best, residual(c, x));
    }
    return best;
}

static void agrees_with_all_active_sets(void **state)
{
    (void)state;
    struct random r = random_start(42);
    size_t met[3] = {0};
    for (int k = 0; k < 400; k++) {
        struct case_ c;
        make_random(&c, &r, 1 + random_below(&r, N), 1 + random_below(&r, P));
        if (k % 5 == 0 && c.p > 1) /* two equal columns */
            memcpy(c.a, c.a + c.n, c.n * sizeof *c.a);
        for (size_t j = 0; j < c.p; j++) {
            c.variables[j].low = uniform(&r) < 0.5 ? 0 : 0.3 * uniform(&r);
            if (uniform(&r) < 0.6)
                c.variables[j].high = c.variables[j].low + (uniform(&r) < 0.1 ? 0 : 0.6 * uniform(&r));
        }
        if (k % 7 == 0) { /* columns of very different size, as counts are */
            for (size_t i = 0; i < c.n; i++)
                c.a[i] *= 1e7;
            c.variables[0].low *= 1e-7;
            c.variables[0].high *= 1e-7;
        }
        solve(&c, "bounded", -1);
        for (size_t j = 0; j < c.p; j++) {
            const struct regress_variable *v = &c.variables[j];
            assert_true(c.x[j] >= v->low && c.x[j] <= v->high);
            met[c.x[j] == v->low ? LOW : c.x[j] == v->high ? HIGH : BETWEEN]++;
        }
        double best = best_of_all_bounds(&c), got = residual(&c, c.x);
        if (fabs(got - best) > 1e-12 * (1 + best))
            fail_msg("problem %d: residual %.17g, the best set has %.17g", k, got, best);
    }
    assert_true(met[LOW] > 100 && met[HIGH] > 100 && met[BETWEEN] > 100);
}

static void without_bounds_it_is_nnls(void **state)
{
    (void)state;
    struct random r = random_start(7);
    for (int k = 0; k < 100; k++) {
        struct case_ c, plain_;
        make_random(&c, &r, N, P);
        plain_ = c;
        solve(&c, "bounded", -1);
        solve(&plain_, "nnls", -1);
        for (size_t j = 0; j < c.p; j++)
            assert_true(fabs(c.x[j] - plain_.x[j]) < 1e-10);
    }
}

/* One column a = (1 1)', b = (2 4)': x = 3, so 3.5 to 5 gives 3.5, 0 to 2 gives 2, and a place that is held stays. */
static void stops_at_each_bound(void **state)
{
    (void)state;
    static const double bounds[4][3] = {{3.5, 5, 3.5}, {0, 2, 2}, {1.25, 1.25, 1.25}, {1, 5, 3}};
    for (size_t k = 0; k < 4; k++) {
        struct case_ c;
        plain(&c, 2, 1);
        memcpy(c.a, (double[]){1, 1}, 2 * sizeof *c.a);
        memcpy(c.b, (double[]){2, 4}, 2 * sizeof *c.b);
        c.variables[0].low = bounds[k][0];
        c.variables[0].high = bounds[k][1];
        solve(&c, "bounded", -1);
        near(c.x[0], bounds[k][2], 1e-14);
    }
}

/* A variable without counts takes its lower bound. */
static void copes_with_columns_of_nothing(void **state)
{
    (void)state;
    struct case_ c;
    plain(&c, 1, 3);
    memcpy(c.a, (double[]){1, 0, 2}, 3 * sizeof *c.a);
    c.b[0] = 3;
    c.variables[1].low = 0.5;
    c.variables[2].high = 0.25;
    solve(&c, "bounded", -1);
    near(c.x[0] + 2 * c.x[2], 3, 1e-13);
    assert_true(c.x[1] == 0.5 && c.x[2] <= 0.25);
}

static void bounds_are_read(void **state)
{
    (void)state;
    struct regress_classes *c = classes_of("map load load.*\nmap rest *\nbound load 1.5 4\nbound rest 0 inf\n");
    assert_true(c->variables[0].low == 1.5 && c->variables[0].high == 4);
    assert_true(c->variables[1].low == 0 && isinf(c->variables[1].high));
    regress_classes_free(c);
    static const char *const wrong[] = {"bound",           "bound b 0 1",   "bound a",
                                        "bound a 1",       "bound a -1 1",  "bound a 2 1",
                                        "bound a inf inf", "bound a 0 nan", "bound a 0 1 2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = ERROR_INIT;
        char *text = xasprintf("map a *\n%s\n", wrong[i]);
        refused(classes_parse(&c, text, "test", "test.classes", &e), ERR_INPUT, &e, 2, "");
        free(text);
    }
}

static struct regress_model *fitted(const char *classes, const char *solver)
{
    struct error e = ERROR_INIT;
    struct regress_model *m = 0;
    struct regress_data *d = data_of("program,cycles,x,y\na,120,10,20\nb,310,100,20\nc,58,4,10\nd,70,10,10\n");
    struct regress_classes *c = classes_of(classes);
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    settings.solver = solver;
    must(regress_fit(&m, d, c, &settings, 0, 0, &e), &e);
    regress_classes_free(c);
    regress_data_free(d);
    return m;
}

static struct regress_model *read_again(const struct regress_model *m)
{
    struct error e = ERROR_INIT;
    struct regress_model *b = 0;
    char *path = file_of("model.json", "");
    must(regress_model_write(m, path, &e), &e);
    must(regress_model_read(&b, path, &e), &e);
    free(path);
    return b;
}

/* y costs about 5. */
static void a_model_keeps_and_tells_its_bounds(void **state)
{
    (void)state;
    struct regress_model *m = fitted("map x x\nmap y y\nbound y 1 3.5\n", "bounded");
    assert_true(m->values[1].value == 3.5 && m->values[1].low >= 1 && m->values[1].high == 3.5);
    assert_true(m->non_negative && isnan(m->strength));
    struct regress_model *b = read_again(m);
    assert_true(b->classes->variables[1].low == 1 && b->classes->variables[1].high == 3.5);
    assert_true(b->classes->variables[0].low == 0 && isinf(b->classes->variables[0].high));
    regress_model_free(b);
    regress_model_free(m);
}

/* A bound on one side alone is kept, too. */
static void a_model_keeps_bounds_of_one_side(void **state)
{
    (void)state;
    static const struct {
        const char *classes;
        double low, high;
    } cases[] = {{"map x x\nmap y y\nbound y 0 3.5\n", 0, 3.5}, {"map x x\nmap y y\nbound y 1 inf\n", 1, INFINITY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct regress_model *m = fitted(cases[i].classes, "bounded"), *b = read_again(m);
        const struct regress_variable *y = &b->classes->variables[1];
        assert_true(y->low == cases[i].low && y->high == cases[i].high);
        regress_model_free(b);
        regress_model_free(m);
    }
}

/* ---- orders ---- */

/* x0 <= x1 <= x2 and x0 <= x3. */
static void put_in_order(struct case_ *c)
{
    for (size_t j = 1; j < c->p; j++)
        c->variables[j].below = j == 3 ? 0 : j - 1;
}

/* The least residual over all choices of the orders that are tight, and whether the lowest is at 0. */
static double best_of_all_orders(const struct case_ *c)
{
    double best = INFINITY, x[P];
    for (size_t set = 0; set < (size_t)1 << c->p; set++) {
        size_t part[P];
        double given[P] = {(set & 1) ? 0 : (double)NAN, NAN, NAN, NAN};
        for (size_t j = 0; j < c->p; j++)
            part[j] = j && (set >> j & 1) ? part[c->variables[j].below] : j;
        if (solve_set(c, part, given, x))
            best = fmin(best, residual(c, x));
    }
    return best;
}

static void keeps_orders_as_all_active_sets_do(void **state)
{
    (void)state;
    struct random r = random_start(5);
    size_t tight = 0, loose = 0;
    for (int k = 0; k < 300; k++) {
        struct case_ c;
        make_random(&c, &r, 2 + random_below(&r, N - 1), 2 + random_below(&r, P - 1));
        put_in_order(&c);
        solve(&c, "bounded", -1);
        for (size_t j = 1; j < c.p; j++) {
            double step = c.x[j] - c.x[c.variables[j].below];
            assert_true(step >= 0);
            tight += step == 0;
            loose += step > 0;
        }
        double best = best_of_all_orders(&c), got = residual(&c, c.x);
        if (fabs(got - best) > 1e-12 * (1 + best))
            fail_msg("problem %d: residual %.17g, the best order has %.17g", k, got, best);
    }
    assert_true(tight > 100 && loose > 100);
}

/* Values of about 1, 2, 3, 4 with noise, or in the opposite order. */
static void make_ordered(struct case_ *c, struct random *r, bool against)
{
    plain(c, N, P);
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->p; j++) {
            c->a[j * c->n + i] = uniform(r);
            c->b[i] += (double)(against ? P - j : j + 1) * c->a[j * c->n + i];
        }
}

/* What shrink minimises, of variables without twins: an order adds nothing to it. */
static double shrunk(const struct case_ *c, const double *x, double t)
{
    double ab = 0, aa = 0, sum = residual(c, x);
    for (size_t i = 0; i < c->n; i++) {
        double all = 0;
        for (size_t j = 0; j < c->p; j++)
            all += c->a[j * c->n + i];
        ab += all * c->b[i];
        aa += all * all;
    }
    for (size_t j = 0; j < c->p; j++)
        sum += t * (x[j] * aa / ab - 1) * (x[j] * aa / ab - 1);
    return sum;
}

static void shrink_keeps_orders(void **state)
{
    (void)state;
    struct random r = random_start(6);
    for (int k = 0; k < 20; k++) {
        struct case_ c;
        double t = pow(10, -3 + 0.2 * k);
        make_ordered(&c, &r, true);
        put_in_order(&c);
        solve(&c, "shrink", t);
        double least = shrunk(&c, c.x, t);
        for (int step = 0; step < 400; step++) { /* nearby points that are allowed are no better */
            double x[P];
            for (size_t j = 0; j < c.p; j++) {
                x[j] = fmax(0, c.x[j] + 0.01 * (uniform(&r) - 0.5));
                x[j] = j ? fmax(x[j], x[c.variables[j].below]) : x[j];
            }
            if (shrunk(&c, x, t) < least * (1 - 1e-9))
                fail_msg("t = %g: %.17g, but nearby %.17g", t, least, shrunk(&c, x, t));
        }
        for (size_t j = 1; j < c.p; j++)
            assert_true(c.x[j] >= c.x[c.variables[j].below]);
    }
}

/* Where values obey by themselves, an order changes none; not even beside twins. */
static void an_order_that_holds_changes_nothing(void **state)
{
    (void)state;
    struct random r = random_start(8);
    for (int k = 0; k < 20; k++) {
        struct case_ c, free_;
        make_ordered(&c, &r, false);
        c.variables[1].twin = 0;
        free_ = c;
        c.variables[2].below = 1;
        c.variables[3].below = 2;
        static const char *const solvers[] = {"shrink", "bounded"};
        for (size_t s = 0; s < 2; s++) {
            solve(&c, solvers[s], 1e-4);
            solve(&free_, solvers[s], 1e-4);
            for (size_t j = 0; j < c.p; j++)
                assert_true(fabs(c.x[j] - free_.x[j]) < 1e-9);
        }
    }
}

static void orders_are_read(void **state)
{
    (void)state;
    struct regress_classes *c = classes_of("map l1 a\nmap l2 b\nmap mem *\norder l1 l2\norder l2 mem\nbound l1 1 2\n");
    assert_true(c->variables[0].below == REGRESS_NONE && c->variables[1].below == 0 && c->variables[2].below == 1);
    regress_classes_free(c);
    static const char *const wrong[] = {"order",
                                        "order a",
                                        "order a c",
                                        "order c a",
                                        "order a a",
                                        "order a b\norder b a",
                                        "order e a\norder b a",
                                        "order b a_d",
                                        "order a_d a",
                                        "order a b\nbound b 0 3"};
    static const unsigned long line[] = {5, 5, 5, 5, 5, 5, 6, 5, 5, 5};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = ERROR_INIT;
        char *text = xasprintf("map a_d x_d\nmap a x\nmap b *\nmap e y\n%s\n", wrong[i]);
        enum status s = classes_parse(&c, text, "test", "test.classes", &e);
        if (i == 5) /* either of the two */
            e.line = e.line == 6 ? 5 : e.line;
        refused(s, ERR_INPUT, &e, line[i], "");
        free(text);
    }
}

/* y costs about 5, x about 2. */
static void a_model_keeps_and_tells_its_orders(void **state)
{
    (void)state;
    static const char *const solvers[] = {"shrink", "bounded"};
    for (size_t s = 0; s < 2; s++) {
        struct regress_model *m = fitted("map x x\nmap y y\norder y x\n", solvers[s]);
        assert_true(m->values[0].value >= m->values[1].value && m->values[0].value < 5);
        struct regress_model *b = read_again(m);
        assert_true(b->classes->variables[0].below == 1 && b->classes->variables[1].below == REGRESS_NONE);
        regress_model_free(b);
        regress_model_free(m);
    }
}

/* Bounds beyond what the numbers can hold beside the counts: a reason, or the bound itself. */
static void bounds_beyond_all_numbers_are_refused(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_model *m = 0;
    struct regress_data *d = data_of("program,cycles,x,y\na,120,10,20\nb,310,100,20\nc,58,4,10\nd,70,10,10\n");
    struct regress_classes *c = classes_of("map x x\nmap y y\nbound y 1e308 inf\n");
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    settings.solver = "bounded";
    refused(regress_fit(&m, d, c, &settings, 0, 0, &e), ERR_INPUT, &e, 0, "too large");
    regress_classes_free(c);
    c = classes_of("map x x\nmap y y\nbound y 1e6 1e307\n");
    must(regress_fit(&m, d, c, &settings, 0, 0, &e), &e);
    assert_true(m->values[0].value == 0 && m->values[1].value == 1e6);
    regress_model_free(m);
    regress_classes_free(c);
    regress_data_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_all_active_sets),
        cmocka_unit_test(without_bounds_it_is_nnls),
        cmocka_unit_test(stops_at_each_bound),
        cmocka_unit_test(copes_with_columns_of_nothing),
        cmocka_unit_test(bounds_are_read),
        cmocka_unit_test(a_model_keeps_and_tells_its_bounds),
        cmocka_unit_test(a_model_keeps_bounds_of_one_side),
        cmocka_unit_test(bounds_beyond_all_numbers_are_refused),
        cmocka_unit_test(keeps_orders_as_all_active_sets_do),
        cmocka_unit_test(shrink_keeps_orders),
        cmocka_unit_test(an_order_that_holds_changes_nothing),
        cmocka_unit_test(orders_are_read),
        cmocka_unit_test(a_model_keeps_and_tells_its_orders),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
