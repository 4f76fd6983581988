/* What misses, mispredictions and prefetched lines add, derived by hand: a miss of the first level 10 where something
 * waits for it and 4 where nothing does, of the second 100 and 40 (schedule_example.h). */
#include "tests/unit/estimate/schedule_example.h"

/* Cycles of a part, with and without its events; what they add. */
static double added(size_t part, bool ahead)
{
    struct costs c = some_costs(ahead);
    double cycles[2];
    for (int without = 0; without < 2; without++) {
        struct estimate *est;
        struct error e = ERROR_INIT;
        struct estimate_request q = {.profile = &x.p, .costs = &c, .without_events = without};
        if (estimate_run(&est, &estimator_schedule, &q, &e))
            fail_msg("%s", e.message);
        cycles[without] = est->parts[part].typical;
        estimate_free(est);
    }
    costs_release(&c);
    return cycles[0] - cycles[1];
}

static void added_is(size_t part, bool ahead, double expected)
{
    double more = added(part, ahead);
    if (fabs(more - expected) > 0.01)
        fail_msg("part %zu: %g more, not %g", part, more, expected);
}

/* ---- mispredictions ---- */

/* The worst Latency of br less its typical one, if that is long enough to be one (a quarter of what is usual); else
 * seven additions, fourteen on a core that executes out of order. */
static void what_a_misprediction_costs(void **state)
{
    (void)state;
    static const struct {
        double worst, pitch, cycles;
    } all[] = {{13, 0.5, 12}, {2.75, 0.5, 7}, {3, 0.5, 2}, {1, 0.5, 7}, {1, 0.25, 14}, {4.5, 0.25, 14}, {5, 0.25, 4}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct costs c = {.core = xstrdup("Core")};
        value(&c, "add", all[i].pitch, 1);
        costs_add(&c, "br", (struct cycles){1, 1, 1}, (struct cycles){1, 1, all[i].worst});
        if (fabs(schedule_misprediction(&c) - all[i].cycles) > 1e-9)
            fail_msg("case %zu: %g", i, schedule_misprediction(&c));
        costs_release(&c);
    }
    struct costs none = {.core = xstrdup("Core")};
    assert_true(schedule_misprediction(&none) == 0);
    costs_release(&none);
}

static void mispredictions_are_added(void **state)
{
    (void)state;
    begin();
    uint32_t e = event("BR_MIS_PRED");
    block(0, 0, NO, 100);
    put("and.i32", NO, NO);
    put("br.cond", NO, NO);
    happens(e, 30);
    added_is(0, false, 0);
    added_is(1, false, 30 * 7);
    added_is(1, true, 30 * 14);
}

/* 20 of 100 branches are wrong, which go on in a loop 90 times and leave it 10 times. A two-bit counter is wrong nine times
 * as often when the branch leaves: 18 are paid by the first instruction behind the loop that makes code, 2 by the loop's.
 * Ahead they stay with the branch. */
static void mispredictions_are_paid_behind_branches(void **state)
{
    (void)state;
    begin();
    uint32_t e = event("BR_MIS_PRED"), l = loop(0, NO, 100, 90);
    block(0, 0, l, 100);
    put("phi.i32", NO, NO);
    put("and.i32", NO, NO);
    put("br.cond", NO, NO);
    happens(e, 20);
    block(0, 1, NO, 10);
    put("phi.i32", NO, NO);
    put("and.i32", NO, NO);
    put("ret", NO, NO);
    edge(0, 0, 0, IRPROF_EDGE_TRUE, 90);
    edge(0, 0, 1, IRPROF_EDGE_FALSE, 10);
    static const double in_order[] = {0, 2 * 7, 0, 0, 18 * 7, 0}, ahead[] = {0, 0, 20 * 14, 0, 0, 0};
    for (size_t i = 0; i < sizeof ahead / sizeof *ahead; i++) {
        added_is(i, false, in_order[i]);
        added_is(i, true, ahead[i]);
    }
}

/* A part that also calls through a pointer has mispredictions of both, which nobody can tell apart: they stay. So do those
 * of a branch that always went the same way. */
static void mispredictions_stay(void **state)
{
    (void)state;
    for (int indirect = 0; indirect < 2; indirect++) {
        begin();
        uint32_t e = event("BR_MIS_PRED");
        block(0, 0, NO, 100);
        if (indirect)
            put("call.indirect", NO, NO);
        x.same_line = indirect;
        put("br.cond", NO, NO);
        x.same_line = false;
        happens(e, 20);
        block(0, 1, NO, 100);
        put("ret", NO, NO);
        edge(0, 0, 1, IRPROF_EDGE_TRUE, indirect ? 50 : 100);
        edge(0, 0, 2, IRPROF_EDGE_FALSE, indirect ? 50 : 0);
        added_is(0, false, 20 * 7);
        added_is(1, false, 0);
    }
}

/* ---- misses ---- */

/* Which of both levels' misses wait: all where a loaded address is followed, none where an index counts. */
static void both_levels_miss(void **state)
{
    (void)state;
    for (int list = 0; list < 2; list++) {
        begin();
        uint32_t first = event("L1D_CACHE_REFILL"), second = event("L2D_CACHE_REFILL");
        uint32_t l = loop(0, NO, 100, 100);
        block(0, 0, l, 100);
        put("phi.ptr", list ? 2 : 1, NO);
        put("add.i64", 0, NO);
        put("load.ptr", ADDRESS | 0, NO);
        happens(first, 20);
        happens(second, 10);
        put("br.cond", NO, NO);
        added_is(2, false, list ? 20 * 10 + 10 * 100 : 20 * 4 + 10 * 40);
        added_is(2, true, list ? 20 * 10 + 10 * 100 : 20 * 4 + 10 * 40);
    }
}

/* A line of three accesses: one by an index out of a table, two counted, which miss an eighth as often: the share that
 * waits is 1 / (1 + 2 / 8). */
static void lines_have_both(void **state)
{
    (void)state;
    begin();
    uint32_t e = event("L1D_CACHE_REFILL"), l = loop(0, NO, 100, 100);
    block(0, 0, l, 100);
    put("phi.i64", 1, NO);
    put("add.i64", 0, NO);
    uint32_t index = put("load.i64", ADDRESS | 0, NO);
    x.same_line = true;
    uint32_t found = put("load.i32", ADDRESS | index, NO);
    put("store.i32", found, ADDRESS | 0);
    happens(e, 100);
    added_is(2, false, 80 * 10 + 20 * 4);
    added_is(2, true, 100 * 4); /* an index is no address: the next can be underway */
}

/* What a call or a part without accesses misses is waited for. */
static void misses_without_accesses_wait(void **state)
{
    (void)state;
    begin();
    uint32_t e = event("L1D_CACHE_REFILL");
    block(0, 0, NO, 100);
    put("call.direct", NO, NO);
    happens(e, 10);
    added_is(0, false, 10 * 10);
}

/* An access to a variable is not asked: its part has but the list's load. */
static void variables_have_no_share(void **state)
{
    (void)state;
    begin();
    uint32_t e = event("L1D_CACHE_REFILL");
    block(0, 0, NO, 1);
    uint32_t variable = put("alloca.ptr", NO, NO);
    uint32_t l = loop(1, NO, 100, 100);
    block(0, 1, l, 100);
    uint32_t node = put("load.ptr", ADDRESS | variable, NO);
    x.same_line = true;
    uint32_t next = put("load.ptr", ADDRESS | node, NO);
    put("store.ptr", next, ADDRESS | variable);
    happens(e, 10);
    added_is(1, false, 10 * 10);
    added_is(1, true, 10 * 10);
}

/* The next node is at an offset from what was loaded: a list all the same. An index that is added to what is counted is
 * loaded, too. */
static void addresses_are_made_of_loaded_ones(void **state)
{
    (void)state;
    begin();
    uint32_t e = event("L1D_CACHE_REFILL"), l = loop(0, NO, 100, 100);
    block(0, 0, l, 100);
    put("phi.ptr", 2, NO);
    uint32_t field = put("getelementptr.ptr", ADDRESS | 0, NO);
    put("load.ptr", ADDRESS | field, NO);
    happens(e, 10);
    added_is(2, false, 10 * 10);
    added_is(2, true, 10 * 10);
    begin();
    e = event("L1D_CACHE_REFILL");
    l = loop(0, NO, 100, 100);
    block(0, 0, l, 100);
    put("phi.i64", 1, NO);
    put("add.i64", 0, NO);
    uint32_t index = put("load.i64", ADDRESS | 0, NO), place = put("getelementptr.ptr", ADDRESS | 0, index);
    put("load.i32", ADDRESS | place, NO);
    happens(e, 10);
    added_is(4, false, 10 * 10);
}

/* The address was loaded outside of the loop: nothing in it is waited for. */
static void addresses_from_outside_do_not_wait(void **state)
{
    (void)state;
    begin();
    uint32_t e = event("L1D_CACHE_REFILL");
    block(0, 0, NO, 1);
    uint32_t base = put("load.ptr", NO, NO);
    uint32_t l = loop(1, NO, 100, 100);
    block(0, 1, l, 100);
    put("load.i32", ADDRESS | base, NO);
    happens(e, 10);
    added_is(1, false, 10 * 4);
    begin(); /* in no loop, of a program that has one, it is */
    e = event("L1D_CACHE_REFILL");
    loop(7, NO, 0, 0);
    block(0, 0, NO, 1);
    base = put("load.ptr", NO, NO);
    put("load.i32", ADDRESS | base, NO);
    happens(e, 10);
    added_is(1, false, 10 * 10);
    added_is(1, true, 10 * 4); /* the address itself was not at a loaded address */
}

/* ---- with a prefetcher in the profile ---- */

/* In order: of a line with a load and a store half of the misses wait; ahead: as without one. */
static void stores_do_not_wait(void **state)
{
    (void)state;
    begin();
    uint32_t e = event("L1D_CACHE_REFILL");
    event("L1D_CACHE_REFILL_HWPRF");
    uint32_t l = loop(0, NO, 100, 100);
    block(0, 0, l, 100);
    put("phi.i64", 1, NO);
    put("add.i64", 0, NO);
    put("load.i32", ADDRESS | 0, NO);
    x.same_line = true;
    put("store.i32", NO, ADDRESS | 0);
    happens(e, 20);
    added_is(2, false, 10 * 10 + 10 * 4);
    added_is(2, true, 20 * 4);
}

/* Two loads that always miss, one after the other: one waits, 10, for the other 4. Not where the second one's address takes the
 * first's value, nor where it issues when the first would be there (at 10, after a division; 3 is its Latency). Half of them
 * miss, by chance: a load shares its wait with half another, 1 / 1.5 of them wait. */
static void loads_miss_together(void **state)
{
    (void)state;
    enum { TOGETHER, BY_CHANCE, FOLLOWS, LATER, CASES };
    static const double expected[CASES] = {50 * 10 + 50 * 4, 50 * (10 / 1.5 + 4 * 0.5 / 1.5), 100 * 10, 100 * 10};
    for (int how = 0; how < CASES; how++) {
        begin();
        uint32_t e = event("L1D_CACHE_REFILL");
        event("L1D_CACHE_REFILL_HWPRF");
        block(0, 0, NO, 100);
        uint32_t d = how == LATER ? put("sdiv.i64", NO, NO) : NO;
        uint32_t first = put("load.i64", NO, NO);
        happens(e, how == BY_CHANCE ? 50 : 100);
        uint32_t second = put("load.i64", how == FOLLOWS ? ADDRESS | first : how == LATER ? ADDRESS | d : NO, NO);
        happens(e, how == BY_CHANCE ? 50 : 100);
        put("xor.i64", first, second);
        added_is(first, false, expected[how]);
        added_is(second, false, expected[how]);
        added_is(second, true, (how == BY_CHANCE ? 50 : 100) * 4); /* ahead, several are underway anyway */
    }
}

/* 100 lines of 4 take 400; the loop works for 100 (mul, its branch: 1 each iteration): 300 are left, 3 of 4 for each
 * part, whichever level they are from (10 of the second, 40 each, are 400 more: 700 of 800). Outside of loops nothing
 * goes on meanwhile. */
static void fetched_lines_come_while_the_loop_works(void **state)
{
    (void)state;
    for (int second = 0; second < 2; second++)
        for (int inside = 0; inside < 2; inside++) {
            begin();
            uint32_t lines = event("L1D_CACHE_REFILL_HWPRF"), far = event("L2D_CACHE_REFILL_HWPRF");
            uint32_t l = loop(0, NO, 100, 100);
            block(0, 0, inside ? l : NO, 100);
            put("and.i32", NO, NO);
            happens(lines, 25);
            put("br.cond", NO, NO);
            happens(lines, 75);
            if (second)
                happens(far, 10);
            double all = 400 + 400 * second, left = inside ? (all - 100) / all : 1;
            added_is(0, false, 25 * 4 * left);
            added_is(1, false, (75 * 4 + 400 * second) * left);
        }
}

/* Best and worst have their own: 100 lines of 2, 4 and 8 against a loop that works for 100. */
static void lines_of_best_and_worst(void **state)
{
    (void)state;
    struct costs c = {.core = xstrdup("Core"), .n_refills = 1};
    costs_add(&c, "add", (struct cycles){1, 1, 2}, (struct cycles){1, 1, 2});
    c.refills[0] = c.streams[0] = (struct cycles){2, 4, 8};
    begin();
    uint32_t lines = event("L1D_CACHE_REFILL_HWPRF"), l = loop(0, NO, 100, 100);
    block(0, 0, l, 100);
    put("add.i32", NO, NO);
    happens(lines, 100);
    struct estimate *est = estimated(&c);
    assert_true(est->total.best == 100 + 100 && est->total.typical == 100 + 300);
    assert_true(est->total.worst == 100 + 700);
    estimate_free(est);
    costs_release(&c);
}

/* Two loops: each has its own time. */
static void loops_have_their_own_time(void **state)
{
    (void)state;
    begin();
    uint32_t lines = event("L1D_CACHE_REFILL_HWPRF");
    uint32_t one = loop(0, NO, 100, 100), two = loop(1, NO, 100, 100);
    block(0, 0, one, 1000);
    put("and.i32", NO, NO);
    happens(lines, 100); /* 400 come within 500 */
    block(0, 1, two, 100);
    put("and.i32", NO, NO);
    happens(lines, 100); /* 400 do not within 50 */
    added_is(0, false, 0);
    added_is(1, false, 350);
}

/* ---- switches ---- */

/* Ahead, a switch's mispredictions are not charged, a branch's are; in order both are: half of the switch's by the block
 * that it leads to, half stay, as its other block has no code. */
static void switches_ahead_are_predicted(void **state)
{
    (void)state;
    begin();
    uint32_t e = event("BR_MIS_PRED");
    block(0, 0, NO, 100);
    put("and.i32", NO, NO);
    put("switch.i32", NO, NO);
    happens(e, 10);
    block(0, 1, NO, 100);
    put("br.cond", NO, NO);
    happens(e, 10);
    edge(0, 0, 1, IRPROF_EDGE_CASE, 60);
    edge(0, 0, 2, IRPROF_EDGE_DEFAULT, 40);
    edge(0, 1, 2, IRPROF_EDGE_TRUE, 50);
    added_is(1, false, 5 * 7);
    added_is(1, true, 0);
    added_is(2, false, (5 + 10) * 7);
    added_is(2, true, 10 * 14);
}

/* Not simulated: of 100 jumps, 50, 30 and 20 to three places, 100 - (2500 + 900 + 400) / 100 = 62 go elsewhere than
 * before: (50 x 50, 30 x 70, 20 x 80) / 6200 of them, 25, 21 and 16, to each place. Those of another switch are its own, 12.5
 * to each of its places. Of conditional branches nothing is known. */
static void switches_by_their_counts(void **state)
{
    (void)state;
    begin();
    event("BR_MIS_PRED");
    block(0, 0, NO, 100);
    put("switch.i32", NO, NO);
    block(0, 1, NO, 50);
    put("switch.i32", NO, NO);
    block(0, 2, NO, 30);
    put("br.cond", NO, NO);
    block(0, 3, NO, 20);
    put("and.i32", NO, NO);
    edge(0, 0, 1, IRPROF_EDGE_CASE, 50);
    edge(0, 0, 2, IRPROF_EDGE_CASE, 30);
    edge(0, 0, 3, IRPROF_EDGE_DEFAULT, 20);
    edge(0, 1, 2, IRPROF_EDGE_CASE, 25);
    edge(0, 1, 3, IRPROF_EDGE_DEFAULT, 25);
    edge(0, 2, 3, IRPROF_EDGE_TRUE, 15);
    edge(0, 2, 4, IRPROF_EDGE_FALSE, 15);
    added_is(0, false, 0);
    added_is(1, false, 25 * 7);
    added_is(2, false, (21 + 12.5) * 7);
    added_is(3, false, (16 + 12.5) * 7);
    added_is(0, true, 0);
}

/* ---- what is said ---- */

static void check_notes(bool misses, bool branches, size_t levels, const char *const *expected)
{
    struct costs c = some_costs(false);
    c.n_refills = levels;
    begin();
    if (misses)
        event("L1D_CACHE_REFILL");
    if (branches)
        event("BR_MIS_PRED");
    block(0, 0, NO, 1);
    put("add.i32", NO, NO);
    struct estimate *est = estimated(&c);
    size_t n = 0;
    for (; expected[n]; n++)
        if (n >= est->n_notes || !strstr(est->notes[n], expected[n]))
            fail_msg("not said: %s", expected[n]);
    assert_int_equal(est->n_notes, n);
    estimate_free(est);
    costs_release(&c);
}

static void says_what_is_missing(void **state)
{
    (void)state;
    check_notes(true, true, 1, (const char *const[]){0});
    check_notes(false, true, 1, (const char *const[]){"cache misses are not in the profile", 0});
    check_notes(true, false, 1, (const char *const[]){"mispredicted branches are not in the profile", 0});
    check_notes(false, false, 0,
                (const char *const[]){"cache misses are not in the profile", "mispredicted branches are not", 0});
    check_notes(true, true, 0, (const char *const[]){"does not say what cache misses cost", 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_misprediction_costs),
        cmocka_unit_test(mispredictions_are_added),
        cmocka_unit_test(mispredictions_are_paid_behind_branches),
        cmocka_unit_test(mispredictions_stay),
        cmocka_unit_test(both_levels_miss),
        cmocka_unit_test(lines_have_both),
        cmocka_unit_test(misses_without_accesses_wait),
        cmocka_unit_test(variables_have_no_share),
        cmocka_unit_test(addresses_are_made_of_loaded_ones),
        cmocka_unit_test(addresses_from_outside_do_not_wait),
        cmocka_unit_test(stores_do_not_wait),
        cmocka_unit_test(loads_miss_together),
        cmocka_unit_test(fetched_lines_come_while_the_loop_works),
        cmocka_unit_test(lines_of_best_and_worst),
        cmocka_unit_test(loops_have_their_own_time),
        cmocka_unit_test(switches_ahead_are_predicted),
        cmocka_unit_test(switches_by_their_counts),
        cmocka_unit_test(says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
