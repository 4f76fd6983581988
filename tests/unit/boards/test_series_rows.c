/* Rows of a program, from made-up launches: every column, notes, further sets of events joined. Figures by hand. */
#include "fixture.h"

#include <math.h>

#include "boards/measure/series.h"

enum { EVENTS = 3, REGIONS = 2 };
static const char *names[] = {"CPU_CYCLES", "L1D_CACHE", "BR_MIS_PRED"};

/* A launch with n of these events from the `first` on, of two regions; the second is inside the first. */
struct made {
    double raw[REGIONS][EVENTS];
    double inside[EVENTS], pair[EVENTS];
    long switches, minor;
    double width;
};

static void add(struct campaign *c, const struct made *l, const char *const *events, size_t n)
{
    struct error e = ERROR_INIT;
    struct run_result r = {.pmu = true};
    for (size_t i = 0; i < n; i++)
        vec_push(&r.events, (struct run_event){(char *)events[i], l->inside[i], l->pair[i]});
    for (size_t i = 0; i < REGIONS; i++) {
        double raw[EVENTS + 1] = {0};
        memcpy(raw, l->raw[i], n * sizeof *raw);
        struct run_region g = {.name = (char *)(i ? "inner" : "outer"),
                               .outer = (char *)"outer",
                               .entries = i ? 4 : 1,
                               .pairs = i ? 0 : 4,
                               .voluntary = i ? 0 : l->switches,
                               .minor = i ? 0 : l->minor,
                               .width = i ? 0 : l->width};
        g.raw = xmemdup(raw, sizeof raw);
        vec_push(&r.regions, g);
    }
    if (campaign_add(c, &r, &e))
        fail_msg("%s", e.message);
    for (size_t i = 0; i < REGIONS; i++)
        free(r.regions.at[i].raw);
    vec_release(&r.events);
    vec_release(&r.regions);
}

static bool noted(const struct measurements *m, const char *text)
{
    for (char **n = m->conditions.notes; n && *n; n++)
        if (strstr(*n, text))
            return true;
    return false;
}

static size_t notes(const struct measurements *m)
{
    size_t n = 0;
    while (m->conditions.notes && m->conditions.notes[n])
        n++;
    return n;
}

/*
 * Five launches. outer: 1000 to 1004 cycles, of which an empty region is 10 and four pairs 20 each: less 90. inner: 500 for four entries: less
 * 40. Cache accesses: 70, an entry 1, a pair 2. One of a sixth, a switch, does not count.
 */
static void test_rows(void **state)
{
    (void)state;
    struct campaign c;
    struct measurements *m = measurements_new();
    campaign_init(&c, "p", 0);
    for (int i = 0; i < 6; i++) {
        struct made l = {.raw = {{1000 + i, 70}, {500, 30}}, .inside = {10, 1}, .pair = {20, 2}, .switches = i == 5};
        add(&c, &l, names, 2);
    }
    campaign_finish(&c, &(struct goal){5, 5, 0}, 1.5, m);
    static const struct {
        const char *region, *event;
        double value, overhead, minimum, entries;
    } wanted[] = {{"outer", "CPU_CYCLES", 912, 90, 910, 1},
                  {"outer", "L1D_CACHE", 61, 9, 61, 1},
                  {"inner", "CPU_CYCLES", 460, 40, 460, 4},
                  {"inner", "L1D_CACHE", 26, 4, 26, 4}};
    assert_int_equal(m->rows.n, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct measurement *r = &m->rows.at[i];
        assert_string_equal(r->program, "p");
        assert_string_equal(r->region, wanted[i].region);
        assert_string_equal(r->event, wanted[i].event);
        assert_float_equal(r->value, wanted[i].value, 1e-9);
        assert_float_equal(r->overhead, wanted[i].overhead, 1e-9);
        assert_float_equal(r->minimum, wanted[i].minimum, 1e-9);
        assert_float_equal(r->mean, wanted[i].value, 1e-9);
        assert_float_equal(r->entries, wanted[i].entries, 0);
        assert_int_equal(r->runs, 5);
        assert_int_equal(r->dropped, 1);
    }
    assert_float_equal(m->rows.at[0].stddev, 1.4826, 1e-9);              /* deviations 2 1 0 1 2 */
    assert_float_equal(m->rows.at[0].mean_stddev, sqrt(10.0 / 4), 1e-9); /* (4 + 1 + 0 + 1 + 4) / 4 */
    assert_float_equal(m->rows.at[2].stddev, 0, 0);
    assert_int_equal(m->programs.n, 1);
    const struct measured_program *p = &m->programs.at[0];
    assert_string_equal(p->program, "p");
    assert_true(p->launches == 6 && p->disturbed == 1 && p->by_switch == 2 && p->wall_s == 1.5 &&
                p->core_per_tick == 0);
    assert_true(!p->by_fault && !p->by_interrupt && !p->by_sharing && !p->by_outlier);
    assert_int_equal(notes(m), 0);
    campaign_release(&c);
    /* further events, from other launches: each beside those of its region */
    campaign_init(&c, "p", 0);
    for (int i = 0; i < 3; i++) {
        struct made l = {.raw = {{9000, 5}, {8000, 2}}, .inside = {10, 1}, .minor = i == 2};
        static const char *const others[] = {"CPU_CYCLES", "BR_MIS_PRED"};
        add(&c, &l, others, 2);
    }
    campaign_merge(&c, &(struct goal){2, 2, 0}, m);
    static const char *const order[][2] = {{"outer", "CPU_CYCLES"}, {"outer", "L1D_CACHE"}, {"outer", "BR_MIS_PRED"},
                                           {"inner", "CPU_CYCLES"}, {"inner", "L1D_CACHE"}, {"inner", "BR_MIS_PRED"}};
    assert_int_equal(m->rows.n, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(m->rows.at[i].region, order[i][0]);
        assert_string_equal(m->rows.at[i].event, order[i][1]);
    }
    assert_float_equal(m->rows.at[0].value, 912, 1e-9); /* the cycles are the first set's */
    assert_float_equal(m->rows.at[2].value, 4, 1e-9);
    assert_float_equal(m->rows.at[5].value, 0, 1e-9); /* 2 less four entries: not below 0 */
    assert_int_equal(m->rows.at[2].runs, 2);
    p = &m->programs.at[0];
    assert_true(p->launches == 9 && p->disturbed == 2 && p->by_switch == 2 && p->by_fault == 2);
    campaign_release(&c);
    /* rows of another program stand after those of the first */
    campaign_init(&c, "q", 0);
    struct made l = {.raw = {{100, 1}, {50, 1}}};
    add(&c, &l, names, 1);
    campaign_finish(&c, &(struct goal){1, 1, 0}, 1, m);
    campaign_release(&c);
    campaign_init(&c, "q", 0);
    add(&c, &l, (const char *const[]){"CPU_CYCLES", "L1D_CACHE"}, 2);
    campaign_merge(&c, &(struct goal){1, 1, 0}, m);
    assert_int_equal(m->rows.n, 10);
    assert_string_equal(m->rows.at[7].program, "q");
    assert_string_equal(m->rows.at[7].event, "L1D_CACHE");
    assert_string_equal(m->rows.at[7].region, "outer");
    assert_int_equal(m->programs.at[1].launches, 2);
    assert_int_equal(m->programs.at[0].launches, 9);
    campaign_release(&c);
    measurements_free(m);
}

/* n launches of `raw[i % k]` cycles in the outer region, with an overhead; what is noted of them. */
static struct measurements *finished(size_t n, const double *raw, size_t k, double inside, const struct goal *g,
                                     long minor, double width)
{
    struct campaign c;
    struct measurements *m = measurements_new();
    campaign_init(&c, "p", 5);
    for (size_t i = 0; i < n; i++) {
        struct made l = {.raw = {{raw[i % k]}, {1e6}}, .inside = {inside}, .minor = minor, .width = width};
        add(&c, &l, names, 1);
    }
    campaign_finish(&c, g, 1, m);
    campaign_release(&c);
    return m;
}

static void test_notes(void **state)
{
    (void)state;
    const struct goal four = {4, 4, 0}, five = {5, 5, 0}, exact = {9, 4, 0.01};
    /* 1000, 900, 1000, 1100: deviations of 50 in the median, 74.13, are not more than a tenth; 100 are */
    struct measurements *m = finished(4, (const double[]){1000, 900, 1000, 1100}, 4, 0, &four, 0, 0);
    assert_int_equal(notes(m), 0);
    measurements_free(m);
    m = finished(4, (const double[]){900, 900, 1100, 1100}, 4, 0, &four, 0, 0);
    assert_true(noted(m, "p, region 'outer': the runs spread by 15 %"));
    assert_int_equal(notes(m), 1);
    measurements_free(m);
    /* an empty region takes 60 of 110: more than the 50 that are left; of 120 it is half */
    m = finished(4, (const double[]){110}, 1, 60, &four, 0, 0);
    assert_true(noted(m, "p, region 'outer': measuring it costs more (60) than its work (50)"));
    assert_int_equal(notes(m), 1);
    measurements_free(m);
    m = finished(4, (const double[]){120}, 1, 60, &four, 0, 0);
    assert_int_equal(notes(m), 0);
    measurements_free(m);
    /* fewer than are wanted, in both regions; with a precision that has been reached it is enough */
    m = finished(4, (const double[]){1000}, 1, 0, &five, 0, 0);
    assert_true(noted(m, "p, region 'outer': 4 of 5 runs count"));
    assert_true(noted(m, "p, region 'inner': 4 of 5 runs count"));
    assert_int_equal(notes(m), 2);
    measurements_free(m);
    m = finished(4, (const double[]){1000}, 1, 0, &exact, 0, 0);
    assert_int_equal(notes(m), 0);
    measurements_free(m);
    m = finished(3, (const double[]){1000}, 1, 0, &exact, 0, 0);
    assert_true(noted(m, "3 of 9 runs count"));
    measurements_free(m);
    /* what is so in every run */
    m = finished(4, (const double[]){1000}, 1, 0, &four, 3, 0);
    assert_true(noted(m, "p, region 'outer': page faults or context switches in half of the runs or more"));
    measurements_free(m);
    m = finished(4, (const double[]){1000}, 1, 0, &four, 0, 3); /* 3 of the 5 additions that the core can do */
    assert_true(noted(m, "p, region 'outer': the core was shared in nearly all runs"));
    measurements_free(m);
    m = finished(4, (const double[]){1000}, 1, 0, &four, 0, 4.7); /* 0.94 of 5 */
    assert_int_equal(notes(m), 0);
    measurements_free(m);
}

/* A program must do the same in each run. */
static void test_other_shape(void **state)
{
    (void)state;
    struct campaign c;
    struct error e = ERROR_INIT;
    campaign_init(&c, "p", 0);
    struct made l = {.raw = {{1}, {1}}};
    add(&c, &l, names, 2);
    double raw[3] = {1, 1, 0};
    struct run_region regions[] = {{.name = (char *)"outer", .outer = (char *)"outer", .raw = raw},
                                   {.name = (char *)"inner", .outer = (char *)"outer", .raw = raw},
                                   {.name = (char *)"more", .outer = (char *)"outer", .raw = raw}};
    struct run_event events[] = {{(char *)"CPU_CYCLES", 0, 0}, {(char *)"L1D_CACHE", 0, 0}};
    struct run_result r = {.pmu = true};
    r.events.at = events, r.events.n = 1, r.regions.at = regions, r.regions.n = 2;
    assert_int_equal(campaign_add(&c, &r, &e), ERR_SYSTEM);
    assert_says(&e, "p: the events that can be counted changed between two runs");
    r.events.n = 2;
    events[1].name = (char *)"L2D_CACHE";
    assert_int_equal(campaign_add(&c, &r, &e), ERR_SYSTEM);
    assert_says(&e, "the events that can be counted changed");
    events[1].name = (char *)"L1D_CACHE";
    r.regions.n = 3;
    assert_int_equal(campaign_add(&c, &r, &e), ERR_INPUT);
    assert_says(&e, "p: run 2 entered a region that run 1 did not");
    r.regions.n = 1;
    assert_int_equal(campaign_add(&c, &r, &e), ERR_INPUT);
    assert_says(&e, "p: region 'inner' was entered in run 1 and not in run 2");
    assert_int_equal(c.launches, 1);
    campaign_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_notes),
                                       cmocka_unit_test(test_other_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
