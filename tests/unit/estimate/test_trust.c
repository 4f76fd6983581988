/* Which interval an estimate has, and what is said where it is not one of its own kind. */
#include <unistd.h>

#include "base/file.h"
#include "shimgen/estimate/intervals/trust.h"
#include "tests/unit/estimate/schedule_example.h"

static struct shimxml_interval all[] = {
    {SHIMXML_UNOPTIMISED, false, INFINITY, 0.9, 0.5, 2.5},
    {SHIMXML_OPTIMISED, false, INFINITY, 0.8, 0.5, 2},
    {SHIMXML_OPTIMISED, true, 1000, 0.9, 0.75, 4},
    {SHIMXML_OPTIMISED, true, INFINITY, 0.95, 0, INFINITY},
};
static const struct trust known = {.intervals = all, .n_intervals = 4};
static const struct trust unoptimised = {.intervals = all, .n_intervals = 1};

static void interval_is(const struct trust *t, struct trust_kind kind, double cycles, double level, double low,
                        double high)
{
    double l, h, found = trust_interval(&l, &h, t, &kind, cycles);
    if (found != level || (isnan(low) ? !isnan(l) : l != low) || (isnan(high) ? !isnan(h) : h != high))
        fail_msg("%g: %g to %g", found, l, h);
}

/* A part has the interval of its whole, in proportion. */
static void intervals_of_their_kind(void **state)
{
    (void)state;
    interval_is(&known, (struct trust_kind){SHIMXML_UNOPTIMISED, SCHEDULE_NO_EVENTS, 200}, 200, 0.9, 100, 500);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 200}, 50, 0.8, 25, 100);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 999}, 100, 0.9, 75, 400);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 1000}, 100, 0.95, NAN, NAN);
}

/* The widest of such code: without a bound below it is wider than any; of others by high / low. */
static void others_have_the_widest(void **state)
{
    (void)state;
    interval_is(&known, (struct trust_kind){SHIMXML_UNOPTIMISED, SCHEDULE_EVENTS, 200}, 200, 0.9, 100, 500);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_SOME_EVENTS, 100}, 100, 0.95, NAN, NAN);
    all[3].low = 0.9;
    all[3].high = 1.5;
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_SOME_EVENTS, 100}, 100, 0.9, 75, 400);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_SOME_EVENTS, 5000}, 100, 0.8, 50, 200);
    all[3].low = 0;
    all[3].high = INFINITY;
}

/* None of such code; none at all; of nothing. */
static void some_have_none(void **state)
{
    (void)state;
    static const struct trust none = {0};
    interval_is(&unoptimised, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 200}, 200, 0, NAN, NAN);
    interval_is(&none, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 200}, 200, 0, NAN, NAN);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 0}, 0, 0, NAN, NAN);
    assert_true(trust_level(&known) == 0.95);
    assert_true(trust_level(&unoptimised) == 0.9);
    assert_true(trust_level(&none) == 0);
}

static void remark_is(const struct trust *t, struct trust_kind kind, const char *expected)
{
    char *remark = trust_remark(t, &kind);
    if (!expected)
        assert_null(remark);
    else
        assert_string_equal(remark, expected);
    free(remark);
}

static void says_what_is_not_of_its_kind(void **state)
{
    (void)state;
    static struct shimxml_interval any = {SHIMXML_ANY_CODE, false, INFINITY, 0.9, 0.5, 2};
    static const struct trust none = {0}, of_any = {.intervals = &any, .n_intervals = 1};
    remark_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 200}, 0);
    remark_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 200}, 0);
    remark_is(&of_any, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_SOME_EVENTS, 200}, 0);
    remark_is(&none, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 200}, 0);
    remark_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 0},
              "no interval: the estimate is 0 cycles");
    remark_is(&unoptimised, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 200},
              "no interval: none is known for code that is optimised");
    remark_is(&known, (struct trust_kind){SHIMXML_UNOPTIMISED, SCHEDULE_EVENTS, 200},
              "its interval is the widest for code that is not optimised: none is known for estimates with simulated "
              "misses and mispredictions");
    remark_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_SOME_EVENTS, 200},
              "its interval is the widest for code that is optimised: none is known for estimates with misses or "
              "mispredictions alone");
}

static void kinds_of_profiles(void **state)
{
    (void)state;
    begin();
    event("BR_MIS_PRED");
    block(0, 0, NO, 1);
    put("add.i32", NO, NO);
    struct trust_kind kind = trust_kind_of(&x.p, 0, 7);
    assert_true(kind.code == SHIMXML_OPTIMISED && kind.events == SCHEDULE_SOME_EVENTS && kind.whole == 7);
    keeps_variables(0);
    kind = trust_kind_of(&x.p, 0, 7);
    assert_true(kind.code == SHIMXML_UNOPTIMISED);
}

/* Those of a board are for estimates with misses and mispredictions; a board without them says so. */
static void intervals_of_a_board(void **state)
{
    (void)state;
    struct trust t;
    trust_of_board(&t, "boards/raspberrypi3-sim", NULL);
    assert_int_equal(t.n_intervals, 2);
    struct trust_kind kind = {SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 100};
    double low, high;
    assert_true(trust_interval(&low, &high, &t, &kind, 100) == 0.9 && low < 100 && high > 100);
    remark_is(&t, kind, 0);
    kind.events = SCHEDULE_NO_EVENTS;
    assert_true(trust_interval(&low, &high, &t, &kind, 100) == 0);
    remark_is(&t, kind, "no interval: none is known for estimates without simulated misses and mispredictions");
    trust_release(&t);
    /* where nothing can miss, it makes no difference what was simulated */
    trust_of_board(&t, "boards/cortex-m4-sim", NULL);
    for (int events = SCHEDULE_NO_EVENTS; events <= SCHEDULE_EVENTS; events++) {
        kind = (struct trust_kind){SHIMXML_UNOPTIMISED, (enum schedule_events_in)events, 100};
        assert_true(trust_interval(&low, &high, &t, &kind, 100) == 0.9 && low < 100 && high > 100);
        remark_is(&t, kind, 0);
    }
    trust_release(&t);
    trust_of_board(&t, "boards/host", NULL);
    assert_true(t.n_intervals == 0 && strstr(t.why_none, "has none for method compiled"));
    trust_release(&t);
}

/* Writes a core's model file: that of a board with what it compiles for, and these intervals. The caller frees the path. */
static char *core_with(const char *folder, const char *name, const char *intervals)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    char *path = path_join(folder, name);
    assert_int_equal(file_read(&text, "boards/raspberrypi3-sim/cortex-a53.ini", 1 << 20, &e), OK);
    str_addf(&text, "\n[origin]\ntarget = aarch64-linux-gnu\ncpu = cortex-a53\n%s", intervals);
    assert_int_equal(file_write(path, str_text(&text), text.len, &e), OK);
    str_release(&text);
    return path;
}

/* A core's file has its own: alone, and in the place of a board's timing, whose intervals are not for it. */
static void intervals_of_a_core(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    char *folder = NULL;
    assert_int_equal(temp_directory(&folder, "test", &e), OK);
    char *known_core = core_with(folder, "known.ini", "interval_optimised = 0.9 0.8 1.3\n");
    char *other = core_with(folder, "other.ini", "");
    const struct {
        const char *board, *core;
        size_t n;
        const char *why;
    } cases[] = {
        {known_core, NULL, 1, NULL},
        {"boards/raspberrypi3-sim", known_core, 1, NULL},
        {other, NULL, 0, "none is known of estimates on this core's timing"},
        {"boards/raspberrypi3-sim", other, 0, "those of board boards/raspberrypi3-sim are not for the timing of"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trust t;
        struct trust_kind kind = {SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 100};
        double low, high;
        trust_of_board(&t, cases[i].board, cases[i].core);
        assert_int_equal(t.n_intervals, cases[i].n);
        if (t.n_intervals)
            assert_true(trust_interval(&low, &high, &t, &kind, 100) == 0.9 && low == 80 && high == 130);
        else
            assert_non_null(strstr(t.why_none, cases[i].why));
        trust_release(&t);
    }
    free(known_core);
    free(other);
    free(folder);
}

/* What a SHIM file says of itself counts for the method that its values are for. */
static void intervals_of_a_shim_file(void **state)
{
    (void)state;
    static const struct {
        const char *method, *interval;
        const struct estimator *asked;
        const char *why;
    } files[] = {{"schedule", "1; optimised 0.9 0.5 2", &estimator_schedule, 0},
                 {0, "1; any 0.9 0.5 2", &estimator_operand, 0},
                 {"schedule", "1; optimised 0.9 0.5 2", &estimator_sum, "are for --method schedule"},
                 {"schedule", 0, &estimator_schedule, "b.shim.xml has none"},
                 {"schedule", "2; optimised 0.9 0.5 2", &estimator_schedule, "cannot be read"},
                 {"schedule", "1; optimised 0.9 0.5 2", &estimator_operand, "are for --method schedule"}};
    for (size_t i = 0; i < 6; i++) {
        struct costs c = {.method = files[i].method, .interval = (char *)files[i].interval};
        struct trust t;
        trust_of_shim(&t, &c, files[i].asked, "out/b.shim.xml");
        assert_int_equal(t.n_intervals, files[i].why ? 0 : 1);
        if (!files[i].why)
            assert_true(t.intervals->level == 0.9 && !t.why_none);
        else if (!t.why_none || !strstr(t.why_none, files[i].why))
            fail_msg("%s", t.why_none ? t.why_none : "nothing is said");
        trust_release(&t);
    }
}

/* ---- what is said of the program and of the values ---- */

/* NULL: nothing is. */
static void note_is(const struct trust *t, const struct costs *c, const char *expected, unsigned doubts)
{
    struct estimate est = {.profile = &x.p, .costs = c};
    trust_note(&est, t);
    if (est.n_notes != (expected != 0) || est.doubts != doubts)
        fail_msg("%zu notes, doubts %#x; the first: %s", est.n_notes, est.doubts, est.n_notes ? est.notes[0] : "");
    if (expected)
        assert_string_equal(est.notes[0], expected);
    for (size_t i = 0; i < est.n_notes; i++)
        free(est.notes[i]);
    free(est.notes);
}

/* Executed so often: keys k0 ... */
static void executes(const uint32_t *times, size_t n)
{
    static char *const names[] = {(char *)"add.i32", (char *)"mul.i32", (char *)"sub.i32", (char *)"and.i32",
                                  (char *)"or.i32",  (char *)"xor.i32", (char *)"shl.i32"};
    static struct irprof_item items[8];
    begin();
    block(0, 0, NO, 1);
    put(names[0], NO, NO);
    for (size_t i = 0; i < n; i++)
        items[i] = (struct irprof_item){key_number(names[i]), times[i]};
    x.p.items = items;
    x.p.n_items = n;
    x.parts[0].n_items = (uint32_t)n;
}
#define EXECUTES(...) executes((const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

#define UNLIKE "unlike the programs that the model was fitted on: fewer than 3 of them had "

/* Three programs had add, two mul, none the rest. */
static void keys_that_few_had(void **state)
{
    (void)state;
    size_t programs[] = {3, 2};
    struct trust t = {.familiar = {.programs = programs}};
    struct costs c = {.core = (char *)"Core"};
    map_number(&t.familiar.keys, "add.i32");
    map_number(&t.familiar.keys, "mul.i32");
    EXECUTES(100);
    note_is(&t, &c, 0, 0);
    EXECUTES(90, 10);
    note_is(&t, &c, UNLIKE "mul.i32; 10 % of what was executed", 1U << DOUBT_RARE);
    EXECUTES(91, 9);
    note_is(&t, &c, 0, 0);
    EXECUTES(50, 20, 30);
    note_is(&t, &c, UNLIKE "mul.i32, sub.i32; 50 % of what was executed", 1U << DOUBT_RARE);
    EXECUTES(5000, 4991, 9); /* less than one in a thousand is not named */
    note_is(&t, &c, UNLIKE "mul.i32; 50 % of what was executed", 1U << DOUBT_RARE);
    EXECUTES(5000, 4990, 10);
    note_is(&t, &c, UNLIKE "mul.i32, sub.i32; 50 % of what was executed", 1U << DOUBT_RARE);
    EXECUTES(50, 10, 10, 10, 10, 10);
    note_is(&t, &c, UNLIKE "mul.i32, sub.i32, and.i32, or.i32, xor.i32; 50 % of what was executed", 1U << DOUBT_RARE);
    EXECUTES(40, 10, 10, 10, 10, 10, 10);
    note_is(&t, &c, UNLIKE "mul.i32, sub.i32, and.i32, or.i32, xor.i32 and others; 60 % of what was executed",
            1U << DOUBT_RARE);
    EXECUTES(0, 0);
    note_is(&t, &c, 0, 0);
    map_release(&t.familiar.keys);
    note_is(&t, &c, 0, 0); /* nothing is known of the programs */
}

#define OTHERS "the values of core Core are not those of the model: the intervals do not apply to them"

/* A file's value of an instruction lies between those that the model has for its types, give or take a thousandth of the
 * greatest and a thousandth of a cycle. It is another model's where that is so of more than half. */
static void values_of_another_model(void **state)
{
    (void)state;
    static struct regress_key keys[] = {
        {.key = (char *)"add.i32", .variable = 0, .count = 5, .value = 1},
        {.key = (char *)"add.i64", .variable = 1, .count = 5, .value = 2},
        {.key = (char *)"add.i8", .variable = REGRESS_NONE, .count = 5, .value = 9}, /* ignored */
        {.key = (char *)"add.i16", .variable = 2, .count = 0, .value = 9},           /* no row had it */
        {.key = (char *)"mul.i32", .variable = 3, .count = 5, .value = 4},
        {.key = (char *)"add.i32_d", .variable = 4, .count = 5, .value = 3},
    };
    static const struct {
        double add_pitch, add_latency, mul_pitch;
        bool others;
    } rows[] = {
        {1, 3, 4, false},           {2, 3, 4, false},         {1.5, 3, 4, false},        {2.003, 3, 4, false},
        {0.9975, 3, 4, false},      {2.01, 3, 4, false},      {2.01, 3.01, 4, true},     {2.01, 3, 4.01, true},
        {1, 3.01, 4.01, true},      {2.003, 3.004, 9, false}, {2.0031, 3.0041, 4, true}, {0.9969, 2.9959, 4, true},
        {0.9971, 2.9961, 9, false},
    };
    struct regress_model m = {.keys = keys, .n_keys = sizeof keys / sizeof *keys};
    struct trust t = {.model = &m};
    EXECUTES(100);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct costs c = {.core = xstrdup("Core")};
        value(&c, "add", rows[i].add_pitch, rows[i].add_latency);
        value(&c, "mul", rows[i].mul_pitch, 77);
        note_is(&t, &c, rows[i].others ? OTHERS : 0, 0);
        costs_release(&c);
    }
    struct costs none = {.core = xstrdup("Core")};
    value(&none, "sub", 7, 7); /* nothing that both have */
    note_is(&t, &none, 0, 0);
    costs_release(&none);
}

/* ---- the intervals of a model file ---- */

/* Fitted on programs of these cycles, 100 additions each; returns the model's path, which the caller frees. */
static char *fitted_on(const char *folder, const char *rows)
{
    struct error e = ERROR_INIT;
    struct regress_data *d;
    struct regress_classes *classes;
    struct regress_model *m;
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    char *table = path_join(folder, "d.csv"), *list = path_join(folder, "d.classes"),
         *path = path_join(folder, "m.json");
    char *text = xasprintf("program,region,cycles,add.i32\n%s", rows);
    static const char adds[] = "title additions\nmap add add.*\n";
    settings.solver = "ols";
    assert_int_equal(file_write(table, text, strlen(text), &e), OK);
    assert_int_equal(file_write(list, adds, strlen(adds), &e), OK);
    assert_int_equal(regress_data_read(&d, table, &e), OK);
    assert_int_equal(regress_classes_load(&classes, list, &e), OK);
    assert_int_equal(regress_fit(&m, d, classes, &settings, 0, 0, &e), OK);
    assert_int_equal(regress_model_write(m, path, &e), OK);
    regress_model_free(m);
    regress_classes_free(classes);
    regress_data_free(d);
    free(text);
    free(table);
    free(list);
    return path;
}

/* A model has intervals of either kind of code, or of any; those are the inverse of its errors. */
static void intervals_of_a_model(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    char *folder = 0;
    struct trust t;
    assert_int_equal(temp_directory(&folder, "trust-test", &e), OK);
    char *path = fitted_on(folder, "a@O0,r,90,100\nb@O0,r,110,100\nc@O2,r,95,100\nd@O2,r,125,100\n");
    assert_int_equal(trust_read(&t, path, 0, &estimator_operand, "b.shim.xml", &e), OK);
    assert_int_equal(t.n_intervals, 4);
    assert_true(familiar_with(&t.familiar, "add.i32") && !t.why_none && !t.need_events);
    for (size_t i = 0; i < 4; i++) {
        const struct shimxml_interval *v = &t.intervals[i];
        const struct regress_interval *from = &t.model->of_code[i % 2 ? REGRESS_OPTIMISED : REGRESS_UNOPTIMISED];
        assert_true(v->code == (i % 2 ? SHIMXML_OPTIMISED : SHIMXML_UNOPTIMISED) && v->events == (i > 1));
        assert_true(isinf(v->below) && v->level == from->level && v->level > 0);
        assert_true(v->low == 1 / (1 + from->error_high) && v->high == 1 / (1 + from->error_low));
    }
    trust_release(&t);
    free(path);
    path = fitted_on(folder, "a@O2,r,90,100\nb@O2,r,110,100\nc@O2,r,95,100\n");
    assert_int_equal(trust_read(&t, path, 0, &estimator_operand, "b.shim.xml", &e), OK);
    assert_true(t.n_intervals == 1 && t.intervals->code == SHIMXML_ANY_CODE && !t.intervals->events);
    assert_true(t.intervals->low == 1 / (1 + t.model->error_high) && t.intervals->high == 1 / (1 + t.model->error_low));
    trust_release(&t);
    free(path);
    path = fitted_on(folder, "a@O2,r,90,100\n");
    assert_int_equal(trust_read(&t, path, 0, &estimator_operand, "b.shim.xml", &e), OK);
    assert_true(t.n_intervals == 0 && !familiar_with(&t.familiar, "add.i32")); /* one program has not shown it */
    assert_string_equal(t.why_none, "no intervals: m.json has none, as it has too few programs");
    trust_release(&t);
    assert_int_equal(trust_read(&t, path, 0, &estimator_schedule, "b.shim.xml", &e), ERR_INPUT);
    trust_release(&t);
    error_release(&e);
    free(path);
    assert_int_equal(remove_tree(folder, &e), OK);
    cleanup_remove(folder);
    free(folder);
}

/* What reading the model for the values of `shim` says on standard error; "": nothing. */
static char *said_of(const char *folder, const char *model, const char *shim)
{
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    struct trust t;
    char *path = path_join(folder, "said");
    fflush(stderr);
    int before = dup(STDERR_FILENO);
    assert_non_null(freopen(path, "w", stderr));
    enum status s = trust_read(&t, model, 0, &estimator_schedule, shim, &e);
    fflush(stderr);
    assert_true(before >= 0 && dup2(before, STDERR_FILENO) >= 0);
    close(before);
    assert_int_equal(s, OK);
    assert_string_equal(t.why_none, "no intervals: schedule.json has none, as it has too few programs");
    trust_release(&t);
    assert_int_equal(file_read(&text, path, FILE_LIMIT, &e), OK);
    free(path);
    return str_detach(&text);
}

/* The values' file is known by its name, wherever it stands. */
static void a_schedule_of_another_file(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    char *folder = 0;
    assert_int_equal(temp_directory(&folder, "trust-test", &e), OK);
    char *path = path_join(folder, "schedule.json");
    const struct schedule_model m = {.shim = (char *)"b.shim.xml", .data_name = (char *)"d.csv"};
    assert_int_equal(schedule_model_write(&m, path, &e), OK);
    char *said = said_of(folder, path, "out/b.shim.xml");
    assert_true(!said || !*said);
    free(said);
    said = said_of(folder, path, "out/c.shim.xml");
    if (!said || !strstr(said, "belongs to the values in b.shim.xml: its intervals may not apply to c.shim.xml"))
        fail_msg("%s", said ? said : "nothing");
    free(said);
    free(path);
    assert_int_equal(remove_tree(folder, &e), OK);
    cleanup_remove(folder);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_their_kind), cmocka_unit_test(others_have_the_widest),
        cmocka_unit_test(some_have_none),          cmocka_unit_test(says_what_is_not_of_its_kind),
        cmocka_unit_test(kinds_of_profiles),       cmocka_unit_test(intervals_of_a_shim_file),
        cmocka_unit_test(intervals_of_a_board),    cmocka_unit_test(intervals_of_a_core),
        cmocka_unit_test(keys_that_few_had),       cmocka_unit_test(values_of_another_model),
        cmocka_unit_test(intervals_of_a_model),    cmocka_unit_test(a_schedule_of_another_file),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
