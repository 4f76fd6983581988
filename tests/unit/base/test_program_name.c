/* test_program_name.c - names of programs, "set/program@level": taken apart and put together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/program_name.h"

static void parts(void **state)
{
    (void)state;
    static const struct {
        const char *name, *program, *set, *base, *level;
    } rows[] = {
        {"suite/fir@O2", "suite/fir", "suite", "fir", "O2"},
        {"suite/fir", "suite/fir", "suite", "fir", NULL},
        {"fir@O2", "fir", "", "fir", "O2"},
        {"fir", "fir", "", "fir", NULL},
        {"fir@", "fir", "", "fir", ""},
        {"fir@x@O2", "fir", "", "fir", "x@O2"},
        {"a/b/c@Os", "a/b/c", "a", "c", "Os"},
        {"/home/me@host/fir", "/home/me@host/fir", "", "fir", NULL}, /* a path is no level */
        {"/home/me@host/fir@O2", "/home/me@host/fir", "", "fir", "O2"},
        {"@O2", "", "", "", "O2"},
        {"suite/", "suite/", "suite", "", NULL},
        {"", "", "", "", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program_name p = program_name(rows[i].name, strlen(rows[i].name));
        char *program = program_without_level(rows[i].name);
        assert_string_equal(program, rows[i].program);
        assert_int_equal(p.n_program, strlen(rows[i].program));
        assert_int_equal(p.n_set, strlen(rows[i].set));
        assert_memory_equal(rows[i].name, rows[i].set, p.n_set);
        assert_int_equal(p.n_base, strlen(rows[i].base));
        assert_memory_equal(p.base, rows[i].base, p.n_base);
        assert_string_equal(p.level ? p.level : "none", rows[i].level ? rows[i].level : "none");
        char *again = p.level ? program_at_level(program, p.level) : strdup(program);
        assert_string_equal(again, rows[i].name);
        free(again);
        free(program);
    }
}

/* What is behind the n characters is not looked at. */
static void ends_where_it_is_said_to(void **state)
{
    (void)state;
    struct program_name p = program_name("fir\nloop@1/2", 3);
    assert_int_equal(p.n_program, 3);
    assert_null(p.level);
}

static void programs_are_compared_without_levels(void **state)
{
    (void)state;
    assert_true(program_is("suite/fir@O2", "suite/fir"));
    assert_true(program_is("suite/fir", "suite/fir"));
    assert_false(program_is("suite/fir2@O2", "suite/fir"));
    assert_false(program_is("suite/fi@O2", "suite/fir"));
    assert_false(program_is("suite/fir@O2", "suite/fir@O2"));
    assert_string_equal(program_level("suite/fir@O2"), "O2");
    assert_null(program_level("suite/fir"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts), cmocka_unit_test(ends_where_it_is_said_to),
                                       cmocka_unit_test(programs_are_compared_without_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
