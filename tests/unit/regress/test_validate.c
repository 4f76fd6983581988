/* test_validate.c - tests of cross-validation. */
#include "support.h"
#include "regress/solve/solver.h"
#include "base/random.h"
#include "regress/validate/validate.h"

static char *classes_file(const char *name, const char *text)
{
    return file_of(name, text);
}

static struct regress_crossval *compared(const struct regress_data *d, struct regress_crossval_spec spec)
{
    struct error e = ERROR_INIT;
    struct regress_crossval *c = 0;
    must(regress_crossval(&c, d, &spec, &e), &e);
    return c;
}

static const char *const ols[] = {"ols"};

static struct regress_crossval_spec spec_of(char *const *classes, size_t n)
{
    struct regress_crossval_spec spec = {.classes = (const char *const *)classes, .n_classes = n};
    spec.solvers = ols;
    spec.n_solvers = 1;
    spec.settings = (struct regress_settings)REGRESS_SETTINGS_INIT;
    return spec;
}

/* One variable over all keys is the baseline itself: both lines must agree with each other and with the closed form:
 * leaving out row i of q = count / cycles gives v = (S1 - q_i) / (S2 - q_i^2), its error v q_i - 1. */
static void leave_one_out_has_a_closed_form(void **state)
{
    (void)state;
    const double q[] = {0.5, 0.2, 0.8, 0.4}; /* 5/10, 4/20, 24/30, 2/5 */
    struct regress_data *d = data_of("program,cycles,x,y\na,10,2,3\nb,20,4,0\nc,30,20,4\nd,5,1,1\n");
    char *path = classes_file("one.classes", "map v *\n");
    struct regress_crossval *c = compared(d, spec_of(&path, 1));
    double s1 = 0, s2 = 0, mean = 0;
    for (size_t i = 0; i < 4; i++) {
        s1 += q[i];
        s2 += q[i] * q[i];
    }
    assert_int_equal(c->n, 2);
    assert_string_equal(c->lines[0].classes, "");
    for (size_t l = 0; l < 2; l++) {
        assert_int_equal(c->lines[l].n_predictions, 4);
        mean = 0;
        for (size_t i = 0; i < 4; i++) {
            double error = (s1 - q[i]) / (s2 - q[i] * q[i]) * q[i] - 1;
            near(c->lines[l].predictions[i].error, error, 1e-12);
            mean += error / 4;
        }
        near(c->lines[l].held_out.mean, mean, 1e-12);
        near(c->lines[l].training.mean, s1 / s2 * s1 / 4 - 1, 1e-12);
    }
    regress_crossval_free(c);
    regress_data_free(d);
    free(path);
}

/* A domain of one program each is leave-one-out; with two in one domain both are held out by the fit on the rest. */
static void leaves_out_domains(void **state)
{
    (void)state;
    struct regress_data *d = data_of("program,domain,cycles,x\na@O0,s,10,2\na@O2,s,20,8\nb,t,30,20\nc,,5,1\nd,t,9,3\n");
    char *path = classes_file("each.classes", "each *\n");
    struct regress_crossval_spec spec = spec_of(&path, 1);
    spec.scheme = REGRESS_LEAVE_ONE_DOMAIN_OUT;
    struct regress_crossval *c = compared(d, spec);
    const double q[] = {0.2, 0.4, 2.0 / 3, 0.2, 1.0 / 3};
    const size_t domain[] = {0, 0, 1, 2, 1};
    for (size_t i = 0; i < 5; i++) {
        double s1 = 0, s2 = 0;
        for (size_t k = 0; k < 5; k++) {
            s1 += domain[k] != domain[i] ? q[k] : 0;
            s2 += domain[k] != domain[i] ? q[k] * q[k] : 0;
        }
        near(c->lines[1].predictions[i].error, s1 / s2 * q[i] - 1, 1e-12);
    }
    regress_crossval_free(c);
    regress_data_free(d);

    struct error e = ERROR_INIT;
    d = data_of("program,cycles,x\na,10,2\nb,30,20\n");
    refused(regress_crossval(&c, d, &spec, &e), ERR_INPUT, &e, 0, "--domains");
    regress_data_free(d);
    d = data_of("program,domain,cycles,x\na@O0,s,10,2\na@O2,t,20,8\n");
    refused(regress_crossval(&c, d, &spec, &e), ERR_INPUT, &e, 3, "'a@O2' is of the domain 't', but 'a@O0' of 's'");
    regress_data_free(d);
    d = data_of("program,domain,cycles,x\na,s,10,2\nb,s,20,8\n");
    refused(regress_crossval(&c, d, &spec, &e), ERR_INPUT, &e, 0, "all programs are of one domain");
    regress_data_free(d);
    free(path);
}

/* Manifests name programs without their set; rows are chosen by what they say. */
static void takes_domains_from_manifests(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_data *d = data_of("program,cycles,x\nmine/a@O0,10,2\nmine/a@O2,1,2\nmine/b,30,20\nother/a,5,1\n");
    char *table = file_of("domains.csv", "program,domain,role\nmine/a,sorting,train\nmine/b,control,test\n");
    must(regress_data_read_domains(d, table, &e), &e);
    assert_string_equal(d->domains[1], "sorting");
    assert_string_equal(d->domains[2], "control");
    assert_string_equal(d->domains[3], "");
    struct regress_rows rows;
    must(regress_rows_select(&rows, d, "role:test,domain:s*", &e), &e);
    assert_int_equal(rows.n, 3);
    free(rows.at);
    refused(regress_rows_select(&rows, d, "domain:x", &e), ERR_INPUT, &e, 0, "no program matches 'domain:x'");
    free(table);
    table = file_of("domains.csv", "program,domain\nz,sorting\n");
    refused(regress_data_read_domains(d, table, &e), ERR_INPUT, &e, 0, "no program of this table");
    free(table);
    regress_data_free(d);
}

/* k = number of programs is leave-one-out; each row is held out once whatever k. */
static void folds_cover_every_row(void **state)
{
    (void)state;
    struct regress_data *d = data_of("program,cycles,x,y\na@O0,10,2,3\na@O2,20,4,0\nb,30,20,4\nc,5,1,1\nd,9,3,1\n");
    char *path = classes_file("each.classes", "each *\n");
    struct regress_crossval_spec spec = spec_of(&path, 1);
    struct regress_crossval *loo = compared(d, spec), *fold;
    spec.scheme = REGRESS_K_FOLD;
    for (spec.folds = 2; spec.folds <= 4; spec.folds++) {
        fold = compared(d, spec);
        assert_int_equal(fold->lines[1].n_predictions, 5);
        for (size_t i = 0; i < 5; i++) {
            assert_int_equal(fold->lines[1].predictions[i].row, i);
            if (spec.folds == 4)
                near(fold->lines[1].predictions[i].estimate, loo->lines[1].predictions[i].estimate, 1e-12);
        }
        regress_crossval_free(fold);
    }
    struct error e = ERROR_INIT;
    refused(regress_crossval(&fold, d, &spec, &e), ERR_INPUT, &e, 0, "4 programs cannot be assigned to 5 folds");
    regress_crossval_free(loo);
    regress_data_free(d);
    free(path);
}

static void keeps_test_rows_out_of_the_fit(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_data *d = data_of("program,cycles,x\na@O0,10,5\na@O2,30,5\nb@O0,20,10\nc@O0,7,1\n");
    char *path = classes_file("one.classes", "map v *\n");
    struct regress_crossval_spec spec = spec_of(&path, 1);
    struct regress_rows a2, o0;
    must(regress_rows_select(&a2, d, "a@O2", &e), &e);
    must(regress_rows_select(&o0, d, "*@O0", &e), &e);
    spec.scheme = REGRESS_TEST;
    spec.test = d;
    spec.test_rows = &a2;
    struct regress_crossval *c = compared(d, spec);
    assert_int_equal(c->training_rows, 2); /* b and c: a@O0 is the same program */
    assert_int_equal(c->held_out_rows, 1);
    assert_int_equal(c->shared_groups, 0);
    double q1 = 0.5, q2 = 1.0 / 7;
    near(c->lines[1].predictions[0].estimate, 5 * (q1 + q2) / (q1 * q1 + q2 * q2), 1e-12);
    regress_crossval_free(c);
    spec.rows = &o0; /* asked for: then it is said that a program is on both sides */
    c = compared(d, spec);
    assert_int_equal(c->training_rows, 3);
    assert_int_equal(c->shared_groups, 1);
    regress_crossval_free(c);
    spec.test_rows = &o0;
    refused(regress_crossval(&c, d, &spec, &e), ERR_INPUT, &e, 2, "to be fitted on and tested on");
    spec.rows = 0;
    spec.test_rows = 0;
    refused(regress_crossval(&c, d, &spec, &e), ERR_INPUT, &e, 0, "no rows are left");
    struct regress_data *other = data_of("program,cycles,x\nz,10,5\ny,,5\n");
    spec.test = other;
    refused(regress_crossval(&c, d, &spec, &e), ERR_INPUT, &e, 3, "cannot be tested on");
    regress_data_free(other);
    free(a2.at);
    free(o0.at);
    regress_data_free(d);
    free(path);
}

static void lists_what_is_unavailable(void **state)
{
    (void)state;
    struct regress_data *d = data_of("program,cycles,load.i32,add.i32\na,10,2,3\nb,20,4,0\nc,30,20,4\n");
    char *paths[] = {xstrdup("regress/classes/mem.classes"), xstrdup("regress/classes/origin.classes")};
    struct regress_crossval *c = compared(d, spec_of(paths, 2));
    assert_int_equal(c->n, 3);
    assert_string_equal(c->lines[1].classes, "mem");
    assert_non_null(strstr(c->lines[1].unavailable, "L1D_CACHE, L1D_CACHE_REFILL, L2D_CACHE, L2D_CACHE_REFILL"));
    assert_int_equal(c->lines[1].held_out.n, 0);
    assert_null(c->lines[2].unavailable);
    assert_int_equal(c->lines[2].held_out.n, 3);
    struct error e = ERROR_INIT;
    struct regress_crossval *bad;
    struct regress_crossval_spec spec = spec_of(paths, 2);
    const char *const magic[] = {"magic"};
    spec.solvers = magic;
    refused(regress_crossval(&bad, d, &spec, &e), ERR_INPUT, &e, 0, "no solver 'magic'");
    regress_crossval_free(c);
    spec.tolerant = true; /* its lines alone are without figures, and say why */
    c = compared(d, spec);
    assert_int_equal(c->n, 3);
    for (size_t i = 1; i < c->n; i++) {
        assert_int_equal(c->lines[i].held_out.n, 0);
        assert_int_equal(c->lines[i].n_predictions, 0);
        assert_non_null(c->lines[i].unavailable);
    }
    assert_non_null(strstr(c->lines[2].unavailable, "no solver 'magic'"));
    regress_crossval_free(c);
    free(paths[0]);
    free(paths[1]);
    regress_data_free(d);
}

/* Weights of whole numbers are rows written so many times. */
static void weights_are_repeated_rows(void **state)
{
    (void)state;
    const char *const solvers[] = {"ols", "nnls", "shrink"};
    struct error e = ERROR_INIT;
    struct regress_data *d = data_of("program,cycles,x,y\na,10,2,3\nb,20,9,1\nc,30,2,14\nd,7,3,1\n");
    struct regress_data *twice = data_of("program,cycles,x,y\na,10,2,3\nb,20,9,1\nB,20,9,1\nBB,20,9,1\nd,7,3,1\n");
    struct regress_classes *c = classes_of("each *\n");
    const double weight[] = {1, 3, 0, 1};
    for (size_t k = 0; k < 3; k++) {
        double x[2][2];
        for (int side = 0; side < 2; side++) {
            struct regress_settings s = REGRESS_SETTINGS_INIT;
            struct table *t = 0;
            struct fitter *f = 0;
            s.strength = 0.1;
            must(table_make(&t, side ? twice : d, c, "cycles", 0, false, &e), &e);
            must(fitter_new(&f, t, 0, solver_find(solvers[k]), &s, &e), &e);
            must(fitter_solve(f, side ? 0 : weight, x[side], 0, &e), &e);
            fitter_free(f);
            table_free(t);
        }
        near(x[0][0], x[1][0], 1e-12);
        near(x[0][1], x[1][1], 1e-12);
    }
    regress_classes_free(c);
    regress_data_free(d);
    regress_data_free(twice);
}

/* The bootstrap of a mean of ratios with known spread: cycles = v x with v = 2 +- 20 %, 40 programs. The standard error
 * of the fitted value is near 2 * 0.2 / sqrt(3) / sqrt(40) (uniform noise), and the interval of 90 % about 1.64 of it
 * to each side; within a third is asked. Another seed gives another interval, the same seed the same. */
static void bootstrap_has_the_right_width(void **state)
{
    (void)state;
    struct str text = STR_INIT;
    struct random r = random_start(9);
    str_add(&text, "program,cycles,x\n");
    for (int i = 0; i < 40; i++)
        str_addf(&text, "p%d,%.6f,100\n", i, 200 * (1 + 0.4 * ((double)random_below(&r, 100000) / 100000 - 0.5)));
    struct regress_data *d = data_of(str_text(&text));
    struct regress_classes *c = classes_of("map v *\n");
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        struct error e = ERROR_INIT;
        struct regress_settings s = REGRESS_SETTINGS_INIT;
        struct regress_model *m = 0;
        s.solver = "ols";
        s.resamples = 1000;
        s.seed = k == 2 ? 77 : 1;
        must(regress_fit(&m, d, c, &s, 0, 0, &e), &e);
        low[k] = m->values[0].low;
        high[k] = m->values[0].high;
        regress_model_free(m);
    }
    near(high[0] - low[0], 2 * 1.645 * 2 * 0.2 / sqrt(3) / sqrt(40), 0.33);
    assert_true(low[0] == low[1] && high[0] == high[1]);
    assert_true(low[0] != low[2]);
    regress_classes_free(c);
    regress_data_free(d);
    str_release(&text);
}

/* Of fewer than three groups no folds are made; rows of a group are in one fold, and the folds are as even as can be. */
static void folds_inside_solvers(void **state)
{
    (void)state;
    size_t group[] = {7, 9, 7, 8, 9, 6, 7}, fold[7], scratch[21];
    struct problem q = {.n = 7, .group = group, .seed = 1};
    assert_int_equal(solver_assign_folds(&q, 10, fold, scratch), 4);
    assert_true(fold[0] == fold[2] && fold[0] == fold[6] && fold[1] == fold[4]);
    assert_true(fold[0] != fold[1] && fold[0] != fold[3] && fold[0] != fold[5] && fold[3] != fold[5]);
    for (size_t i = 0; i < 7; i++)
        assert_true(fold[i] < 4);
    assert_int_equal(solver_assign_folds(&q, 2, fold, scratch), 2);
    assert_int_equal((fold[0] == 0) + (fold[1] == 0) + (fold[3] == 0) + (fold[5] == 0), 2);
    q.n = 5; /* 7, 9, 8 */
    assert_int_equal(solver_assign_folds(&q, 10, fold, scratch), 3);
    q.n = 3; /* 7, 9 */
    assert_int_equal(solver_assign_folds(&q, 10, fold, scratch), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leave_one_out_has_a_closed_form),
        cmocka_unit_test(folds_cover_every_row),
        cmocka_unit_test(folds_inside_solvers),
        cmocka_unit_test(leaves_out_domains),
        cmocka_unit_test(takes_domains_from_manifests),
        cmocka_unit_test(keeps_test_rows_out_of_the_fit),
        cmocka_unit_test(lists_what_is_unavailable),
        cmocka_unit_test(weights_are_repeated_rows),
        cmocka_unit_test(bootstrap_has_the_right_width),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
