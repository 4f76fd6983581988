/* test_schedule_address.c - addresses that loops move by a fixed step make no code: derived by hand from the values in
 * schedule_example.h (half a cycle an instruction) and docs/method/estimating.md. */
#include "tests/unit/estimate/schedule_example.h"

static struct costs costs;
static struct schedule s;

/* Block 1 of a function is a loop of its own. */
static void begin_loop(void)
{
    costs = some_costs(false);
    begin();
    block(0, 0, NO, 1);
    put("add.i64", NO, NO);
    block(0, 1, loop(1, NO, 10, 9), 10);
}

static void make_code(void)
{
    open_schedule(&s, &costs);
    schedule_code(&s, 1);
}

static void end_code(void)
{
    close_schedule(&s);
    costs_release(&costs);
}

static bool makes_code(uint32_t i)
{
    return s.code[i].slots > 0;
}

/* phi i = { outside, next }; `next` follows by end_counter. */
static uint32_t put_counter(void)
{
    uint32_t phi = put("phi.i64", 0, NO);
    operand(NO);
    return phi;
}

static void end_counter(uint32_t phi, const char *step, uint32_t from)
{
    uint32_t next = put_constant(step, from, NO, IRPROF_CONSTANT);
    x.operands[x.instructions[phi].first_operand + 1].producer = next;
    put("br.cond", NO, NO);
}

/* for (...) sum += p[i].member: the address of a step that no access multiplies by. */
static void counted_addresses(void **state)
{
    (void)state;
    begin_loop();
    uint32_t phi = put_counter(), gep = put("getelementptr.ptr", phi, NO), load = put("load.i32", ADDRESS | gep, NO);
    end_counter(phi, "add.i64", phi);
    make_code();
    assert_false(makes_code(gep));
    assert_true(makes_code(load));
    assert_true(makes_code(load + 1)); /* the counter goes on */
    end_code();
}

/* p[i | 1] of a loop unrolled twice, and p[w * i + j + 2]: neither the `or` nor the sums make code. */
static void what_indexes_are_computed_by(void **state)
{
    (void)state;
    begin_loop();
    uint32_t phi = put_counter(), both = put_constant("or.i64", phi, NO, IRPROF_CONSTANT);
    uint32_t odd = put("getelementptr.ptr", both, NO), load = put("load.i32", ADDRESS | odd, NO);
    uint32_t row = put_constant("mul.i64", phi, NO, IRPROF_CONSTANT), at = put("add.i64", row, 0);
    uint32_t wide = put("sext.i64", at, NO), gep = put("getelementptr.ptr", wide, NO);
    uint32_t store = put("store.i32", load, ADDRESS | gep);
    end_counter(phi, "add.i64", phi);
    make_code();
    const uint32_t none[] = {both, odd, row, at, wide, gep};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (makes_code(none[i]))
            fail_msg("instruction %u (%s)", none[i], x.keys[x.instructions[none[i]].key]);
    assert_true(makes_code(load));
    assert_true(makes_code(store));
    end_code();
}

/* What follows from data, and what nobody adds a fixed step to. */
static void indexes_of_data(void **state)
{
    (void)state;
    enum { LOADED, NO_COUNTER, DOUBLED, MASKED, N };
    for (int how = 0; how < N; how++) {
        begin_loop();
        uint32_t phi = put_counter(), index = phi;
        if (how == LOADED)
            index = put("load.i64", ADDRESS | phi, NO);
        if (how == MASKED)
            index = put_constant("and.i64", phi, NO, IRPROF_CONSTANT);
        uint32_t gep = put("getelementptr.ptr", index, NO), load = put("load.i64", ADDRESS | gep, NO);
        end_counter(phi, how == DOUBLED ? "shl.i64" : "add.i64", how == NO_COUNTER ? load : phi);
        make_code();
        if (!makes_code(gep))
            fail_msg("case %d", how);
        end_code();
    }
}

/* An address that is kept, compared or used after the loop; one outside a loop; and in code that is not optimised. */
static void addresses_that_stay(void **state)
{
    (void)state;
    enum { KEPT, PASSED, ELSEWHERE, NO_LOOP, NOT_OPTIMISED, N };
    for (int how = 0; how < N; how++) {
        begin_loop();
        if (how == NO_LOOP)
            x.segments[1].loop = NO;
        uint32_t phi = put_counter(), gep = put("getelementptr.ptr", phi, NO);
        put("load.i64", ADDRESS | gep, NO);
        if (how == KEPT)
            put("store.ptr", gep, ADDRESS | phi);
        if (how == PASSED)
            put("icmp.ptr", gep, NO);
        end_counter(phi, "add.i64", phi);
        if (how == ELSEWHERE) {
            block(0, 2, NO, 1);
            put("load.i64", ADDRESS | gep, NO);
        }
        if (how == NOT_OPTIMISED)
            keeps_variables(0);
        make_code();
        if (!makes_code(gep))
            fail_msg("case %d", how);
        end_code();
    }
}

/* p[x][y], p[x][y + 1], p[x + 1][y + 1] for any x and y: one address, and offsets. p[x][z] is another. */
static void addresses_beside_each_other(void **state)
{
    (void)state;
    begin_loop();
    uint32_t i = put("load.i32", NO, NO), j = put("load.i32", NO, NO);
    uint32_t up = put_constant("add.i32", j, NO, IRPROF_CONSTANT),
             row = put_constant("add.i32", i, NO, IRPROF_CONSTANT);
    uint32_t wide = put("sext.i64", up, NO);
    uint32_t one = put("getelementptr.ptr", i, j), beside = put("getelementptr.ptr", i, wide);
    uint32_t both = put("getelementptr.ptr", row, wide), other = put("getelementptr.ptr", i, i);
    put("load.i32", ADDRESS | one, NO);
    put("load.i32", ADDRESS | beside, NO);
    put("load.i32", ADDRESS | both, NO);
    put("load.i32", ADDRESS | other, NO);
    make_code();
    const uint32_t none[] = {up, row, wide, beside, both};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        if (makes_code(none[k]))
            fail_msg("instruction %u (%s)", none[k], x.keys[x.instructions[none[k]].key]);
    assert_true(makes_code(one));
    assert_true(makes_code(other));
    end_code();
}

/* The access to p[i] computes its address itself; p[i + 1] pays for a register, which p[i + 2] has, too. */
static void addresses_beside_a_folded_one(void **state)
{
    (void)state;
    begin_loop();
    uint32_t i = put("load.i64", NO, NO), add[3] = {i}, gep[3];
    for (int k = 0; k < 3; k++) {
        if (k)
            add[k] = put_constant("add.i64", i, NO, IRPROF_CONSTANT);
        gep[k] = put_constant("getelementptr.ptr", add[k], NO, IRPROF_CONSTANT_EASY);
        put("load.i32", ADDRESS | gep[k], NO);
    }
    make_code();
    assert_true(makes_code(add[1]));
    assert_false(makes_code(add[2]));
    for (int k = 0; k < 3; k++)
        assert_false(makes_code(gep[k]));
    end_code();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted_addresses),
        cmocka_unit_test(what_indexes_are_computed_by),
        cmocka_unit_test(indexes_of_data),
        cmocka_unit_test(addresses_that_stay),
        cmocka_unit_test(addresses_beside_each_other),
        cmocka_unit_test(addresses_beside_a_folded_one),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
