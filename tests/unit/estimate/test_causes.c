/* What cycles are spent on, by hand, in examples whose cycles the tests of the schedule derive. */
#include "tests/unit/estimate/schedule_example.h"

static void check(const struct estimate *est, size_t part, struct causes expected, const char *where)
{
    double sum = 0;
    for (int i = 0; i < CAUSES; i++) {
        sum += est->causes[part].at[i];
        if (fabs(est->causes[part].at[i] - expected.at[i]) > 0.01)
            fail_msg("%s, part %zu: %g cycles of %s, not %g", where, part, est->causes[part].at[i],
                     cause_name((enum estimate_cause)i), expected.at[i]);
    }
    assert_true(sum == est->parts[part].typical); /* to the last bit */
}
#define CAUSES_ARE(est, part, ...) check(est, part, (struct causes){.at = {__VA_ARGS__}}, __func__)

/* l 0 and its user 3: half a cycle to issue, 2.5 waited for the load, also through what makes no code. Of two operands it
 * is the later one that is waited for. */
static void waits_are_of_what_makes_the_operand(void **state)
{
    (void)state;
    struct costs c = some_costs(false);
    begin();
    block(0, 0, NO, 10);
    uint32_t l = put("load.i32", NO, NO), wide = put("zext.i64", l, NO);
    put("add.i64", wide, NO);
    keeps_variables(0);
    struct estimate *est = estimated(&c);
    CAUSES_ARE(est, 0, [CAUSE_ISSUE] = 5);
    CAUSES_ARE(est, 1, 0);
    CAUSES_ARE(est, 2, [CAUSE_ISSUE] = 5, [CAUSE_LOAD_STORE] = 25);
    estimate_free(est);
    begin(); /* m 0, l 0.5: there at 4 and 3.5; so 3 are waited for the product */
    block(0, 0, NO, 10);
    uint32_t m = put("mul.i32", NO, NO);
    l = put("load.i32", NO, NO);
    put("add.i32", m, l);
    keeps_variables(0);
    est = estimated(&c);
    CAUSES_ARE(est, 2, [CAUSE_ISSUE] = 5, [CAUSE_INTEGER] = 30);
    estimate_free(est);
    costs_release(&c);
}

static void waits_for_floating_point(void **state)
{
    (void)state;
    struct costs c = some_costs(false);
    value(&c, "fadd", 1, 4);
    begin();
    block(0, 0, NO, 10);
    uint32_t a = put("fadd.double", NO, NO);
    put("store.double", a, NO);
    keeps_variables(0);
    struct estimate *est = estimated(&c);
    CAUSES_ARE(est, 1, [CAUSE_ISSUE] = 5, [CAUSE_FP] = 35);
    assert_true(est->known_causes >> CAUSE_FP & 1 && !(est->known_causes >> CAUSE_FETCH & 1));
    assert_false(est->known_causes >> CAUSE_MISPREDICTIONS & 1 || est->known_causes >> CAUSE_L2 & 1);
    estimate_free(est);
    costs_release(&c);
}

/* The divider takes one in 8 cycles: 7.5 of them waited. A call takes 6, of which 0.5 is its issue. */
static void units_and_calls(void **state)
{
    (void)state;
    struct costs c = some_costs(false);
    begin();
    block(0, 0, NO, 10);
    put("sdiv.i32", NO, NO);
    put("sdiv.i32", NO, NO);
    put("call.direct", NO, NO);
    struct estimate *est = estimated(&c);
    CAUSES_ARE(est, 0, [CAUSE_ISSUE] = 5);
    CAUSES_ARE(est, 1, [CAUSE_ISSUE] = 5, [CAUSE_UNITS] = 75);
    assert_true(fabs(est->causes[2].at[CAUSE_CALLS] - 10 * (6 - 0.5)) < 0.01);
    estimate_free(est);
    costs_release(&c);
}

/* What a call takes beyond its issue passes when the first instruction of its function issues, behind a phi, which makes
 * no code. Calls of what is not in the profile keep it; so do all of a segment that has more calling instructions than known
 * calls. On a core that goes ahead it is the call's. */
static void calls_are_paid_by_functions(void **state)
{
    (void)state;
    for (int ahead = 0; ahead < 2; ahead++)
        for (int more = 0; more < 2; more++) {
            struct costs c = some_costs(ahead);
            begin();
            block(0, 0, NO, 10);
            put("call.direct", NO, NO);
            calls(NO);
            put("call.direct", NO, NO);
            calls(1);
            if (more)
                put("call.library.__multi3", NO, NO);
            block(1, 0, NO, 10);
            uint32_t phi = put("phi.i32", NO, NO), add = put("add.i32", NO, NO);
            put("ret", NO, NO);
            struct estimate *est = estimated(&c);
            double call = 10 * (6 - (ahead ? 0.25 : 0.5)), none = 0;
            bool moved = !ahead && !more;
            assert_true(fabs(est->causes[0].at[CAUSE_CALLS] - (ahead ? est->causes[0].at[CAUSE_CALLS] : call)) < 0.01);
            assert_true(fabs(est->causes[phi].at[CAUSE_CALLS]) < 0.01);
            assert_true(fabs(est->causes[add].at[CAUSE_CALLS] - (moved ? call : none)) < 0.01);
            assert_true(moved ? est->causes[1].at[CAUSE_CALLS] < 0.01 : est->causes[1].at[CAUSE_CALLS] > 1);
            estimate_free(est);
            costs_release(&c);
        }
}

/* Out of order a block takes what its busiest unit takes; beyond the issue that is a call's where the calls are busiest, else the
 * units'. 6 cycles of a call for two instructions, 3 of three multiplications for four. */
static void what_is_busiest_is_paid_for(void **state)
{
    (void)state;
    struct costs c = some_costs(true);
    begin();
    block(0, 0, NO, 10);
    put("call.direct", NO, NO);
    put("add.i32", NO, NO);
    block(0, 1, NO, 10);
    for (int i = 0; i < 3; i++)
        put("mul.i32", NO, NO);
    put("br.cond", NO, NO);
    struct estimate *est = estimated(&c);
    CAUSES_ARE(est, 0, [CAUSE_ISSUE] = 2.5, [CAUSE_CALLS] = 27.5);
    CAUSES_ARE(est, 1, [CAUSE_ISSUE] = 2.5, [CAUSE_CALLS] = 27.5);
    CAUSES_ARE(est, 2, [CAUSE_ISSUE] = 2.5, [CAUSE_UNITS] = 5);
    CAUSES_ARE(est, 5, [CAUSE_ISSUE] = 2.5, [CAUSE_UNITS] = 5);
    estimate_free(est);
    costs_release(&c);
}

/* A call of sin, for which the file has 30, beside the call itself. */
static void library_functions_are_calls(void **state)
{
    (void)state;
    struct costs c = some_costs(false);
    value(&c, "call.library.sin", 30, 30);
    begin();
    block(0, 0, NO, 10);
    put("call.library.sin", NO, NO);
    struct estimate *est = estimated(&c);
    CAUSES_ARE(est, 0, [CAUSE_ISSUE] = 5, [CAUSE_CALLS] = 10 * 29.5);
    estimate_free(est);
    costs_release(&c);
}

/* Out of order: 100 iterations of 1 cycle, half of it for each instruction, of which a quarter is issue, the rest the
 * multiplier's; a chain of 4 waits 3 more, 90 times. */
static void chains_wait_for_their_instructions(void **state)
{
    (void)state;
    struct costs c = some_costs(true);
    begin();
    uint32_t l = loop(0, NO, 100, 90);
    block(0, 0, l, 100);
    put("phi.i32", 1, NO);
    put("mul.i32", 0, NO);
    put("br.cond", NO, NO);
    struct estimate *est = estimated(&c);
    CAUSES_ARE(est, 1, [CAUSE_ISSUE] = 25, [CAUSE_UNITS] = 25, [CAUSE_INTEGER] = 90 * 3);
    CAUSES_ARE(est, 2, [CAUSE_ISSUE] = 25, [CAUSE_UNITS] = 25);
    estimate_free(est);
    costs_release(&c);
}

/* 20 misses of the first level at 10, 10 of the second at 100; 30 mispredictions at 7. */
static void events_are_of_their_level(void **state)
{
    (void)state;
    struct costs c = some_costs(false);
    begin();
    uint32_t first = event("L1D_CACHE_REFILL"), second = event("L2D_CACHE_REFILL"), wrong = event("BR_MIS_PRED");
    uint32_t l = loop(0, NO, 100, 100);
    block(0, 0, l, 100);
    put("phi.ptr", 2, NO);
    put("add.i64", 0, NO);
    put("load.ptr", ADDRESS | 0, NO);
    happens(first, 20);
    happens(second, 10);
    put("br.cond", NO, NO);
    happens(wrong, 30);
    struct estimate *est = estimated(&c);
    assert_true(fabs(est->causes[2].at[CAUSE_L2] - 200) < 0.01 && fabs(est->causes[2].at[CAUSE_MEMORY] - 1000) < 0.01);
    assert_true(fabs(est->causes[3].at[CAUSE_MISPREDICTIONS] - 210) < 0.01);
    unsigned all = 1u << CAUSE_L2 | 1u << CAUSE_MEMORY | 1u << CAUSE_MISPREDICTIONS;
    assert_true((est->known_causes & all) == all);
    estimate_free(est);
    c.n_refills = 1; /* the file does not say what memory costs */
    est = estimated(&c);
    assert_true(!(est->known_causes >> CAUSE_MEMORY & 1) && est->causes[2].at[CAUSE_MEMORY] == 0);
    estimate_free(est);
    costs_release(&c);
}

/* Lines that a prefetcher brought, all at once at 4 and 40: what the loop does not cover is theirs in proportion. */
static void fetched_lines_are_of_their_level(void **state)
{
    (void)state;
    struct costs c = some_costs(false);
    begin();
    uint32_t seen = event("L1D_CACHE_REFILL"), first = event("L1D_CACHE_REFILL_HWPRF"),
             second = event("L2D_CACHE_REFILL_HWPRF"), l = loop(0, NO, 100, 100);
    block(0, 0, l, 100);
    put("load.i32", NO, NO);
    happens(seen, 0);
    happens(first, 50);
    happens(second, 25);
    struct estimate *est = estimated(&c);
    const struct causes *of = &est->causes[0];
    double more = of->at[CAUSE_L2] + of->at[CAUSE_MEMORY], streamed = 50 * 4 + 25 * 40;
    assert_true(more > 0 && fabs(of->at[CAUSE_L2] - more * 200 / streamed) < 0.01);
    assert_true(fabs(est->parts[0].typical - streamed) < 0.01); /* the loop's own cycles are hidden behind them */
    estimate_free(est);
    costs_release(&c);
}

/* Rows, whatever they are about, have the sums of their parts: the causes of each are its cycles to the last bit. */
static void rows_add_up(void **state)
{
    (void)state;
    struct costs c = some_costs(false);
    value(&c, "fadd", 1.0 / 3, 10.0 / 7); /* what binary fractions do not have */
    begin();
    for (uint32_t f = 0; f < 2; f++) {
        block(f, 0, NO, 1234567 + f);
        uint32_t a = put("fadd.double", NO, NO), b = put("fadd.double", a, NO);
        put("store.double", b, NO);
        put("br.cond", NO, NO);
    }
    struct estimate *est = estimated(&c);
    for (int by = ESTIMATE_BY_PROGRAM; by <= ESTIMATE_BY_BLOCK; by++) {
        struct estimate_row *rows;
        size_t n;
        estimate_rows(&rows, &n, est, (enum estimate_by)by);
        assert_true(n > 0);
        for (size_t i = 0; i < n; i++) {
            double up = 0, down = 0;
            for (int k = 0; k < CAUSES; k++) {
                up += rows[i].causes.at[k];
                down += rows[i].causes.at[CAUSES - 1 - k];
            }
            assert_true(up == rows[i].cycles.typical && down == up && up > 0);
        }
        free(rows);
    }
    estimate_free(est);
    costs_release(&c);
}

/* The rest goes to the greatest; what is below 0 is taken off the last ones; cycles below 0 are issue's. */
static void causes_are_made_exact(void **state)
{
    (void)state;
    struct causes c = {.at = {[CAUSE_ISSUE] = 0.3, [CAUSE_FP] = 2.4, [CAUSE_L2] = 0.3}};
    causes_exact(&c, 3, 0.5);
    assert_true(c.at[CAUSE_ISSUE] == 0.5 && c.at[CAUSE_FP] == 2.5 && c.at[CAUSE_L2] == 0);
    c = (struct causes){.at = {[CAUSE_ISSUE] = 1, [CAUSE_FP] = 2}};
    causes_exact(&c, 4, 0.5);
    assert_true(c.at[CAUSE_ISSUE] == 1 && c.at[CAUSE_FP] == 3);
    c = (struct causes){.at = {[CAUSE_ISSUE] = 3, [CAUSE_UNITS] = -1, [CAUSE_MEMORY] = 2}};
    causes_exact(&c, 4, 1);
    assert_true(c.at[CAUSE_ISSUE] == 3 && c.at[CAUSE_UNITS] == 0 && c.at[CAUSE_MEMORY] == 1);
    c = (struct causes){.at = {[CAUSE_FP] = -3}};
    causes_exact(&c, -3, 1);
    assert_true(c.at[CAUSE_ISSUE] == -3 && c.at[CAUSE_FP] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_are_of_what_makes_the_operand),
        cmocka_unit_test(waits_for_floating_point),
        cmocka_unit_test(units_and_calls),
        cmocka_unit_test(what_is_busiest_is_paid_for),
        cmocka_unit_test(calls_are_paid_by_functions),
        cmocka_unit_test(library_functions_are_calls),
        cmocka_unit_test(chains_wait_for_their_instructions),
        cmocka_unit_test(events_are_of_their_level),
        cmocka_unit_test(fetched_lines_are_of_their_level),
        cmocka_unit_test(rows_add_up),
        cmocka_unit_test(causes_are_made_exact),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
