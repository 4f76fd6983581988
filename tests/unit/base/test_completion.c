/* What is offered for each operand of a command, and a program's name as a function of a shell has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/completion.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(operands), cmocka_unit_test(values), cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
