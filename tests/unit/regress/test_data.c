/* test_data.c - tests of datasets: reading, groups, joins. */
#include "support.h"
#include "regress/data/data.h"

static void reads_columns_by_kind(void **state)
{
    (void)state;
    struct regress_data *d = data_of("program,region,cycles,CPU_CYCLES,L1D_CACHE,add.i32,load.i64_d\n"
                                     "paper/sum@O0,sum,100,100,7,3,4\n"
                                     "paper/sum@O2,inner,50,50,,1,2\n"
                                     "suite/fir@O0,main,10,10,1,0,9\n");
    assert_int_equal(d->n, 3);
    assert_int_equal(d->cols, 5);
    const enum regress_column kinds[] = {REGRESS_CYCLES, REGRESS_CYCLES, REGRESS_EVENT, REGRESS_KEY, REGRESS_KEY};
    for (size_t j = 0; j < 5; j++)
        assert_int_equal(d->kinds[j], kinds[j]);
    assert_true(d->values[1 * 5 + 3] == 1 && d->values[2 * 5 + 4] == 9);
    assert_true(isnan(d->values[1 * 5 + 2])); /* an event that was not measured */
    assert_string_equal(d->labels[0], "paper/sum@O0");
    assert_string_equal(d->labels[1], "paper/sum@O2:inner");
    assert_string_equal(d->labels[2], "suite/fir@O0");
    assert_int_equal(d->n_groups, 2);
    assert_int_equal(d->groups[1], 0);
    assert_int_equal(d->groups[2], 1);
    assert_string_equal(d->group_names[1], "suite/fir");
    regress_data_free(d);
}

/* By its name: capitals, digits and '_' are an event, one with CYCLES in it the target. */
static void kinds_of_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum regress_column kind;
    } rows[] = {{"A", REGRESS_EVENT},         {"Z9_A", REGRESS_EVENT},    {"Az", REGRESS_KEY},
                {"9A", REGRESS_KEY},          {"_A", REGRESS_KEY},        {"a", REGRESS_KEY},
                {"A-B", REGRESS_KEY},         {"CYCLES", REGRESS_CYCLES}, {"CYCLES_2", REGRESS_CYCLES},
                {"A_CYCLES", REGRESS_CYCLES}, {"CYCLE", REGRESS_EVENT},   {"cycles", REGRESS_CYCLES},
                {"cycles2", REGRESS_KEY},     {"xCYCLES", REGRESS_KEY},   {"branch.taken", REGRESS_FLOW},
                {"loop.x", REGRESS_FLOW},     {"near.x", REGRESS_FLOW},   {"folded.x", REGRESS_FLOW},
                {"constant.x", REGRESS_FLOW}, {"chain.x", REGRESS_FLOW},  {"branch", REGRESS_KEY},
                {"chains.x", REGRESS_KEY}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (data_column_kind(rows[i].name) != rows[i].kind)
            fail_msg("%s", rows[i].name);
}

/* Domains of a set's manifest belong to programs of that set: the folder's name stands before theirs. */
static void domains_by_file(void **state)
{
    (void)state;
    static const struct {
        const char *name, *said; /* of the file; of the first program's domain, NULL: refused */
    } rows[] = {{"domains.csv", NULL}, {"s/manifest.csv", "d"}, {"t/manifest.csv", NULL}, {"s/other.csv", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = ERROR_INIT;
        struct regress_data *d = data_of("program,region,x\ns/p@O0,a,1\nq,a,2\n");
        char *folder = file_of("x", ""), *path;
        *strrchr(folder, '/') = 0;
        path = path_join(folder, rows[i].name);
        char *inner = xstrdup(path);
        *strrchr(inner, '/') = 0;
        must(make_directories(inner, &e), &e);
        static const char text[] = "program,domain\np,d\n";
        must(file_write(path, text, sizeof text - 1, &e), &e);
        enum status s = regress_data_read_domains(d, path, &e);
        if (rows[i].said) {
            must(s, &e);
            assert_string_equal(d->domains[0], rows[i].said);
            assert_string_equal(d->domains[1], "");
        } else {
            refused(s, ERR_INPUT, &e, 0, "its first is 's/p'");
        }
        regress_data_free(d);
        free(inner);
        free(path);
        free(folder);
    }
    struct error e = ERROR_INIT; /* without a set, and with the set in the name */
    struct regress_data *d = data_of("program,region,x\ns/p@O0,a,1\nq,a,2\n");
    char *path = file_of("domains.csv", "program,domain,role\ns/p,d,test\nq,e,\n");
    must(regress_data_read_domains(d, path, &e), &e);
    assert_true(!strcmp(d->domains[0], "d") && !strcmp(d->domains[1], "e"));
    assert_true(!strcmp(d->roles[0], "test") && !strcmp(d->roles[1], ""));
    regress_data_free(d);
    free(path);
}

static void names_rows_without_names(void **state)
{
    (void)state;
    struct regress_data *d = data_of("y,x\n1,-2.5\n3,4\n");
    assert_string_equal(d->labels[1], "row 2");
    assert_true(d->values[1] == -2.5);
    assert_int_equal(d->n_groups, 2);
    regress_data_free(d);
}

static void refuses_bad_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
        unsigned long line;
    } bad[] = {
        {"program,add\na,1\nb,x\n", "'x'", 3},
        {"program,add\na,nan\n", "add", 2},
        {"program,add\na,inf\n", "add", 2},
        {"program,add\na,1e999\n", "add", 2},
        {"program,add\na,\n", "add", 2},
        {"program,branch.taken\na,\n", "branch.taken", 2},
        {"program,add\na,1\na,2\n", "'a' occurs here a second time (first in line 2)", 3},
        {"program,add\n,1\n", "no program name", 2},
        {"program,region\na,b\n", "no numeric columns", 1},
        {"program,add\n", "no rows", 0},
        {"program,add,add\na,1,2\n", "two columns are named 'add'", 1},
        {"program,add\na,1,2\n", "3 fields", 2},
        {"", "empty", 0},
        /* counts that cannot be */
        {"program,CPU_CYCLES,BR_MIS_PRED\na,5,6\nb,946511,3300000000000\n",
         "'b' has 3300000000000 BR_MIS_PRED, but 946511 CPU_CYCLES", 3},
        {"program,BR_MIS_PRED,br.cond_d,switch.i32\na,4206,10,3\nb,4227,10,3\n",
         "'b' has 4227 BR_MIS_PRED, but only 130 branches", 3},
        {"program,L1D_CACHE,L1D_CACHE_REFILL\na,100,4196\nb,100,4197\n",
         "'b' has 4197 L1D_CACHE_REFILL, but only 100 L1D_CACHE", 3},
        {"program,add.i32\na,9007199254740992\nb,9007199254740994\n", "9.00719925474099e+15 add.i32: more than", 3},
        {"program,region,add.i32,x\na,r,7,9\na,(program),7,0\na,s,8,1\n",
         "'a:s' has 8 add.i32, but the whole program, in line 3, only 7", 4},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error e = ERROR_INIT;
        struct regress_data *d = 0;
        char *path = file_of("bad.csv", bad[i].text);
        refused(regress_data_read(&d, path, &e), ERR_INPUT, &e, bad[i].line, bad[i].part);
        assert_null(d);
        free(path);
    }
}

/* Written and read again: the same table, the same hash; another value, another hash. */
static void writes_what_it_read(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_data *d = data_of("program,region,cycles,EV,\"a,b\"\np@O0,r,0.1,,12345678901234\nq,,3,4,0\n"),
                        *again;
    char *path = file_of("again.csv", "");
    must(regress_data_write(d, path, &e), &e);
    must(regress_data_read(&again, path, &e), &e);
    assert_true(again->hash == d->hash);
    assert_string_equal(again->names[2], "a,b");
    assert_true(again->values[2] == 12345678901234);
    struct regress_data *other = data_of("program,region,cycles,EV,\"a,b\"\np@O0,r,0.1,,12345678901235\nq,,3,4,0\n");
    assert_true(other->hash != d->hash);
    regress_data_free(d);
    regress_data_free(again);
    regress_data_free(other);
    free(path);
}

static void selects_rows(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_rows rows;
    struct regress_data *d = data_of("program,region,x\na@O0,a,1\na@O2,a,2\nb@O0,part,3\n");
    must(regress_rows_select(&rows, d, "*@O0", &e), &e);
    assert_true(rows.n == 2 && rows.at[0] == 0 && rows.at[1] == 2);
    free(rows.at);
    must(regress_rows_select(&rows, d, "a@O2, b@O0:part", &e), &e);
    assert_true(rows.n == 2 && rows.at[0] == 1);
    free(rows.at);
    must(regress_rows_select(&rows, d, 0, &e), &e);
    assert_int_equal(rows.n, 3);
    free(rows.at);
    refused(regress_rows_select(&rows, d, "a*,c*", &e), ERR_INPUT, &e, 0, "no program matches 'c*'");
    refused(regress_rows_select(&rows, d, "a*,,b", &e), ERR_USAGE, &e, 0, "empty entry");
    regress_data_free(d);
}

/* ---- join ---- */

static enum status join(struct regress_join *j, const char *counts, const char *measurements, struct error *e)
{
    char *a = file_of("counts.csv", counts), *b = file_of("measurements.csv", measurements);
    enum status s = regress_join(j, a, b, REGRESS_EVENTS_MEASURED, e);
    free(a);
    free(b);
    return s;
}

#define HEAD "program,region,event,value,stddev,runs\n"

static void joins_by_program_and_region(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_join j;
    must(join(&j, "program,region,add.i32,mul.i32\na,r,1,2\na,s,3,4\nonly-counted,r,5,6\nb,r,7,8\n",
              HEAD "b,r,TSC_CYCLES,90,0,5\na,s,L1D_CACHE,11,0,5\na,r,CPU_CYCLES,70,1.5,5\na,s,CPU_CYCLES,80,0,5\n"
                   "only-measured,r,CPU_CYCLES,1,0,5\n",
              &e),
         &e);
    const struct regress_data *d = j.data;
    assert_int_equal(d->n, 2);
    const char *const names[] = {"cycles", "TSC_CYCLES", "L1D_CACHE", "CPU_CYCLES", "add.i32", "mul.i32"};
    assert_int_equal(d->cols, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(d->names[i], names[i]);
    assert_true(d->values[0] == 70 && d->values[6] == 80); /* CPU_CYCLES, the best of the two */
    assert_true(isnan(d->values[2]) && d->values[6 + 2] == 11);
    assert_true(d->values[6 + 4] == 3);
    assert_int_equal(j.n_unmatched, 3);
    assert_string_equal(j.unmatched[0].label, "only-counted:r");
    assert_int_equal(j.unmatched[0].why, REGRESS_NOT_MEASURED);
    assert_string_equal(j.unmatched[1].label, "b:r"); /* has cycles of another clock only */
    assert_int_equal(j.unmatched[1].why, REGRESS_NO_CYCLES);
    assert_string_equal(j.unmatched[2].label, "only-measured:r");
    assert_int_equal(j.unmatched[2].why, REGRESS_NOT_COUNTED);
    regress_join_release(&j);
}

/* L1D_CACHE is measured and simulated, L2D_CACHE only measured, BR_MIS_PRED only simulated. */
static void joins_simulated_events(void **state)
{
    (void)state;
    const char *counts = "program,region,add.i32,BR_MIS_PRED,L1D_CACHE,branch.taken\na,r,1,2,3,4\nb,r,5,6,7,8\n";
    const char *measurements = HEAD "a,r,CPU_CYCLES,70,0,5\nb,r,CPU_CYCLES,80,0,5\na,r,L1D_CACHE,33,0,5\n"
                                    "a,r,L2D_CACHE,11,0,5\n";
    static const struct {
        const char *names[7];
        double a[7];
    } expected[] = {
        {{"cycles", "CPU_CYCLES", "L1D_CACHE", "L2D_CACHE", "BR_MIS_PRED", "add.i32", "branch.taken"},
         {70, 70, 33, 11, 2, 1, 4}},
        {{"cycles", "CPU_CYCLES", "L2D_CACHE", "BR_MIS_PRED", "L1D_CACHE", "add.i32", "branch.taken"},
         {70, 70, 11, 2, 3, 1, 4}},
    };
    for (int k = 0; k < 2; k++) {
        struct error e = ERROR_INIT;
        struct regress_join j;
        char *a = file_of("counts.csv", counts), *b = file_of("measurements.csv", measurements);
        must(regress_join(&j, a, b, k ? REGRESS_EVENTS_COUNTED : REGRESS_EVENTS_MEASURED, &e), &e);
        assert_int_equal(j.data->cols, 7);
        for (size_t i = 0; i < 7; i++) {
            assert_string_equal(j.data->names[i], expected[k].names[i]);
            assert_true(j.data->values[i] == expected[k].a[i]);
        }
        assert_int_equal(j.data->kinds[6], REGRESS_FLOW);
        assert_true(k ? j.data->values[7 + 4] == 7 : isnan(j.data->values[7 + 2])); /* b: one column, one meaning */
        assert_int_equal(j.n_both, 1);
        assert_string_equal(j.both[0], "L1D_CACHE");
        regress_join_release(&j);
        free(a);
        free(b);
    }
}

/* Why a row is in one table only, or has no cycles; what stands for that in messages. */
static void tells_why_rows_do_not_match(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_join j;
    must(join(&j, "program,region,add.i32\na,r,1\nb,r,2\nc,r,3\nd,r,4\n",
              HEAD "a,r,CPU_CYCLES,5,0,1\nb,r,CPU_CYCLES,0,0,1\nc,r,L1D_CACHE,1,0,1\ne,r,CPU_CYCLES,9,0,1\n", &e),
         &e);
    static const struct {
        const char *label, *text;
    } rows[] = {{"b:r", "has no cycles above 0: it is too short to be measured"},
                {"c:r", "is measured without cycles"},
                {"d:r", "is counted but not measured"},
                {"e:r", "is measured but not counted"}};
    assert_int_equal(j.data->n, 1);
    assert_int_equal(j.n_unmatched, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(j.unmatched[i].label, rows[i].label);
        assert_string_equal(regress_unmatched_text(&j.unmatched[i]), rows[i].text);
    }
    regress_join_release(&j);
}

static void takes_the_counter_there_is(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_join j;
    must(join(&j, "program,region,add\na,r,1\n", HEAD "a,r,RDTIME_CYCLES,5,0,1\n", &e), &e);
    assert_true(j.data->values[0] == 5);
    regress_join_release(&j);
}

static void refuses_bad_joins(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct regress_join j;
    const char *counts = "program,region,add\na,r,1\n";
    refused(join(&j, counts, HEAD "z,r,CPU_CYCLES,5,0,1\n", &e), ERR_INPUT, &e, 0, "'a:r' is counted but not measured");
    refused(join(&j, counts, HEAD "a,r,L1D_CACHE,5,0,1\n", &e), ERR_INPUT, &e, 0, "no event counts cycles");
    refused(join(&j, counts, HEAD "a,r,CPU_CYCLES,5,0,1\na,r,CPU_CYCLES,6,0,1\n", &e), ERR_INPUT, &e, 3, "second time");
    refused(join(&j, counts, HEAD "a,r,cycles,5,0,1\n", &e), ERR_INPUT, &e, 0, "no event counts cycles");
    refused(join(&j, counts, HEAD "a,r,branch.taken,5,0,1\n", &e), ERR_INPUT, &e, 2, "not the name of an event");
    refused(join(&j, counts, HEAD "a,r,cpu,5,0,1\n", &e), ERR_INPUT, &e, 2, "not the name of an event");
    refused(join(&j, counts, HEAD "a,r,CPU_CYCLES,many,0,1\n", &e), ERR_INPUT, &e, 2, "many");
    refused(join(&j, counts, "program,event,value\na,CPU_CYCLES,1\n", &e), ERR_INPUT, &e, 1, "'region'");
    refused(join(&j, "program,region,cycles,add\na,r,1,1\n", HEAD "a,r,CPU_CYCLES,5,0,1\n", &e), ERR_INPUT, &e, 1,
            "measured or joined already");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_columns_by_kind),  cmocka_unit_test(names_rows_without_names),
        cmocka_unit_test(refuses_bad_tables),     cmocka_unit_test(writes_what_it_read),
        cmocka_unit_test(selects_rows),           cmocka_unit_test(joins_by_program_and_region),
        cmocka_unit_test(joins_simulated_events), cmocka_unit_test(takes_the_counter_there_is),
        cmocka_unit_test(refuses_bad_joins),      cmocka_unit_test(kinds_of_names),
        cmocka_unit_test(domains_by_file),        cmocka_unit_test(tells_why_rows_do_not_match),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
