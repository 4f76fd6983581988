/* Intervals of rows left out, and whether rows with a warning are worse: rows made up, and those of a build. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "shimgen/estimate/intervals/crossval_estimators.h"
#include "shimgen/estimate/intervals/familiar.h"
#include "tests/unit/estimate/rare_rows.inc"

enum { ROWS = 400, FOLDS = 5 };

struct example {
    struct regress_data data;
    struct crossval c;
    struct crossval_line line;
    char *names[ROWS];
    size_t groups[ROWS], fold[ROWS];
    double errors[ROWS];
    unsigned doubts[ROWS];
};

/* Programs at two levels, whose errors are spread evenly: to 10 % at O0, to 40 % at O2. */
static struct example *example(void)
{
    struct example *x = xcalloc(1, sizeof *x);
    for (size_t i = 0; i < ROWS; i++) {
        size_t program = i / 2;
        double most = i % 2 ? 0.4 : 0.1;
        x->names[i] = xasprintf("p%zu@%s", program, i % 2 ? "O2" : "O0");
        x->groups[i] = program;
        x->fold[i] = program % FOLDS;
        x->errors[i] = most * (2 * (double)(program * 37 % 200) / 199 - 1);
    }
    x->data = (struct regress_data){.n = ROWS, .n_groups = ROWS / 2};
    x->data.programs = x->names;
    x->data.groups = x->groups;
    x->line = (struct crossval_line){.held_out = x->errors, .doubts = x->doubts, .classes = "", .solver = ""};
    x->c = (struct crossval){.lines = &x->line, .n = 1, .fold = x->fold, .n_folds = FOLDS};
    return x;
}

static void release(struct example *x)
{
    for (size_t i = 0; i < ROWS; i++)
        free(x->names[i]);
    free(x);
}

/* P(X >= k) of n trials, from the last term down. */
static double at_least(size_t k, size_t n, double p)
{
    double term = pow(p, (double)n), sum = 0;
    for (size_t i = n;; i--) {
        sum += term;
        if (i == k)
            return sum;
        term *= (double)i / (double)(n - i + 1) * (1 - p) / p;
    }
}

static void is_ninety(const struct crossval_coverage *v, size_t n, double width)
{
    assert_int_equal(v->n, n);
    assert_true(v->within > 0.87 * (double)n && v->within < 0.93 * (double)n);
    assert_true(fabs(v->width - width) < 0.03 * width);
    assert_true(fabs(at_least(v->within, n, v->low) - 0.025) < 1e-6);
    assert_true(fabs(1 - at_least(v->within + 1, n, v->high) - 0.025) < 1e-6);
}

/* 90 % of errors to +-a lie within 0.9 a: from 1 / (1 + 0.9 a) to 1 / (1 - 0.9 a) times the estimate. */
static void each_level_has_its_own(void **state)
{
    (void)state;
    struct example *x = example();
    struct crossval_coverage plain = crossval_coverage(&x->c, &x->data, &x->line, "O0"),
                             optimised = crossval_coverage(&x->c, &x->data, &x->line, "O2"),
                             all = crossval_coverage(&x->c, &x->data, &x->line, 0);
    is_ninety(&plain, ROWS / 2, 1.09 / 0.91);
    is_ninety(&optimised, ROWS / 2, 1.36 / 0.64);
    assert_int_equal(all.n, ROWS);
    assert_int_equal(all.within, plain.within + optimised.within);
    release(x);
}

/* Short runs, every fourth program, are spread three times as wide as the others. Apart, each have theirs; together the others'
 * is too wide, and that of short runs too narrow. */
static void short_runs_apart(void **state)
{
    (void)state;
    struct example *x = example();
    double measured[ROWS];
    x->c.measured = measured;
    for (size_t i = 0; i < ROWS; i++) {
        bool brief = i / 2 % 4 == 0;
        x->errors[i] = (brief ? 0.6 : 0.2) * (2 * (double)(i / 2 * 37 % 200) / 199 - 1);
        measured[i] = (brief ? 1000 : 90000) / (1 + x->errors[i]);
    }
    for (int apart = 0; apart < 2; apart++) {
        size_t within = 0;
        x->line.divides_runs = apart;
        struct crossval_coverage all = crossval_coverage(&x->c, &x->data, &x->line, "O2");
        assert_int_equal(all.n, ROWS / 2);
        assert_true(fabs(all.width - (apart ? 1.18 / 0.82 : 1.4 / 0.6)) < 0.15);
        for (size_t i = 1; i < ROWS; i += 2) /* the short ones of O2 alone are judged */
            if (i / 2 % 4)
                x->names[i][strlen(x->names[i]) - 1] = '3';
        within = crossval_coverage(&x->c, &x->data, &x->line, "O2").within;
        assert_true(apart ? within >= 43 : within <= 38); /* of 50 */
        for (size_t i = 1; i < ROWS; i += 2)
            x->names[i][strlen(x->names[i]) - 1] = '2';
    }
    /* 18 short programs in the other folds are too few */
    x->line.divides_runs = true;
    for (size_t i = 0, n = 0; i < ROWS; i++) {
        bool brief = measured[i] * (1 + x->errors[i]) < 3000;
        n += brief && i % 2;
        if (brief && n > 18)
            measured[i] = 90000 / (1 + x->errors[i]);
    }
    assert_true(crossval_coverage(&x->c, &x->data, &x->line, "O2").width > 1.4);
    release(x);
}

/* What a fold has, has no part in its interval: errors that only one fold has are outside. */
static void own_fold_has_no_part(void **state)
{
    (void)state;
    struct example *x = example();
    for (size_t i = 0; i < ROWS; i++)
        if (x->fold[i] == 2)
            x->errors[i] = 5;
    struct crossval_coverage v = crossval_coverage(&x->c, &x->data, &x->line, "O0");
    assert_true(v.within <= ROWS / 2 - ROWS / 2 / FOLDS);
    release(x);
}

static void doubted_rows_beside_the_others(void **state)
{
    (void)state;
    struct example *x = example();
    for (size_t i = 0; i < 20; i++) {
        x->doubts[i] = 1u << DOUBT_RARE;
        x->errors[i] = i % 2 ? -0.8 : 0.3;
    }
    struct crossval_doubt o0 = crossval_doubt(&x->data, &x->line, "O0", DOUBT_RARE),
                          all = crossval_doubt(&x->data, &x->line, 0, DOUBT_RARE),
                          other = crossval_doubt(&x->data, &x->line, 0, DOUBT_LIBRARY);
    assert_int_equal(o0.with, 10);
    assert_true(o0.median_with == 0.3 && fabs(o0.median_without - 0.05) < 0.005);
    assert_true(all.with == 20 && fabs(all.median_with - 0.55) < 1e-9 && all.without == ROWS - 20);
    assert_true(other.with == 0 && isnan(other.median_with));
    release(x);
}

/* What is printed of one level: the last word but the width says whether 90 % are held. */
static void check_printed(struct example *x, const char *expected, bool telling)
{
    char *text = 0, level[] = "O0";
    char *levels[] = {level};
    size_t size;
    struct crossval_spec spec = {.data = &x->data};
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    x->line.method = "m";
    crossval_print_trust(f, &x->c, &spec, levels, 1);
    assert_int_equal(fclose(f), 0);
    const char *row = strstr(text, "\nO0 "), *end = row ? strchr(row + 1, '\n') : 0;
    assert_true(row && end);
    const char *said = strstr(row, expected);
    if (!said || said > end)
        fail_msg("'%s' is not in: %.*s", expected, (int)(end - row), row);
    assert_int_equal(strstr(text, "does not tell") != 0, !telling);
    free(text);
}

/* Yes: 90 % lie in the interval of what was found. No: far fewer, since one fold is otherwise than the others; or all. */
static void says_whether_ninety_hold(void **state)
{
    (void)state;
    struct example *x = example();
    for (size_t i = 0; i < 20; i++)
        x->doubts[i] = 1u << DOUBT_RARE; /* rows like the others */
    check_printed(x, "  yes ", false);
    for (size_t i = 0; i < 20; i++)
        x->errors[i] = 0.9;
    check_printed(x, "", true);
    for (size_t i = 0; i < ROWS; i++)
        if (x->fold[i] == 2)
            x->errors[i] = 5;
    check_printed(x, "  no  ", true);
    for (size_t i = 0; i < ROWS; i++)
        x->errors[i] = 0.1;
    check_printed(x, "  no  ", false);
    release(x);
}

/* A line that could not be fitted has no row in any of the three tables, though rows of errors are there. */
static void says_nothing_of_what_failed(void **state)
{
    (void)state;
    struct example *x = example();
    char *text = 0;
    size_t size;
    struct crossval_spec spec = {.data = &x->data};
    for (size_t i = 0; i < 20; i++)
        x->doubts[i] = 1u << DOUBT_RARE;
    x->line.method = "failed";
    for (int fails = 0; fails < 2; fails++) {
        x->line.unavailable = fails ? (char *)"why" : 0;
        FILE *f = open_memstream(&text, &size);
        assert_non_null(f);
        crossval_print_trust(f, &x->c, &spec, 0, 0);
        assert_int_equal(fclose(f), 0);
        size_t n = 0;
        for (const char *at = text; (at = strstr(at, "  failed ")) != 0; at++)
            n++;
        assert_int_equal(n, fails ? 0 : 2 + REGRESS_CODES); /* coverage, each kind of code, a warning */
        free(text);
    }
    release(x);
}

/* ---- the warning about rare instructions, on programs that were left out ---- */

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Median error of the rows of a level (-1: of both) that have the warning, or have not. */
static double median_error(int optimised, bool warned, bool schedule, size_t *n)
{
    float sizes[sizeof rare_rows / sizeof *rare_rows];
    *n = 0;
    for (size_t i = 0; i < sizeof rare_rows / sizeof *rare_rows; i++) {
        const struct rare_row *r = &rare_rows[i];
        if ((optimised < 0 || r->optimised == (bool)optimised) && ((double)r->rare >= FAMILIAR_SHARE) == warned)
            sizes[(*n)++] = schedule ? r->schedule : r->operand;
    }
    qsort(sizes, *n, sizeof *sizes, by_size);
    return *n ? (double)(sizes[(*n - 1) / 2] + sizes[*n / 2]) / 2 : (double)NAN;
}

/* It stands where errors are half as large again in the median, at each level that has ten such rows. */
static void rare_instructions_tell(void **state)
{
    (void)state;
    for (int schedule = 0; schedule < 2; schedule++) {
        size_t judged = 0;
        for (int optimised = -1; optimised < 2; optimised++) {
            size_t n, others;
            double with = median_error(optimised, true, schedule, &n);
            double without = median_error(optimised, false, schedule, &others);
            if (n >= 10 && with < 1.5 * without)
                fail_msg("%s, level %d: %zu rows %.3f, %zu rows %.3f", schedule ? "schedule" : "operand", optimised, n,
                         with, others, without);
            judged += n >= 10;
        }
        assert_true(judged >= 2);
    }
}

static void counts_programs_not_rows(void **state)
{
    (void)state;
    char *names[] = {(char *)"add.i32", (char *)"mul.i32", (char *)"cycles"};
    char *programs[] = {(char *)"a@O0", (char *)"a@O2", (char *)"b@O0", (char *)"c@O0", (char *)"d@O0"};
    char *roles[] = {(char *)"train", (char *)"train", (char *)"train", (char *)"train", (char *)"test"};
    size_t groups[] = {0, 0, 1, 2, 3};
    double values[] = {1, 9, 50, 1, 1, 50, 1, 1, 50, 1, 0, 50, 3, 1, 50};
    struct regress_data d = {.path = (char *)"d.csv", .n = 5, .cols = 3, .n_groups = 4};
    d.names = names;
    d.programs = programs;
    d.roles = roles;
    d.groups = groups;
    d.values = values;
    struct familiar f = {0};
    familiar_of_rows(&f, &d, 0);
    assert_true(familiar_with(&f, "add.i32"));
    assert_false(familiar_with(&f, "mul.i32")); /* a and b; d is for tests */
    assert_false(familiar_with(&f, "sdiv.i32"));
    assert_true(fabs(familiar_rare(&f, &d, 0) - 0.9) < 1e-12); /* cycles are no instruction */
    assert_true(familiar_rare(&f, &d, 3) == 0);
    familiar_release(&f);
    /* Of given rows, whatever their role: those of b, c and d. */
    size_t at[] = {2, 3, 4};
    struct regress_rows some = {.at = at, .n = 3};
    familiar_of_rows(&f, &d, &some);
    assert_true(familiar_with(&f, "add.i32"));
    assert_int_equal(f.programs[0], 3);
    assert_int_equal(f.programs[1], 2);
    familiar_release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_level_has_its_own),
        cmocka_unit_test(own_fold_has_no_part),
        cmocka_unit_test(doubted_rows_beside_the_others),
        cmocka_unit_test(rare_instructions_tell),
        cmocka_unit_test(counts_programs_not_rows),
        cmocka_unit_test(says_whether_ninety_hold),
        cmocka_unit_test(short_runs_apart),
        cmocka_unit_test(says_nothing_of_what_failed),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
