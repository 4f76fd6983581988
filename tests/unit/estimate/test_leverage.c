/* Two rows, two values: what each row weighs in a third can be worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "shimgen/estimate/intervals/leverage.h"

/* c is a in every row. Cycles are (a + c) / 2 + 2 b. */
static const char table[] = "program,cycles,a,b,c,d\n"
                            "p,30,10,10,10,0\n"
                            "q,20,10,5,10,0\n";
static const char other[] = "program,cycles,a,b,c,d\np,30,10,10,10,0\n";

static const char classes[] = "title every column\neach *\n";

struct example {
    char path[32];
    struct regress_model *model;
};

static void set_up(struct example *x, const char *text)
{
    struct regress_data *d = 0;
    struct regress_classes *c = 0;
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    struct error e = ERROR_INIT;
    settings.solver = "ols";
    settings.resamples = 0;
    strcpy(x->path, "/tmp/shimgen-lever-XXXXXX");
    int fd = mkstemp(x->path);
    assert_true(fd >= 0);
    close(fd);
    if (file_write(x->path, classes, strlen(classes), &e) || regress_classes_load(&c, x->path, &e) ||
        file_write(x->path, text, strlen(text), &e) || regress_data_read(&d, x->path, &e) ||
        regress_fit(&x->model, d, c, &settings, 0, 0, &e))
        fail_msg("%s", e.message);
    regress_classes_free(c);
    regress_data_free(d);
}

static void tear_down(struct example *x)
{
    unlink(x->path);
    regress_model_free(x->model);
}

static void by_hand(void **state)
{
    (void)state;
    struct example x;
    struct leverage l;
    struct error e = ERROR_INIT;
    set_up(&x, table);
    assert_int_equal(leverage_make(&l, x.model, x.path, &e), OK);
    assert_int_equal(l.n, 2);
    /* Rows by their cycles: p (1/3, 1/3), q (1/2, 1/4). Each is itself alone. */
    assert_true(fabs(l.largest - 1) < 1e-9);
    /* (10, 7) / 24 = p / 2 + q / 2 */
    assert_true(fabs(leverage_of(&l, (const double[]){10, 7, 10, 0}) - 0.5) < 1e-9);
    /* (10, 0) / 10 = 4 q - 3 p, however often */
    assert_true(fabs(leverage_of(&l, (const double[]){10, 0, 10, 0}) - 25) < 1e-6);
    assert_true(fabs(leverage_of(&l, (const double[]){4000, 0, 4000, 0}) - 25) < 1e-6);
    /* a without c */
    assert_true(isinf(leverage_of(&l, (const double[]){10, 0, 0, 0})));
    /* d has never been seen: another note says so */
    assert_true(fabs(leverage_of(&l, (const double[]){10, 7, 10, 5}) - 0.5) < 1e-9);
    assert_true(isnan(leverage_of(&l, (const double[]){0, 0, 0, 0})));
    leverage_release(&l);
    tear_down(&x);
}

static void another_table(void **state)
{
    (void)state;
    struct example x;
    struct leverage l;
    struct error e = ERROR_INIT, f = ERROR_INIT;
    set_up(&x, table);
    assert_int_equal(file_write(x.path, other, strlen(other), &e), OK);
    assert_int_equal(leverage_make(&l, x.model, x.path, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "the model was fitted on another table"));
    leverage_release(&l);
    assert_int_equal(file_write(x.path, table, strlen(table), &f), OK);
    x.model->n_rows = 1;
    assert_int_equal(leverage_make(&l, x.model, x.path, &f), ERR_INPUT);
    assert_non_null(strstr(f.message, "fitted on 1 of its rows, and these are 2"));
    leverage_release(&l);
    error_release(&e);
    error_release(&f);
    tear_down(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(another_table),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
