/* A step that says nothing for ten seconds has a line all the same, in a pipe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/progress.h"

/* What a child writes to stderr; the caller frees. */
static char *written_by(void (*child)(void))
{
    int fds[2];
    char *text = calloc(1, 4096);
    size_t n = 0;
    ssize_t got;
    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(fds[1], STDERR_FILENO);
        close(fds[0]);
        close(fds[1]);
        child();
        _exit(0);
    }
    close(fds[1]);
    while ((got = read(fds[0], text + n, 4095 - n)) > 0)
        n += (size_t)got;
    close(fds[0]);
    waitpid(pid, 0, 0);
    return text;
}

static void silent_step(void)
{
    progress_begin("fit");
    sleep(12);
    progress_end();
    sleep(1);
}

static void a_silent_step_has_lines(void **state)
{
    (void)state;
    char *text = written_by(silent_step);
    assert_non_null(strstr(text, "fit\nfit, 1"));
    assert_non_null(strstr(text, "s so far\n"));
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
    char *text = written_by(quick_step);
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
