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

/* An index that one operation computes from the counter: what keeps an even step is part of the address, what does not is
 * computed. Only a constant multiplies or shifts evenly; a difference of what does not change is as good as a sum. */
static void what_keeps_an_even_step(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        unsigned constants;
        bool even;
    } cases[] = {
        {"add.i64", IRPROF_CONSTANT, true},
        {"sub.i64", IRPROF_CONSTANT, true},
        {"mul.i64", IRPROF_CONSTANT, true},
        {"shl.i64", IRPROF_CONSTANT, true},
        {"or.i64", IRPROF_CONSTANT, true},
        {"sext.i64", 0, true},
        {"zext.i64", 0, true},
        {"add.i64", 0, true},
        {"sub.i64", 0, true},
        {"getelementptr.ptr", 0, true},
        {"mul.i64", 0, false},
        {"shl.i64", 0, false},
        {"or.i64", 0, false},
        {"lshr.i64", IRPROF_CONSTANT, false},
        {"xor.i64", IRPROF_CONSTANT, false},
        {"mul.v4i32", IRPROF_CONSTANT, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin_loop();
        uint32_t phi = put_counter();
        bool alone = cases[i].constants || strstr(cases[i].key, "ext");
        uint32_t index = put_constant(cases[i].key, phi, alone ? NO : 0, cases[i].constants); /* 0: before the loop */
        uint32_t gep = put("getelementptr.ptr", index, NO);
        put("load.i32", ADDRESS | gep, NO);
        end_counter(phi, "add.i64", phi);
        make_code();
        if (makes_code(gep) == cases[i].even || makes_code(index) == cases[i].even)
            fail_msg("%s, constants %u: address %d, index %d", cases[i].key, cases[i].constants, makes_code(gep),
                     makes_code(index));
        end_code();
    }
}

/* An index of the counter, so many times multiplied by a constant: it is followed over seven products. */
static void how_far_an_index_is_followed(void **state)
{
    (void)state;
    for (int products = 6; products < 10; products++) {
        begin_loop();
        uint32_t phi = put_counter(), index = phi;
        for (int k = 0; k < products; k++)
            index = put_constant("mul.i64", index, NO, IRPROF_CONSTANT);
        uint32_t gep = put("getelementptr.ptr", index, NO);
        put("load.i32", ADDRESS | gep, NO);
        end_counter(phi, "add.i64", phi);
        make_code();
        assert_int_equal(makes_code(gep), products > 7);
        end_code();
    }
}

/* What counts: a difference and a pointer that goes on do, too. What is added must not change, and no second value may come
 * from the loop: of two ways round it each may add another step. */
static void what_is_a_counter(void **state)
{
    (void)state;
    enum { DIFFERENCE, POINTER, BY_ARGUMENT, CHANGING_STEP, TWO_WAYS, OTHER_PHI, N };
    for (int how = 0; how < N; how++) {
        begin_loop();
        uint32_t phi = put_counter(), second = NO, step = NO;
        if (how == TWO_WAYS)
            operand(NO);
        if (how == OTHER_PHI)
            second = put("phi.i64", NO, NO);
        uint32_t gep = put("getelementptr.ptr", phi, NO), load = put("load.i64", ADDRESS | gep, NO);
        if (how == TWO_WAYS) {
            step = put_constant("add.i64", phi, NO, IRPROF_CONSTANT);
            x.operands[x.instructions[phi].first_operand + 2].producer = step;
        }
        if (how == BY_ARGUMENT || how == CHANGING_STEP) {
            step = put("add.i64", phi, how == BY_ARGUMENT ? 0 : load);
            x.operands[x.instructions[phi].first_operand + 1].producer = step;
            put("br.cond", NO, NO);
        } else {
            end_counter(phi,
                        how == DIFFERENCE ? "sub.i64"
                        : how == POINTER  ? "getelementptr.ptr"
                                          : "add.i64",
                        how == OTHER_PHI ? second : phi);
        }
        make_code();
        if (makes_code(gep) != (how == CHANGING_STEP || how == TWO_WAYS || how == OTHER_PHI))
            fail_msg("case %d", how);
        end_code();
    }
}

/* Two loops, one in the other. In the inner one the outer one's counter does not change: p[i] is there before it. In the outer
 * one the inner one's counter changes by what its rounds are: p[j] after the inner loop is computed. */
static void loops_in_loops(void **state)
{
    (void)state;
    costs = some_costs(false);
    begin();
    block(0, 0, NO, 1);
    put("add.i64", NO, NO);
    uint32_t outer = loop(1, NO, 10, 9), inner = loop(2, outer, 100, 90);
    block(0, 1, outer, 10);
    uint32_t i = put_counter();
    put("br", NO, NO);
    block(0, 2, inner, 100);
    uint32_t j = put_counter();
    uint32_t steady = put("getelementptr.ptr", i, NO);
    put("load.i32", ADDRESS | steady, NO);
    end_counter(j, "add.i64", j);
    block(0, 3, outer, 10);
    uint32_t after = put("getelementptr.ptr", j, NO);
    put("load.i32", ADDRESS | after, NO);
    uint32_t even = put("getelementptr.ptr", i, NO);
    put("load.i32", ADDRESS | even, NO);
    end_counter(i, "add.i64", i);
    make_code();
    assert_false(makes_code(steady));
    assert_true(makes_code(after));
    assert_false(makes_code(even));
    end_code();
}

/* Outside loops p[i][j] and p[i][j + 1] for any i and j are one address and an offset; these are two each: of as many indexes but
 * other constants, of more indexes, of an argument, which may be another one, of an index that is no sum. */
static void addresses_that_are_not_beside(void **state)
{
    (void)state;
    enum { BESIDE, BY_OR, WIDENED, CONSTANTS, INDEXES, ARGUMENT, PRODUCT, VECTOR, N };
    for (int how = 0; how < N; how++) {
        costs = some_costs(false);
        begin();
        block(0, 0, NO, 10);
        uint32_t i = put("load.i64", NO, NO), j = put("load.i64", NO, NO);
        static const char *const keys[N] = {
            [BESIDE] = "add.i64",  [BY_OR] = "or.i64",     [WIDENED] = "zext.i64", [CONSTANTS] = "add.i64",
            [INDEXES] = "add.i64", [ARGUMENT] = "add.i64", [PRODUCT] = "mul.i64",  [VECTOR] = "add.v2i64"};
        uint32_t up = put_constant(keys[how], j, NO, how == WIDENED ? 0 : IRPROF_CONSTANT);
        uint32_t one = put("getelementptr.ptr", i, j);
        uint32_t two = put_constant("getelementptr.ptr", i, up, how == CONSTANTS ? IRPROF_CONSTANT_GLOBAL : 0);
        if (how == INDEXES)
            operand(i);
        if (how == ARGUMENT)
            x.operands[x.instructions[one].first_operand].producer =
                x.operands[x.instructions[two].first_operand].producer = NO;
        put("load.i32", ADDRESS | one, NO);
        put("load.i32", ADDRESS | two, NO);
        put("ret", NO, NO);
        make_code();
        bool beside = how <= WIDENED;
        if (!makes_code(one) || makes_code(two) == beside || makes_code(up) == beside)
            fail_msg("case %d: %d %d %d", how, makes_code(one), makes_code(two), makes_code(up));
        end_code();
    }
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
        cmocka_unit_test(what_keeps_an_even_step),
        cmocka_unit_test(how_far_an_index_is_followed),
        cmocka_unit_test(what_is_a_counter),
        cmocka_unit_test(loops_in_loops),
        cmocka_unit_test(addresses_that_are_not_beside),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
