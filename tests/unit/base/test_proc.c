/* test_proc.c - tests of base/proc.c: capture, time limits, signals. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/proc.h"

#define ARGV(...) ((const char *const[]){__VA_ARGS__, 0})

static void captures_and_reports(void **state)
{
    (void)state;
    struct proc p = {.argv = ARGV("sh", "-c", "echo $WORD; echo oops >&2; exit 3"),
                     .environment = ARGV("WORD=hello"),
                     .capture = true,
                     .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    assert_int_equal(proc_run(&p, &r, 0), OK);
    assert_int_equal(r.exit_code, 3);
    assert_string_equal(str_text(&r.out), "hello\n");
    assert_string_equal(str_text(&r.err), "oops\n");
    struct error e = ERROR_INIT;
    assert_int_equal(proc_must(&p, &r, &e), ERR_SYSTEM);
    assert_non_null(strstr(e.message, "exited with 3:\noops"));
    error_release(&e);
    proc_result_release(&r);
}

/* The lowest number that a file would get now: more files than that are not open. */
static int lowest_free(void)
{
    int fd = dup(STDIN_FILENO);
    assert_true(fd >= 0);
    close(fd);
    return fd;
}

/* Whatever comes of a program, what it was listened to by is closed. */
static void leaves_no_file_open(void **state)
{
    (void)state;
    int before = lowest_free();
    for (int i = 0; i < 2; i++) {
        struct proc_result r = PROC_RESULT_INIT;
        struct error e = ERROR_INIT;
        struct proc p = {.argv = ARGV("sh", "-c", "echo a; echo b >&2"), .capture = true, .cpu = -1};
        assert_int_equal(proc_run(&p, &r, &e), OK);
        proc_result_release(&r);
        p.argv = ARGV("/nonexistent/program");
        assert_int_not_equal(proc_run(&p, &r, &e), OK);
        error_release(&e);
        proc_result_release(&r);
        p.argv = ARGV("true");
        p.capture = false;
        assert_int_equal(proc_run(&p, &r, &e), OK);
        proc_result_release(&r);
        assert_int_equal(lowest_free(), before);
    }
}

static void death_and_time(void **state)
{
    (void)state;
    struct proc_result r = PROC_RESULT_INIT;
    struct proc p = {.argv = ARGV("sh", "-c", "kill -SEGV $$"), .cpu = -1};
    assert_int_equal(proc_run(&p, &r, 0), OK);
    assert_int_equal(r.signal, SIGSEGV);
    char *how = proc_how_ended(&p, &r);
    assert_string_equal(how, "was killed by SIGSEGV");
    free(how);
    /* a grandchild that holds the pipe must not keep us waiting */
    p = (struct proc){.argv = ARGV("sh", "-c", "sleep 60 & sleep 60"), .timeout_s = 0.2, .capture = true, .cpu = -1};
    assert_int_equal(proc_run(&p, &r, 0), OK);
    assert_true(r.timed_out);
    assert_true(r.wall_s < 30);
    /* processor time: a child that only waits uses none, one that works is ended however busy the machine is */
    p = (struct proc){.argv = ARGV("sh", "-c", "sleep 0.2"), .cpu_limit_s = 1, .cpu = -1};
    assert_int_equal(proc_run(&p, &r, 0), OK);
    assert_int_equal(r.exit_code, 0);
    assert_true(r.cpu_s < 0.2);
    p = (struct proc){.argv = ARGV("sh", "-c", "while :; do :; done"), .cpu_limit_s = 1, .timeout_s = 60, .cpu = -1};
    assert_int_equal(proc_run(&p, &r, 0), OK);
    assert_false(r.timed_out);
    assert_true(r.cpu_s > 0.5 && r.cpu_s < 3); /* the kernel counts the limit in ticks: 0.87 was seen */
    how = proc_how_ended(&p, &r);
    assert_string_equal(how, "used more than 1 s of processor time");
    free(how);
    proc_result_release(&r);
}

static void input_from_a_file(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct proc_result r = PROC_RESULT_INIT;
    struct proc p = {.argv = ARGV("cat"), .in_path = "/proc/sys/kernel/ostype", .capture = true, .cpu = -1};
    assert_int_equal(proc_run(&p, &r, &e), OK);
    assert_string_equal(str_text(&r.out), "Linux\n");
    p.in_path = "/nowhere/input";
    assert_int_equal(proc_run(&p, &r, &e), ERR_SYSTEM);
    assert_string_equal(e.file, "/nowhere/input");
    error_release(&e);
    proc_result_release(&r);
}

static void only_the_environment_that_is_given(void **state)
{
    (void)state;
    struct proc_result r = PROC_RESULT_INIT;
    struct proc p = {.argv = ARGV("/usr/bin/env"),
                     .environment = ARGV("A=1", "B=2"),
                     .only_environment = true,
                     .capture = true,
                     .cpu = -1};
    assert_int_equal(proc_run(&p, &r, 0), OK);
    /* programs under qemu-user have it in reverse */
    assert_string_equal(str_text(&r.out), getenv("SHIMGEN_EMULATED") ? "B=2\nA=1\n" : "A=1\nB=2\n");
    proc_result_release(&r);
}

static void input_is_ours_when_asked(void **state)
{
    (void)state;
    int ends[2];
    int before = dup(STDIN_FILENO);
    struct proc_result r = PROC_RESULT_INIT;
    struct proc p = {.argv = ARGV("cat"), .capture = true, .cpu = -1};
    for (int ours = 0; ours < 2; ours++) {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], "typed", 5), 5);
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        p.input = ours;
        assert_int_equal(proc_run(&p, &r, 0), OK);
        assert_string_equal(str_text(&r.out), ours ? "typed" : "");
    }
    dup2(before, STDIN_FILENO);
    close(before);
    proc_result_release(&r);
}

static void cannot_start(void **state)
{
    (void)state;
    struct proc_result r = PROC_RESULT_INIT;
    struct error e = ERROR_INIT;
    struct proc p = {.argv = ARGV("no-such-program-at-all"), .cpu = -1};
    assert_int_equal(proc_run(&p, &r, &e), ERR_SYSTEM);
    assert_non_null(strstr(e.message, "'no-such-program-at-all' cannot be run"));
    p = (struct proc){.argv = ARGV("true"), .directory = "/no/such/place", .cpu = -1};
    assert_int_equal(proc_run(&p, &r, &e), ERR_SYSTEM);
    assert_string_equal(e.file, "/no/such/place");
    p = (struct proc){.argv = ARGV("true"), .out_path = "/no/such/place/out", .cpu = -1};
    assert_int_equal(proc_run(&p, &r, &e), ERR_SYSTEM);
    assert_string_equal(e.file, "/no/such/place/out");
    error_release(&e);
    proc_result_release(&r);
}

static void pins(void **state)
{
    (void)state;
    struct proc p = {.argv = ARGV("sh", "-c", "grep Cpus_allowed_list /proc/self/status"), .capture = true, .cpu = 0};
    struct proc_result r = PROC_RESULT_INIT;
    assert_int_equal(proc_run(&p, &r, 0), OK);
    assert_string_equal(str_text(&r.out), "Cpus_allowed_list:\t0\n");
    proc_result_release(&r);
}

/* By path: as it stands, if it can be run. By name: the first in PATH. */
static void found(void **state)
{
    (void)state;
    char *shell = proc_find("/bin/sh"), *name = proc_find("sh");
    assert_string_equal(shell, "/bin/sh");
    assert_non_null(name);
    assert_string_equal(strrchr(name, '/'), "/sh");
    assert_null(proc_find("/etc/passwd"));
    assert_null(proc_find("./nothing-here"));
    assert_null(proc_find("nothing-is-called-this"));
    free(shell);
    free(name);
}

static void check_how(const struct proc *p, const struct proc_result *r, const char *expected)
{
    char *how = proc_how_ended(p, r);
    assert_string_equal(how, expected);
    free(how);
}

static void how_it_ended(void **state)
{
    (void)state;
    const struct proc plain = {.timeout_s = 2.5, .cpu = -1}, limited = {.cpu_limit_s = 7, .cpu = -1};
    check_how(&plain, &(struct proc_result){.timed_out = true, .signal = SIGKILL}, "did not end within 2.5 s");
    check_how(&limited, &(struct proc_result){.signal = SIGXCPU}, "used more than 7 s of processor time");
    check_how(&limited, &(struct proc_result){.signal = SIGKILL}, "used more than 7 s of processor time");
    check_how(&limited, &(struct proc_result){.signal = SIGTERM}, "was killed by SIGTERM");
    check_how(&plain, &(struct proc_result){.signal = SIGXCPU}, "was killed by SIGXCPU");
    check_how(&plain, &(struct proc_result){.signal = SIGKILL}, "was killed by SIGKILL");
    check_how(&plain, &(struct proc_result){.signal = 64}, "was killed by signal 64"); /* which has no name */
    check_how(&plain, &(struct proc_result){.exit_code = 7}, "exited with 7");
}

/* Of what it says the last 12 lines, without the line break at the end. */
static void last_words(void **state)
{
    (void)state;
    for (int lines = 11; lines <= 13; lines++) {
        char command[80], first[16];
        snprintf(command, sizeof command, "i=0; while [ $((i += 1)) -le %d ]; do echo l$i >&2; done; exit 3", lines);
        snprintf(first, sizeof first, ":\nl%d\n", lines == 13 ? 2 : 1);
        struct proc p = {.argv = ARGV("sh", "-c", command), .capture = true, .cpu = -1};
        struct proc_result r = PROC_RESULT_INIT;
        struct error e = ERROR_INIT;
        assert_int_equal(proc_must(&p, &r, &e), ERR_SYSTEM);
        assert_non_null(strstr(e.message, "exited with 3"));
        assert_memory_equal(strstr(e.message, ":\n"), first, strlen(first));
        assert_memory_equal(e.message + strlen(e.message) - 2, lines == 13 ? "13" : lines == 12 ? "12" : "11", 2);
        error_release(&e);
        proc_result_release(&r);
    }
    struct proc p = {.argv = ARGV("sh", "-c", "exit 4"), .capture = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    struct error e = ERROR_INIT;
    assert_int_equal(proc_must(&p, &r, &e), ERR_SYSTEM);
    assert_string_equal(e.message, "'sh -c exit 4' exited with 4");
    assert_int_equal(proc_must(&p, &r, NULL), ERR_SYSTEM);
    p.argv = ARGV("true");
    assert_int_equal(proc_must(&p, &r, &e), OK);
    p.argv = ARGV("sh", "-c", "kill -9 $$");
    assert_int_equal(proc_must(&p, &r, &e), ERR_SYSTEM);
    assert_string_equal(e.message, "'sh -c kill -9 $$' was killed by SIGKILL");
    error_release(&e);
    proc_result_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_and_reports),
        cmocka_unit_test(leaves_no_file_open),
        cmocka_unit_test(death_and_time),
        cmocka_unit_test(input_from_a_file),
        cmocka_unit_test(only_the_environment_that_is_given),
        cmocka_unit_test(input_is_ours_when_asked),
        cmocka_unit_test(cannot_start),
        cmocka_unit_test(pins),
        cmocka_unit_test(found),
        cmocka_unit_test(how_it_ended),
        cmocka_unit_test(last_words),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
