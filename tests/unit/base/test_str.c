/* test_str.c - tests of base/str.c: strings, patterns, numbers, UTF-8. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
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
        {"", "", true},
        {"a**", "a", true},
        {"a?", "a", false},
        {"*?", "", false},
        {"*?", "x", true},
        {"a*b", "acbd", false},
        {"a*bd", "abcbd", true},
        {"a", "A", false},
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
    assert_true(parse_double("1.", &d) && d == 1);
    assert_true(parse_double(".5", &d) && d == 0.5);
    assert_false(parse_double(".", &d));
    assert_false(parse_double("1.2.3", &d));
    assert_false(parse_double("+", &d));
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

static void reads_decimals_as_strtod_does(void **state)
{
    (void)state;
    char text[32];
    double d;
    uint64_t seed = 1;
    for (size_t i = 0; i < 200000; i++) { /* up to 17 digits, a point anywhere among them */
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int n = snprintf(text, sizeof text, "%.*s", 1 + (int)(i % 17), "00000000000000000");
        uint64_t digits = seed;
        for (int k = 0; k < n; k++, digits = digits / 10 + (seed >> 7) % 10)
            text[k] = (char)('0' + digits % 10);
        int point = (int)((seed >> 33) % 20);
        if (n > 1 && point < n)
            text[point] = '.';
        assert_true(parse_double(text, &d));
        if (d != strtod(text, 0))
            fail_msg("%s is read as %.17g", text, d);
    }
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

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *separators, *joined;
        size_t n;
    } rows[] = {{"  a  bc ", " ", "a bc", 2}, {"", " ", "", 0},       {"   ", " ", "", 0},
                {"a,b;c", ",;", "a b c", 3},  {"a b", ",", "a b", 1}, {"abc", " ", "abc", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char **list = words_of(rows[i].text, rows[i].separators);
        size_t n = 0;
        while (list[n])
            n++;
        assert_int_equal(n, rows[i].n);
        char *joined = words_text(list);
        assert_string_equal(joined, rows[i].joined);
        free(joined);
        words_free(list);
    }
    char *none = words_text(NULL);
    assert_string_equal(none, "");
    free(none);
    words_free(NULL);
}

/* Bytes that steer a terminal or are no UTF-8 are shown as numbers (RFC 3629; Unicode's control characters, and those that
 * turn the direction of writing). */
static void text_is_made_printable(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } rows[] = {
        {"", ""},
        {"a\n\tb ~", "a\n\tb ~"},
        {"\x1b[2J", "\\x1b[2J"},
        {"\x1f\r\x7f", "\\x1f\\x0d\\x7f"},
        {"\xc2\x80\xc2\x9f", "\\xc2\\x80\\xc2\\x9f"}, /* U+0080, U+009F: controls */
        {"\xc2\xa0\xc3\xa9", "\xc2\xa0\xc3\xa9"},     /* U+00A0, U+00E9 */
        {"\xc1\xbf", "\\xc1\\xbf"},                   /* longer than it need be */
        {"\xdf\xbf", "\xdf\xbf"},                     /* U+07FF */
        {"\xe0\x9f\xbf", "\\xe0\\x9f\\xbf"},
        {"\xe0\xa0\x80", "\xe0\xa0\x80"}, /* U+0800 */
        {"\xed\x9f\xbf", "\xed\x9f\xbf"}, /* U+D7FF, before the surrogates */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
        {"\xed\xbf\xbf", "\\xed\\xbf\\xbf"},
        {"\xee\x80\x80", "\xee\x80\x80"}, /* U+E000, behind them */
        {"\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf"},
        {"\xf0\x90\x80\x80", "\xf0\x90\x80\x80"}, /* U+10000 */
        {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"}, /* U+10FFFF, the last */
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        {"\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80"},
        {"\xe2\x80\xa9", "\xe2\x80\xa9"}, /* U+2029 */
        {"\xe2\x80\xaa", "\\xe2\\x80\\xaa"},
        {"\xe2\x80\xae", "\\xe2\\x80\\xae"},
        {"\xe2\x80\xaf", "\xe2\x80\xaf"}, /* U+202F */
        {"\xe2\x81\xa5", "\xe2\x81\xa5"}, /* U+2065 */
        {"\xe2\x81\xa6", "\\xe2\\x81\\xa6"},
        {"\xe2\x81\xa9", "\\xe2\\x81\\xa9"},
        {"\xe2\x81\xaa", "\xe2\x81\xaa"}, /* U+206A */
        {"a\x80z", "a\\x80z"},
        {"\xc3", "\\xc3"},
        {"\xc3(", "\\xc3("},
        {"\xe2\x82", "\\xe2\\x82"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *shown = printable_text(rows[i].text);
        if (strcmp(shown, rows[i].shown) != 0)
            fail_msg("row %zu: %s", i, shown);
        free(shown);
    }
}

/* As few digits as read back equal. */
static void decimals_are_short(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{1.5, "1.5"},
                {-0.25, "-0.25"},
                {1e15, "1e+15"},
                {1e-7, "1e-07"},
                {0.3, "0.3"},
                {1.0 / 3, "0.3333333333333333"},
                {0.1 + 0.2, "0.30000000000000004"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = format_double(rows[i].value);
        assert_string_equal(text, rows[i].text);
        free(text);
    }
}

/* A third of the letters and one more may be wrong; of two as near the first. */
static void how_far_a_slip_may_go(void **state)
{
    (void)state;
    const char *const names[] = {"abc", "abd", "abcdefghi"};
    assert_string_equal(nearest_word("abx", names, 3), "abc");
    assert_string_equal(nearest_word("abd", names, 3), "abd");
    assert_string_equal(nearest_word("axx", names, 3), "abc"); /* 2 of 3 */
    assert_null(nearest_word("xxx", names, 3));
    assert_string_equal(nearest_word("abcdeXXXX", names, 3), "abcdefghi"); /* 4 of 9 */
    assert_null(nearest_word("abcdXXXXX", names, 3));
    assert_string_equal(nearest_word("abcde", names, 3), "abc");  /* 2 more */
    assert_string_equal(nearest_word("abcxyz", names, 2), "abc"); /* 3 more, of 6 */
    assert_null(nearest_word("abcwxyz", names, 2));               /* 4 more, of 7 */
    assert_null(nearest_word("abc", names, 0));
}

static void beginnings_and_ends(void **unused)
{
    (void)unused;
    assert_true(text_begins("fadd.double", "fadd"));
    assert_true(text_begins("fadd", "fadd"));
    assert_true(text_begins("", ""));
    assert_false(text_begins("fad", "fadd"));
    assert_false(text_begins("a fadd", "fadd"));
    assert_true(text_ends("sum.c", ".c"));
    assert_false(text_ends(".c", ".c"));
    assert_false(text_ends("c", ".c"));
    assert_false(text_ends("sum.cc", ".c"));
}

/* XML 1.0, 2.4: & and < must not stand in text, nor " in an attribute's value; > must not end "]]>". */
static void entities(void **unused)
{
    (void)unused;
    assert_string_equal(xml_entity('&'), "&amp;");
    assert_string_equal(xml_entity('<'), "&lt;");
    assert_string_equal(xml_entity('>'), "&gt;");
    assert_string_equal(xml_entity('"'), "&quot;");
    for (int c = 0; c < 256; c++)
        if (!c || !strchr("&<>\"", c))
            assert_null(xml_entity((char)c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_detaches),
        cmocka_unit_test(globs),
        cmocka_unit_test(finds_the_slip),
        cmocka_unit_test(numbers_are_whole_texts),
        cmocka_unit_test(reads_decimals_as_strtod_does),
        cmocka_unit_test(decimals_read_back_equal),
        cmocka_unit_test(cleared),
        cmocka_unit_test(sizes),
        cmocka_unit_test(words),
        cmocka_unit_test(text_is_made_printable),
        cmocka_unit_test(decimals_are_short),
        cmocka_unit_test(how_far_a_slip_may_go),
        cmocka_unit_test(beginnings_and_ends),
        cmocka_unit_test(entities),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
