/* test_ini_json.c - tests of base/ini.c and base/json.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/json.h"
#include "tests/unit/folder.h"

static char *path;

static int set_up(void **state)
{
    if (make_folder(state))
        return 1;
    path = in_folder("file");
    return 0;
}

static void put(const char *text)
{
    assert_int_equal(file_write(path, text, strlen(text), 0), OK);
}

static void ini_knows_its_lines(void **state)
{
    (void)state;
    put("; comment\n[run]\nssh = user@host\n\n[flags]\nO2 = -O2 -g\n");
    struct ini *i = 0;
    assert_int_equal(ini_read(&i, path, 0), OK);
    assert_int_equal(i->n, 2);
    const struct ini_entry *entry = ini_find(i, "flags", "O2");
    assert_non_null(entry);
    assert_string_equal(entry->value, "-O2 -g");
    assert_int_equal(entry->line, 6);
    assert_null(ini_find(i, "run", "O2"));
    ini_free(i);
}

static void ini_refused(const char *text, unsigned long line)
{
    struct ini *i = 0;
    struct error e = ERROR_INIT;
    put(text);
    assert_int_equal(ini_read(&i, path, &e), ERR_INPUT);
    assert_int_equal(e.line, line);
    error_release(&e);
}

static void ini_refuses_nonsense(void **state)
{
    (void)state;
    ini_refused("[a]\nno value here\n", 2);
    ini_refused("[a\nx = 1\n", 1);
    ini_refused("[a]\nx = 1\nx = 2\n", 3);
    char longest[400];
    memset(longest, 'y', sizeof longest);
    memcpy(longest, "[a]\nx=", 6);
    longest[sizeof longest - 1] = 0;
    ini_refused(longest, 2);
}

/* What is wrong, and what to do. */
static void messages_have_a_cure(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"{\"a\": 1,\n", "the file is truncated: make it again, or copy it again"},
        {"{\"a\": 1, \"a\": 2}", "keep one of the members with this name"},
        {"{\"a\": \"\xff\"}", "save the file as UTF-8 text"},
        {"{\"a\": 1e999}", "write a smaller number"},
        {"{\"a\": }", "correct this line, or have the file made again"},
        {"<xml/>", "give a JSON file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *v = 0;
        struct error e = ERROR_INIT;
        put(rows[i].text);
        assert_int_equal(json_read(&v, path, &e), ERR_INPUT);
        if (!strstr(e.message, rows[i].part))
            fail_msg("'%s' is not in '%s'", rows[i].part, e.message);
        error_release(&e);
    }
    put("{\"a\": \"text\"}");
    json_t *v = 0;
    double number;
    struct error e = ERROR_INIT;
    assert_int_equal(json_read(&v, path, 0), OK);
    assert_int_equal(json_need_number(v, "a", &number, "f", &e), ERR_INPUT);
    assert_string_equal(e.message,
                        "member 'a' must be a finite number, and is a string; correct it, or have the file made again");
    assert_int_equal(json_need_number(v, "b", &number, "f", &e), ERR_INPUT);
    assert_string_equal(e.message, "member 'b' is missing; add it (a finite number), or have the file made again");
    error_release(&e);
    json_decref(v);
    struct ini *ini = 0;
    put("[a]\nno value here\n");
    assert_int_equal(ini_read(&ini, path, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "begin the line with ';' if it is a comment"));
    error_release(&e);
}

static void json_round_trip(void **state)
{
    (void)state;
    put("{\"z\": 0.1, \"a\": [1, 2], \"name\": \"x\"}");
    json_t *v = 0;
    assert_int_equal(json_read(&v, path, 0), OK);
    double number;
    const char *text;
    assert_int_equal(json_need_number(v, "z", &number, path, 0), OK);
    assert_true(number == 0.1);
    assert_int_equal(json_need_string(v, "name", &text, path, 0), OK);
    struct error e = ERROR_INIT;
    assert_int_equal(json_need_number(v, "name", &number, path, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "'name'"));
    assert_int_equal(json_need_string(v, "absent", &text, path, &e), ERR_INPUT);
    error_release(&e);
    assert_int_equal(json_write(v, path, 0), OK);
    json_t *again = 0;
    assert_int_equal(json_read(&again, path, 0), OK);
    assert_true(json_equal(v, again));
    json_decref(v);
    json_decref(again);
}

static void json_refuses_with_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned long line;
    } rows[] = {{"{\n\"a\": 1,\n\"a\": 2}", 3}, {"{\n\"a\": }", 2}, {"", 1}, {"{} trailing", 1}, {"{\"a\":\n1", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put(rows[i].text);
        json_t *v = 0;
        struct error e = ERROR_INIT;
        assert_int_equal(json_read(&v, path, &e), ERR_INPUT);
        assert_int_equal(e.line, rows[i].line);
        error_release(&e);
    }
}

/* A device that is full: the text was made, and is not there. */
static void json_that_cannot_be_written(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    json_t *value = json_pack("{s:i}", "a", 1);
    assert_int_equal(json_write(value, "/dev/full", &e), ERR_SYSTEM);
    assert_non_null(strstr(e.message, "cannot be written"));
    assert_int_equal(json_write(value, path, &e), OK);
    json_decref(value);
    error_release(&e);
}

/* What a member must be against what it is: each kind is taken where it is wanted, and named where it is not. */
static void json_members_of_each_kind(void **state)
{
    (void)state;
    static const char *const kinds[] = {"an object", "an array", "a string", "a number",
                                        "a number",  "true",     "false",    "null"};
    static const char *const wanted[] = {"an object", "an array", "a string", "a finite number"};
    json_t *v = json_pack("{s:{}, s:[], s:s, s:i, s:f, s:b, s:b, s:n}", "0", "1", "2", "", "3", 7, "4", 0.5, "5", 1,
                          "6", 0, "7");
    assert_non_null(v);
    for (int k = 0; k <= 8; k++) { /* the last is not there */
        for (int want = 0; want < 4; want++) {
            char key[] = {(char)('0' + k), 0};
            json_t *member = NULL;
            const char *text = NULL;
            double number = -1;
            struct error e = ERROR_INIT;
            enum status s = want == 0   ? json_need_object(v, key, &member, "f", &e)
                            : want == 1 ? json_need_array(v, key, &member, "f", &e)
                            : want == 2 ? json_need_string(v, key, &text, "f", &e)
                                        : json_need_number(v, key, &number, "f", &e);
            bool right = k == want || (want == 3 && k == 4);
            assert_int_equal(s, right ? OK : ERR_INPUT);
            assert_int_equal(member != NULL, right && want < 2);
            assert_int_equal(text != NULL, right && want == 2);
            assert_true(number == (!right || want != 3 ? -1 : k == 3 ? 7 : 0.5));
            char *expected =
                k == 8 ? xasprintf("member '8' is missing; add it (%s), or have the file made again", wanted[want])
                       : xasprintf("member '%d' must be %s, and is %s; correct it, or have the file made again", k,
                                   wanted[want], kinds[k]);
            if (!right)
                assert_string_equal(e.message, expected);
            free(expected);
            error_release(&e);
        }
    }
    json_decref(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ini_knows_its_lines),       cmocka_unit_test(json_that_cannot_be_written),
        cmocka_unit_test(json_members_of_each_kind), cmocka_unit_test(ini_refuses_nonsense),
        cmocka_unit_test(messages_have_a_cure),      cmocka_unit_test(json_round_trip),
        cmocka_unit_test(json_refuses_with_line),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
