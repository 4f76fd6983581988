/* The kit's log on both sides of each border: what is believed, what is left out and what is refused. */
#include "kit_writer.h"

#include "boards/measure/kit_rows.h"

/* The log, and what became of it: freed by the caller. */
static struct kit_log *judge(struct writer *w, const char *part, enum status *s, struct error *e)
{
    struct kit_log *log = read_text(str_text(&w->text), w->text.len, part, s, e);
    str_release(&w->text);
    return log;
}

/* So many programs are used, and a note says this ("": there is no note). */
static void expect_note(struct writer w, size_t programs, const char *note)
{
    enum status s;
    struct error e = ERROR_INIT;
    struct kit_log *log = judge(&w, 0, &s, &e);
    if (s)
        fail_msg("%s", e.message);
    assert_int_equal(log->programs.n, programs);
    if (*note) {
        assert_true(log->notes.n > 0);
        if (!strstr(log->notes.at[0], note))
            fail_msg("'%s' is not in '%s'", note, log->notes.at[0]);
    } else {
        assert_int_equal(log->notes.n, 0);
    }
    kit_log_free(log);
}

/* A start and one program of 10000 cycles. */
static struct writer one(const char *conditions, const char *loops, const char *further, unsigned work)
{
    struct writer w = {.text = STR_INIT};
    start(&w, 1, 0, conditions, loops);
    if (*further)
        put(&w, further);
    program(&w, 0, "a@O0", work, 10000);
    return w;
}

static void one_is_refused(const char *conditions, const char *loops, const char *further, const char *says)
{
    struct writer w = one(conditions, loops, further, 5000);
    refuse(&w, says);
}

/* ---- borders of what is believed ---- */

/* 1000 cycles for n iterations: 1900 to 2100 for 2 n, 5 % of the 2000. */
static void test_loops(void **state)
{
    (void)state;
    expect_note(one(CONDITIONS, "loops 64 3e8 833", "", 5000), 1, ""); /* 2099 */
    expect_note(one(CONDITIONS, "loops 64 3e8 76d", "", 5000), 1, ""); /* 1901 */
    one_is_refused(CONDITIONS, "loops 64 3e8 835", "", "100 and 200 iterations of the known loop took 1000 and 2101");
    one_is_refused(CONDITIONS, "loops 64 3e8 76b", "", "took 1000 and 1899 cycles, not twice as many");
    one_is_refused(CONDITIONS, "loops 64 3e8 0", "", "DWT of 'stm32' stands still");
    one_is_refused(CONDITIONS, "loops 64 0 3e8", "", "DWT of 'stm32' stands still");
}

/* 50000 cycles in 100 ticks of 32000 Hz are 16 MHz, as the conditions say; 2 % are 1000 cycles. */
static void test_clock(void **state)
{
    (void)state;
    expect_note(one(CONDITIONS, LOOPS, "clocks c72e 64 7d00", 5000), 1, ""); /* 50990 */
    expect_note(one(CONDITIONS, LOOPS, "clocks bf72 64 7d00", 5000), 1, ""); /* 49010 */
    one_is_refused(CONDITIONS, LOOPS, "clocks c742 64 7d00", "16 MHz, and by the part's second clock (32000 Hz)");
    one_is_refused(CONDITIONS, LOOPS, "clocks bf5e 64 7d00", "it is 15.68 MHz"); /* 48990 */
    /* a second clock that stands still, or of no known speed, says nothing */
    expect_note(one(CONDITIONS, LOOPS, "clocks c742 0 7d00", 5000), 1, "");
    expect_note(one(CONDITIONS, LOOPS, "clocks c742 64 0", 5000), 1, "");
    one_is_refused("conditions 0 2 0 0 0 0 2 20 DWT", LOOPS, "", "no clock is given");
}

/* 10000 cycles are enough for 80000 instructions of the IR, 8 in a cycle. */
static void test_work(void **state)
{
    (void)state;
    expect_note(one(CONDITIONS, LOOPS, "", 80000), 1, "");
    struct writer w = one(CONDITIONS, LOOPS, "", 80001);
    refuse(&w, "10000 cycles for at least 80001 instructions");
}

static struct writer twice(unsigned cycles)
{
    struct writer w = one(CONDITIONS, LOOPS, "", 5000);
    start(&w, 2, 0, CONDITIONS, LOOPS);
    program(&w, 0, "a@O0", 5000, cycles);
    return w;
}

/* Within 5 % of the larger: 0.05 * 10526 = 526.3, 0.05 * 10527 = 526.35. */
static void test_again(void **state)
{
    (void)state;
    expect_note(twice(10526), 1, "");
    expect_note(twice(9500), 1, "");
    struct writer w = twice(10527);
    refuse(&w, "took 10527 cycles here and 10000 in line 5");
    w = twice(9499);
    refuse(&w, "two boards, or other conditions");
}

/* ---- programs whose runs are not alike ---- */

/* A program of two runs with these lines of regions. */
static struct writer regions(const char *const *lines, size_t n, unsigned runs)
{
    struct writer w = one(CONDITIONS, LOOPS, "", 5000);
    w.block = UINT32_MAX;
    w.lines = 0;
    put(&w, "program 1 1388 1234 ir b@O0");
    for (size_t i = 0; i < n; i++)
        put(&w, lines[i]);
    uint32_t block = w.block ^ UINT32_MAX, count = w.lines;
    putf(&w, "end 1 %x %x %x", runs, count, block);
    return w;
}

static void test_irregular(void **state)
{
    (void)state;
    static const char *const bad[][4] = {
        {"region 0 1 0 2710 r", "region 1 1 0 2710 s"}, /* another name */
        {"region 0 1 0 2710 r", "region 0 1 0 2710 r"}, /* the first run twice */
        {"region 1 1 0 2710 r", "region 0 1 0 2710 r"}, /* the second first */
        {"region 0 1 0 2710 r", "region 1 0 0 2710 r"}, /* never entered */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_note(regions(bad[i], 2, 2), 1, "b@O0 is left out: its runs do not have the same regions");
    static const char *const odd[] = {"region 0 1 0 2710 r", "region 0 1 0 2710 s", "region 1 1 0 2710 r"};
    expect_note(regions(odd, 3, 2), 1, "its runs do not have the same regions");
    expect_note(regions(odd, 0, 2), 1, "b@O0 is left out: it has no region");
    static const char *const good[] = {"region 0 1 0 2710 r", "region 0 2 0 2710 s", "region 1 1 0 2710 r",
                                       "region 1 2 0 2710 s"};
    expect_note(regions(good, 4, 2), 2, "");
}

/* Runs of 12000 + 100, 10000 + 100 cycles: the least is 10100, which is enough for 80800 instructions. */
static void test_least(void **state)
{
    (void)state;
    static const char *const lines[] = {"region 0 1 0 2ee0 r", "region 0 1 0 64 s", "region 1 1 0 2710 r",
                                        "region 1 1 0 64 s"};
    for (unsigned work = 80800; work < 80802; work++) {
        struct writer w = {.text = STR_INIT};
        start(&w, 1, 0, CONDITIONS, LOOPS);
        w.block = UINT32_MAX;
        w.lines = 0;
        putf(&w, "program 1 %x 1234 ir b@O0", work);
        for (size_t i = 0; i < 4; i++)
            put(&w, lines[i]);
        uint32_t block = w.block ^ UINT32_MAX, count = w.lines;
        putf(&w, "end 1 2 %x %x", count, block);
        if (work == 80800)
            expect_note(w, 1, "");
        else
            refuse(&w, "10100 cycles for at least 80801 instructions");
    }
}

/* ---- conditions ---- */

/* A second start with these conditions, of this part. */
static struct writer then(const char *conditions, const char *name)
{
    struct writer w = one(CONDITIONS, LOOPS, "", 5000);
    w.tag = 2;
    w.number = 0;
    putf(&w, "start 1 abcd 0 1 2 %s", name);
    put(&w, conditions);
    return w;
}

static void test_conditions(void **state)
{
    (void)state;
    static const char *const others[] = {
        "conditions f42401 2 0 0 0 0 2 20 DWT",    "conditions f42400 3 0 0 0 0 2 20 DWT",
        "conditions f42400 2 1 0 0 0 2 20 DWT",    "conditions f42400 2 0 1 0 0 2 20 DWT",
        "conditions f42400 2 0 0 1 0 2 20 DWT",    "conditions f42400 2 0 0 0 1 2 20 DWT",
        "conditions f42400 2 0 0 0 0 2 20 SYSTICK"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct writer w = then(others[i], "stm32");
        refuse(&w, "two sets of conditions, in one log: DWT of stm32 at 16 MHz, 2 wait states, interrupts masked, "
                   "caches off, MPU off (line 1), then ");
    }
    struct writer w = then(CONDITIONS, "stm33");
    refuse(&w, "then DWT of stm33 at 16 MHz");
    /* more runs, and a counter of other bits, are the same conditions */
    expect_note(then("conditions f42400 2 0 0 0 0 3 20 DWT", "stm32"), 1, "");
    expect_note(then("conditions f42400 2 0 0 0 0 2 18 DWT", "stm32"), 1, "");
}

static void says(uint32_t interrupts, uint32_t caches, uint32_t mpu, const char *end)
{
    char name[] = "virt", counter[] = "mcycle";
    const struct kit_session s = {.name = name,
                                  .counter = counter,
                                  .hz = 1e9,
                                  .wait_states = 3,
                                  .interrupts = interrupts,
                                  .caches = caches,
                                  .mpu = mpu};
    char *text = kit_session_text(&s), *wanted = xasprintf("mcycle of virt at 1000 MHz, 3 wait states, %s", end);
    assert_string_equal(text, wanted);
    free(wanted);
    free(text);
}

/* As docs/formats/kit-log.md says: interrupts 0 and 1, caches by bits and 4, MPU 0 to 2. */
static void test_text(void **state)
{
    (void)state;
    says(0, 0, 0, "interrupts masked, caches off, MPU off");
    says(1, 1, 1, "interrupts not masked, data cache on, MPU on");
    says(0, 2, 2, "interrupts masked, instruction cache on, MPU unknown");
    says(0, 3, 0, "interrupts masked, caches on, MPU off");
    says(0, 4, 0, "interrupts masked, caches unknown, MPU off");
    says(2, 5, 3, "unknown, unknown, unknown");
}

/* ---- lines that no kit prints, and what is too much ---- */

static void test_bad_lines(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "start 1 abcd 0 0 2",
        "start 1 abcd 0 0 2 stm32 x",
        "start 1 abcd 0 0 x stm32",
        "conditions f42400 2 0 0 0 0 2 20",
        "conditions f42400 2 0 0 0 0 2 20 DWT x",
        "conditions f42400 2 0 0 0 0 2 G DWT",
        "loops 3e8 bb8",
        "loops 3e8 bb8 1770 1",
        "loops 3e8 bb8 -1",
        "clocks c350 64",
        "clocks c350 64 7d00 1",
        "clocks 00000000000000 64 7d00", /* 14 digits */
        "clocks c350 64 123456789",      /* 9 digits */
        "cost 0 40 100",
        "cost 10 40",
        "cost 10 40 100 1",
        "problem counter-wrapped",
        "problem a b c",
        "passed 0",
        "passed 0 a b",
        "passed x a",
        "done",
        "done 0 1",
        "done x",
        "program 0 1388 1234 ir",
        "program 0 1388 1234 ir a b",
        "program 0 1388 X ir a",
        "program 0 1388 1234 asm a",
        "region 0 1 0 2710",
        "region 0 1 0 2710 r s",
        "region 0 1 x 2710 r",
        "end 0 2 3",
        "end 0 2 3 4 5",
        "end 0 2 3 x",
        "ends 0 2 3 4",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        one_is_refused(CONDITIONS, LOOPS, bad[i], "a complete line that the kit does not print");
    expect_note(one(CONDITIONS, LOOPS, "clocks 000000000c350 64 00007d00", 5000), 1, ""); /* 13 digits, and 8 */
    one_is_refused(CONDITIONS, LOOPS, "start 1 abcd 0 0 1001 stm32", "more programs than an image can have");
}

static void test_version(void **state)
{
    (void)state;
    struct writer w = {.text = STR_INIT, .tag = 1};
    enum status s;
    struct error e = ERROR_INIT;
    put(&w, "start 2 abcd 0 0 2 stm32");
    struct kit_log *log = judge(&w, 0, &s, &e);
    assert_int_equal(s, ERR_UNSUPPORTED);
    assert_says(&e, "a log of version 2");
    kit_log_free(log);
}

/* 4096 starts are taken, and no more. */
static void test_starts(void **state)
{
    (void)state;
    for (unsigned n = 4096; n <= 4097; n++) {
        struct writer w = {.text = STR_INIT};
        for (unsigned i = 1; i < n; i++) {
            w.tag = i;
            w.number = 0;
            putf(&w, "start 1 abcd 0 %x 2 stm32", i);
        }
        start(&w, n, 0, CONDITIONS, LOOPS);
        program(&w, 0, "a@O0", 5000, 10000);
        if (n == 4096)
            expect_note(w, 1, "");
        else
            refuse(&w, "started more than 4096 times");
    }
}

static void test_part(void **state)
{
    (void)state;
    struct writer w = one(CONDITIONS, LOOPS, "", 5000);
    enum status s;
    struct error e = ERROR_INIT;
    struct kit_log *log = judge(&w, "G", &s, &e);
    assert_int_equal(s, ERR_USAGE);
    assert_says(&e, "--part: 'G' is no ID");
    kit_log_free(log);
}

/* ---- notes ---- */

static void test_notes(void **state)
{
    (void)state;
    struct writer w = one(CONDITIONS, LOOPS, "", 5000);
    put(&w, "program 1 1388 1234 ir b@O0");
    expect_note(w, 1, "the log ends within a program");
    w = one(CONDITIONS, LOOPS, "", 5000);
    put(&w, "program 1 1388 1234 ir b@O0");
    put(&w, "done 0");
    put(&w, "program 1 1388 1234 ir b@O0");
    expect_note(w, 1, "log.txt:9: b@O0 is incomplete (its end did not come): left out unless it appears again");
    w = one(CONDITIONS, LOOPS, "", 5000);
    put(&w, "program 1 1388 1234 ir b@O0");
    start(&w, 2, 0, CONDITIONS, LOOPS);
    expect_note(w, 1, "b@O0 is incomplete (the part was started again)");
    w = one(CONDITIONS, LOOPS, "", 5000);
    put(&w, "passed 1 b@O0");
    expect_note(w, 1, "log.txt:9: b@O0 is left out: the part was reset each time that it ran");
    w = one(CONDITIONS, LOOPS, "problem self-check x", 5000); /* of no program */
    expect_note(w, 1, "");
    w = one(CONDITIONS, LOOPS, "", 5000);
    str_add(&w.text, "shim 1 99 done 0 *00000000\nshim\nshim x\n"); /* the second has no blank after it */
    expect_note(w, 1, "2 damaged lines are left out");
    /* a line that ends a program of another number */
    w = one(CONDITIONS, LOOPS, "", 5000);
    w.block = UINT32_MAX;
    put(&w, "program 1 1388 1234 ir b@O0");
    put(&w, "region 0 1 0 2710 r");
    uint32_t block = w.block ^ UINT32_MAX;
    putf(&w, "end 2 1 2 %x", block);
    expect_note(w, 1, "b@O0 is incomplete (some of its lines are missing)");
}

/* ---- a line by itself ---- */

static void is_line(const char *body, enum kit_line_kind kind, size_t fields)
{
    char *line = xasprintf("shim 1 0 %s", body);
    char *text = xasprintf("%s *%08x", line, kit_crc(UINT32_MAX, line, strlen(line)) ^ UINT32_MAX);
    struct kit_line l;
    assert_int_equal(kit_line_take(&l, text), kind);
    if (kind == KIT_LINE_GOOD) {
        assert_int_equal(l.n, fields);
        assert_int_equal(l.tag, 1);
    }
    kit_line_release(&l);
    free(text);
    free(line);
}

static void test_line(void **state)
{
    (void)state;
    is_line("done 0", KIT_LINE_GOOD, 1);
    is_line("a 1 2 3 4 5 6 7 8 9 10 11 12", KIT_LINE_GOOD, 12);
    is_line("a 1 2 3 4 5 6 7 8 9 10 11 12 13", KIT_LINE_BROKEN, 0);
    is_line("done ~", KIT_LINE_GOOD, 1);
    is_line("done \x7f", KIT_LINE_BROKEN, 0);
    is_line("done \x1f", KIT_LINE_BROKEN, 0);
    is_line("done\t0", KIT_LINE_BROKEN, 0);
    is_line(" 0", KIT_LINE_BROKEN, 0); /* no word */
    struct kit_line l;
    /* the example of docs/formats/kit-log.md, behind a time, with blanks and CR at its end */
    assert_int_equal(kit_line_take(&l, "12:01 shim 00000011 c done 0 *857ca8d2 \r"), KIT_LINE_GOOD);
    assert_int_equal(l.tag, 0x11);
    assert_int_equal(l.number, 12);
    assert_string_equal(l.word, "done");
    assert_string_equal(l.body, "done 0\n");
    assert_int_equal(l.length, 7);
    kit_line_release(&l);
    assert_int_equal(kit_line_take(&l, "shim 00000011 c done 0 *857ca8d"), KIT_LINE_BROKEN);
    kit_line_release(&l);
    assert_int_equal(kit_line_take(&l, "shim  *00000000"), KIT_LINE_BROKEN);
    kit_line_release(&l);
}

static void test_numbers(void **state)
{
    (void)state;
    uint32_t v = 7;
    double d = 7;
    assert_true(kit_number("ffffffff", &v) && v == UINT32_MAX);
    assert_true(kit_number("0", &v) && v == 0);
    assert_true(kit_number("9a", &v) && v == 0x9a);
    assert_false(kit_number("100000000", &v));
    assert_int_equal(v, 0);
    assert_false(kit_number("", &v));
    assert_false(kit_number("1 ", &v));
    assert_false(kit_number("A", &v));
    assert_false(kit_number("g", &v));
    assert_false(kit_number(":", &v)); /* after '9' */
    assert_false(kit_number("`", &v)); /* before 'a' */
    assert_true(kit_long_number("1fffffffffffff", &d) == false && d == 0);
    assert_true(kit_long_number("fffffffffffff", &d) && d == 4503599627370495.0); /* 2^52 - 1 */
}

/* ---- rows ---- */

/* 16 empty regions take 64 cycles, 4 each; a region around 16 takes 256, so a pair inside costs (256 - 4) / 16 = 15.75.
 * 20000 cycles, 3 entries, 2 pairs: 20000 - 12 - 31.5. */
static void test_rows(void **state)
{
    (void)state;
    static const char *const lines[] = {"region 0 3 2 4e20 r", "region 1 3 2 4e20 r"};
    struct writer w = regions(lines, 2, 2);
    enum status s;
    struct error e = ERROR_INIT;
    struct kit_log *log = judge(&w, 0, &s, &e);
    struct measurements *m = measurements_new();
    assert_int_equal(s, OK);
    assert_int_equal(kit_rows_add(log, &log->programs.at[1], "b@O0", m, &e), OK);
    assert_int_equal(m->rows.n, 1);
    assert_true(m->rows.at[0].value == 19956.5);
    kit_rows_describe(log, m);
    assert_string_equal(m->conditions.cpu, "stm32");
    assert_string_equal(m->conditions.cache, "warm");
    assert_string_equal(m->conditions.priority, "interrupts masked");
    assert_string_equal(m->conditions.clock_source, "the part's log");
    assert_true(m->conditions.overhead_cycles == 4);
    assert_int_equal(m->conditions.runs, 2);
    assert_int_equal(kit_rows_from_c(log), 0);
    measurements_free(m);
    kit_log_free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),      cmocka_unit_test(test_clock),     cmocka_unit_test(test_work),
        cmocka_unit_test(test_again),      cmocka_unit_test(test_irregular), cmocka_unit_test(test_least),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_text),      cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_version),    cmocka_unit_test(test_starts),    cmocka_unit_test(test_part),
        cmocka_unit_test(test_notes),      cmocka_unit_test(test_line),      cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
