/* measurements.csv and its conditions: what is written is read back; what is wrong is refused at its line. */
#include "fixture.h"

#include <math.h>

static void set(char **to, const char *text)
{
    free(*to);
    *to = xstrdup(text);
}

static struct measurements *sample(void)
{
    struct measurements *m = measurements_new();
    for (int i = 0; i < 3; i++)
        vec_push(&m->rows, (struct measurement){.program = xstrdup("suite/fir@O2"),
                                                .region = xstrdup(i < 2 ? "fir, \"the\" filter" : "b"),
                                                .event = xstrdup(i == 1 ? "L1D_CACHE" : "TSC_CYCLES"),
                                                .value = 1.0 / 3 + i,
                                                .stddev = 0.1 * i,
                                                .runs = 100,
                                                .minimum = i,
                                                .mean = 2.5,
                                                .mean_stddev = 0.25,
                                                .dropped = 3,
                                                .entries = 1,
                                                .overhead = 61.5});
    vec_push(&m->programs, (struct measured_program){.program = xstrdup("suite/fir@O2"),
                                                     .launches = 103,
                                                     .disturbed = 3,
                                                     .by_sharing = 2,
                                                     .by_outlier = 1,
                                                     .wall_s = 1.5,
                                                     .core_per_tick = 1.52});
    struct conditions *c = &m->conditions;
    set(&c->board, "host");
    set(&c->date, "2024-05-01");
    set(&c->cycle_event, "TSC_CYCLES");
    c->cycle_hz = 2.6e9;
    c->core = 3;
    c->runs = 100;
    c->notes = xcalloc(2, sizeof *c->notes);
    c->notes[0] = xstrdup("busy: \xc3\xa9");
    return m;
}

static void test_round_trip(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct measurements *m = sample(), *back = NULL;
    char *csv = in_scratch("m.csv"), *json = in_scratch("c.json");
    assert_int_equal(measurements_write(m, csv, json, &e), OK);
    assert_int_equal(measurements_read(&back, csv, json, &e), OK);
    assert_int_equal(back->rows.n, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct measurement *a = &m->rows.at[i], *b = &back->rows.at[i];
        assert_string_equal(a->region, b->region);
        assert_string_equal(a->event, b->event);
        assert_true(a->value == b->value && a->stddev == b->stddev && a->runs == b->runs);
        assert_true(a->minimum == b->minimum && a->mean == b->mean && a->dropped == b->dropped);
        assert_true(a->overhead == b->overhead && a->entries == b->entries);
    }
    assert_int_equal(back->programs.at[0].by_sharing, 2);
    assert_true(back->programs.at[0].core_per_tick == 1.52);
    assert_string_equal(back->conditions.date, "2024-05-01");
    assert_string_equal(back->conditions.notes[0], "busy: \xc3\xa9");
    assert_true(back->conditions.cycle_hz == 2.6e9 && back->conditions.core == 3);
    assert_string_equal(measurements_cycle_event(back), "TSC_CYCLES");
    assert_non_null(measurements_find(back, "suite/fir@O2", "b", "TSC_CYCLES"));
    assert_null(measurements_find(back, "suite/fir@O2", "b", "L1D_CACHE"));
    measurements_free(back);
    assert_int_equal(measurements_read(&back, csv, NULL, &e), OK);
    assert_true(isnan(back->rows.at[0].mean));
    measurements_free(back);
    measurements_free(m);
    free(csv);
    free(json);
}

/* RFC 4180 and the contract's header, byte by byte. */
static void test_bytes(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct measurements *m = sample();
    struct str text = STR_INIT;
    char *csv = in_scratch("b.csv");
    assert_int_equal(measurements_write(m, csv, NULL, &e), OK);
    assert_int_equal(file_read(&text, csv, 10000, &e), OK);
    assert_string_equal(text.s, "program,region,event,value,stddev,runs\n"
                                "suite/fir@O2,\"fir, \"\"the\"\" filter\",TSC_CYCLES,0.3333333333333333,0,100\n"
                                "suite/fir@O2,\"fir, \"\"the\"\" filter\",L1D_CACHE,1.3333333333333333,0.1,100\n"
                                "suite/fir@O2,b,TSC_CYCLES,2.3333333333333335,0.2,100\n");
    str_release(&text);
    measurements_free(m);
    free(csv);
}

static void refuse(const char *text, const char *message)
{
    struct error e = ERROR_INIT;
    struct measurements *m = NULL;
    char *path = put_file("bad.csv", text);
    assert_int_equal(measurements_read(&m, path, NULL, &e), ERR_INPUT);
    assert_null(m);
    assert_says(&e, message);
    free(path);
}

#define HEAD "program,region,event,value,stddev,runs\n"

static void test_refusals(void **state)
{
    (void)state;
    refuse("program,region,event,value,runs\np,r,E,1,2\n", "stddev");
    refuse(HEAD, "no measurement");
    refuse(HEAD "p,r,E,1,0,1\np,r,F,many,0,1\n", "bad.csv:3:");
    refuse(HEAD "p,r,E,nan,0,1\n", "bad.csv:2:");
    refuse(HEAD "p,r,E,inf,0,1\n", "bad.csv:2:");
    refuse(HEAD "p,r,E,,0,1\n", "bad.csv:2:");
    refuse(HEAD "p,r,E,-1,0,1\n", "bad.csv:2: value -1");
    refuse(HEAD "p,r,E,1,-2,1\n", "bad.csv:2: stddev -2");
    refuse(HEAD "p,r,E,1,0,0\n", "bad.csv:2: runs 0");
    refuse(HEAD "p,r,E,1,0,1.5\n", "runs 1.5");
    refuse(HEAD "p,,E,1,0,1\n", "bad.csv:2: no region");
    refuse(HEAD "p,r,E,1,0,1\nq,r,E,1,0,1\np,r,E,2,0,1\n", "bad.csv:4: E of region 'r' of 'p' is in line 2 already");
    refuse(HEAD "p,r,CPU_CYCLES,5,0,1\nq,r,CPU_CYCLES,946511,0,1\nq,r,BR_MIS_PRED,3.3e12,0,1\n",
           "bad.csv:3: impossible counts: region 'r' of 'q' has 3300000000000 BR_MIS_PRED, but 946511 CPU_CYCLES");
    refuse(HEAD "p,r,L2D_CACHE_REFILL,12097,0,1\np,r,L2D_CACHE,1000,0,1\n",
           "12097 L2D_CACHE_REFILL, but 1000 L2D_CACHE");
}

static void refuse_conditions(const char *json, const char *message)
{
    struct error e = ERROR_INIT;
    struct measurements *m = NULL;
    char *csv = put_file("ok.csv", HEAD "p,r,E,1,0,1\n"), *path = put_file("bad.json", json);
    assert_int_equal(measurements_read(&m, csv, path, &e), ERR_INPUT);
    assert_says(&e, message);
    free(csv);
    free(path);
}

static void test_bad_conditions(void **state)
{
    (void)state;
    refuse_conditions("{", "bad.json:1:");
    refuse_conditions("[]", "bad.json");
    refuse_conditions("{\"format\": \"x\", \"version\": 1}", "its format is 'x'");
    refuse_conditions("{\"format\": \"shimgen-measurement-conditions\", \"version\": 9}", "version is not 1");
    refuse_conditions("{\"format\": \"shimgen-measurement-conditions\", \"version\": 1, \"board\": 4}", "board");
    /* conditions of another table */
    struct error e = ERROR_INIT;
    struct measurements *m = sample(), *back = NULL;
    char *csv = in_scratch("x.csv"), *json = in_scratch("x.json"), *other = put_file("ok.csv", HEAD "p,r,E,1,0,1\n");
    assert_int_equal(measurements_write(m, csv, json, &e), OK);
    assert_int_equal(measurements_read(&back, other, json, &e), ERR_INPUT);
    assert_says(&e, "not of one measurement");
    measurements_free(m);
    free(csv);
    free(json);
    free(other);
}

/* What JSON cannot hold is refused before anything is written. */
/* One digit of the clock: refused, unless the checksum is taken out. */
static void test_changed_conditions(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    struct measurements *m = sample(), *back = NULL;
    char *csv = in_scratch("x.csv"), *json = in_scratch("x.json");
    assert_int_equal(measurements_write(m, csv, json, &e), OK);
    assert_int_equal(file_read(&text, json, 1 << 20, &e), OK);
    char *digit = strstr(text.s, "2600000000");
    assert_non_null(digit);
    *digit = '3';
    assert_int_equal(file_write(json, text.s, text.len, &e), OK);
    assert_int_equal(measurements_read(&back, csv, json, &e), ERR_INPUT);
    assert_says(&e, "changed or damaged");
    char *sum = strstr(text.s, "\"checksum\"");
    assert_non_null(sum);
    memcpy(sum, "\"a_remark\"", 10);
    assert_int_equal(file_write(json, text.s, text.len, &e), OK);
    assert_int_equal(measurements_read(&back, csv, json, &e), OK);
    assert_true(back->conditions.cycle_hz == 3.6e9);
    measurements_free(back);
    measurements_free(m);
    str_release(&text);
    free(csv);
    free(json);
}

/* Killed between the two files: the conditions know of a program that the table does not have yet. */
static void test_resume(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct measurements *m = sample(), *back = NULL;
    char *csv = in_scratch("x.csv"), *json = in_scratch("x.json"), *earlier = put_file("ok.csv", HEAD "p,r,E,1,0,1\n");
    assert_int_equal(measurements_write(m, csv, json, &e), OK);
    assert_int_equal(measurements_read(&back, earlier, json, &e), ERR_INPUT);
    error_release(&e);
    assert_int_equal(measurements_resume(&back, earlier, json, &e), OK);
    assert_int_equal(back->rows.n, 1);
    assert_int_equal(back->programs.n, 0);
    assert_true(back->conditions.cycle_hz == 2.6e9);
    measurements_free(back);
    measurements_free(m);
    free(csv);
    free(json);
    free(earlier);
}

static void test_not_utf8(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct measurements *m = sample();
    set(&m->rows.at[2].region, "\xff");
    char *csv = in_scratch("u.csv"), *json = in_scratch("u.json");
    assert_int_equal(measurements_write(m, csv, json, &e), ERR_INPUT);
    assert_says(&e, "UTF-8");
    assert_false(file_exists(csv));
    assert_false(file_exists(json));
    measurements_free(m);
    free(csv);
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_bad_conditions),
        cmocka_unit_test(test_not_utf8),   cmocka_unit_test(test_changed_conditions),
        cmocka_unit_test(test_resume),
    };
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
