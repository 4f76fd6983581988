/* The runtime's result file: read whole, or refused. */
#include "fixture.h"

#include "boards/measure/result.h"

static const char good[] = "shim-measure 1\n"
                           "source constant\n"
                           "clock TSC_CYCLES 2600000000\n"
                           "core_ppm 1500000\n"
                           "cache cold\n"
                           "flush 2 1605632 0 clflushopt\n"
                           "priority nice -20\n"
                           "new_place 1\n"
                           "memory locked\n"
                           "other_threads_ns 0\n"
                           "left_out CPU_CYCLES 2\n"
                           "calibrated short\n"
                           "reads 48\n"
                           "event TSC_CYCLES 61750 141500\n"
                           "known sentinel 3840 2048 768 256 128 512\n"
                           "counted 4000\n"
                           "region a%20b 1 3 a%20b 0 1 2 0 5 0 5300 1520000 0 0\n"
                           "value 3000\n"
                           "region % 4 0 a%20b 0 0 0 0 -1 0 0 0 0 0\n"
                           "value 9007199254740992\n"
                           "end 20\n";

static enum status read_text(struct run_result **r, const char *text, struct error *e)
{
    char *path = put_file("result", text);
    enum status s = run_result_read(r, path, e);
    free(path);
    return s;
}

static void test_good(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct run_result *r = NULL;
    assert_int_equal(read_text(&r, good, &e), OK);
    assert_false(r->pmu);
    assert_true(r->cold && r->new_place);
    assert_string_equal(r->priority, "nice -20");
    assert_string_equal(r->left_out.at[0], "CPU_CYCLES: this machine does not have it"); /* 2 is ENOENT */
    assert_true(r->events.at[0].inside == 61.75 && r->events.at[0].pair == 141.5);
    assert_true(!r->calibrated && r->reads == 48);
    const struct run_known *k = &r->known.at[0];
    assert_string_equal(k->name, "sentinel");
    assert_true(k->instructions == 3840 && k->adds == 2048 && k->loads == 768);
    assert_true(k->near == 256 && k->far == 128 && k->branches == 512 && k->counted[0] == 4000);
    assert_int_equal(r->regions.n, 2);
    const struct run_region *g = &r->regions.at[0];
    assert_string_equal(g->name, "a b");
    assert_true(g->entries == 1 && g->pairs == 3 && g->raw[0] == 3000);
    assert_true(g->involuntary == 1 && g->minor == 2 && g->interrupts == 5);
    assert_true(g->width == 5.3 && g->clock == 1.52);
    assert_string_equal(r->regions.at[1].name, "");
    assert_string_equal(r->regions.at[1].outer, "a b");
    assert_true(r->regions.at[1].interrupts == -1);
    assert_int_equal(run_result_check(r, "p", &e), OK);
    run_result_free(r);
}

/* Cut anywhere, the file is not whole. */
static void test_cut_everywhere(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof good - 1; n++) {
        struct error e = ERROR_INIT;
        struct run_result *r = NULL;
        char *part = xstrndup(good, n);
        if (read_text(&r, part, &e) == OK)
            fail_msg("the first %zu of %zu bytes were taken for a result", n, sizeof good - 1);
        assert_null(r);
        error_release(&e);
        free(part);
    }
}

/* Performance counters never stand still: no cycles at all are no measurement. A constant counter may not have ticked;
 * what is moved between cores may seem to go back in time, and is a disturbed run. */
static void test_no_cycles(void **state)
{
    (void)state;
    struct run_result *r = NULL;
    struct error e = ERROR_INIT;
    const char form[] = "shim-measure 1\nsource %s\nclock T 1\npriority p\nmemory m\nevent CPU_CYCLES 1 1\n"
                        "region r 1 0 r 0 0 0 0 0 %d 0 0 0 0\nvalue %s\nend 8\n";
    static const struct {
        const char *source, *value;
        int moved;
        const char *says; /* NULL: taken */
    } cases[] = {{"pmu", "0", 0, "takes no cycles"},
                 {"pmu", "1", 0, NULL},
                 {"constant", "0", 0, NULL},
                 {"pmu", "18446744073709551615", 1, NULL},
                 {"pmu", "18446744073709551615", 0, "no run can have"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = xasprintf(form, cases[i].source, cases[i].moved, cases[i].value);
        assert_int_equal(read_text(&r, text, &e), cases[i].says ? ERR_INPUT : OK);
        if (cases[i].says)
            assert_says(&e, cases[i].says);
        else
            run_result_free(r);
        free(text);
    }
}

/* The good text with one line replaced is refused. */
static void refuse(const char *line, const char *instead, const char *message)
{
    struct error e = ERROR_INIT;
    struct run_result *r = NULL;
    const char *at = strstr(good, line);
    assert_non_null(at);
    char *text = xasprintf("%.*s%s%s", (int)(at - good), good, instead, at + strlen(line));
    assert_int_equal(read_text(&r, text, &e), ERR_INPUT);
    assert_says(&e, message);
    free(text);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse("shim-measure 1", "shim-measure 2", "result:1: not a result");
    refuse("value 3000", "value", "too few values");
    refuse("value 3000", "value 1 2", "too many values");
    refuse("value 3000", "value -1", "too few values");
    refuse("value 3000", "value x", "too few values");
    refuse("value 3000", "value 99999999999999999999999",
           "result:18: not a result of the measuring runtime: a number "
           "that no run can have");
    refuse("value 3000", "value 18446744073709551615", "a number that no run can have");
    refuse("value 3000", "value 9007199254740994", "a number that no run can have"); /* 2^53 + 2 */
    refuse("other_threads_ns 0", "other_threads_ns 18446744073709551615", "a number that no run can have");
    refuse("region a%20b 1 3", "region a%20b 0 3", "region 'a b' is never entered");
    refuse("a%20b 0 1 2 0 5 0 5300", "a%20b -1 1 2 0 5 0 5300", "too few numbers");
    refuse("a%20b 0 1 2 0 5 0 5300", "a%20b 0 1 2 0 -2 0 5300", "too few numbers");
    refuse("priority nice -20", "priority \033[2Jnice", "not plain text");
    refuse("memory locked", "memory l\233", "not plain text");
    refuse("TSC_CYCLES 61750", "TSC\033CYCLES 61750", "without its overhead");
    refuse("left_out CPU_CYCLES 2", "left_out CPU\007 2", "no name and reason");
    refuse("left_out CPU_CYCLES 2", "left_out CPU_CYCLES 99999999999", "no name and reason");
    refuse("value 3000\n", "", "does not fit the others");
    refuse("counted 4000", "counted", "too few counts");
    refuse("counted 4000", "counted 1 2", "too many counts");
    refuse("counted 4000", "reads 1", "known work without counts");
    refuse("reads 48", "counted 48", "counts without known work");
    refuse("known sentinel 3840 2048", "known sentinel 3840", "known work without its figures");
    refuse("end 20", "end 19", "does not fit the others");
    refuse("end 20", "end 20\nmore", "does not fit");
    refuse("cache cold", "cash cold", "unknown line");
    refuse("0 1 2 0 5 0 5300", "0 1 2 0", "too few numbers");
    refuse("event TSC_CYCLES 61750 141500", "event TSC_CYCLES", "without its overhead");
    refuse("memory locked", "problem nonsense x", "unknown problem");
}

static void check(const char *line, const char *instead, enum status wanted, const char *message)
{
    struct error e = ERROR_INIT;
    struct run_result *r = NULL;
    const char *at = strstr(good, line);
    char *text = xasprintf("%.*s%s%s", (int)(at - good), good, instead, at + strlen(line));
    assert_int_equal(read_text(&r, text, &e), OK);
    assert_int_equal(run_result_check(r, "prog", &e), wanted);
    if (wanted)
        assert_says(&e, message);
    run_result_free(r);
    free(text);
}

static void test_findings_of_the_run(void **state)
{
    (void)state;
    check("core_ppm 1500000", "problem left-open f%20g", ERR_UNSUPPORTED, "prog: region 'f g' is still open");
    check("core_ppm 1500000", "problem no-pmu %", ERR_UNSUPPORTED, "(CPU_CYCLES: this machine does not have it)");
    check("other_threads_ns 0", "other_threads_ns 5000000", ERR_UNSUPPORTED, "further threads (5.000 ms)");
    check("other_threads_ns 0", "other_threads_ns 1500", OK, "");
    /* Not on the counters all the time: refused, not scaled. */
    struct error e = ERROR_INIT;
    struct run_result *r = NULL;
    assert_int_equal(read_text(&r, good, &e), OK);
    r->pmu = true;
    for (size_t i = 0; i < r->regions.n; i++)
        r->regions.at[i].enabled = r->regions.at[i].running = 1000;
    assert_int_equal(run_result_check(r, "prog", &e), OK);
    r->regions.at[1].running = 999;
    assert_int_equal(run_result_check(r, "prog", &e), ERR_UNSUPPORTED);
    assert_says(&e, "multiplexed (region");
    run_result_free(r);
}

static void test_group(void **state)
{
    (void)state;
    assert_true(group_complete(1000, 1000));
    assert_false(group_complete(1000, 999));
    assert_false(group_complete(1000, 0));
}

static void test_net(void **state)
{
    (void)state;
    /* 1000 counted, 2 entries at 30, 5 inner pairs at 80: 1000 - 60 - 400 */
    assert_true(net_value(1000, 2, 5, 30, 80) == 540);
    assert_true(net_value(50, 1, 0, 60, 80) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),     cmocka_unit_test(test_cut_everywhere),      cmocka_unit_test(test_no_cycles),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_findings_of_the_run), cmocka_unit_test(test_group),
        cmocka_unit_test(test_net),
    };
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
