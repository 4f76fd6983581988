/* Which points words and files of --points mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "irprof/stamp/stamping.h"

static void check(const struct stamp_spec *s, enum stamp_spec_kind kind, const char *name, unsigned line)
{
    assert_int_equal(s->kind, kind);
    assert_string_equal(s->name, name);
    assert_int_equal(s->line, line);
    assert_int_equal(s->found, 0);
}

/* The message has this text. */
static void says(const struct error *e, const char *text)
{
    char *message = error_text(e);
    assert_non_null(strstr(message, text));
    free(message);
}

static void words_in_their_order(void **state)
{
    (void)state;
    struct stamp_specs specs;
    struct error e = ERROR_INIT;
    assert_int_equal(
        stamp_specs_read(&specs, "function:f*, region:a b ,loop:x:y.c:12,iteration:z.c:3,line:/d/z.c:2147483647", &e),
        OK);
    assert_int_equal(specs.all.n, 5);
    check(&specs.all.at[0], SPEC_FUNCTION, "f*", 0);
    check(&specs.all.at[1], SPEC_REGION, "a b", 0);
    check(&specs.all.at[2], SPEC_LOOP, "x:y.c", 12);
    check(&specs.all.at[3], SPEC_ITERATION, "z.c", 3);
    check(&specs.all.at[4], SPEC_LINE, "/d/z.c", 2147483647);
    assert_null(specs.all.at[0].from);
    assert_string_equal(specs.all.at[1].text, "region:a b");
    stamp_specs_release(&specs);
}

static void what_is_no_point(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        ",",
                                        "f",
                                        "function:",
                                        "region:",
                                        "loop:f.c",
                                        "loop::3",
                                        "line:3",
                                        "line:f:",
                                        "iteration:f.c:0",
                                        "line:f.c:-1",
                                        "line:f.c:2147483648",
                                        "line:f.c:3x",
                                        "functions:f"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct stamp_specs specs;
        struct error e = ERROR_INIT;
        assert_int_equal(stamp_specs_read(&specs, wrong[i], &e), ERR_INPUT);
        says(&e, "is not a point");
        assert_int_equal(specs.all.n, 0);
        error_release(&e);
    }
}

static void lines_of_a_file(void **state)
{
    (void)state;
    static const char text[] = "# all\n\n function:f # the work\r\nloop:f.c:7";
    struct stamp_specs specs;
    struct error e = ERROR_INIT;
    char path[] = "/tmp/test_stamp_specs.XXXXXX";
    close(mkstemp(path));
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    char *both = xasprintf("region:r,%s", path);
    assert_int_equal(stamp_specs_read(&specs, both, &e), OK);
    assert_int_equal(specs.all.n, 3);
    check(&specs.all.at[1], SPEC_FUNCTION, "f", 0);
    check(&specs.all.at[2], SPEC_LOOP, "f.c", 7);
    assert_int_equal(specs.all.at[1].from_line, 3);
    assert_int_equal(specs.all.at[2].from_line, 4);
    assert_string_equal(specs.all.at[2].from, path);
    stamp_specs_release(&specs);
    /* A wrong line is said with its number; a file of nothing, one with a NUL are none. */
    assert_int_equal(file_write(path, "function:f\nwrong\n", 17, &e), OK);
    assert_int_equal(stamp_specs_read(&specs, path, &e), ERR_INPUT);
    says(&e, ":2: 'wrong' is not a point");
    assert_int_equal(file_write(path, "function:f\0g", 12, 0), OK);
    assert_int_equal(stamp_specs_read(&specs, path, &e), ERR_INPUT);
    says(&e, "NUL");
    unlink(path);
    free(both);
    error_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_in_their_order), cmocka_unit_test(what_is_no_point),
                                       cmocka_unit_test(lines_of_a_file)};
    return cmocka_run_group_tests(tests, 0, 0);
}
