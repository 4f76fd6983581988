/* test_fit.c - tests of fits, models and predictions. */
#include "support.h"
#include "regress/solve/fitter.h"

/* cycles = 2 x + 5 y, seven programs, one of them at two levels. */
static const char exact[] = "program,region,cycles,x.i32,y.i32,z.i32\n"
                            "a@O0,a,120,10,20,0\na@O2,a,45,5,7,0\nb,b,300,100,20,0\nc,c,58,4,10,0\n"
                            "d,d,70,10,10,0\ne,e,19,2,3,0\nf,f,41,18,1,0\ng,g,11,3,1,0\n";

static struct regress_model *fitted(const struct regress_data *d, const char *classes, const char *solver)
{
    struct error e = ERROR_INIT;
    struct regress_model *m = 0;
    struct regress_classes *c = classes_of(classes);
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    settings.solver = solver;
    settings.seed = 7;
    must(regress_fit(&m, d, c, &settings, 0, 0, &e), &e);
    assert_true(m->seed == 7 && m->resamples == settings.resamples && m->resamples > 0);
    regress_classes_free(c);
    return m;
}

static void finds_what_made_the_data(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct regress_data *d = data_of(exact);
        struct regress_model *m = fitted(d, "each *\n", k ? "ols" : "nnls");
        assert_int_equal(m->n_values, 3);
        assert_int_equal(m->rank, 2);
        assert_int_equal(m->n_groups, 7);
        near(m->values[0].value, 2, 1e-12);
        near(m->values[1].value, 5, 1e-12);
        assert_true(m->values[2].value == 0 && m->values[2].rows == 0);
        assert_true(m->values[0].count == 152 && m->values[0].rows == 8 && m->values[0].groups == 7);
        near(m->values[0].share, 152.0 / 224, 1e-14);
        near(m->values[1].low, 5, 1e-9); /* any two of the programs tell the same */
        near(m->values[1].high, 5, 1e-9);
        assert_true(m->training.mean_abs < 1e-12 && m->held_out.mean_abs < 1e-9);
        assert_int_equal(m->held_out.n, 8);
        assert_string_equal(m->keys[1].key, "y.i32");
        assert_true(m->keys[1].variable == 1 && m->keys[1].value == m->values[1].value);
        regress_model_free(m);
        regress_data_free(d);
    }
}

/* One variable: cycles = v x, relative. v = sum(q) / sum(q^2) with q = x / cycles. Rows q: 1/2, 1/4, 1/4 -> v = 1 /
 * (3/8) = 8/3. Left out by programs: without a (both levels, 1/2 and 1/4) v = 4; without b (1/4): v = (3/4) / (5/16) =
 * 12/5. */
static void leaves_out_programs_as_a_whole(void **state)
{
    (void)state;
    struct regress_data *d = data_of("program,cycles,x\na@O0,20,10\na@O2,40,10\nb,80,20\n");
    struct regress_model *m = fitted(d, "map v *\n", "ols");
    near(m->values[0].value, 8.0 / 3, 1e-13);
    /* a@O0: 4 * 10 / 20 - 1 = 1; a@O2: 4 * 10 / 40 - 1 = 0; b: 12/5 * 20 / 80 - 1 = -0.4 */
    near(m->held_out.mean, 0.2, 1e-12);
    near(m->held_out.mean_abs, 1.4 / 3, 1e-12);
    near(m->held_out.median_abs, 0.4, 1e-12);
    near(m->held_out.worst, 1, 1e-12);
    assert_string_equal(m->held_out.worst_of, "a@O0");
    near(m->training.mean, (1.0 / 3 - 1.0 / 3 - 1.0 / 3) / 3, 1e-12); /* 8/3 (1/2, 1/4, 1/4) - 1 */
    near(m->level, 1.0 / 3, 1e-14);                                   /* 2 programs: (2 - 1) / (2 + 1) */
    assert_true(fabs(m->error_low + 0.4) < 1e-12 && fabs(m->error_high - 1) < 1e-12);
    struct error e = ERROR_INIT;
    struct regress_prediction *p = 0;
    size_t n;
    must(regress_predict(&p, &n, m, d, 0, &e), &e);
    near(p[0].estimate, 80.0 / 3, 1e-12);
    near(p[0].low, 40.0 / 3, 1e-12);
    near(p[0].high, 80.0 / 3 / 0.6, 1e-12);
    near(p[0].error, 1.0 / 3, 1e-12);
    free(p);
    regress_model_free(m);
    regress_data_free(d);
}

static void one_row_is_a_fit_without_judgement(void **state)
{
    (void)state;
    struct regress_data *d = data_of("program,cycles,x\na,20,10\n");
    const char *const solvers[] = {"ols", "nnls", "shrink"};
    for (size_t k = 0; k < 3; k++) {
        struct regress_model *m = fitted(d, "map v *\n", solvers[k]);
        near(m->values[0].value, 2, 1e-12);
        assert_true(m->held_out.n == 0 && m->level == 0);
        struct error e = ERROR_INIT;
        struct regress_prediction *p = 0;
        size_t n;
        must(regress_predict(&p, &n, m, d, 0, &e), &e);
        assert_true(isnan(p[0].low) && isnan(p[0].high));
        free(p);
        regress_model_free(m);
    }
    regress_data_free(d);
}

static enum status try_fit(const char *text, const char *classes, struct regress_settings settings, struct error *e)
{
    struct regress_model *m = 0;
    struct regress_data *d = data_of(text);
    struct regress_classes *c = classes_of(classes);
    enum status s = regress_fit(&m, d, c, &settings, 0, 0, e);
    regress_model_free(m);
    regress_classes_free(c);
    regress_data_free(d);
    return s;
}

static void refuses_what_cannot_be_fitted(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_settings s = REGRESS_SETTINGS_INIT;
    refused(try_fit("program,cycles,x\na,0,1\nb,2,1\n", "map v *\n", s, &e), ERR_INPUT, &e, 2, "above 0");
    refused(try_fit("program,cycles,x\na,3,1\nb,-2,1\n", "map v *\n", s, &e), ERR_INPUT, &e, 3, "cycles = -2");
    refused(try_fit("program,cycles,x\na,1e-320,1\n", "map v *\n", s, &e), ERR_INPUT, &e, 2, "too small");
    refused(try_fit("program,cycles,x\na,3,1\nb,,1\n", "map v *\n", s, &e), ERR_INPUT, &e, 3, "no value in column");
    refused(try_fit("program,cycles,x\na,3,0\nb,2,0\n", "map v *\n", s, &e), ERR_INPUT, &e, 0, "nothing to fit");
    refused(try_fit("program,time,x\na,3,0\n", "map v *\n", s, &e), ERR_INPUT, &e, 0, "no column 'cycles'");
    s.solver = "magic";
    refused(try_fit("program,cycles,x\na,3,1\n", "map v *\n", s, &e), ERR_INPUT, &e, 0, "no solver 'magic'");
    s.solver = "ols";
    s.resamples = 1000000;
    refused(try_fit("program,cycles,x\na,3,1\n", "map v *\n", s, &e), ERR_INPUT, &e, 0, "too many");
    s.resamples = 10;
    s.absolute = true; /* then 0 and below are targets like others */
    must(try_fit("program,cycles,x\na,0,1\nb,-2,3\n", "map v *\n", s, &e), &e);
}

/* y = 2 + 3 x exactly, with a column of ones: absolute least squares. */
static void fits_any_table(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_settings s = REGRESS_SETTINGS_INIT;
    struct regress_model *m = 0;
    struct regress_data *d = data_of("y,ONE,x\n-1,1,-1\n2,1,0\n8,1,2\n0.5,1,-0.5\n");
    struct regress_classes *c = classes_of("columns all\neach *\n");
    s.target = "y";
    s.solver = "ols";
    s.absolute = true;
    must(regress_fit(&m, d, c, &s, 0, 0, &e), &e);
    near(m->values[0].value, 2, 1e-13);
    near(m->values[1].value, 3, 1e-13);
    regress_model_free(m);
    regress_classes_free(c);
    regress_data_free(d);
}

static char *content(const char *path)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    must(file_read(&text, path, 1 << 20, &e), &e);
    return str_detach(&text);
}

static const char noisy[] = "program,region,cycles,L1D_CACHE,add.i32,add.i32_d,load.i64,phi.i32\n"
                            "a@O0,a,130,20,30,10,15,1\na@O2,a,70,9,20,2,9,4\nb@O0,b,260,30,80,30,21,2\n"
                            "c@O0,c,90,12,10,30,8,3\nd@O0,d,400,55,60,70,50,0\ne@O0,e,33,4,10,5,2,5\n";
static const char noisy_classes[] =
    "title Test\nsource none\nignore phi.*\nsplit add add.*\nprior add 1.5\n"
    "map load load.*\nlet extra = L1D_CACHE - sum(load.*)\ncount spill = max(0, extra)\n";

/* The same input, the same bytes; written, read and written again, the same bytes but for the keys that no rule needs.
 */
static void the_same_data_give_the_same_file(void **state)
{
    (void)state;
    const char *const solvers[] = {"ols", "nnls", "shrink"};
    for (size_t k = 0; k < 3; k++) {
        struct error e = ERROR_INIT;
        struct regress_data *d = data_of(noisy);
        char *paths[3], *texts[3];
        struct regress_model *m = 0;
        for (int i = 0; i < 3; i++) {
            char *name = xasprintf("model%d.json", i);
            paths[i] = file_of(name, "");
            free(name);
            if (i < 2)
                m = fitted(d, noisy_classes, solvers[k]);
            else
                must(regress_model_read(&m, paths[0], &e), &e);
            must(regress_model_write(m, paths[i], &e), &e);
            texts[i] = content(paths[i]);
            for (size_t v = 0; v < m->n_values; v++) {
                assert_true(m->values[v].low <= m->values[v].value && m->values[v].value <= m->values[v].high);
                assert_true(k == 0 || m->values[v].low >= 0);
            }
            if (i == 2) { /* a model that was read predicts as the one that was written */
                struct regress_model *fresh = fitted(d, noisy_classes, solvers[k]);
                struct regress_prediction *p, *q;
                size_t n;
                must(regress_predict(&p, &n, m, d, 0, &e), &e);
                must(regress_predict(&q, &n, fresh, d, 0, &e), &e);
                for (size_t r = 0; r < n; r++)
                    assert_true(p[r].estimate == q[r].estimate && p[r].low == q[r].low && p[r].high == q[r].high);
                free(p);
                free(q);
                regress_model_free(fresh);
            }
            regress_model_free(m);
        }
        assert_string_equal(texts[0], texts[1]);
        assert_string_equal(texts[0], texts[2]);
        for (int i = 0; i < 3; i++) {
            free(paths[i]);
            free(texts[i]);
        }
        regress_data_free(d);
    }
}

static void predicts_keys_it_never_saw_by_rule(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_data *d = data_of(noisy);
    struct regress_model *m = fitted(d, noisy_classes, "nnls");
    regress_data_free(d);
    struct regress_prediction *p = 0;
    size_t n;
    d = data_of("program,L1D_CACHE,add.i64,mul.i32\nnew,0,7,0\n");
    must(regress_predict(&p, &n, m, d, 0, &e), &e);
    near(p[0].estimate, 7 * m->keys[0].value, 1e-14);
    assert_true(isnan(p[0].measured) && isnan(p[0].error));
    free(p);
    regress_data_free(d);
    d = data_of("program,L1D_CACHE,add.i64,mul.i32\nnew,0,7,1\n");
    refused(regress_predict(&p, &n, m, d, 0, &e), ERR_INPUT, &e, 2, "counts of 'mul.i32', which the model's");
    regress_data_free(d);
    d = data_of("program,add.i64\nnew,7\n");
    refused(regress_predict(&p, &n, m, d, 0, &e), ERR_UNSUPPORTED, &e, 0, "L1D_CACHE");
    regress_data_free(d);
    regress_model_free(m);
}

/* A whole model file cut at every byte, and with each number or text spoilt, is refused and leaks nothing. */
/* A program of 1 cycle an x and one of 2: a quarter of the samples has the first alone, a quarter the second. So the
 * interval of 90 % is from 1 to 2. */
static void an_interval_of_two_programs(void **state)
{
    (void)state;
    struct regress_data *d = data_of("program,region,cycles,x\na,a,10,10\nb,b,20,10\n");
    struct regress_model *m = fitted(d, "map v *\n", "ols");
    near(m->values[0].low, 1, 1e-12);
    near(m->values[0].high, 2, 1e-12);
    regress_model_free(m);
    regress_data_free(d);
}

/* At most 2^28 numbers: of 2^27 variables 2 rows, not 3. Nothing has been asked of the memory by then. */
static void refuses_more_numbers_than_fit(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct fitter *f = 0;
    struct regress_data *d = data_of("program,cycles,x\na,3,1\nb,4,1\nc,5,2\n");
    const struct table t = {.data = d, .p = (size_t)1 << 27};
    const struct regress_settings settings = REGRESS_SETTINGS_INIT;
    refused(fitter_new(&f, &t, 0, solver_find("ols"), &settings, &e), ERR_INPUT, &e, 0,
            "3 rows of 134217728 variables are too many");
    regress_data_free(d);
}

static void refuses_spoilt_models(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_data *d = data_of(noisy);
    struct regress_model *m = fitted(d, noisy_classes, "nnls");
    char *path = file_of("spoilt.json", "");
    must(regress_model_write(m, path, &e), &e);
    regress_model_free(m);
    regress_data_free(d);
    char *text = content(path);
    size_t n = strlen(text);
    while (n && (text[n - 1] == '\n' || text[n - 1] == '}'))
        n--;
    for (size_t cut = 0; cut < n; cut += 7) {
        must(file_write(path, text, cut, &e), &e);
        assert_int_equal(regress_model_read(&m, path, &e), ERR_INPUT);
        error_release(&e);
    }
    static const struct {
        const char *from, *to, *part;
    } edits[] = {
        {"\"regress-model\"", "\"other\"", "not a model"},
        {"\"version\": 1", "\"version\": 2", "not known"},
        {"\"value\": ", "\"valve\": ", "'value' is missing"},
        {"\"low\": ", "\"low\": 1e9, \"old\": ", "not within its interval"},
        {"\"rows\": 6", "\"rows\": -6", "whole number"},
        {"\"rows\": 6", "\"rows\": 6.5", "whole number"},
        {"\"twin\": \"add\"", "\"twin\": \"sub\"", "not in the list of variables"},
        {"\"name\": \"load\"", "\"name\": \"add\"", "two variables"},
        {"fnv1a64:", "md5:", "fnv1a64"},
        {"\"variable\": \"add\"", "\"variable\": \"gone\"", "'gone' is not in the list"},
        {"L1D_CACHE - sum", "l1d_cache - sum", "neither an earlier 'let'"},
        {"\"level\": 0", "\"level\": 3", "not a level"},
        {"\"non_negative\": true", "\"non_negative\": 1", "true or false"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        const char *at = strstr(text, edits[i].from);
        if (!at)
            fail_msg("'%s' is not in the file", edits[i].from);
        char *edited = xasprintf("%.*s%s%s", (int)(at - text), text, edits[i].to, at + strlen(edits[i].from));
        must(file_write(path, edited, strlen(edited), &e), &e);
        refused(regress_model_read(&m, path, &e), ERR_INPUT, &e, 0, edits[i].part);
        free(edited);
    }
    free(text);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_made_the_data),
        cmocka_unit_test(leaves_out_programs_as_a_whole),
        cmocka_unit_test(one_row_is_a_fit_without_judgement),
        cmocka_unit_test(refuses_what_cannot_be_fitted),
        cmocka_unit_test(fits_any_table),
        cmocka_unit_test(the_same_data_give_the_same_file),
        cmocka_unit_test(predicts_keys_it_never_saw_by_rule),
        cmocka_unit_test(refuses_spoilt_models),
        cmocka_unit_test(refuses_more_numbers_than_fit),
        cmocka_unit_test(an_interval_of_two_programs),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
