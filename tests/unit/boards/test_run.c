/* Running programs by a runner: what is handed to them, what comes back, what is refused; the script for a board. */
#include "fixture.h"

#include <sys/stat.h>

#include "base/proc.h"
#include "boards/run/run.h"
#include "boards/run/runner_kind.h"
#include "boards/run/ssh.h"

static struct board *board(const char *text)
{
    struct error e = ERROR_INIT;
    struct board *b = NULL;
    char *path = put_file("board.ini", text);
    if (board_load(&b, path, &e)) {
        error_print(&e, "test_run");
        fail();
    }
    free(path);
    return b;
}

static char *script(const char *name, const char *text)
{
    char *path = put_file(name, text);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

static void elf(const char *name, unsigned char class, unsigned char data, unsigned machine, const char *expected)
{
    unsigned char head[64] = {0x7f, 'E', 'L', 'F', class, data, 1};
    struct error e = ERROR_INIT;
    head[data == 1 ? 18 : 19] = (unsigned char)machine;
    char *path = in_scratch(name);
    assert_int_equal(file_write(path, (char *)head, sizeof head, &e), OK);
    assert_string_equal(elf_architecture(path), expected);
    free(path);
}

/* Numbers from the ELF specification and elf.h: 62 x86-64, 183 AArch64, 40 ARM, 243 RISC-V, 22 S/390 (big-endian). */
static void test_architectures(void **state)
{
    (void)state;
    elf("a", 2, 1, 62, "x86_64");
    elf("b", 2, 1, 183, "aarch64");
    elf("c", 1, 1, 40, "arm");
    elf("d", 2, 1, 243, "riscv64");
    elf("e", 1, 1, 243, "riscv32");
    elf("f", 2, 2, 22, "s390x");
    elf("g", 2, 1, 254, "an unknown architecture");
    char *text = put_file("h", "#!/bin/sh\n");
    assert_string_equal(elf_architecture(text), "");
    assert_string_equal(elf_architecture("/nowhere/at/all"), "");
    assert_string_equal(emulated_architecture("qemu-aarch64"), "aarch64");
    assert_string_equal(emulated_architecture("/usr/bin/qemu-i386"), "i686");
    assert_string_equal(emulated_architecture("spike"), "");
    free(text);
}

static void test_local(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct board *b = board("");
    struct runner *r = NULL;
    struct run_end end = RUN_END_INIT;
    struct str text = STR_INIT;
    char *program = script("say", "#!/bin/sh\necho \"$1 $WORD\" >\"$PLACE\"\necho first >&2\necho last >&2\nexit $2\n");
    char *result = in_scratch("result");
    struct run_request q = {.arguments = (const char *const[]){"one", "0", NULL},
                            .environment = (const char *const[]){"WORD=two", NULL},
                            .result_variable = "PLACE",
                            .result = result,
                            .timeout_s = 20,
                            .core = -1};
    assert_int_equal(runner_open(&r, b, RUN_MEASURED, &e), OK);
    assert_string_equal(runner_root(r), "");
    assert_int_equal(runner_put(r, program, &e), OK);
    assert_int_equal(runner_run(r, &q, &end, &e), OK);
    assert_true(end.written);
    assert_int_equal(end.exit_code, 0);
    assert_string_equal(str_text(&end.messages), "first\nlast");
    assert_int_equal(file_read(&text, result, 100, &e), OK);
    assert_string_equal(str_text(&text), "one two\n");
    /* An old result does not pass for a new one. */
    free(program);
    program = script("dies", "#!/bin/sh\nkill -SEGV $$\n");
    assert_int_equal(runner_put(r, program, &e), OK);
    assert_int_equal(runner_run(r, &q, &end, &e), OK);
    assert_false(end.written);
    char *how = run_how_ended(&q, &end);
    assert_string_equal(how, "was killed by SIGSEGV");
    free(how);
    assert_int_equal(runner_put(r, "/nowhere/program", &e), ERR_SYSTEM);
    assert_says(&e, "/nowhere/program");
    runner_close(r);
    run_end_release(&end);
    str_release(&text);
    error_release(&e);
    free(result);
    free(program);
    board_free(b);
}

static void test_where(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct runner *r = NULL;
    struct board *b = board("[board]\ntarget = s390x-linux-gnu\n");
    assert_int_equal(runner_open(&r, b, RUN_MEASURED, &e), ERR_UNSUPPORTED);
    assert_says(&e, "s390x-linux-gnu");
    board_free(b);
    b = board("[board]\ntarget = s390x-linux-gnu\n[count]\ncommand = qemu-nowhere\n");
    assert_true(runner_is_here(b, RUN_COUNTED));
    assert_true(runner_parallel(b, RUN_COUNTED));
    assert_int_equal(runner_open(&r, b, RUN_COUNTED, &e), ERR_SYSTEM);
    assert_says(&e, "qemu-nowhere");
    board_free(b);
    b = board("[board]\ntarget = s390x-linux-gnu\n[run]\nhow = ssh\nssh = me@board\n");
    assert_false(runner_is_here(b, RUN_COUNTED));
    assert_false(runner_is_here(b, RUN_MEASURED));
    assert_false(runner_parallel(b, RUN_MEASURED));
    board_free(b);
    error_release(&e);
}

/* What a shell makes of the quoted word is the word. */
static void test_quoted(void **state)
{
    (void)state;
    static const char *const words[] = {"plain",       "two words", "it's", "''", "$HOME `id` \\ \"x\" *",
                                        "line\nbreak", "-n",        ""};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct str command = STR_INIT;
        struct error e = ERROR_INIT;
        struct proc_result r = PROC_RESULT_INIT;
        str_add(&command, "printf %s ");
        add_quoted(&command, words[i]);
        struct proc p = {.argv = (const char *const[]){"sh", "-c", command.s, NULL}, .capture = true, .cpu = -1};
        assert_int_equal(proc_run(&p, &r, &e), OK);
        assert_string_equal(str_text(&r.out), words[i]);
        proc_result_release(&r);
        str_release(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_architectures), cmocka_unit_test(test_local),
                                       cmocka_unit_test(test_where), cmocka_unit_test(test_quoted)};
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
