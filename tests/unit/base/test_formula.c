/* test_formula.c - tests of formulas. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/events/formula.h"

/* Two events and three keys. */
static const char *const keys[] = {"load.i32", "load.i32_d", "store.i8"};
static const double counts[] = {10, 20, 7};

static bool name(void *context, const char *text, double *value)
{
    (void)context;
    *value = strcmp(text, "HITS") == 0 ? 4 : 0;
    return strcmp(text, "HITS") == 0 || strcmp(text, "NONE") == 0;
}

static bool sum(void *context, const char *glob, bool *taken, double *value)
{
    (void)context;
    for (size_t i = 0; i < 3; i++) {
        size_t n = strcspn(glob, "*");
        if (!taken[i] && strncmp(keys[i], glob, n) == 0) {
            taken[i] = true;
            *value += counts[i];
        }
    }
    return true;
}

static bool optional(void *context, const char *text, double *value)
{
    if (!name(context, text, value))
        *value = 0;
    return text[0] >= 'A' && text[0] <= 'Z';
}

static const struct formula_scope scope = {name, optional, sum, 3, 0};

static double value_of(const char *text)
{
    double value = NAN;
    char *why = 0;
    if (!formula_value(text, &scope, &value, &why))
        fail_msg("'%s': %s", text, why);
    return value;
}

static void fault_of(const char *text, const char *part)
{
    double value;
    char *why = 0;
    assert_false(formula_value(text, &scope, &value, &why));
    if (!strstr(why, part))
        fail_msg("'%s': '%s' is not in '%s'", text, part, why);
    free(why);
}

static void binds_as_in_school(void **state)
{
    (void)state;
    assert_true(value_of("1 + 2 * 3 - 4 / 2") == 5);
    assert_true(value_of("(1 + 2) * 3") == 9);
    assert_true(value_of("8 / 4 / 2") == 1);
    assert_true(value_of("8 - 4 - 2") == 2);
    assert_true(value_of("-2 * -3") == 6);
    assert_true(value_of(" 1e2 + .5 ") == 100.5);
    assert_true(value_of("1e+2 - 5e-1 + 2E1 + 1e02") == 219.5);
}

static void knows_names_and_functions(void **state)
{
    (void)state;
    assert_true(value_of("HITS * 2") == 8);
    assert_true(value_of("max(3, HITS) - min(3, HITS)") == 1);
    assert_true(value_of("sum(load.*)") == 30);
    assert_true(value_of("sum(load.* store.*)") == 37);
    assert_true(value_of("sum(load.*, load.*)") == 30); /* a key counts once */
    assert_true(value_of("[HITS] * 2 + HITS") == 12);
    assert_true(value_of("optional(HITS) + 1") == 5);
    assert_true(value_of("optional( ABSENT ) + 1") == 1);
}

static void divides_nothing_by_nothing(void **state)
{
    (void)state;
    assert_true(value_of("NONE / NONE") == 0);
    fault_of("HITS / NONE", "divided by 0");
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    fault_of("", "missing at the end");
    fault_of("1 +", "missing at the end");
    fault_of("1 2", "left over at '2'");
    fault_of("(1", "')' is missing");
    fault_of("hits", "neither an earlier 'let' nor an event");
    fault_of("mean(1, 2)", "unknown function at 'mean(1");
    fault_of("sum()", "needs a pattern");
    fault_of("optional()", "optional() needs the name of an event");
    fault_of("optional(load.i32)", "optional() needs the name of an event");
    fault_of("optional(HITS", "')' is missing");
    fault_of("sum(load.*", "')' is missing");
    fault_of("max(1)", "',' is missing");
    fault_of("[HITS", "']' is missing");
    fault_of("[L1-dcache-loads] + 1", "no event of this name at 'L1-dcache-loads");
    fault_of("1.2.3", "not a number");
    char deep[400];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    fault_of(deep, "too deeply");
    memset(deep, '-', sizeof deep - 1);
    fault_of(deep, "too deeply");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binds_as_in_school),
        cmocka_unit_test(knows_names_and_functions),
        cmocka_unit_test(divides_nothing_by_nothing),
        cmocka_unit_test(says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
