/* Errors: what their text is, what replaces what, and what a defect of the program says. */
#include "tests/unit/base/child_text.h"

#include <errno.h>
#include <signal.h>

#include "base/error.h"

static void check_text(const struct error *e, const char *expected)
{
    char *text = error_text(e);
    assert_string_equal(text, expected);
    free(text);
}

static void places(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    check_text(&e, "unknown error");
    assert_int_equal(error_set(&e, ERR_INPUT, NOWHERE, "no %s", "name"), ERR_INPUT);
    check_text(&e, "no name");
    assert_int_equal(error_set(&e, ERR_UNSUPPORTED, AT_FILE("a.csv"), "is empty"), ERR_UNSUPPORTED);
    check_text(&e, "a.csv: is empty");
    assert_int_equal(e.status, ERR_UNSUPPORTED);
    error_set(&e, ERR_INPUT, AT("a.csv", 7), "a\x1b[2J cell");
    assert_int_equal(e.line, 7);
    char *text = error_text(&e);
    assert_null(strchr(text, '\x1b'));
    assert_ptr_equal(strstr(text, "a.csv:7: a"), text);
    free(text);
    error_release(&e);
    assert_null(e.message);
    assert_null(e.file);
    assert_int_equal(e.status, OK);
}

static void reasons_of_the_system(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    errno = ENOENT;
    assert_int_equal(error_errno(&e, AT_FILE("x"), "cannot be %s", "read"), ERR_SYSTEM);
    check_text(&e, "x: cannot be read: No such file or directory");
    assert_int_equal(e.status, ERR_SYSTEM);
    error_release(&e);
}

static void context(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    assert_int_equal(error_context(&e, "nothing"), OK);
    assert_null(e.message);
    error_set(&e, ERR_INPUT, AT("f", 2), "is wrong");
    assert_int_equal(error_context(&e, "board %d", 3), ERR_INPUT);
    check_text(&e, "f:2: board 3: is wrong");
    error_release(&e);
}

/* Nobody wants the text: the status alone. */
static void without_an_object(void **state)
{
    (void)state;
    assert_int_equal(error_set(0, ERR_INPUT, NOWHERE, "x"), ERR_INPUT);
    assert_int_equal(error_errno(0, NOWHERE, "x"), ERR_SYSTEM);
    assert_int_equal(error_context(0, "x"), ERR_SYSTEM);
}

static void several(void **state)
{
    (void)state;
    struct error all = ERROR_INIT, one = ERROR_INIT;
    error_set(&one, ERR_INPUT, AT("a", 1), "first");
    error_collect(&all, &one);
    check_text(&all, "a:1: first");
    error_set(&one, ERR_SYSTEM, AT_FILE("b"), "second");
    error_collect(&all, &one);
    assert_string_equal(all.message, "a:1: first\nb: second");
    assert_int_equal(all.status, ERR_INPUT);
    error_release(&all);
    error_release(&one);
}

static void print_one(void)
{
    struct error e = ERROR_INIT;
    error_set(&e, ERR_INPUT, AT("a", 1), "bad");
    error_print(&e, "prog");
    error_release(&e);
}

static void have_a_bug(void)
{
    signal(SIGABRT, SIG_DFL);
    bug_at("x.c", 7, "state %d", 3);
}

static void printed(void **state)
{
    (void)state;
    int how = 0;
    char *text = child_text(print_one, &how);
    assert_string_equal(text, "prog: a:1: bad\n");
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    free(text);
    text = child_text(have_a_bug, &how);
    assert_string_equal(text, "BUG at x.c:7: state 3; please report this\n");
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),  cmocka_unit_test(reasons_of_the_system), cmocka_unit_test(context),
        cmocka_unit_test(several), cmocka_unit_test(without_an_object),     cmocka_unit_test(printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
