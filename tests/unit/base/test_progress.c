/* A step that says nothing for ten seconds has a line all the same, in a pipe. */
#include "tests/unit/base/child_text.h"

#include "base/progress.h"

/* One of two things in 4 seconds: the other takes as long. What is said comes after ten seconds. */
static void counted_step(void)
{
    progress_show("compiling", 1, 3, "a");
    sleep(4);
    progress_show("compiling", 2, 3, "b");
    sleep(8);
}

/* Both at a time, in two processes. */
static void silent_step(void)
{
    pid_t other = fork();
    if (!other) {
        counted_step();
        _exit(0);
    }
    progress_begin("fit");
    sleep(12);
    progress_end();
    sleep(1);
    waitpid(other, 0, 0);
}

static void a_silent_step_has_lines(void **state)
{
    (void)state;
    char *text = child_text(silent_step, 0);
    assert_ptr_equal(strstr(text, "fit\n"), text);
    assert_non_null(strstr(text, "\nfit, 1"));
    assert_non_null(strstr(text, "s so far\n"));
    assert_non_null(strstr(text, "compiling 2/3, about "));
    assert_non_null(strstr(text, " s left: b\n"));
    free(text);
}

static void quick_step(void)
{
    progress_show("compiling", 1, 3, "a");
    progress_show("compiling", 3, 3, "c");
    progress_note("left out: b");
}

static void a_quick_one_has_none(void **state)
{
    (void)state;
    char *text = child_text(quick_step, 0);
    assert_string_equal(text, "left out: b\n");
    free(text);
}

static void durations(void **state)
{
    (void)state;
    const struct {
        double s;
        const char *text;
    } cases[] = {{0.2, "0 s"}, {59.4, "59 s"}, {200, "3 min 20 s"}, {3900, "1 h 5 min"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = progress_duration(cases[i].s);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(a_quick_one_has_none),
        cmocka_unit_test(a_silent_step_has_lines),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
