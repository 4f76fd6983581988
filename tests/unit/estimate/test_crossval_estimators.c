/* Programs whose cycles are those of right values, beside values that are wrong: what is left out has no say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shimgen/estimate/intervals/crossval_estimators.h"
#include "tests/unit/estimate/tune_example.h"

static const struct estimator *const methods[] = {&estimator_schedule};

/* A dataset and profiles of its programs: "p0" ...; every fourth is a test program. */
struct example {
    struct made made[PROGRAMS];
    struct tune_program at[PROGRAMS];
    struct tune_programs programs;
    struct regress_data *data;
    struct costs wrong;
    struct crossval_spec spec;
};

static void set_up(struct example *x)
{
    struct costs right = costs_with(3);
    struct regress_data *d = x->data = xcalloc(1, sizeof *d);
    static char *names[PROGRAMS] = {(char *)"p0@O0", (char *)"p1@O2", (char *)"p2@O0", (char *)"p3@O2",
                                    (char *)"p4@O0", (char *)"p5@O2", (char *)"p6@O0", (char *)"p7@O2",
                                    (char *)"p8@O0", (char *)"p9@O2", (char *)"pa@O0", (char *)"pb@O2"};
    static char *columns[] = {(char *)"cycles"};
    static char *roles[PROGRAMS];
    *d = (struct regress_data){.path = (char *)"d.csv", .n = PROGRAMS, .cols = 1, .n_groups = PROGRAMS};
    d->programs = d->labels = d->group_names = names;
    d->names = columns;
    d->roles = roles;
    d->values = xcalloc(PROGRAMS, sizeof *d->values);
    d->groups = xcalloc(PROGRAMS, sizeof *d->groups);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        make(&x->made[i], 1 + i, 3);
        d->values[i] = cycles_of(&x->made[i], &right);
        d->groups[i] = i;
        roles[i] = (char *)(i % 4 == 3 ? "test" : "train");
        x->at[i] = (struct tune_program){names[i], &x->made[i].profile, 0, d->values[i], i, i % 4 == 3, i};
    }
    x->wrong = costs_with(4);
    x->programs = (struct tune_programs){x->at, PROGRAMS, PROGRAMS};
    x->spec = (struct crossval_spec){.data = d, .programs = &x->programs, .costs = &x->wrong, .methods = methods};
    x->spec.n_methods = 1;
    costs_release(&right);
}

static void tear_down(struct example *x)
{
    free(x->data->values);
    free(x->data->groups);
    free(x->data);
    costs_release(&x->wrong);
}

static void change(struct example *x, size_t i, double times)
{
    x->data->values[i] *= times;
    x->at[i].measured *= times;
}

static struct crossval run(const struct example *x)
{
    struct crossval c;
    struct error e = ERROR_INIT;
    if (crossval_run(&c, &x->spec, &e))
        fail_msg("%s", e.message);
    return c;
}

static void test_programs_are_judged_alone(void **state)
{
    (void)state;
    struct example x;
    set_up(&x);
    x.spec.scheme = CROSSVAL_TEST;
    struct crossval c = run(&x);
    struct regress_errors held = crossval_errors(x.data, c.lines[0].held_out, 0);
    struct regress_errors train = crossval_errors(x.data, c.lines[0].training, 0);
    assert_int_equal(held.n, 3);
    assert_int_equal(train.n, 9);
    assert_true(held.mean_abs < 0.05 && train.mean_abs < 0.05);
    assert_int_equal(crossval_errors(x.data, c.lines[0].held_out, "O2").n, 3);
    assert_int_equal(crossval_errors(x.data, c.lines[0].held_out, "O0").n, 0);
    assert_true(x.wrong.latency[1].typical == 4); /* the caller's values stay */
    change(&x, 3, 10);
    struct crossval again = run(&x);
    assert_true(again.lines[0].held_out[3] < -0.8);
    for (size_t i = 0; i < PROGRAMS; i++)
        assert_true(i % 4 == 3 || again.lines[0].training[i] == c.lines[0].training[i]);
    crossval_release(&c);
    crossval_release(&again);
    tear_down(&x);
}

/* (1 + error) measured is the estimate: what a program was measured to take has no part in its own. */
static void folds_leave_out(void **state)
{
    (void)state;
    struct example x;
    set_up(&x);
    x.spec.scheme = CROSSVAL_FOLDS;
    x.spec.folds = 3;
    x.spec.seed = 1;
    struct crossval c = run(&x);
    assert_int_equal(crossval_errors(x.data, c.lines[0].held_out, 0).n, 9);
    assert_true(isnan(c.lines[0].held_out[3]) && isnan(c.lines[0].training[3]));
    double before = (1 + c.lines[0].held_out[5]) * x.data->values[5], trained = c.lines[0].training[5];
    change(&x, 5, 2);
    struct crossval again = run(&x);
    assert_true(fabs((1 + again.lines[0].held_out[5]) * x.data->values[5] - before) < 1e-9 * before);
    assert_true(fabs(again.lines[0].training[5] - trained) > 0.1);
    crossval_release(&c);
    crossval_release(&again);
    tear_down(&x);
}

static void profiles_must_be_there(void **state)
{
    (void)state;
    struct example x;
    struct crossval c;
    struct error e = ERROR_INIT;
    set_up(&x);
    x.spec.scheme = CROSSVAL_TEST;
    x.programs.n--;
    assert_int_equal(crossval_run(&c, &x.spec, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "pb@O2: its profile is not there"));
    crossval_release(&c);
    error_release(&e);
    tear_down(&x);
}

static void says_what_it_cannot_fit(void **state)
{
    (void)state;
    static const struct estimator own = {"own", "", 0};
    static const struct estimator *const list[] = {&own};
    struct example x;
    struct crossval c;
    struct error e = ERROR_INIT;
    set_up(&x);
    x.spec.scheme = CROSSVAL_TEST;
    x.spec.methods = list;
    assert_int_equal(crossval_run(&c, &x.spec, &e), ERR_UNSUPPORTED);
    assert_non_null(strstr(e.message, "method 'own' cannot be compared"));
    crossval_release(&c);
    error_release(&e);
    tear_down(&x);
}

/* ---- what hardly any of the programs had that values were fitted on ---- */

enum { COLUMNS = 5 };
static char *const counted[COLUMNS] = {(char *)"cycles", (char *)"add.i32", (char *)"load.i32", (char *)"mul.i32",
                                       (char *)"L1D_CACHE"};
static const struct {
    const char *why;
    double add, load, mul, event;
    size_t group;
    bool doubt;
} executed[PROGRAMS] = {
    {"fitted on", 80, 10, 10, 0, 0, true},
    {"fitted on", 80, 10, 10, 0, 1, true},
    {"fitted on: the third with load", 90, 10, 0, 0, 2, false},
    {"fitted on", 100, 0, 0, 0, 3, false},
    {"fitted on", 100, 0, 0, 0, 4, false},
    {"fitted on: another row of the first, so mul is of two programs alone", 80, 10, 10, 0, 0, true},
    {"one in ten of what two had", 90, 0, 10, 0, 5, true},
    {"less than one in ten", 91, 0, 9, 0, 6, false},
    {"what three had", 0, 100, 0, 0, 7, false},
    {"an event is not an instruction", 91, 0, 9, 100, 8, false},
    {"nothing else", 0, 0, 1, 0, 9, true},
    {"nothing at all", 0, 0, 0, 0, 10, false},
};
enum { FITTED_ON = 6 };

static void what_hardly_any_had(void **state)
{
    (void)state;
    struct example *x = xcalloc(1, sizeof *x);
    struct error e = ERROR_INIT;
    double *cycles = xcalloc(PROGRAMS, sizeof *cycles), counts[PROGRAMS * COLUMNS];
    unsigned doubts[PROGRAMS] = {0};
    size_t train[FITTED_ON] = {0, 1, 2, 3, 4, 5};
    const struct regress_rows rows = {train, FITTED_ON};
    set_up(x);
    for (size_t i = 0; i < PROGRAMS; i++) {
        const double row[COLUMNS] = {x->data->values[i], executed[i].add, executed[i].load, executed[i].mul,
                                     executed[i].event};
        memcpy(&counts[i * COLUMNS], row, sizeof row);
        x->data->groups[i] = executed[i].group;
    }
    double *own = x->data->values;
    x->data->values = counts;
    x->data->cols = COLUMNS;
    x->data->names = (char **)(uintptr_t)counted;
    assert_int_equal(crossval_schedule(cycles, doubts, &x->spec, &rows, &e), OK);
    for (size_t i = 0; i < PROGRAMS; i++) {
        if (doubts[i] != (executed[i].doubt ? 1U << DOUBT_RARE : 0))
            fail_msg("row %zu, %s: %#x", i, executed[i].why, doubts[i]);
        assert_true(cycles[i] > 0);
    }
    x->data->values = own;
    free(cycles);
    tear_down(x);
    free(x);
}

/* The method compiled asks for the IR of each program; one that is not there is named. */
static void programs_must_have_their_ir(void **state)
{
    (void)state;
    struct example *x = xcalloc(1, sizeof *x);
    struct error e = ERROR_INIT;
    double cycles[PROGRAMS] = {0};
    unsigned doubts[PROGRAMS] = {0};
    set_up(x);
    x->spec.board = "boards/raspberrypi3-sim";
    x->spec.work = "nowhere";
    assert_int_equal(crossval_compiled(cycles, doubts, &x->spec, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "p0@O0: its IR (0.bc) is not there"));
    error_release(&e);
    tear_down(x);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs_are_judged_alone),
        cmocka_unit_test(folds_leave_out),
        cmocka_unit_test(profiles_must_be_there),
        cmocka_unit_test(says_what_it_cannot_fit),
        cmocka_unit_test(what_hardly_any_had),
        cmocka_unit_test(programs_must_have_their_ir),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
