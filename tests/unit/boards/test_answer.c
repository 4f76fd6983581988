/* A board's answers over ssh: what is whole is taken, anything else is refused, never read beyond. */
#include "fixture.h"

#include "boards/run/answer.h"

#define MARK   "@m-1"
#define PREFIX "shimgen-0a"
#define NAME   "shimgen-0a-7-99"

/* From memory of exactly that size, so that a sanitizer sees one byte too far. */
static enum status read_opening(struct opening *o, const char *text, struct error *e)
{
    char *copy = xstrdup(text);
    enum status s = opening_parse(o, copy, MARK, PREFIX, NAME, e);
    free(copy);
    return s;
}

static void test_opening(void **state)
{
    (void)state;
    struct opening o;
    struct error e = ERROR_INIT;
    assert_int_equal(read_opening(&o,
                                  MARK " architecture aarch64\nnoise " MARK " old\n" MARK
                                       " old /tmp/shimgen-0a-12-345\n" MARK " old /tmp/shimgen-0a-mine\n" MARK
                                       " folder /tmp/my dir/" NAME "\n",
                                  &e),
                     OK);
    assert_string_equal(o.architecture, "aarch64");
    assert_string_equal(o.folder, "/tmp/my dir/" NAME);
    assert_int_equal(o.n_old, 1);
    assert_string_equal(o.old[0], "/tmp/shimgen-0a-12-345");
    assert_true(!o.missing && !o.no_folder);
    opening_release(&o);
    assert_int_equal(read_opening(&o, MARK " missing taskset\n" MARK " missing wc\n" MARK " nofolder", &e), OK);
    assert_string_equal(o.missing, "taskset");
    assert_true(o.no_folder);
    assert_string_equal(o.architecture, "");
    opening_release(&o);
}

static void refuse(const char *line)
{
    struct opening o;
    struct error e = ERROR_INIT;
    char *text = xasprintf(MARK " %s\n", line);
    if (read_opening(&o, text, &e) != ERR_INPUT)
        fail_msg("taken: %s", line);
    assert_non_null(e.message);
    error_release(&e);
    opening_release(&o);
    free(text);
}

static void test_opening_refused(void **state)
{
    (void)state;
    /* NOLINTBEGIN(bugprone-suspicious-missing-comma): NAME ends what stands before it */
    static const char *const lines[] = {"old",
                                        "old ",
                                        "old x",
                                        "old /tmp/../shimgen-0a-1-2",
                                        "old /tmp/..",
                                        "old //shimgen-0a-1-2",
                                        "old /tmp/\033[2J",
                                        "missing",
                                        "missing ",
                                        "missing rm",
                                        "missing \033]0;title\007",
                                        "folder",
                                        "folder /",
                                        "folder " NAME,
                                        "folder /tmp/shimgen-0a-7-9",
                                        "folder /tmp/" NAME "/..",
                                        "folder /tmp/./" NAME,
                                        "folder /tmp/\x9b/" NAME,
                                        "architecture",
                                        "architecture a b",
                                        "architecture \033[31m",
                                        "architecture aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                                        "nofolder x",
                                        "nonsense",
                                        ""};
    /* NOLINTEND(bugprone-suspicious-missing-comma) */
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        refuse(lines[i]);
}

/* From memory of exactly that size. */
static enum status read_ended(struct ended *o, char **text, const char *from, struct error *e)
{
    size_t n = strlen(from);
    *text = xmemdup(from, n ? n : 1);
    return ended_parse(o, *text, n, MARK, e);
}

static void test_ended(void **state)
{
    (void)state;
    struct ended o;
    struct error e = ERROR_INIT;
    char *text;
    assert_int_equal(read_ended(&o, &text, MARK " ended 139 3 2\nabcde", &e), OK);
    assert_true(o.signal == 11 && o.exit_code == 0 && o.has_result && !o.gone); /* 139 = 128 + SIGSEGV */
    assert_true(o.result_size == 3 && memcmp(o.result, "abc", 3) == 0);
    assert_true(o.messages_size == 2 && memcmp(o.messages, "de", 2) == 0);
    free(text);
    assert_int_equal(read_ended(&o, &text, MARK " ended 3 -1 0\n", &e), OK);
    assert_true(o.exit_code == 3 && !o.signal && !o.has_result);
    free(text);
    assert_int_equal(read_ended(&o, &text, MARK " gone\n", &e), OK);
    assert_true(o.gone);
    free(text);
    static const char *const wrong[] = {"",
                                        MARK,
                                        MARK "\n",
                                        MARK " ended 0 0 0",
                                        MARK " ended\n",
                                        MARK " ended 0 0\n",
                                        MARK " ended 0 0 0 0\n",
                                        MARK " ended 256 0 0\n",
                                        MARK " ended -1 0 0\n",
                                        MARK " ended 0 -2 0\n",
                                        MARK " ended 0 0 -1\n",
                                        MARK " ended 0 4 0\nabc",
                                        MARK " ended 0 1 1\nabc",
                                        MARK " ended 0 9223372036854775807 9223372036854775807\nabc",
                                        MARK " ended 0 18446744073709551615 0\nabc",
                                        MARK " ended 0 1x 1\nab",
                                        MARK " \033[2J\n",
                                        "x ended 0 0 0\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (read_ended(&o, &text, wrong[i], &e) != ERR_INPUT)
            fail_msg("taken: %s", wrong[i]);
        assert_non_null(e.message);
        error_release(&e);
        free(text);
    }
}

static void test_small_files(void **state)
{
    (void)state;
    char *text = xstrdup("noise " MARK " file /proc/cpuinfo\na\nb\n" MARK " file /etc/passwd\nx\n" MARK
                         " file /proc/..\nx\n" MARK " file /proc/../etc/x\nx\n" MARK " file /sys//x\nx\n" MARK
                         " file /proc/.\nx\n" MARK " file /proc/\nx\n" MARK " file /proc/\033\nx\n" MARK
                         " file /sys/a b\n\n" MARK " file /proc/cut");
    char *at = text;
    struct small_file f;
    assert_true(next_small_file(&f, &at, MARK));
    assert_string_equal(f.path, "/proc/cpuinfo");
    assert_true(f.size == 3 && memcmp(f.text, "a\nb", 3) == 0);
    assert_true(next_small_file(&f, &at, MARK));
    assert_string_equal(f.path, "/sys/a b");
    assert_int_equal(f.size, 0);
    assert_false(next_small_file(&f, &at, MARK));
    free(text);
}

/* What steers a terminal comes out of a message as text. */
static void test_messages(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    error_set(&e, ERR_INPUT, AT_FILE("a\033b"), "x\033[2J\rý\xff\xc2\x9b\xe2\x80\xae\n\ty");
    char *text = error_text(&e);
    assert_string_equal(text, "a\\x1bb: x\\x1b[2J\\x0dý\\xff\\xc2\\x9b\\xe2\\x80\\xae\n\ty");
    free(text);
    error_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_opening), cmocka_unit_test(test_opening_refused),
                                       cmocka_unit_test(test_ended), cmocka_unit_test(test_small_files),
                                       cmocka_unit_test(test_messages)};
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
