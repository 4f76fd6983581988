/* test_str.c - tests of base/str.c: strings, patterns, numbers, UTF-8. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/str.h"

static void grows_and_detaches(void **state)
{
    (void)state;
    struct str b = STR_INIT;
    assert_string_equal(str_text(&b), "");
    for (int i = 0; i < 1000; i++)
        str_addf(&b, "%d,", i);
    assert_int_equal(b.len, 10 * 2 + 90 * 3 + 900 * 4);
    str_clear(&b);
    str_add(&b, "left");
    str_addn(&b, "\0x", 2);
    assert_int_equal(b.len, 6);
    char *mine = str_detach(&b);
    assert_memory_equal(mine, "left\0x", 7);
    assert_null(b.s);
    free(mine);
    mine = str_detach(&b); /* of an empty one: still a string */
    assert_string_equal(mine, "");
    free(mine);
    str_release(&b);
}

static void globs(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool match;
    } rows[] = {
        {"add.*_d", "add.i32_d", true},
        {"add.*_d", "add.i32", false},
        {"add*", "add", true},
        {"*", "", true},
        {"?", "", false},
        {"a?c", "abc", true},
        {"*_d", "fadd.double_d", true},
        {"*.i*2*", "load.i32_d", true},
        {"", "x", false},
        {"*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (glob_match(rows[i].pattern, rows[i].text) != rows[i].match)
            fail_msg("'%s' against '%s'", rows[i].pattern, rows[i].text);
}

static void finds_the_slip(void **state)
{
    (void)state;
    const char *const words[] = {"origin", "operand", "RH850", "mem"};
    assert_string_equal(nearest_word("orgin", words, 4), "origin");
    assert_string_equal(nearest_word("operands", words, 4), "operand");
    assert_null(nearest_word("something", words, 4));
}

static void numbers_are_whole_texts(void **state)
{
    (void)state;
    double d;
    long l;
    assert_true(parse_double("-1.25e-3", &d) && d == -1.25e-3);
    assert_true(parse_double("nan", &d) && isnan(d));
    assert_false(parse_double("", &d));
    assert_false(parse_double("1,5", &d));
    assert_false(parse_double("1 ", &d));
    assert_false(parse_double("0x1p3", &d));
    assert_true(parse_long("-42", &l) && l == -42);
    assert_false(parse_long("99999999999999999999", &l));
    assert_false(parse_long("4.0", &l));
    uint64_t bytes;
    const char *rest;
    static const struct {
        const char *text;
        uint64_t bytes;
        const char *rest;
    } sizes[] = {{"65536", 65536, ""},
                 {"32K:4:64", 32768, ":4:64"},
                 {"1 GiB", UINT64_C(1) << 30, ""},
                 {"2MB x", 2 << 20, " x"},
                 {"64 B", 64, ""},
                 {"0", 0, ""},
                 {"3T", UINT64_C(3) << 40, ""},
                 {"7 words", 7, " words"},
                 {"18446744073709551615", UINT64_MAX, ""},
                 {"16383T", UINT64_C(16383) << 40, ""}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_true(parse_bytes(sizes[i].text, &bytes, &rest) && bytes == sizes[i].bytes);
        assert_string_equal(rest, sizes[i].rest);
        assert_int_equal(parse_bytes(sizes[i].text, &bytes, 0), !*sizes[i].rest);
    }
    static const char *const wrong[] = {"", "-1", "K", " 4", "x", "18446744073709551616", "17179869184G", "16777216T"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(parse_bytes(wrong[i], &bytes, &rest));
}

static void cleared(void **state)
{
    (void)state;
    struct str s = STR_INIT;
    str_clear(&s);
    assert_string_equal(str_text(&s), "");
    str_add(&s, "abc");
    str_clear(&s);
    assert_int_equal(s.len, 0);
    assert_string_equal(str_text(&s), "");
    str_add(&s, "d");
    assert_string_equal(str_text(&s), "d");
    str_release(&s);
}

static void sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
        const char *rest;
    } cases[] = {{"65536", 65536, ""},       {"32K", 32768, ""},     {"1 GiB", 1 << 30, ""},
                 {"64 B", 64, ""},           {"64B", 64, ""},        {"2MB", 2 << 20, ""},
                 {"1 T", 1099511627776, ""}, {"3KiB,x", 3072, ",x"}, {"7 x", 7, " x"},
                 {"5MBx", 5 << 20, "x"},     {"2Ki", 2048, "i"},     {"16777215T", 16777215ull << 40, ""}};
    uint64_t bytes;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *rest = "?";
        assert_true(parse_bytes(cases[i].text, &bytes, &rest));
        assert_int_equal(bytes, cases[i].bytes);
        assert_string_equal(rest, cases[i].rest);
        assert_int_equal(parse_bytes(cases[i].text, &bytes, 0), !*cases[i].rest);
    }
    static const char *const wrong[] = {"", "K", "-1", " 1", "16777216T", "18446744073709551616"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(parse_bytes(wrong[i], &bytes, 0));
}

static void decimals_read_back_equal(void **state)
{
    (void)state;
    const double values[] = {0, -0.0, 0.1, 1.0 / 3, 1e300, 5e-324, 123456789.125, -2.5, 1400000000};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char *text = format_double(values[i]);
        double back;
        assert_true(parse_double(text, &back));
        assert_true(back == values[i]);
        free(text);
    }
    char *tenth = format_double(0.1);
    assert_string_equal(tenth, "0.1");
    free(tenth);
    static const double whole[] = {0, -0.0, 30, -1200, 999999999999999};
    static const char *const texts[] = {"0", "0", "30", "-1200", "999999999999999"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        char *text = format_double(whole[i]);
        assert_string_equal(text, texts[i]);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_detaches),
        cmocka_unit_test(globs),
        cmocka_unit_test(finds_the_slip),
        cmocka_unit_test(numbers_are_whole_texts),
        cmocka_unit_test(decimals_read_back_equal),
        cmocka_unit_test(cleared),
        cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
