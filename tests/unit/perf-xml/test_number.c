/* Numbers of performance data: as texts and back, at the ends of their kinds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "perf-xml/perfxml.h"

static void text_is(struct perf_number n, const char *expected)
{
    char room[NUMBER_ROOM];
    assert_int_equal(perf_number_text(room, &n), strlen(expected));
    assert_string_equal(room, expected);
}

static struct perf_number whole(int64_t i)
{
    return (struct perf_number){.kind = PERF_SIGNED, .i = i};
}

static struct perf_number real(double d)
{
    return (struct perf_number){.kind = PERF_REAL, .d = d};
}

static void texts(void **state)
{
    (void)state;
    text_is(perf_unsigned(0), "0");
    text_is(perf_unsigned(9), "9");
    text_is(perf_unsigned(10), "10");
    text_is(perf_unsigned(UINT64_MAX), "18446744073709551615");
    text_is(whole(0), "0");
    text_is(whole(7), "7");
    text_is(whole(-1), "-1");
    text_is(whole(INT64_MAX), "9223372036854775807");
    text_is(whole(INT64_MIN), "-9223372036854775808");
    text_is(real(0), "0");
    text_is(real(-0.0), "0");
    text_is(real(-2.5), "-2.5");
    text_is(real(0.1), "0.1");                       /* 15 digits tell it from its neighbours */
    text_is(real(0.1 + 0.2), "0.30000000000000004"); /* 17 are needed */
    text_is(real(5e-324), "4.94065645841247e-324");  /* the least of all */
    text_is((struct perf_number){.kind = PERF_NONE}, "");
}

static void is_read(const char *text, struct perf_number expected)
{
    struct perf_number n;
    if (!perf_number_parse(&n, text))
        fail_msg("'%s' is not a number", text);
    if (n.kind != expected.kind || perf_number_real(&n) != perf_number_real(&expected))
        fail_msg("'%s': kind %d, %.17g", text, (int)n.kind, perf_number_real(&n));
    if (n.kind == PERF_UNSIGNED)
        assert_true(n.u == expected.u);
}

static void parsed(void **state)
{
    (void)state;
    static const char *const none[] = {"", "-", "x", "1x", "1.5.5", "nan", "inf", "-inf", "1e400", "--1"};
    struct perf_number n;
    is_read("0", perf_unsigned(0));
    is_read("007", perf_unsigned(7));
    is_read("18446744073709551615", perf_unsigned(UINT64_MAX));
    is_read("18446744073709551614", perf_unsigned(UINT64_MAX - 1));
    is_read("18446744073709551616", real(18446744073709551616.0)); /* one more has no room */
    is_read("99999999999999999999", real(1e20));
    is_read("-1", whole(-1));
    is_read("-9223372036854775807", whole(-INT64_MAX));
    is_read("-9223372036854775808", real(-9223372036854775808.0));
    is_read("-0", real(0));
    is_read("1.5", real(1.5));
    is_read("1e3", real(1000));
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (perf_number_parse(&n, none[i]))
            fail_msg("'%s' is taken for a number", none[i]);
}

static void as_reals(void **state)
{
    (void)state;
    struct perf_number n = perf_unsigned(3);
    assert_true(perf_number_real(&n) == 3);
    n = whole(-3);
    assert_true(perf_number_real(&n) == -3);
    n = (struct perf_number){.kind = PERF_NONE};
    assert_true(isnan(perf_number_real(&n)));
}

static void states(void **state)
{
    (void)state;
    static const enum perf_state all[] = {PERF_MEASURED, PERF_DERIVED, PERF_UNAVAILABLE};
    static const char *const names[] = {"measured", "derived", "unavailable"};
    enum perf_state s;
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(perf_state_name(all[i]), names[i]);
        assert_true(perf_state_parse(&s, names[i]) && s == all[i]);
    }
    assert_false(perf_state_parse(&s, "measure") || perf_state_parse(&s, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(parsed), cmocka_unit_test(as_reals),
                                       cmocka_unit_test(states)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
