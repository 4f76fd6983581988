/* Priors of single variables from a table: shrink's formula with them at nearby points, at both ends of its strength,
 * and what is read and refused. */
#include "problem.h"

enum { N = 20, P = 4 };

/* X (0) and X_d (1), one that only the first row has (2), a common one (3); of 0, 1 or all something is expected. */
static void make(struct case_ *c, struct random *r)
{
    plain(c, N, P);
    c->variables[1].twin = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < P; j++)
            c->a[j * N + i] = j != 2 ? uniform(r) : i == 0 ? 0.05 : 0;
        c->b[i] = c->a[i] + 3 * c->a[N + i] + 7 * c->a[2 * N + i] + 2 * c->a[3 * N + i];
        c->b[i] += 0.4 * (uniform(r) - 0.5);
    }
}

static void expect(struct case_ *c, size_t v, double cost, double spread)
{
    c->variables[v].cost = cost;
    c->variables[v].spread = spread;
}

/* k of the formula in shrink.c; all priors of the classification are 1. */
static double baseline(const struct case_ *c)
{
    double ab = 0, aa = 0;
    for (size_t i = 0; i < N; i++) {
        double all = c->a[i] + c->a[N + i] + c->a[2 * N + i] + c->a[3 * N + i];
        ab += all * c->b[i];
        aa += all * all;
    }
    return ab / aa;
}

/* What is minimised, written down from the formula, not from the code. */
static double objective(const struct case_ *c, const double *x, double t)
{
    double k = baseline(c), sum = residual(c, x);
    for (size_t j = 0; j < P; j++) {
        const struct regress_variable *v = &c->variables[j];
        double off = v->spread > 0 ? (x[j] - v->cost) / v->spread : j == 1 ? (x[1] - x[0]) / k : x[j] / k - 1;
        sum += t * off * off;
    }
    return sum;
}

static void minimises_its_formula(void **state)
{
    (void)state;
    struct random r = random_start(3);
    for (int k = 0; k < 40; k++) {
        struct case_ c;
        double t = pow(10, -3 + 0.1 * k);
        make(&c, &r);
        for (size_t j = 0; j < P; j++)
            if (uniform(&r) < 0.5)
                expect(&c, j, uniform(&r) < 0.2 ? 0 : 5 * uniform(&r), 0.1 + uniform(&r));
        solve(&c, "shrink", t);
        double least = objective(&c, c.x, t);
        assert_true(c.x[1] >= c.x[0]);
        for (int step = 0; step < 400; step++) { /* nearby points that are allowed are no better */
            double x[P];
            for (size_t j = 0; j < P; j++)
                x[j] = fmax(0, c.x[j] + 0.01 * (uniform(&r) - 0.5));
            if (x[1] >= x[0] && objective(&c, x, t) < least * (1 - 1e-9))
                fail_msg("t = %g: %.17g, but nearby %.17g", t, least, objective(&c, x, t));
        }
    }
}

/* Strength without end: what is expected. A narrow spread holds the rare one, a wide one lets its row decide. */
static void ends_at_what_is_expected(void **state)
{
    (void)state;
    struct random r = random_start(4);
    struct case_ c;
    make(&c, &r);
    expect(&c, 0, 1.5, 1.5);
    expect(&c, 1, 2.5, 0.5);
    expect(&c, 2, 6, 1);
    expect(&c, 3, 0, 0.25);
    solve(&c, "shrink", 1e9);
    near(c.x[0], 1.5, 1e-6);
    near(c.x[1], 2.5, 1e-6);
    near(c.x[2], 6, 1e-6);
    assert_true(c.x[3] < 1e-6);
    make(&c, &r);
    double off[2];
    for (size_t k = 0; k < 2; k++) {
        expect(&c, 2, 20, k ? 0.01 : 1000);
        solve(&c, "shrink", 0.01);
        off[k] = fabs(c.x[2] - 20);
    }
    assert_true(off[1] < 0.01 && off[0] > 5);
}

static enum status try_read(struct regress_classes **c, const char *text, struct error *e)
{
    char *path = file_of("priors.csv", text);
    *c = classes_of("split add add.*\nmap rest *\n");
    enum status s = regress_classes_priors(*c, path, e);
    free(path);
    return s;
}

static void tables_are_read(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_classes *c;
    must(try_read(&c, "spread,note,variable,prior\n,x,add,0.5\n0.25,y,add_d,0\n1,z,unknown,3\n", &e), &e);
    assert_string_equal(c->variables[0].name, "add");
    assert_true(c->variables[0].cost == 0.5 && c->variables[0].spread == 0.5);
    assert_true(c->variables[1].cost == 0 && c->variables[1].spread == 0.25);
    assert_true(c->variables[2].spread == 0);
    regress_classes_free(c);
    static const struct {
        const char *text, *said;
        unsigned long line;
    } wrong[] = {
        {"variable,cost\nadd,1\n", "prior", 1},
        {"prior,spread\n1,1\n", "variable", 1},
        {"variable,prior\nadd,nan\n", "nan", 2},
        {"variable,prior,spread\nadd,1,x\n", "x", 2},
        {"variable,prior\nadd,-1\n", "0 or more", 2},
        {"variable,prior\nrest,1\nadd,0\n", "a spread above 0", 3},
        {"variable,prior,spread\nadd,1,0\n", "a spread above 0", 2},
        {"variable,prior\nadd,1\nadd,1\n", "a second time", 3},
        {"variable,prior\nload,1\n", "no variable of the classification 'test'", 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refused(try_read(&c, wrong[i].text, &e), ERR_INPUT, &e, wrong[i].line, wrong[i].said);
        regress_classes_free(c);
    }
}

/* z occurs nowhere: it has what is expected. The model says what that was. */
static void a_model_tells_its_priors(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_model *m = 0, *b = 0;
    struct regress_data *d =
        data_of("program,cycles,x,y,z\na,120,10,20,0\nb,310,100,20,0\nc,58,4,10,0\nd,70,10,10,0\n");
    struct regress_classes *c = classes_of("map x x\nmap y y\nmap z z\n");
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    char *priors = file_of("priors.csv", "variable,prior,spread\nz,42,3\n"), *path = file_of("model.json", "");
    must(regress_classes_priors(c, priors, &e), &e);
    must(regress_fit(&m, d, c, &settings, 0, 0, &e), &e);
    near(m->values[2].value, 42, 1e-12);
    must(regress_model_write(m, path, &e), &e);
    must(regress_model_read(&b, path, &e), &e);
    assert_true(b->classes->variables[2].cost == 42 && b->classes->variables[2].spread == 3);
    assert_true(b->classes->variables[0].spread == 0);
    regress_model_free(b);
    regress_model_free(m);
    regress_classes_free(c);
    regress_data_free(d);
    free(priors);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimises_its_formula),
        cmocka_unit_test(ends_at_what_is_expected),
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(a_model_tells_its_priors),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
