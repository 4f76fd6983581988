/* test_event_ratios.c - simulated over measured, from small tables whose ratios can be told by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "shimgen/predictor/event_ratios.h"

/* p1 was chosen on; p3 is a test program; p4 has too few events, p5 was not measured. Refills are 2, 1 and 0.5 times
 * the measured ones. */
static const char simulated[] = "program,region,L1D_CACHE_REFILL,BR_MIS_PRED,BR_MIS_PRED:gshare:12:8\n"
                                "s/p1@O0,r,400,100,300\n"
                                "s/p2@O0,r,200,110,600\n"
                                "s/p3@O0,r,100,300,200\n"
                                "s/p4@O0,r,7,7,7\n"
                                "s/p5@O0,r,900,900,900\n";
static const char measured[] = "program,region,event,value,stddev,runs,dropped\n"
                               "s/p1@O0,r,L1D_CACHE_REFILL,200,0,1,0\n"
                               "s/p1@O0,r,BR_MIS_PRED,100,0,1,0\n"
                               "s/p2@O0,r,L1D_CACHE_REFILL,200,0,1,0\n"
                               "s/p2@O0,r,BR_MIS_PRED,100,0,1,0\n"
                               "s/p3@O0,r,L1D_CACHE_REFILL,200,0,1,0\n"
                               "s/p3@O0,r,BR_MIS_PRED,200,0,1,0\n"
                               "s/p4@O0,r,L1D_CACHE_REFILL,99,0,1,0\n"
                               "s/p4@O0,r,BR_MIS_PRED,99,0,1,0\n";
static const char domains[] = "program,domain,role\ns/p1,d,train\ns/p2,d,train\ns/p3,d,test\ns/p4,d,train\n";
static const char predictor[] =
    "{\"format\":\"shimgen predictor 1\",\"predictor\":\"bimodal:4\",\"other\":\"gshare:12:8\","
    "\"why\":\"because\",\"programs\":[\"s/p1\"]}";

static void put(const char *path, const char *text)
{
    struct error e = ERROR_INIT;
    if (file_write(path, text, strlen(text), &e))
        fail_msg("%s", e.message);
}

static struct outputs outputs(void)
{
    struct outputs o;
    struct error e = ERROR_INIT;
    char *folder = 0;
    if (temp_directory(&folder, "events-test", &e))
        fail_msg("%s", e.message);
    outputs_init(&o, "b", folder);
    if (make_directories(o.work, &e))
        fail_msg("%s", e.message);
    free(folder);
    return o;
}

static void done(struct outputs *o)
{
    struct error e = ERROR_INIT;
    assert_int_equal(remove_tree(o->directory, &e), OK);
    outputs_release(o);
}

static void is(const struct events_ratio *r, size_t n, double median, double low, double high)
{
    assert_int_equal(r->n, n);
    assert_float_equal(r->median, median, 1e-9);
    assert_float_equal(r->low, low, 1e-9);
    assert_float_equal(r->high, high, 1e-9);
}

static void by_hand(void **state)
{
    (void)state;
    struct outputs o = outputs();
    struct events_table t;
    struct error e = ERROR_INIT;
    put(o.simulated, simulated);
    put(o.measurements, measured);
    put(o.domains, domains);
    put(o.predictor, predictor);
    if (events_compare(&t, &o, &e))
        fail_msg("%s", e.message);
    assert_string_equal(t.why, "because");
    assert_int_equal(t.rows.n, 3);
    const struct events_row *refills = &t.rows.at[0], *chosen = &t.rows.at[1], *other = &t.rows.at[2];
    assert_string_equal(refills->event, "L1D_CACHE_REFILL");
    assert_null(refills->predictor);
    is(&refills->ratios[EVENTS_ALL], 3, 1, 0.55, 1.9);
    is(&refills->ratios[EVENTS_UNSEEN], 2, 0.75, 0.525, 0.975);
    is(&refills->ratios[EVENTS_TEST], 1, 0.5, 0.5, 0.5);
    assert_string_equal(chosen->predictor, "bimodal:4");
    assert_true(chosen->chosen);
    is(&chosen->ratios[EVENTS_ALL], 3, 1.1, 1.01, 1.46);
    is(&chosen->ratios[EVENTS_UNSEEN], 2, 1.3, 1.12, 1.48);
    is(&chosen->ratios[EVENTS_TEST], 1, 1.5, 1.5, 1.5);
    assert_string_equal(other->predictor, "gshare:12:8");
    assert_false(other->chosen);
    is(&other->ratios[EVENTS_ALL], 3, 3, 1.2, 5.7);
    is(&other->ratios[EVENTS_UNSEEN], 2, 3.5, 1.25, 5.75);
    is(&other->ratios[EVENTS_TEST], 1, 1, 1, 1);
    events_release(&t);
    done(&o);
}

static void of_nothing(void **state)
{
    (void)state;
    struct outputs o = outputs();
    struct events_table t;
    struct error e = ERROR_INIT;
    assert_int_equal(events_compare(&t, &o, &e), OK);
    assert_int_equal(t.rows.n, 0);
    assert_null(t.why);
    events_release(&t);
    put(o.measurements, measured);
    put(o.simulated, "program,region,BR_MIS_PRED\ns/p4@O0,r,7\n");
    assert_int_equal(events_compare(&t, &o, &e), OK);
    assert_int_equal(t.rows.n, 0);
    events_release(&t);
    done(&o);
}

static void damaged(void **state)
{
    (void)state;
    struct outputs o = outputs();
    struct events_table t;
    struct error e = ERROR_INIT;
    put(o.measurements, measured);
    put(o.simulated, "program,region,BR_MIS_PRED\ns/p1@O0,r,many\n");
    assert_int_equal(events_compare(&t, &o, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "many"));
    error_release(&e);
    put(o.predictor, "{");
    assert_int_not_equal(events_compare(&t, &o, &e), OK);
    error_release(&e);
    done(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(of_nothing),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
