/* test_cli.c - tests of base/cli.c: options, operands, usage errors, help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/cli.h"
#include "tests/unit/base/child_text.h"

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
static const struct cli_option long_options[] = {
    {CLI_TEXT, "option-of-24", 0, "SOMETHING", 0, "a", offsetof(struct demo, output)},
    {CLI_TEXT, "option-of-26", 0, "SOMETHINGS", 0, "b", offsetof(struct demo, output)},
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
    {.name = "a-long-command",
     .synopsis = "a-long-command",
     .summary = "is long",
     .details = "More of it.",
     .options = long_options,
     .options_size = sizeof(struct demo),
     .run = run_demo},
    {.name = "a-longer-command", .synopsis = "a-longer-command", .summary = "is longer", .run = run_found},
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

/* What the program prints for these words, on both outputs. */
static char **given;
static void run_given(void)
{
    dup2(STDERR_FILENO, STDOUT_FILENO);
    run_with(given);
    fflush(stdout);
}
static void check_printed(char **argv, const char *expected)
{
    given = argv;
    char *text = child_text(run_given, NULL);
    assert_string_equal(text, expected);
    free(text);
}
#define PRINTS(expected, ...) check_printed((char *[]){"prog", __VA_ARGS__, 0}, expected)

/* Two columns; what is longer than its column stands two spaces before the next. */
static void help_is_printed(void **state)
{
    (void)state;
    PRINTS("usage: prog COMMAND ...\n\ntests\n\ncommands:\n"
           "  demo          shows\n"
           "  raw           takes all\n"
           "  found         finds\n"
           "  a-long-command  is long\n"
           "  a-longer-command  is longer\n"
           "\n'prog COMMAND --help' tells more about a command; 'prog --version' prints the version.\n"
           "Exit status: 0 done; 1 the input is wrong or the check failed; 2 the command line is wrong.\n",
           "--help");
    PRINTS("usage: prog demo FILE...\n\nshows\n\noptions:\n"
           "  -f, --fast                    hurry\n"
           "  -o, --output FILE             where to\n"
           "      --format text|csv         how (default: text)\n"
           "      --runs N                  how often (default: 100)\n"
           "      --rate X                  how much\n"
           "  -h, --help                    this text\n",
           "demo", "--help");
    PRINTS("usage: prog raw ...\n\ntakes all\n", "raw", "--help");
    PRINTS("usage: prog a-long-command\n\nis long\n\noptions:\n"
           "      --option-of-24 SOMETHING  a\n"
           "      --option-of-26 SOMETHINGS  b\n"
           "  -h, --help                    this text\n\nMore of it.\n",
           "a-long-command", "-h");
}

static void usage_errors_say_what_is_wrong(void **state)
{
    (void)state;
    PRINTS("prog: an operand is missing: prog demo FILE... (see 'prog demo --help')\n", "demo");
    PRINTS("prog: one operand too many: 'd' (see 'prog demo --help')\n", "demo", "a", "b", "c", "d", "e");
    PRINTS("prog: --runs: 'x' is not a whole number (see 'prog demo --help')\n", "demo", "a", "--runs", "x");
    PRINTS("prog: option '--runs' needs a value: N (see 'prog demo --help')\n", "demo", "a", "--runs");
    PRINTS("prog: --format: 'xml' is not one of text|csv (see 'prog demo --help')\n", "demo", "--format", "xml");
    PRINTS("prog: --format: 'te' is not one of text|csv (see 'prog demo --help')\n", "demo", "--format=te");
    PRINTS("prog: --format: '' is not one of text|csv (see 'prog demo --help')\n", "demo", "--format=");
    PRINTS("prog: --rate: 'inf' is not a number (see 'prog demo --help')\n", "demo", "--rate", "inf");
    PRINTS("prog: option '--fast' takes no value (see 'prog demo --help')\n", "demo", "--fast=");
    PRINTS("prog: option '--fast' takes no value (see 'prog demo --help')\n", "demo", "-fx");
    PRINTS("prog: unknown option '--outptu=x'; did you mean '--output'? (see 'prog demo --help')\n", "demo",
           "--outptu=x");
    PRINTS("prog: unknown option '--to-fil' (see 'prog demo --help')\n", "demo", "--to-fil");
    PRINTS("prog: unknown option '-q' (see 'prog found --help')\n", "found", "-q");
    PRINTS("prog: unknown command 'dmo'; did you mean 'demo'? (see 'prog --help')\n", "dmo");
    PRINTS("prog: unknown command 'xyzzyx' (see 'prog --help')\n", "xyzzyx");
    check_printed((char *[]){"prog", 0}, "prog: a command is needed (see 'prog --help')\n");
    assert_int_equal(RUN("demo", "-", "--format", "text"), 0); /* "-" is an operand */
    assert_string_equal(operands, "-;");
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
    assert_string_equal(e.message, "empty entry in the list of things: 'a,,c'");
    assert_int_equal(split_list("", "things", &parts, &n, &e), ERR_USAGE);
    assert_int_equal(split_list("a, ", "things", &parts, &n, &e), ERR_USAGE);
    error_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_all_forms),
        cmocka_unit_test(defaults_hold),
        cmocka_unit_test(usage_errors_exit_2),
        cmocka_unit_test(other_exits),
        cmocka_unit_test(lists_split),
        cmocka_unit_test(former_names_are_accepted),
        cmocka_unit_test(help_has_a_letter),
        cmocka_unit_test(help_is_printed),
        cmocka_unit_test(usage_errors_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
