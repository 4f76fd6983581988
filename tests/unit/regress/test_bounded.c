/* Bounds and orders of values: least squares between bounds against all active sets of small problems, and what the
 * classification's lines `bound` and `order` say. */
#include "support.h"
#include "base/random.h"
#include "regress/solver.h"

enum { N = 12, P = 4, LOW = 0, HIGH = 1, BETWEEN = 2 };

struct case_ {
    size_t n, p, group[N];
    double a[N * P], b[N], x[P];
    struct regress_variable variables[P];
};

static double uniform(struct random *r)
{
    return (double)(random_next(r) >> 11) / 9007199254740992.0;
}

static void plain(struct case_ *c, size_t n, size_t p)
{
    *c = (struct case_){.n = n, .p = p};
    for (size_t i = 0; i < n; i++)
        c->group[i] = i;
    for (size_t j = 0; j < p; j++)
        c->variables[j] =
            (struct regress_variable){.prior = 1, .high = INFINITY, .twin = REGRESS_NONE, .below = REGRESS_NONE};
}

static void make_random(struct case_ *c, struct random *r, size_t n, size_t p)
{
    plain(c, n, p);
    for (size_t k = 0; k < n * p; k++)
        c->a[k] = uniform(r) - 0.3;
    for (size_t i = 0; i < n; i++)
        c->b[i] = uniform(r) - 0.3;
}

static void solve(struct case_ *c, const char *name, double strength)
{
    struct error e = ERROR_INIT;
    const struct solver *s = solver_find(name);
    void *work = s->work_new(c->n, c->p);
    struct problem q = {c->n, c->p, c->a, c->b, 1, c->group, c->variables, strength, 1};
    struct solution out = {c->x, NAN};
    must(s->solve(work, &q, &out, &e), &e);
    s->work_free(work);
}

static double residual(const struct case_ *c, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < c->n; i++) {
        double r = c->b[i];
        for (size_t j = 0; j < c->p; j++)
            r -= c->a[j * c->n + i] * x[j];
        sum += r * r;
    }
    return sum;
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_all_active_sets),
        cmocka_unit_test(without_bounds_it_is_nnls),
        cmocka_unit_test(stops_at_each_bound),
        cmocka_unit_test(copes_with_columns_of_nothing),
        cmocka_unit_test(bounds_are_read),
        cmocka_unit_test(a_model_keeps_and_tells_its_bounds),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
