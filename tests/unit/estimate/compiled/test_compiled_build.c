/* The method compiled: which IR a board takes, and what is said when it cannot be compiled. No cross compiler is
 * needed: the board's compiler here is one that refuses. */
#include <sys/stat.h>

#include "tests/unit/boards/fixture.h"

#include "base/alloc.h"
#include "shimgen/estimate/compiled/compiled_build.h"
#include "shimgen/estimate/estimate.h"

static const char ir[] = "source_filename = \"p.c\"\ntarget triple = \"%s\"\ndefine void @f() {\n ret void\n}\n";

static struct board *board(const char *compiler)
{
    struct board *b;
    struct error e = ERROR_INIT;
    char *text = xasprintf(
        "[board]\ntarget = aarch64-linux-gnu\n[compile]\ncompiler = %s\nlevels = O2\n[run]\nhow = ssh\n", compiler);
    char *path = put_file("board.ini", text);
    if (board_load(&b, path, &e))
        fail_msg("%s", error_text(&e));
    free(text);
    free(path);
    return b;
}

static char *module(const char *name, const char *triple)
{
    char *text = xasprintf(ir, triple), *path = put_file(name, text);
    free(text);
    return path;
}

static void check_refused(enum status s, enum status expected, struct error *e, const char *said)
{
    assert_int_equal(s, expected);
    char *text = error_text(e);
    if (!strstr(text, said))
        fail_msg("'%s' is not in: %s", said, text);
    free(text);
    error_release(e);
}

static void test_modules(void **state)
{
    (void)state;
    struct board *b = board("false");
    struct compiled_program p;
    struct error e = ERROR_INIT;
    char *own = module("own.ll", "aarch64-unknown-linux-gnu"), *other = module("other.ll", "x86_64-linux-gnu");
    char *none = module("none.ll", ""), *text = put_file("p.c", "int f;");
    assert_int_equal(compiled_labels(&p, b, (const char *const[]){own, own, 0}, "f", &e), OK);
    assert_int_equal(p.n, 2);
    assert_string_equal(p.steps, "f");
    assert_string_equal(p.labels[1].module, "p.c");
    assert_string_equal(p.labels[1].functions[0].name, "f");
    compiled_program_release(&p);
    check_refused(compiled_labels(&p, b, (const char *const[]){own, other, 0}, 0, &e), ERR_INPUT, &e,
                  "other.ll: is IR for x86_64-linux-gnu, the board");
    assert_int_equal(p.n, 2);
    compiled_program_release(&p);
    check_refused(compiled_labels(&p, b, (const char *const[]){none, 0}, 0, &e), ERR_INPUT, &e, "is IR for no target");
    compiled_program_release(&p);
    check_refused(compiled_labels(&p, b, (const char *const[]){own, text, 0}, 0, &e), ERR_INPUT, &e,
                  "p.c: is not LLVM IR (.bc, .ll)");
    compiled_program_release(&p);
    check_refused(compiled_labels(&p, b, (const char *const[]){".ll", 0}, 0, &e), ERR_INPUT, &e, "is not LLVM IR");
    compiled_program_release(&p);
    free(own);
    free(other);
    free(none);
    free(text);
    board_free(b);
}

static void test_compiler_refuses(void **state)
{
    (void)state;
    struct board *b = board("false");
    struct compiled_program p;
    struct error e = ERROR_INIT;
    char *own = module("own.ll", "aarch64-linux-gnu");
    const char *const modules[] = {own, 0};
    assert_int_equal(compiled_labels(&p, b, modules, 0, &e), OK);
    enum status s = compiled_build(&p, b, modules, &e);
    check_refused(s, ERR_SYSTEM, &e, "false");
    assert_int_equal(p.elf.n_functions, 0);
    compiled_program_release(&p);
    free(own);
    board_free(b);
}

/* What stops is the step that fails: here the first, though all others would pass. */
static void test_first_step_fails(void **state)
{
    (void)state;
    char *script = put_file("picky", "#!/bin/sh\ncase \" $* \" in *' -S '*) echo no assembler >&2; exit 1 ;; esac\n");
    assert_int_equal(chmod(script, 0755), 0);
    struct board *b = board(script);
    struct compiled_program p;
    struct error e = ERROR_INIT;
    char *own = module("own.ll", "aarch64-linux-gnu");
    const char *const modules[] = {own, 0};
    assert_int_equal(compiled_labels(&p, b, modules, 0, &e), OK);
    enum status s = compiled_build(&p, b, modules, &e);
    check_refused(s, ERR_SYSTEM, &e, "no assembler");
    compiled_program_release(&p);
    free(own);
    free(script);
    board_free(b);
}

/* A board without a model of its core has no costs for this method; one with it is named with its clock. */
static void test_costs_from_board(void **state)
{
    (void)state;
    struct costs c;
    struct error e = ERROR_INIT;
    check_refused(costs_from_board(&c, "host", NULL, &e), ERR_UNSUPPORTED, &e, "the board host has no timing data");
    assert_null(c.core);
    costs_release(&c);
    check_refused(costs_from_board(&c, "no-such-board", NULL, &e), ERR_INPUT, &e, "no-such-board");
    costs_release(&c);
    assert_int_equal(costs_from_board(&c, "raspberrypi3-sim", NULL, &e), OK);
    assert_string_equal(c.core, "Cortex-A53 (Raspberry Pi 3)");
    assert_float_equal(c.clock_hz, 1.4e9, 0);
    costs_release(&c);
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_modules), cmocka_unit_test(test_compiler_refuses),
                                       cmocka_unit_test(test_first_step_fails),
                                       cmocka_unit_test(test_costs_from_board)};
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
