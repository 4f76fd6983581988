/* The kit's log: lines, starts, whole programs; what is repaired and what is refused (docs/formats/kit-log.md). */
#include "kit_writer.h"

#include "boards/measure/kit_rows.h"

/* The register after "123456789" is the published check value of CRC-32 (ISO HDLC), 0xCBF43926. */
static void test_crc(void **state)
{
    (void)state;
    assert_int_equal(kit_crc(UINT32_MAX, "123456789", 9) ^ UINT32_MAX, 0xCBF43926U);
}

static void test_good(void **state)
{
    (void)state;
    struct writer w = good_log();
    enum status s;
    struct error e = ERROR_INIT;
    struct kit_log *log = read_text(str_text(&w.text), w.text.len, 0, &s, &e);
    assert_int_equal(s, OK);
    assert_int_equal(log->programs.n, 2);
    assert_int_equal(log->good, 4 + 2 * 4 + 1);
    assert_int_equal(log->notes.n, 0);
    assert_string_equal(log->programs.at[1].name, "b@O0");
    assert_true(log->programs.at[1].regions.at[1].cycles == 20000);
    /* 64 cycles / 16 = 4 of an empty region are taken off each entry */
    struct measurements *m = measurements_new();
    assert_int_equal(kit_rows_add(log, &log->programs.at[1], "b@O0", m, &e), OK);
    assert_int_equal(m->rows.n, 1);
    assert_true(m->rows.at[0].value == 20000 - 4);
    assert_true(m->rows.at[0].stddev == 0 && m->rows.at[0].runs == 2);
    kit_rows_describe(log, m);
    assert_true(m->conditions.clock_hz == 16e6);
    measurements_free(m);
    kit_log_free(log);
    str_release(&w.text);
}

/* Whatever comes first, the whole log after it gives both programs, and no other value. */
static void test_cut_anywhere(void **state)
{
    (void)state;
    struct writer w = good_log();
    for (size_t cut = 0; cut <= w.text.len; cut++) {
        struct str both = STR_INIT;
        enum status s;
        struct error e = ERROR_INIT;
        str_addn(&both, w.text.s, cut);
        str_add(&both, "\n");
        str_add(&both, w.text.s);
        struct kit_log *log = read_text(both.s, both.len, 0, &s, &e);
        if (s)
            fail_msg("cut at %zu: %s", cut, e.message);
        assert_int_equal(log->programs.n, 2);
        assert_true(log->programs.at[0].regions.at[0].cycles == 10000);
        assert_true(log->programs.at[1].regions.at[0].cycles == 20000);
        kit_log_free(log);
        str_release(&both);
    }
    str_release(&w.text);
}

/* A byte that is lost or changed takes its program, or all, never a value. */
static void test_byte_lost(void **state)
{
    (void)state;
    struct writer w = good_log();
    for (size_t at = 0; at < w.text.len; at++)
        for (int changed = 0; changed < 2; changed++) {
            struct str text = STR_INIT;
            enum status s;
            struct error e = ERROR_INIT;
            str_addn(&text, w.text.s, at);
            if (changed)
                str_addch(&text, (char)(w.text.s[at] ^ 1));
            str_addn(&text, w.text.s + at + 1, w.text.len - at - 1);
            struct kit_log *log = read_text(str_text(&text), text.len, 0, &s, &e);
            for (size_t i = 0; !s && i < log->programs.n; i++) {
                double right = strcmp(log->programs.at[i].name, "a@O0") == 0 ? 10000 : 20000;
                assert_true(log->programs.at[i].regions.at[0].cycles == right);
                assert_true(log->programs.at[i].regions.at[1].cycles == right);
            }
            error_release(&e);
            kit_log_free(log);
            str_release(&text);
        }
    str_release(&w.text);
}

static void test_counter(void **state)
{
    (void)state;
    struct writer w = {.text = STR_INIT};
    start(&w, 1, 0, CONDITIONS, "loops 3e8 0 0");
    program(&w, 0, "a@O0", 5000, 10000);
    refuse(&w, "stands still");
    w = (struct writer){.text = STR_INIT};
    start(&w, 1, 0, CONDITIONS, LOOPS);
    put(&w, "problem counter-still DWT");
    refuse(&w, "stands still");
    w = (struct writer){.text = STR_INIT}; /* 3000 cycles, then 2500: it wraps at less than 6000 */
    start(&w, 1, 0, CONDITIONS, "loops 3e8 bb8 9c4");
    program(&w, 0, "a@O0", 5000, 10000);
    refuse(&w, "not twice as many");
    w = (struct writer){.text = STR_INIT}; /* 100000 instructions in 10000 cycles */
    start(&w, 1, 0, CONDITIONS, LOOPS);
    program(&w, 0, "a@O0", 100000, 10000);
    refuse(&w, "wrapped");
    w = (struct writer){.text = STR_INIT}; /* the part noticed it */
    start(&w, 1, 0, CONDITIONS, LOOPS);
    put(&w, "program 0 1388 1234 ir a@O0");
    put(&w, "problem counter-wrapped r");
    refuse(&w, "counter-wrapped");
}

/* 50000 cycles in 100 ticks of 32000 Hz are 16 MHz. */
static void test_clock(void **state)
{
    (void)state;
    struct writer w = {.text = STR_INIT};
    start(&w, 1, 0, CONDITIONS, LOOPS);
    put(&w, "clocks c350 64 7d00");
    program(&w, 0, "a@O0", 5000, 10000);
    expect(&w, 1, "");
    str_release(&w.text);
    w = (struct writer){.text = STR_INIT}; /* 1 MHz too much is 6 % */
    start(&w, 1, 0, CONDITIONS, LOOPS);
    put(&w, "clocks cf85 64 7d00");
    program(&w, 0, "a@O0", 5000, 10000);
    refuse(&w, "it is 17 MHz");
}

static void test_two_boards(void **state)
{
    (void)state;
    struct writer w = good_log();
    start(&w, 0x22, 5, CONDITIONS, LOOPS);
    program(&w, 0, "a@O0", 5000, 10000);
    enum status s;
    struct error e = ERROR_INIT;
    struct kit_log *log = read_text(str_text(&w.text), w.text.len, "5", &s, &e);
    assert_int_equal(s, OK);
    assert_int_equal(log->programs.n, 1);
    kit_log_free(log);
    refuse(&w, "parts 0 and 5");
    w = good_log(); /* other wait states */
    start(&w, 0x22, 0, "conditions f42400 3 0 0 0 0 2 20 DWT", LOOPS);
    refuse(&w, "two sets of conditions");
    w = good_log(); /* the same kind, and slower */
    start(&w, 0x22, 0, CONDITIONS, LOOPS);
    program(&w, 0, "a@O0", 5000, 11000);
    refuse(&w, "two boards, or other conditions");
    w = (struct writer){.text = STR_INIT}; /* the same tag: the numbers of lines do not go up */
    start(&w, 1, 0, CONDITIONS, LOOPS);
    w.number = 3;
    put(&w, COST);
    refuse(&w, "two boards are mixed");
    w = good_log(); /* another program of that name */
    start(&w, 0x11, 0, CONDITIONS, LOOPS);
    w.block = UINT32_MAX;
    w.lines = 0;
    put(&w, "program 0 1388 9999 ir a@O0");
    put(&w, "region 0 1 0 2710 r");
    uint32_t block = w.block ^ UINT32_MAX;
    putf(&w, "end 0 1 2 %x", block);
    refuse(&w, "another program");
}

/* Whole lines that are missing: what is left looks like a program of one region. */
static void test_lines_lost(void **state)
{
    (void)state;
    struct writer w = {.text = STR_INIT};
    start(&w, 1, 0, CONDITIONS, LOOPS);
    w.block = UINT32_MAX;
    w.lines = 0;
    put(&w, "program 0 1388 1234 ir a@O0");
    for (unsigned run = 0; run < 2; run++) {
        putf(&w, "region %x 1 0 2710 r", run);
        size_t before = w.text.len;
        putf(&w, "region %x 1 0 2710 other", run);
        w.text.len = before;
        w.text.s[before] = 0;
    }
    uint32_t block = w.block ^ UINT32_MAX, lines = w.lines;
    putf(&w, "end 0 2 %x %x", lines, block);
    refuse(&w, "some of its lines are missing");
}

static void test_other_text(void **state)
{
    (void)state;
    struct writer w = {.text = STR_INIT};
    str_add(&w.text, "Hello world\n\xff\xfe\n");
    refuse(&w, "no line of a kit");
    w = (struct writer){.text = STR_INIT};
    str_add(&w.text, "shim 00000011 0 start 1 abcd 0 0 2 stm32 *00000000\n");
    refuse(&w, "are damaged");
    w = (struct writer){.text = STR_INIT, .tag = 3};
    program(&w, 0, "a@O0", 5000, 10000);
    refuse(&w, "begins in the middle");
    w = (struct writer){.text = STR_INIT, .tag = 3}; /* no conditions: they did not come */
    put(&w, "start 1 abcd 0 0 2 stm32");
    program(&w, 0, "a@O0", 5000, 10000);
    refuse(&w, "conditions did not come");
    w = good_log();
    put(&w, "surprise");
    refuse(&w, "unknown word");
    w = good_log();
    put(&w, "region 0 1 0 ffffffffffffffff r");
    refuse(&w, "does not print: region");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc),        cmocka_unit_test(test_good),       cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_byte_lost),  cmocka_unit_test(test_counter),    cmocka_unit_test(test_clock),
        cmocka_unit_test(test_two_boards), cmocka_unit_test(test_lines_lost), cmocka_unit_test(test_other_text)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
