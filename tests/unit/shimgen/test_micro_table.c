/* micro.csv: written and read again; from measured regions to its rows; from its rows to SHIM's values. The cases are
 * made by hand, so every value can be worked out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/str.h"
#include "shimgen/probes/micro_evaluate.h"
#include "shimgen/values/micro_values.h"
#include "tests/unit/folder.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))
enum { TRIPS = 100 };

/* ---- cases ---- */

static struct micro_case made(char *key, char *condition, enum micro_quantity quantity, enum micro_share share,
                              char *with, bool typical)
{
    return (struct micro_case){.key = key,
                               .condition = condition,
                               .with = with,
                               .quantity = quantity,
                               .share = share,
                               .typical = typical,
                               .copies = {0, 8, 16, 32},
                               .trips = TRIPS};
}

/* The regions of a case whose loop takes `loop` and whose copies take `copy` cycles each. */
static void measured(struct measurements *m, const struct micro_case *c, const char *event, double loop, double copy)
{
    for (size_t k = 0; k < MICRO_COPIES; k++) {
        struct measurement row = {.program = xstrdup("micro/0"),
                                  .region = micro_region(c, c->copies[k]),
                                  .event = xstrdup(event),
                                  .value = TRIPS * (loop + copy * c->copies[k]),
                                  .runs = 9};
        vec_push(&m->rows, row);
    }
}

static struct micro_code code_of(double instructions, char *mnemonics)
{
    return (struct micro_code){.found = true,
                               .even = true,
                               .folded = instructions == 0,
                               .instructions = instructions,
                               .mnemonics = mnemonics,
                               .calls = ""};
}

static const size_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};

/* icmp stands beside a zext, which stands beside a trunc, which makes no code. */
static void what_stands_beside_is_taken_off(void **state)
{
    (void)state;
    struct micro_case cases[] = {
        made("icmp.i32", "chain,zext", MICRO_LATENCY, MICRO_MINUS, "zext.i32", true),
        made("zext.i32", "chain", MICRO_LATENCY, MICRO_MINUS, "trunc.i8", true),
        made("trunc.i8", "chain", MICRO_LATENCY, MICRO_MINUS, "zext.i32", true),
        made("trunc.i8", "stream", MICRO_PITCH, MICRO_ALONE, "", true),
        made("fptosi.double", "chain", MICRO_LATENCY, MICRO_HALF, "sitofp.double", true),
        made("fcmp.float", "chain", MICRO_LATENCY, MICRO_MINUS, "ldexp.float", true),
    };
    struct micro_code codes[] = {code_of(2, "cmp cset"), code_of(1, "and"),          code_of(1, "and"),
                                 code_of(0, ""),         code_of(2, "fcvtzs scvtf"), code_of(1, "fcmp")};
    struct micro_set set = {.at = cases, .n = 6};
    struct measurements *m = measurements_new();
    measured(m, &cases[0], "CPU_CYCLES", 4, 3.5);
    measured(m, &cases[1], "CPU_CYCLES", 4, 1);
    measured(m, &cases[2], "CPU_CYCLES", 4, 1);
    measured(m, &cases[3], "CPU_CYCLES", 4, 0.01);
    measured(m, &cases[4], "CPU_CYCLES", 4, 9);
    measured(m, &cases[5], "CPU_CYCLES", 4, 9);
    struct micro_table t;
    assert_int_equal(micro_evaluate(&t, &set, all, 6, codes, m, 0), OK);
    assert_int_equal(t.rows.n, 5);
    const double values[] = {2.5, 1, 0, 0, 4.5}, copies[] = {3.5, 1, 1, 0, 9};
    for (size_t i = 0; i < t.rows.n; i++) {
        NEAR(t.rows.at[i].value, values[i], 1e-9);
        NEAR(t.rows.at[i].copy, copies[i], 1e-9);
        NEAR(t.rows.at[i].loop, 4, 1);
        assert_true(t.rows.at[i].low <= t.rows.at[i].value && t.rows.at[i].value <= t.rows.at[i].high);
        assert_string_equal(t.rows.at[i].event, "CPU_CYCLES");
        assert_int_equal(t.rows.at[i].runs, 9);
    }
    /* the interval has the companion's in it: both are a floor of a thousandth of the longest pass */
    assert_true(t.rows.at[0].high - t.rows.at[0].low > t.rows.at[1].high - t.rows.at[1].low);
    assert_true(t.rows.at[3].high == 0);
    assert_int_equal(t.notes.n, 1);
    assert_non_null(strstr(t.notes.at[0], "fcmp.float"));
    micro_table_release(&t);
    measurements_free(m);
}

static void ticks_have_the_estimate_beside_them(void **state)
{
    (void)state;
    struct micro_case cases[] = {made("add.i32", "chain", MICRO_LATENCY, MICRO_ALONE, "", true),
                                 made("mul.i32", "chain", MICRO_LATENCY, MICRO_ALONE, "", true),
                                 made("xor.i32", "chain", MICRO_LATENCY, MICRO_ALONE, "", true)};
    struct micro_code codes[] = {code_of(1, "add"), code_of(1, "mul"), {.found = false}};
    struct micro_set set = {.at = cases, .n = 3};
    struct measurements *m = measurements_new();
    measured(m, &cases[0], "TSC_CYCLES", 2, 0.6);
    measured(m, &cases[0], BOARD_CORE_ESTIMATE, 3, 1);
    measured(m, &cases[2], "TSC_CYCLES", 2, 0.6);
    struct micro_table t;
    assert_int_equal(micro_evaluate(&t, &set, all, 3, codes, m, 0), OK);
    assert_int_equal(t.rows.n, 2);
    NEAR(micro_table_find(&t, "add.i32", 0, MICRO_LATENCY, "TSC_CYCLES")->value, 0.6, 1e-9);
    NEAR(micro_table_find(&t, "add.i32", "chain", MICRO_LATENCY, BOARD_CORE_ESTIMATE)->value, 1, 1e-9);
    assert_int_equal(t.notes.n, 2); /* mul: not measured; xor: not in the code */
    micro_table_release(&t);
    struct error e = ERROR_INIT;
    struct measurements *none = measurements_new();
    assert_int_equal(micro_evaluate(&t, &set, all, 3, codes, none, &e), ERR_INPUT);
    measured(none, &cases[2], "CPU_CYCLES", 2, 0.6);
    assert_int_equal(micro_evaluate(&t, &set, all, 3, codes, none, &e), ERR_INPUT);
    error_release(&e);
    measurements_free(none);
    measurements_free(m);
}

/* ---- the file ---- */

static char *path;

static int set_up(void **state)
{
    if (make_folder(state))
        return 1;
    path = in_folder("micro.csv");
    return 0;
}

#define HEAD "key,condition,quantity,event,value,low,high,copy,loop,with,share,instructions,code,calls,even,use,runs\n"

static void read_text(struct micro_table *t, const char *rows)
{
    struct error e = ERROR_INIT;
    char *text = xasprintf("%s%s", HEAD, rows);
    assert_int_equal(file_write(path, text, strlen(text), 0), OK);
    if (micro_table_read(t, path, &e))
        fail_msg("%s", e.message);
    free(text);
}

static const char rows[] = "add.i32,chain,latency,CPU_CYCLES,1,0.9,1.1,1,2,,alone,1,add,,yes,typical,3\n"
                           "add.i64,chain,latency,CPU_CYCLES,1.5,1,2,1.5,2,,alone,1,add,,yes,typical,3\n"
                           "add.i128,chain,latency,CPU_CYCLES,7,7,7,7,2,,alone,2,adc adds,,yes,typical,3\n"
                           "add.i8,\"chain,constant\",latency,CPU_CYCLES,0.5,0.5,0.5,0.5,2,,alone,1,add,,yes,range,3\n"
                           "add.i8,\"chain,uneven\",latency,CPU_CYCLES,99,99,99,99,2,,alone,1,add,,no,range,3\n"
                           "add.i8,pair:mul.i32,latency,CPU_CYCLES,88,88,88,88,2,,alone,1,add,,yes,apart,3\n"
                           "add.i32,stream,pitch,CPU_CYCLES,0.25,0.2,0.3,0.25,2,,alone,1,add,,yes,typical,3\n"
                           "freeze.i32,chain,latency,CPU_CYCLES,0,0,0,0,2,,alone,0,,,yes,typical,3\n"
                           "freeze.i32,stream,pitch,CPU_CYCLES,0,0,0,0,2,,alone,0,,,yes,typical,3\n"
                           "store.i8,stream,pitch,CPU_CYCLES,1,1,1,1,2,,alone,1,str,,yes,typical,3\n"
                           "call.direct,stream,pitch,CPU_CYCLES,6,6,6,6,2,,alone,2,bl ret,,yes,typical,3\n"
                           "call.library.sin,stream,pitch,CPU_CYCLES,90,90,90,90,2,,alone,2,bl,sin,yes,typical,3\n"
                           "shufflevector.v4i32,stream,pitch,CPU_CYCLES,2,2,2,2,2,,alone,1,ext,,yes,typical,3\n"
                           "shufflevector.v2i64,stream,pitch,CPU_CYCLES,3,3,3,3,2,,alone,1,ext,,yes,typical,3\n"
                           "mul.i32,chain,latency,CORE_CYCLES_EST,3,3,3,3,2,,alone,1,mul,,yes,typical,3\n";

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct micro_table t, again;
    struct str first = STR_INIT, second = STR_INIT;
    read_text(&t, rows);
    assert_int_equal(t.rows.n, 15);
    assert_string_equal(t.rows.at[3].condition, "chain,constant");
    assert_int_equal(t.rows.at[5].use, MICRO_APART);
    assert_false(t.rows.at[4].even);
    assert_int_equal(micro_table_write(&t, path, 0), OK);
    assert_int_equal(file_read(&first, path, 100000, 0), OK);
    assert_string_equal(first.s + strlen(HEAD), rows);
    assert_int_equal(micro_table_read(&again, path, 0), OK);
    assert_int_equal(micro_table_write(&again, path, 0), OK);
    assert_int_equal(file_read(&second, path, 100000, 0), OK);
    assert_string_equal(first.s, second.s);
    str_release(&first);
    str_release(&second);
    micro_table_release(&t);
    micro_table_release(&again);
}

/* A row of the same key, condition, quantity and event; of each but one of these there is none. */
static void rows_are_found_by_what_they_are(void **state)
{
    (void)state;
    struct micro_table t;
    read_text(&t, rows);
    for (size_t i = 0; i < t.rows.n; i++) {
        struct micro_row like = {.key = t.rows.at[i].key,
                                 .condition = t.rows.at[i].condition,
                                 .quantity = t.rows.at[i].quantity,
                                 .event = t.rows.at[i].event};
        assert_ptr_equal(micro_table_row(&t, &like), &t.rows.at[i]);
        struct micro_row other = like;
        other.key = (char *)"mul.i8";
        assert_null(micro_table_row(&t, &other));
        other = like;
        other.condition = (char *)"elsewhere";
        assert_null(micro_table_row(&t, &other));
        other = like;
        other.quantity = like.quantity == MICRO_LATENCY ? MICRO_PITCH : MICRO_LATENCY;
        assert_null(micro_table_row(&t, &other));
        other = like;
        other.event = (char *)"INSTRUCTIONS";
        assert_null(micro_table_row(&t, &other));
    }
    micro_table_release(&t);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *row, *said;
    } wrong[] = {
        {"", "there is no row"},
        {",chain,latency,C,1,1,1,1,2,,alone,1,add,,yes,typical,3\n", "the key is empty"},
        {"a,,latency,C,1,1,1,1,2,,alone,1,add,,yes,typical,3\n", "the condition is empty"},
        {"a,chain,latency,,1,1,1,1,2,,alone,1,add,,yes,typical,3\n", "the event is empty"},
        {"a,chain,width,C,1,1,1,1,2,,alone,1,add,,yes,typical,3\n", "'width' is not one of latency and pitch"},
        {"a,chain,pitch,C,1,1,1,1,2,,none,1,add,,yes,typical,3\n", "not one of alone, minus and half"},
        {"a,chain,pitch,C,1,1,1,1,2,,alone,1,add,,maybe,typical,3\n", "not one of no and yes"},
        {"a,chain,pitch,C,1,1,1,1,2,,alone,1,add,,yes,often,3\n", "not one of typical, range and apart"},
        {"a,chain,pitch,C,x,1,1,1,2,,alone,1,add,,yes,typical,3\n", "column 'value'"},
        {"a,chain,pitch,C,1,nan,1,1,2,,alone,1,add,,yes,typical,3\n", "column 'low'"},
        {"a,chain,pitch,C,1,-1,1,1,2,,alone,1,add,,yes,typical,3\n", "low is negative"},
        {"a,chain,pitch,C,1,1,1,1,2,,alone,-1,add,,yes,typical,3\n", "instructions is negative"},
        {"a,chain,pitch,C,1,2,3,1,2,,alone,1,add,,yes,typical,3\n", "low <= value <= high does not hold"},
        {"a,chain,pitch,C,1,1,1,1,2,,alone,1,add,,yes,typical,0\n", "runs '0'"},
        {"a,chain,pitch,C,1,1,1,1,2,,alone,1,add,,yes,typical,3\n"
         "a,chain,pitch,C,1,1,1,1,2,,alone,1,add,,yes,typical,3\n",
         "given twice"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct micro_table t;
        struct error e = ERROR_INIT;
        char *text = xasprintf("%s%s", HEAD, wrong[i].row);
        assert_int_equal(file_write(path, text, strlen(text), 0), OK);
        assert_int_equal(micro_table_read(&t, path, &e), ERR_INPUT);
        if (!strstr(e.message, wrong[i].said))
            fail_msg("'%s' is said of %s", e.message, wrong[i].row);
        error_release(&e);
        free(text);
    }
    struct micro_table t;
    assert_int_equal(file_write(path, "key,value\na,1\n", 14, 0), OK);
    assert_int_equal(micro_table_read(&t, path, 0), ERR_INPUT);
}

/* ---- SHIM's values ---- */

static void is(const struct micro_values *v, const char *name, enum micro_quantity q, enum micro_evidence evidence,
               double best, double typical, double worst)
{
    const struct micro_value *x = micro_values_of(v, name, q);
    assert_non_null(x);
    assert_int_equal(x->evidence, evidence);
    NEAR(x->best, best, 1e-9);
    NEAR(x->typical, typical, 1e-9);
    NEAR(x->worst, worst, 1e-9);
}

static void best_typical_and_worst(void **state)
{
    (void)state;
    struct micro_table t;
    struct micro_values v;
    read_text(&t, rows);
    micro_values_find(&v, &t, "CPU_CYCLES");
    /* add: typical is i32 (instructions.def); i128 is no type of C, uneven and apart say nothing */
    is(&v, "add", MICRO_LATENCY, MICRO_MEASURED, 0.5, 1, 1.5);
    assert_string_equal(micro_values_of(&v, "add", MICRO_LATENCY)->worst_of->key, "add.i64");
    is(&v, "add", MICRO_PITCH, MICRO_MEASURED, 0.25, 0.25, 0.25);
    is(&v, "freeze", MICRO_LATENCY, MICRO_NO_CODE, 0, 0, 0);
    is(&v, "store", MICRO_PITCH, MICRO_MEASURED, 1, 1, 1);
    is(&v, "store", MICRO_LATENCY, MICRO_OTHER, 1, 1, 1);
    is(&v, "call", MICRO_PITCH, MICRO_MEASURED, 6, 6, 6);          /* not sin */
    is(&v, "shufflevector", MICRO_PITCH, MICRO_MEASURED, 2, 2, 3); /* only vectors: all of them count */
    assert_null(micro_values_of(&v, "mul", MICRO_LATENCY));        /* other cycles */
    const struct micro_value *invoke = micro_values_of(&v, "invoke", MICRO_PITCH);
    assert_int_equal(invoke->evidence, MICRO_INHERITED);
    assert_string_equal(invoke->like, "call");
    assert_int_equal(micro_values_write(&v, path, 0), OK);
    struct str text = STR_INIT;
    assert_int_equal(file_read(&text, path, 100000, 0), OK);
    assert_non_null(strstr(text.s, "\nadd,latency,0.5,1,1.5,,No program had them; measured by microbenchmarks\n"));
    assert_non_null(strstr(text.s, "\ninvoke,pitch,,,,call,"));
    str_release(&text);
    micro_values_release(&v);
    micro_table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_beside_is_taken_off), cmocka_unit_test(ticks_have_the_estimate_beside_them),
        cmocka_unit_test(what_is_written_is_read),         cmocka_unit_test(rows_are_found_by_what_they_are),
        cmocka_unit_test(what_is_wrong_is_refused),        cmocka_unit_test(best_typical_and_worst),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
