/* test_cli.c - tests of base/cli.c: options, operands, usage errors, help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cli.h"

struct demo {
    bool fast;
    const char *output, *format;
    long runs;
    double rate;
};
static const struct cli_option options[] = {
    {CLI_BOOL, "fast", 'f', 0, 0, "hurry", offsetof(struct demo, fast)},
    {CLI_TEXT, "output", 'o', "FILE", 0, "where to", offsetof(struct demo, output)},
    {CLI_CHOICE, "format", 0, "text|csv", "text", "how", offsetof(struct demo, format)},
    {CLI_INTEGER, "runs", 0, "N", "100", "how often", offsetof(struct demo, runs)},
    {CLI_REAL, "rate", 0, "X", 0, "how much", offsetof(struct demo, rate)},
    {CLI_TEXT, "to-file", 'O', "FILE", 0, 0, offsetof(struct demo, output)},
    {0},
};
static struct demo seen;
static char operands[64];
static int before;

static enum status run_demo(const void *o, const struct cli_args *args, struct error *e)
{
    (void)e;
    seen = *(const struct demo *)o;
    operands[0] = 0;
    before = args->before;
    for (int i = 0; i < args->argc; i++)
        strcat(strcat(operands, args->argv[i]), ";");
    return OK;
}

static enum status run_found(const void *o, const struct cli_args *args, struct error *e)
{
    (void)o;
    (void)args;
    (void)e;
    return ERR_FOUND;
}

static const struct cli_command commands[] = {
    {.name = "demo",
     .synopsis = "demo FILE...",
     .summary = "shows",
     .options = options,
     .options_size = sizeof(struct demo),
     .min_args = 1,
     .max_args = 3,
     .run = run_demo},
    {.name = "raw",
     .synopsis = "raw ...",
     .summary = "takes all",
     .options_size = sizeof(struct demo),
     .max_args = -1,
     .raw = true,
     .run = run_demo},
    {.name = "found", .synopsis = "found", .summary = "finds", .run = run_found},
    {0},
};
static const struct cli_program program = {"prog", "tests", 0, commands};

#define RUN(...) run_with((char *[]){"prog", __VA_ARGS__, 0})
static int run_with(char **argv)
{
    int argc = 0;
    while (argv[argc])
        argc++;
    return cli_main(&program, argc, argv);
}

static void parses_all_forms(void **state)
{
    (void)state;
    assert_int_equal(
        RUN("demo", "a", "-f", "--output=x", "b", "--runs", "7", "--rate=0.5", "--format", "csv", "--", "-c"), 0);
    assert_true(seen.fast);
    assert_string_equal(seen.output, "x");
    assert_string_equal(seen.format, "csv");
    assert_int_equal(seen.runs, 7);
    assert_true(seen.rate == 0.5);
    assert_string_equal(operands, "a;b;-c;");
    assert_int_equal(before, 2);
    assert_int_equal(RUN("raw", "one"), 0); /* no request for help */
    assert_string_equal(operands, "one;");
    assert_int_equal(RUN("raw", "--help", "one"), 0);
    assert_string_equal(operands, "--help;one;");
}

static void defaults_hold(void **state)
{
    (void)state;
    assert_int_equal(RUN("demo", "a", "-oy"), 0);
    assert_false(seen.fast);
    assert_string_equal(seen.output, "y");
    assert_int_equal(before, 1);
    assert_string_equal(seen.format, "text");
    assert_int_equal(seen.runs, 100);
}

static void usage_errors_exit_2(void **state)
{
    (void)state;
    assert_int_equal(RUN("demo"), 2);
    assert_int_equal(RUN("demo", "a", "b", "c", "d"), 2);
    assert_int_equal(RUN("demo", "a", "--runs", "x"), 2);
    assert_int_equal(RUN("demo", "a", "--runs"), 2);
    assert_int_equal(RUN("demo", "a", "--format", "xml"), 2);
    assert_int_equal(RUN("demo", "a", "--format", "text|csv"), 2);
    assert_int_equal(RUN("demo", "a", "--rate", "nan"), 2);
    assert_int_equal(RUN("demo", "a", "--fast=1"), 2);
    assert_int_equal(RUN("demo", "a", "--nonsense"), 2);
    assert_int_equal(RUN("dmo", "a"), 2);
    char *alone[] = {"prog", 0};
    assert_int_equal(cli_main(&program, 1, alone), 2);
}

static void other_exits(void **state)
{
    (void)state;
    assert_int_equal(RUN("found"), 1);
    assert_int_equal(RUN("--version"), 0);
    assert_int_equal(RUN("--help"), 0);
    assert_int_equal(RUN("demo", "--help"), 0);
    assert_int_equal(RUN("raw", "--unknown", "-x"), 0);
    assert_string_equal(operands, "--unknown;-x;");
    assert_int_equal(before, 2);
}

static void former_names_are_accepted(void **state)
{
    (void)state;
    assert_int_equal(RUN("demo", "a", "--to-file", "x"), 0);
    assert_string_equal(seen.output, "x");
    assert_int_equal(RUN("demo", "a", "-Oz"), 0);
    assert_string_equal(seen.output, "z");
    assert_int_equal(RUN("demo", "a", "--to-file"), 2);
}

static void help_has_a_letter(void **state)
{
    (void)state;
    seen.fast = true;
    assert_int_equal(RUN("-h"), 0);
    assert_int_equal(RUN("demo", "-h"), 0);
    assert_int_equal(RUN("demo", "a", "b", "-h"), 0);
    assert_int_equal(RUN("raw", "-h"), 0);
    assert_true(seen.fast); /* nothing ran */
    assert_int_equal(RUN("demo", "--", "-h"), 0);
    assert_string_equal(operands, "-h;");
    assert_int_equal(RUN("--completion", "bash"), 0);
    assert_int_equal(RUN("--completion", "fish"), 2);
    assert_int_equal(RUN("--completion"), 2);
}

static void lists_split(void **state)
{
    (void)state;
    char **parts;
    size_t n;
    assert_int_equal(split_list("a, b ,c", "things", &parts, &n, 0), OK);
    assert_int_equal(n, 3);
    assert_string_equal(parts[0], "a");
    assert_string_equal(parts[1], "b");
    assert_string_equal(parts[2], "c");
    free(parts);
    struct error e = ERROR_INIT;
    assert_int_equal(split_list("a,,c", "things", &parts, &n, &e), ERR_USAGE);
    assert_int_equal(split_list("", "things", &parts, &n, &e), ERR_USAGE);
    error_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_all_forms),    cmocka_unit_test(defaults_hold),
        cmocka_unit_test(usage_errors_exit_2), cmocka_unit_test(other_exits),
        cmocka_unit_test(lists_split),         cmocka_unit_test(former_names_are_accepted),
        cmocka_unit_test(help_has_a_letter),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
