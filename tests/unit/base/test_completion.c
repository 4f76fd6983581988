/* What is offered for each operand and value of a command, and the scripts for shells that are made of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "base/completion/completion.h"

static void operands(void **state)
{
    (void)state;
    static const struct {
        const char *operands;
        int most;
        size_t n, at;
        const char *offered;
    } rows[] = {
        {0, -1, 1, 0, "FILE"},
        {0, 3, 1, 0, "FILE"},
        {0, 0, 1, 0, ""}, /* it takes none */
        {"BOARD", 1, 1, 0, "BOARD"},
        {"BOARD FOLDER", 2, 2, 0, "BOARD"},
        {"BOARD FOLDER", 2, 2, 1, "FOLDER"},
        {"BOARD FOLDER FILE", 3, 3, 1, "FOLDER"},
        {"BOARD FOLDER", -1, 2, 7, "FOLDER"}, /* the last for all that follow */
        {"list|show FILE", 2, 2, 0, "list show"},
        {"list|show FILE", 2, 2, 1, "FILE"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cli_command c = {.name = "c", .operands = rows[i].operands, .max_args = rows[i].most};
        struct str text = STR_INIT;
        assert_int_equal(completion_operands(&c), rows[i].n);
        completion_operand(&text, &c, rows[i].at);
        assert_string_equal(str_text(&text), rows[i].offered);
        str_release(&text);
    }
}

static void values(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"replacement", "lru|fifo", "lru fifo"},
        {"output", "FILE", "FILE"},
        {"output", "NAME|FILE", "FILE"},
        {"folders", "FOLDER,...", "list FOLDER"},
        {"solvers", "nnls|shrink,...", "list nnls shrink"},
        {"classes", "NAME|FILE", "CLASSES"},
        {"classes", "NAME|FILE,...", "list CLASSES"},
        {"board", "NAME", "BOARD"},
        {"to", "BOARD", "BOARD"},
        {"runs", "N", ""},
        {"parts", "N,...", "list "},
        {"dots", ",...", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cli_option o = {.name = rows[i][0], .arg = rows[i][1]};
        struct str text = STR_INIT;
        completion_value(&text, &o);
        assert_string_equal(str_text(&text), rows[i][2]);
        str_release(&text);
    }
}

static void names(void **state)
{
    (void)state;
    struct cli_program p = {.name = "shim-xml2"};
    struct str text = STR_INIT;
    completion_name(&text, &p);
    assert_string_equal(str_text(&text), "shim_xml2");
    str_release(&text);
}

/* ---- whole scripts ---- */

static const struct cli_option options[] = {
    {CLI_BOOL, "fast", 'f', 0, 0, "don't [wait]", 0},
    {CLI_CHOICE, "format", 0, "text|csv", "text", "how", 0},
    {CLI_TEXT, "output", 'o', "FILE", 0, "where to", 0},
    {CLI_TEXT, "folder", 0, "FOLDER", 0, "what in", 0},
    {CLI_TEXT, "solvers", 0, "a|b,...", 0, "which", 0},
    {CLI_TEXT, "classes", 0, "NAME|FILE", 0, "of what", 0},
    {CLI_TEXT, "sets", 0, "CLASSES,...", 0, "of these", 0},
    {CLI_TEXT, "board", 0, "NAME", 0, "for it", 0},
    {CLI_INTEGER, "runs", 'r', "N", "100", "how often", 0},
    {CLI_TEXT, "former", 0, "FILE", 0, 0, 0},
    {0},
};
static const struct cli_command commands[] = {
    {.name = "show", .summary = "prints", .options = options, .max_args = 2, .operands = "BOARD FILE"},
    {.name = "none", .summary = "a\\b", .max_args = 0},
    {0},
};
static const struct cli_program program = {"my-prog", "tests", 0, commands};

/* The caller frees. */
static char *printed(const char *what)
{
    FILE *f = tmpfile();
    struct error e = ERROR_INIT;
    assert_non_null(f);
    fflush(stdout);
    int before = dup(STDOUT_FILENO);
    assert_true(before >= 0 && dup2(fileno(f), STDOUT_FILENO) >= 0);
    enum status s = cli_completion(&program, what, &e);
    fflush(stdout);
    assert_true(dup2(before, STDOUT_FILENO) >= 0);
    close(before);
    assert_int_equal(s, OK);
    char *text = calloc(1, 65536);
    assert_non_null(text);
    rewind(f);
    assert_true(fread(text, 1, 65535, f) > 0);
    fclose(f);
    return text;
}

/* Each of these lines is in the script. */
static void check_lines(const char *what, const char *const *lines, size_t n)
{
    char *text = printed(what);
    for (size_t i = 0; i < n; i++)
        if (!strstr(text, lines[i]))
            fail_msg("%s: '%s' is not in:\n%s", what, lines[i], text);
    assert_null(strstr(text, "former"));
    assert_null(strstr(text, "@_"));
    free(text);
}

static void zsh(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "#compdef my-prog\n",
        "\n_my_prog() {\n",
        "\n            'show:prints'\n            'none:a\\\\b'\n",
        "\n        show)\n            _arguments -s '(-h --help)'{-h,--help}'[help]' \\\n",
        "            '(-f --fast)'{-f,--fast}'[don'\\''t \\[wait\\]]' \\\n",
        "            '--format[how]:format:(text csv)' \\\n",
        "            '(-o --output)'{-o,--output}'[where to]:output:_files' \\\n",
        "            '--folder[what in]:folder:_files -/' \\\n",
        "            '--solvers[which]:solvers:_values -s , word a b' \\\n",
        "            '--classes[of what]:classes:_my_prog_classes' \\\n",
        "            '--sets[of these]:sets:_sequence _my_prog_class_names' \\\n",
        "            '--board[for it]:board:_my_prog_boards' \\\n",
        "            '(-r --runs)'{-r,--runs}'[how often]:runs: ' \\\n",
        "            '1:operand:_my_prog_boards' \\\n            '*:operand:_files'",
        "\n        none)\n            _arguments -s '(-h --help)'{-h,--help}'[help]' ;;",
    };
    check_lines("zsh", lines, sizeof lines / sizeof *lines);
}

static void bash(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "\n    echo '--help --version show none'\n",
        "\n    show) echo '--help --fast --format --output --folder --solvers --classes --sets --board --runs' ;;\n",
        "\n    none) echo '--help' ;;\n",
        "\n    'show --format') kind='text csv' ;;\n",
        "\n    'show --output' | 'show -o') kind='FILE' ;;\n",
        "\n    'show --solvers') kind='list a b' ;;\n",
        "\n    'show --runs' | 'show -r') kind='' ;;\n",
        "\n    'show 0') kind='BOARD' ;;\n    'show '*) kind='FILE' ;;\n",
        "\n    'none '*) kind='' ;;\n",
        "\ncomplete -F _my_prog my-prog\n",
    };
    check_lines("bash", lines, sizeof lines / sizeof *lines);
}

static void table(void **state)
{
    (void)state;
    char *text = printed("table");
    assert_string_equal(text, "show\n"
                              "show\t--fast\tf\tflag\t-\tshown\tdon't [wait]\n"
                              "show\t--format\t-\tchoice\ttext|csv\tshown\thow\n"
                              "show\t--output\to\ttext\tFILE\tshown\twhere to\n"
                              "show\t--folder\t-\ttext\tFOLDER\tshown\twhat in\n"
                              "show\t--solvers\t-\ttext\ta|b,...\tshown\twhich\n"
                              "show\t--classes\t-\ttext\tNAME|FILE\tshown\tof what\n"
                              "show\t--sets\t-\ttext\tCLASSES,...\tshown\tof these\n"
                              "show\t--board\t-\ttext\tNAME\tshown\tfor it\n"
                              "show\t--runs\tr\tinteger\tN\tshown\thow often\n"
                              "show\t--former\t-\ttext\tFILE\tformer\t-\n"
                              "none\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(operands), cmocka_unit_test(values), cmocka_unit_test(names),
                                       cmocka_unit_test(zsh),      cmocka_unit_test(bash),   cmocka_unit_test(table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
