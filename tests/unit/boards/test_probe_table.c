/* What the probes of memory measured, turned into cycles per access: regions made up from a known truth must give this
 * truth back. */
#include "tests/unit/boards/fixture.h"

#include <math.h>

#include "base/csv.h"
#include "boards/memory/memory.h"
#include "boards/memory/points.h"

#define EVENT "CPU_CYCLES"

/* The board that is made up: a load of one byte takes a cycle more than the others, in every level. */
struct truth {
    double load_latency, load_pitch, store_latency, store_pitch;
};
static const struct truth l1 = {3, 0.5, 2, 1}, l2 = {13, 4, 20, 5}, near_memory = {150, 30, 160, 35},
                          far_memory = {190, 40, 200, 45};
enum { ADDRESS = 4, ADD = 1, FENCE = 30 }; /* what is beside them in the chains */

static void put(struct measurements *m, const char *program, const char *region, double value)
{
    struct measurement row = {.program = xstrdup(program),
                              .region = xstrdup(region),
                              .event = xstrdup(EVENT),
                              .value = value,
                              .stddev = 0.01 * value,
                              .runs = 12,
                              .minimum = 0.98 * value};
    vec_push(&m->rows, row);
}

static void put_point(struct measurements *m, const char *program, const char *place, const char *quantity, char access,
                      int bytes, double cycles)
{
    char region[POINT_NAME];
    snprintf(region, sizeof region, "%s %s %c %d", place, quantity, access, bytes);
    put(m, program, region, cycles * POINT_ACCESSES);
}

static void put_place(struct measurements *m, const char *program, const char *place, const struct truth *t, double by)
{
    for (int bytes = 1; bytes <= 8; bytes *= 2) {
        put_point(m, program, place, "latency", 'R', bytes, t->load_latency * by + (bytes == 1) + ADDRESS);
        put_point(m, program, place, "pitch", 'R', bytes, t->load_pitch * by);
        put_point(m, program, place, "latency", 'W', bytes, t->store_latency * by + FENCE);
        put_point(m, program, place, "pitch", 'W', bytes, t->store_pitch * by);
    }
}

static void put_accesses(struct measurements *m, const char *program, double by)
{
    put_place(m, program, "memory far", &far_memory, by);
    put_place(m, program, "memory near", &near_memory, by);
    for (int bytes = 1; bytes <= 8; bytes *= 2)
        put_point(m, program, "L1 near", "chain", 'R', bytes, l1.load_latency + (bytes == 1) + ADD);
    put_point(m, program, "L1 near", "pointer", 'R', 8, l1.load_latency);
    put_point(m, program, "L1 near", "fence", 'W', 0, FENCE);
    put_place(m, program, "L1 near", &l1, 1);
    put_place(m, program, "L2 near", &l2, 1);
}

/* Idle, busy with one other core, and messages to core 0. */
static struct measurements *all(void)
{
    struct measurements *m = measurements_new();
    put_accesses(m, MEMORY_ACCESS_IDLE, 1);
    put_accesses(m, MEMORY_ACCESS_BUSY, 1.5);
    put(m, MEMORY_ACCESS_BUSY, "others", 0);
    put(m, MEMORY_PAIR_IDLE, "core 0 latency", 2 * 80.0 * PAIR_MESSAGES);
    put(m, MEMORY_PAIR_IDLE, "core 0 pitch", 12.0 * PAIR_MESSAGES);
    return m;
}

static struct measurement *find(struct measurements *m, const char *program, const char *region)
{
    struct measurement *r = (struct measurement *)measurements_find(m, program, region, EVENT);
    if (!r)
        fail_msg("the test has no region '%s'", region);
    return r;
}

static struct memory_table evaluate(struct measurements *m)
{
    struct memory_table t = {0};
    struct error e = ERROR_INIT;
    if (memory_evaluate(&t, m, 1, &e)) {
        error_print(&e, "test_memory");
        fail();
    }
    return t;
}

static const struct memory_row *row(const struct memory_table *t, const char *place, const char *order, char access,
                                    int bytes, enum memory_quantity quantity)
{
    for (size_t i = 0; i < t->rows.n; i++) {
        const struct memory_row *r = &t->rows.at[i];
        if (strcmp(r->place, place) == 0 && strcmp(r->order, order) == 0 && r->access == access && r->bytes == bytes &&
            r->quantity == quantity)
            return r;
    }
    fail_msg("no row %s %s %c %d", place, order, access, bytes);
    return 0;
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-9))
        fail_msg("%.12g is not %.12g", a, b);
}

static bool notes(const struct memory_table *t, const char *text)
{
    for (size_t i = 0; i < t->notes.n; i++)
        if (strstr(t->notes.at[i], text))
            return true;
    return false;
}

static void test_truth(void **state)
{
    (void)state;
    struct measurements *m = all();
    struct memory_table t = evaluate(m);
    const struct {
        const char *place, *order;
        const struct truth *t;
        double by;
    } places[] = {{"L1", "near", &l1, 1},
                  {"L2", "near", &l2, 1},
                  {"memory", "near", &near_memory, 1.5},
                  {"memory", "far", &far_memory, 1.5}};
    assert_int_equal(t.rows.n, 4 * 16 + 2);
    assert_string_equal(t.event, EVENT);
    for (size_t i = 0; i < 4; i++) {
        const char *place = places[i].place, *order = places[i].order;
        double by = places[i].by;
        for (int bytes = 1; bytes <= 8; bytes *= 2) {
            const struct memory_row *r = row(&t, place, order, 'R', bytes, MEMORY_LATENCY);
            assert_near(r->typical, places[i].t->load_latency + (bytes == 1));
            assert_near(r->worst, places[i].t->load_latency * by + (bytes == 1));
            assert_int_equal(r->core, 1);
            assert_int_equal(r->runs, 12);
            assert_true(r->best <= r->typical);
            assert_near(row(&t, place, order, 'R', bytes, MEMORY_PITCH)->typical, places[i].t->load_pitch);
            assert_near(row(&t, place, order, 'W', bytes, MEMORY_LATENCY)->typical, places[i].t->store_latency);
            assert_near(row(&t, place, order, 'W', bytes, MEMORY_LATENCY)->worst, places[i].t->store_latency * by);
            assert_near(row(&t, place, order, 'W', bytes, MEMORY_PITCH)->typical, places[i].t->store_pitch);
        }
    }
    /* the least run of what is measured directly */
    assert_near(row(&t, "L1", "near", 'R', 4, MEMORY_LATENCY)->best, 0.98 * (l1.load_latency + ADD) - ADD);
    /* a message and its answer take twice a latency */
    assert_near(row(&t, "core 0", "", 'M', 8, MEMORY_LATENCY)->typical, 80);
    assert_near(row(&t, "core 0", "", 'M', 8, MEMORY_PITCH)->typical, 12);
    assert_true(isnan(row(&t, "core 0", "", 'M', 8, MEMORY_PITCH)->worst));
    assert_int_equal(t.notes.n, 0);
    memory_release(&t);
    measurements_free(m);
}

/* Without caches the chain of loads is what there is, and only the fence is taken off. */
static void test_no_cache(void **state)
{
    (void)state;
    struct measurements *m = measurements_new();
    put_place(m, MEMORY_ACCESS_IDLE, "memory far", &far_memory, 1);
    put_place(m, MEMORY_ACCESS_IDLE, "memory near", &near_memory, 1);
    struct memory_table t = evaluate(m);
    assert_int_equal(t.rows.n, 2 * 16);
    assert_near(row(&t, "memory", "near", 'R', 4, MEMORY_LATENCY)->typical, near_memory.load_latency + ADDRESS);
    memory_release(&t);
    measurements_free(m);
}

static void test_not_measured(void **state)
{
    (void)state;
    struct measurements *m = measurements_new();
    put_accesses(m, MEMORY_ACCESS_IDLE, 1);
    struct memory_table t = evaluate(m);
    for (size_t i = 0; i < t.rows.n; i++)
        assert_true(isnan(t.rows.at[i].worst));
    assert_true(notes(&t, "not measured while other cores are busy"));
    assert_true(notes(&t, "messages between cores were not measured"));
    memory_release(&t);
    measurements_free(m);
}

/* One core only: "busy" is idle then, and no worst value comes of it. */
static void test_alone(void **state)
{
    (void)state;
    struct measurements *m = measurements_new();
    put_accesses(m, MEMORY_ACCESS_IDLE, 1);
    put_accesses(m, MEMORY_ACCESS_BUSY, 1);
    put(m, MEMORY_PAIR_IDLE, "alone", 0);
    struct memory_table t = evaluate(m);
    for (size_t i = 0; i < t.rows.n; i++)
        assert_true(isnan(t.rows.at[i].worst));
    assert_int_equal(t.rows.n, 4 * 16);
    assert_true(notes(&t, "no other core that could be kept busy"));
    assert_true(notes(&t, "there is no other core: no messages"));
    memory_release(&t);
    measurements_free(m);
}

/* Values that disturbances brought out of order are put in it. */
static void test_order(void **state)
{
    (void)state;
    struct measurements *m = all();
    find(m, MEMORY_ACCESS_BUSY, "memory near latency R 8")->value = 100 * POINT_ACCESSES;
    find(m, MEMORY_ACCESS_IDLE, "L1 near latency W 2")->value = (FENCE - 1) * POINT_ACCESSES;
    find(m, MEMORY_ACCESS_IDLE, "L1 near pitch R 4")->minimum = 2 * POINT_ACCESSES; /* above its own centre */
    struct memory_table t = evaluate(m);
    for (size_t i = 0; i < t.rows.n; i++) {
        const struct memory_row *r = &t.rows.at[i];
        assert_true(r->best >= 0 && r->best <= r->typical && !(r->worst < r->typical));
    }
    assert_near(row(&t, "memory", "near", 'R', 8, MEMORY_LATENCY)->worst, near_memory.load_latency);
    /* a store that seems to cost nothing takes at least as long as the next one has to wait for it */
    assert_near(row(&t, "L1", "near", 'W', 2, MEMORY_LATENCY)->typical, l1.store_pitch);
    memory_release(&t);
    measurements_free(m);
}

static void test_notes(void **state)
{
    (void)state;
    struct measurements *m = all();
    find(m, MEMORY_ACCESS_IDLE, "memory far pitch R 8")->stddev = 0.5 * far_memory.load_pitch * POINT_ACCESSES;
    find(m, MEMORY_ACCESS_IDLE, "L2 near latency R 8")->value = (2 + ADDRESS) * POINT_ACCESSES;
    find(m, MEMORY_ACCESS_IDLE, "L2 near pitch R 8")->value = POINT_ACCESSES;
    struct memory_table t = evaluate(m);
    assert_true(notes(&t, "core 1, memory far: the runs spread by up to 50 % (pitch of R, 8 bytes)"));
    assert_true(notes(&t, "L2 is not slower than L1 (2.0, 3.0 cycles)"));
    assert_int_equal(t.notes.n, 2);
    memory_release(&t);
    measurements_free(m);
}

static void refuse(struct measurements *m, struct memory_table *t, const char *message)
{
    struct error e = ERROR_INIT;
    size_t before = t->rows.n;
    assert_int_equal(memory_evaluate(t, m, 2, &e), ERR_INPUT);
    assert_says(&e, message);
    assert_int_equal(t->rows.n, before);
}

static void test_refused(void **state)
{
    (void)state;
    struct memory_table t = {0};
    struct measurements *m = measurements_new();
    refuse(m, &t, "counted no cycles");
    measurements_free(m);
    m = all();
    find(m, MEMORY_ACCESS_IDLE, "memory far pitch W 4")->runs = 0;
    refuse(m, &t, "no result for 'memory far pitch W 4'");
    measurements_free(m);
    m = all();
    strcpy(find(m, MEMORY_PAIR_IDLE, "core 0 pitch")->region, "core 9 pitch");
    refuse(m, &t, "no result for 'core 0'");
    measurements_free(m);
    m = all();
    assert_int_equal(memory_evaluate(&t, m, 1, 0), OK);
    for (size_t i = 0; i < m->rows.n; i++)
        strcpy(m->rows.at[i].event, "TSC_CYCLES");
    refuse(m, &t, "core 2 was measured in TSC_CYCLES, those before in CPU_CYCLES");
    memory_release(&t);
    measurements_free(m);
}

static void test_written(void **state)
{
    (void)state;
    struct measurements *m = all();
    struct memory_table t = evaluate(m);
    struct error e = ERROR_INIT;
    struct csv *c = 0;
    char *path = in_scratch("memory.csv");
    double value;
    assert_int_equal(memory_write(&t, path, &e), OK);
    assert_int_equal(csv_read(&c, path, &e), OK);
    assert_int_equal(c->n_rows, t.rows.n);
    assert_string_equal(csv_cell(c, 0, 1), "L1");
    assert_int_equal(csv_number(c, 0, 8, &value, &e), OK);
    assert_near(value, t.rows.at[0].typical);
    assert_string_equal(csv_cell(c, c->n_rows - 1, 9), ""); /* worst of a message: not measured */
    csv_free(c);
    assert_int_not_equal(memory_write(&t, "/dev/full", &e), OK);
    error_release(&e);
    free(path);
    memory_release(&t);
    measurements_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth),   cmocka_unit_test(test_no_cache), cmocka_unit_test(test_not_measured),
        cmocka_unit_test(test_alone),   cmocka_unit_test(test_order),    cmocka_unit_test(test_notes),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_written),
    };
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, 0, 0));
}
