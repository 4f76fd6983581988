/* The commands that compile, as a compiler sees them: the board's compiler here is a script that writes down its
 * arguments, one a line. */
#include <sys/stat.h>

#include "tests/unit/boards/fixture.h"

#include "base/alloc.h"
#include "base/str.h"
#include "shimgen/estimate/compile.h"

static struct board *b;

static void open_board(int exit_status)
{
    struct error e = ERROR_INIT;
    char *log = in_scratch("arguments");
    char *script = xasprintf("#!/bin/sh\nprintf '%%s\\n' \"$@\" >'%s'\necho refused >&2\nexit %d\n", log, exit_status);
    char *compiler = put_file("compiler", script);
    assert_int_equal(chmod(compiler, 0755), 0);
    char *text =
        xasprintf("[compile]\ncompiler = %s\nlevels = O0 O2\nflags = -every -one\nflags.O2 = -only2\nflags.O0 = "
                  "-only0\n[link]\nflags = -linked\n[run]\nhow = native\n",
                  compiler);
    char *board = put_file("board.ini", text);
    if (board_load(&b, board, &e))
        fail_msg("%s", e.message);
    free(log);
    free(script);
    free(compiler);
    free(text);
    free(board);
}

/* The arguments of the last call, one a line. The caller frees. */
static char *said(void)
{
    struct str text = STR_INIT;
    char *log = in_scratch("arguments");
    assert_int_equal(file_read(&text, log, FILE_LIMIT, 0), OK);
    free(log);
    return str_detach(&text);
}

static void ends_in(const char *expected)
{
    char *text = said();
    size_t n = strlen(text), k = strlen(expected);
    if (n < k || strcmp(text + n - k, expected) != 0)
        fail_msg("the command ends otherwise:\n%s", text);
    free(text);
}

/* Of the level, the board's for all levels, and those for this one. */
static void has_flags_of(const char *level, const char *other)
{
    char *text = said(), *own = xasprintf("-%s\n", level), *strange = xasprintf("-%s\n", other);
    assert_non_null(strstr(text, own));
    assert_null(strstr(text, strange));
    assert_non_null(strstr(text, "-every\n-one\n"));
    assert_int_equal(strstr(text, "-only2\n") != 0, !strcmp(level, "O2"));
    assert_int_equal(strstr(text, "-only0\n") != 0, !strcmp(level, "O0"));
    free(text);
    free(own);
    free(strange);
}

static void test_ir(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    open_board(0);
    assert_int_equal(compile_ir(b, "O2", (const char *const[]){"-a b", "-c", 0}, "x.c", "x.bc", &e), OK);
    has_flags_of("O2", "O0");
    ends_in("-a b\n-c\n-g\n-emit-llvm\n-c\nx.c\n-o\nx.bc\n");
    assert_int_equal(compile_ir(b, "O0", 0, "x.c", "x.bc", &e), OK);
    has_flags_of("O0", "O2");
    ends_in("\n-g\n-emit-llvm\n-c\nx.c\n-o\nx.bc\n");
    board_free(b);
}

static void test_object(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    open_board(0);
    assert_int_equal(compile_object(b, "O2", "x.bc", "x.o", &e), OK);
    has_flags_of("O2", "O0");
    ends_in("-Wno-unused-command-line-argument\n-Xclang\n-disable-llvm-passes\n-c\nx.bc\n-o\nx.o\n");
    board_free(b);
}

/* What a compiler that refuses has said is in the error. */
static void test_refused(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    open_board(1);
    assert_int_not_equal(compile_object(b, "O2", "x.bc", "x.o", &e), OK);
    assert_says(&e, "refused");
    assert_int_not_equal(compile_ir(b, "O2", 0, "x.c", "x.bc", &e), OK);
    assert_says(&e, "refused");
    board_free(b);
}

/* What cannot be counted is an error, with what irprof says of it. */
static void test_counters(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    assert_int_not_equal(compile_counters("nowhere.ll", 0, "counted.bc", &e), OK);
    assert_true(e.status != OK && e.message && *e.message);
    error_release(&e);
}

static void test_counted_link(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct board_args a = {0};
    open_board(0);
    assert_int_equal(compile_counted_link(b, scratch, &a, &e), OK);
    static const char *const expected[] = {
        "-Wl,--whole-archive", 0, "-Wl,--no-whole-archive", "-linked", "-lm", "-lpthread"};
    assert_int_equal(a.n, 6);
    for (size_t i = 0; i < 6; i++)
        if (expected[i])
            assert_string_equal(a.at[i], expected[i]);
    assert_non_null(strstr(a.at[1], "/libirprof_rt.a"));
    board_args_release(&a);
    board_free(b);
}

static void test_words(void **state)
{
    (void)state;
    struct board_args a = {0};
    args_add_words(&a, " -a  b\t-c\n");
    args_add_words(&a, 0);
    args_add_all(&a, 0);
    assert_int_equal(a.n, 3);
    assert_string_equal(a.at[0], "-a");
    assert_string_equal(a.at[1], "b");
    assert_string_equal(a.at[2], "-c");
    assert_null(a.at[3]);
    board_args_release(&a);
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ir),           cmocka_unit_test(test_object),
                                       cmocka_unit_test(test_refused),      cmocka_unit_test(test_counters),
                                       cmocka_unit_test(test_counted_link), cmocka_unit_test(test_words)};
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
