/* The pipeline on a made-up core (core_fixture.h) with round figures: each expected number of cycles follows from the
 * model file by counting. */
#include "tests/unit/core/pipeline_example.h"

/* Cycles of the program once more, after caches and predictors know it: from one end of it to the next. */
static int64_t cycles_of(void)
{
    for (int i = 0; i < 20; i++)
        run(0x10000, 0);
    int64_t before = (int64_t)counts().cycles;
    for (int i = 0; i < 10; i++)
        run(0x10000, 0);
    int64_t all = (int64_t)counts().cycles - before;
    assert_int_equal(all % 10, 0);
    return all / 10;
}

static void test_two_at_a_time(void **state)
{
    (void)state;
    open_core(NULL, NULL);
    for (unsigned i = 0; i < 100; i++)
        to(from(put(ISS_ALU), 0, ISS_NEED_OPERAND), 1 + i % 20);
    assert_int_equal(cycles_of(), 50);
    close_core();
}

static void test_one_after_the_other(void **state)
{
    (void)state;
    open_core(NULL, NULL);
    for (int i = 0; i < 100; i++)
        to(from(put(ISS_ALU), 1, ISS_NEED_OPERAND), 1);
    assert_int_equal(cycles_of(), 100);
    close_core();
    open_core(NULL, NULL);
    for (int i = 0; i < 100; i++)
        to(from(put(ISS_SHIFT), 1, ISS_NEED_SHIFTED), 1);
    assert_int_equal(cycles_of(), 200);
    close_core();
}

static void test_units(void **state)
{
    (void)state;
    open_core(NULL, NULL); /* a multiplication every other cycle, an addition beside each */
    for (unsigned i = 0; i < 50; i++) {
        to(from(put(ISS_MUL64), 0, ISS_NEED_MULTIPLY), 1 + i % 20);
        to(from(put(ISS_ALU), 0, ISS_NEED_OPERAND), 21 + i % 9);
    }
    assert_int_equal(cycles_of(), 100);
    close_core();
    open_core(NULL, NULL); /* products added up: the addend is needed late, the unit is what is short */
    for (int i = 0; i < 50; i++)
        to(from(from(put(ISS_MADD64), 0, ISS_NEED_MULTIPLY), 1, ISS_NEED_ACCUMULATE), 1);
    assert_int_equal(cycles_of(), 100);
    close_core();
    open_core(NULL, NULL); /* products multiplied */
    for (int i = 0; i < 50; i++)
        to(from(put(ISS_MUL64), 1, ISS_NEED_MULTIPLY), 1);
    assert_int_equal(cycles_of(), 200);
    close_core();
}

/* Copies of a unit: as many as the model says, one instruction each, or `take` of them. */
static void test_copies(void **state)
{
    (void)state;
    open_core("width = 2\nwrite_back = 1\n[fetch]\nbytes = 8", "width = 8\nwrite_back = 1\n[fetch]\nbytes = 64");
    for (unsigned i = 0; i < 60; i++)
        to(from(put(ISS_ALU), 0, ISS_NEED_OPERAND), 1 + i % 20);
    assert_int_equal(cycles_of(), 30); /* two */
    close_core();
}

/* load -> address 3 (1 + 2); store -> load of the same bytes: 2, and load -> data 0. */
static void test_memory(void **state)
{
    (void)state;
    open_core(NULL, NULL);
    for (int i = 0; i < 50; i++)
        access_memory(to(from(put(ISS_LOAD), 1, ISS_NEED_ADDRESS), 1), ISS_READ_MEMORY, 0x20000, 8);
    assert_int_equal(cycles_of(), 150);
    close_core();
    open_core(NULL, NULL); /* across 8 bytes: 2 more, up to 5 */
    for (int i = 0; i < 50; i++)
        access_memory(to(from(put(ISS_LOAD), 1, ISS_NEED_ADDRESS), 1), ISS_READ_MEMORY, 0x20004, 8);
    assert_int_equal(cycles_of(), 250);
    close_core();
    open_core(NULL, NULL); /* store, 2 cycles, load, 1, store ... */
    for (int i = 0; i < 50; i++) {
        access_memory(from(put(ISS_STORE), 1, ISS_NEED_DATA), ISS_WRITE_MEMORY, 0x20000, 8);
        access_memory(to(put(ISS_LOAD), 1), ISS_READ_MEMORY, 0x20000, 8);
    }
    assert_int_equal(cycles_of(), 150);
    close_core();
    open_core(NULL, NULL); /* other bytes: one access a cycle */
    for (int i = 0; i < 50; i++) {
        access_memory(from(put(ISS_STORE), 1, ISS_NEED_DATA), ISS_WRITE_MEMORY, 0x20000, 8);
        access_memory(to(put(ISS_LOAD), 2), ISS_READ_MEMORY, 0x20008, 8);
    }
    assert_int_equal(cycles_of(), 100);
    close_core();
}

static void test_late(void **state)
{
    (void)state;
    /* an addition that may take its operand 2 cycles after its issue: after a load, it does not wait */
    static const int64_t want[] = {3 * 25, 2 * 25};
    for (int late = 0; late < 2; late++) {
        open_core("[load]\nlatency = 1\n", "[load]\nlatency = 3\n");
        model->timing[ISS_ALU].late = model->timing32[ISS_ALU].late = (int16_t)(2 * late);
        for (int i = 0; i < 25; i++) { /* load, addition, addition: the last needs what the others made */
            access_memory(to(put(ISS_LOAD), 1), ISS_READ_MEMORY, 0x20000, 8);
            to(from(put(ISS_ALU), 1, ISS_NEED_OPERAND), 2);
            to(put(ISS_ALU), 3);
        }
        int64_t cycles = cycles_of();
        if (late)
            assert_true(cycles <= want[1]);
        else
            assert_true(cycles >= want[0]);
        close_core();
    }
}

/* Quotients of 0, 1 and 10 bits: 3, 4 and 8 cycles; 9 where nothing is known. */
static void test_division(void **state)
{
    (void)state;
    static const struct {
        int64_t dividend;
        int64_t cycles;
    } want[] = {{0, 3}, {1, 4}, {1000, 8}, {-1, 9}};
    for (size_t k = 0; k < sizeof want / sizeof want[0]; k++) {
        open_core(NULL, NULL);
        for (unsigned reg = 1; reg < 3; reg++) {
            struct iss_op *op = to(put(ISS_ALU), reg);
            op->value = reg == 1 && want[k].dividend < 0 ? ISS_VALUE_NONE : ISS_VALUE_CONSTANT;
            op->constant = reg == 1 ? want[k].dividend : 1;
        }
        for (unsigned i = 0; i < 20; i++) {
            struct iss_op *op = to(from(from(put(ISS_UDIV32), 1, ISS_NEED_MULTIPLY), 2, ISS_NEED_MULTIPLY), 3);
            op->width = 32;
            op->value = ISS_VALUE_UDIV;
        }
        int64_t cycles = cycles_of(); /* the two additions hide after the last division, or take a cycle of their own */
        assert_in_range(cycles, 20 * want[k].cycles, 20 * want[k].cycles + 1);
        close_core();
    }
}

/* Each block: additions, then a branch to the next block, whose first group comes 3 cycles after the branch's. */
static void test_taken(void **state)
{
    (void)state;
    static const int64_t want[] = {3, 3, 4, 4}; /* 0 to 3 additions: 1, 1, 2, 2 groups of two */
    for (int additions = 0; additions < 4; additions++) {
        open_core(NULL, NULL);
        for (int i = 0; i < additions; i++)
            to(put(ISS_ALU), 1 + (unsigned)i);
        struct iss_op *op = put(ISS_BRANCH);
        op->branch = ISS_JUMP;
        int64_t before = 0;
        for (int i = 0; i < 300; i++) {
            if (i == 200)
                before = (int64_t)counts().cycles;
            run(0x10000 + (uint64_t)(i % 4) * 64, 0x10000 + (uint64_t)((i + 1) % 4) * 64);
        }
        assert_int_equal((int64_t)counts().cycles - before, 100 * want[additions]);
        close_core();
    }
}

/* Without a predictor the target is fetched when the branch is done: 3 cycles for a direct one, 4 where a register has the target; a
 * branch that is not taken costs its slot alone. */
static void test_no_predictor(void **state)
{
    (void)state;
    static const struct {
        enum iss_branch branch;
        bool taken;
        int64_t want;
    } all[] = {{ISS_JUMP, true, 3},
               {ISS_JUMP_INDIRECT, true, 4},
               {ISS_CALL_INDIRECT, true, 5},
               {ISS_RETURN_TO, true, 3},
               {ISS_CONDITIONAL, false, 1}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        open_core("scheme = bimodal", "scheme = none");
        put(ISS_BRANCH)->branch = (uint8_t)all[k].branch;
        int64_t before = 0;
        for (int i = 0; i < 300; i++) {
            if (i == 200)
                before = (int64_t)counts().cycles;
            uint64_t at = 0x10000 + (uint64_t)(i % 4) * 64;
            run(at, all[k].taken ? 0x10000 + (uint64_t)((i + 1) % 4) * 64 : at + 4);
        }
        assert_int_equal((int64_t)counts().cycles - before, 100 * all[k].want);
        close_core();
    }
}

/* The same branch, never taken before: 10 cycles from its execution to the target. A return knows where to go, the
 * third of three does not: the stack has two places. */
static void test_mispredicted(void **state)
{
    (void)state;
    open_core(NULL, NULL);
    struct iss_op *op = from(put(ISS_BRANCH_IF), ISS_REG_FLAGS, ISS_NEED_CONDITION);
    op->branch = ISS_CONDITIONAL;
    op->constant = 0x10100;
    for (int i = 0; i < 10; i++)
        run(0x10000, 0x10004);
    assert_int_equal(counts().mispredicted, 0);
    int64_t before = (int64_t)counts().cycles;
    run(0x10000, 0x10100);
    int64_t at = (int64_t)counts().cycles;
    assert_int_equal(counts().mispredicted, 1);
    assert_true(at - before <= 3);
    run(0x10000, 0x10100); /* the line is there: it issues when it has been fetched again */
    assert_int_equal((int64_t)counts().cycles - at, 10);
    close_core();

    open_core(NULL, NULL);
    op = put(ISS_CALL);
    op->branch = ISS_CALL_DIRECT;
    for (uint64_t i = 0; i < 3; i++)
        run(0x10000 + i * 64, 0x10000 + (i + 1) * 64);
    program.n = 0;
    op = put(ISS_RETURN);
    op->branch = ISS_RETURN_TO;
    static const uint64_t wrong[] = {0, 0, 1};
    for (uint64_t i = 0; i < 3; i++) {
        run(0x11000, 0x10000 + (2 - i) * 64 + 4);
        assert_int_equal(counts().mispredicted, wrong[i]);
    }
    assert_int_equal(counts().returns, 3);
    close_core();
}

/* A branch to the instruction after it: what the registers hold decides, not the trace. */
static void test_taken_to_next(void **state)
{
    (void)state;
    for (int taken = 0; taken < 2; taken++) {
        open_core(NULL, NULL);
        struct iss_op *op = to(put(ISS_ALU), 1);
        op->value = ISS_VALUE_CONSTANT;
        op->constant = taken;
        op = from(put(ISS_BRANCH_IF), 1, ISS_NEED_CONDITION);
        op->branch = ISS_CONDITIONAL;
        op->condition = ISS_IF_NOT_ZERO;
        op->constant = 0x10008;
        for (int i = 0; i < 10; i++)
            run(0x10000, 0x10008);
        assert_int_equal(counts().taken, taken ? 10 : 0);
        close_core();
    }
}

/* A barrier waits for a line from memory: 10 + 100 cycles; without it the store buffer hides that. */
static void test_barrier(void **state)
{
    (void)state;
    open_core(NULL, NULL);
    access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x20000, 8);
    run(0x10000, 0);
    int64_t stored = (int64_t)counts().cycles;
    program.n = program.n_accesses = 0;
    put(ISS_ALU);
    run(0x10004, 0);
    assert_true((int64_t)counts().cycles - stored <= 1);
    program.n = 0;
    put(ISS_BARRIER);
    run(0x10008, 0);
    assert_in_range((int64_t)counts().cycles - stored, 110, 112);
    close_core();
}

static void test_skipped(void **state)
{
    (void)state;
    open_core(NULL, NULL);
    struct iss_op op = {.class = ISS_ALU, .size = 4, .repeat = 1};
    struct iss_step step;
    iss_step_make(model, &op, 0x10000, &step);
    step.skip = true;
    iss_core_run(core, &step, 1, NULL, 0, 0);
    assert_int_equal(counts().cycles, 0);
    assert_int_equal(counts().instructions, 0);
    assert_int_equal(counts().memory.l1i, 0);
    close_core();
}

/* Each step's cycles are those since the issue before it; all of them are what the run took. */
static void test_attributed(void **state)
{
    (void)state;
    int64_t each[5] = {0}, sum = 0;
    open_core(NULL, NULL);
    to(from(put(ISS_ALU), 0, ISS_NEED_OPERAND), 1);
    to(from(put(ISS_MUL64), 1, ISS_NEED_MULTIPLY), 2);
    to(from(put(ISS_ALU), 0, ISS_NEED_OPERAND), 3);
    to(from(put(ISS_ALU), 2, ISS_NEED_OPERAND), 4); /* waits for the product */
    to(from(put(ISS_ALU), 0, ISS_NEED_OPERAND), 5); /* beside it */
    run(0x10000, 0);
    uint64_t before = counts().cycles;
    iss_core_attribute(core, each);
    run(0x10000, 0);
    for (int i = 0; i < 5; i++)
        sum += each[i];
    assert_int_equal(sum, counts().cycles - before);
    assert_true(each[3] > each[1] && each[3] > each[2]);
    assert_int_equal(each[4], 0);
    iss_core_attribute(core, NULL);
    run(0x10000, 0);
    assert_int_equal(each[0] + each[1] + each[2] + each[3] + each[4], sum);
    close_core();
}

/* By hand, two a cycle: a result that is there after 4 cycles, its user, one beside that and one after it. 4 cycles from the
 * first to the second, in the last of which it issues; 3 it has waited for the class of the first. */
static void test_explained(void **state)
{
    (void)state;
    static const struct {
        const char *was, *is;
        enum iss_class class;
        enum iss_wait wait;
    } makers[] = {{NULL, NULL, ISS_MUL64, ISS_WAIT_INTEGER},
                  {"[madd64]\nlike = mul64", "[fp_mul]\nlike = mul64", ISS_FP_MUL, ISS_WAIT_FP},
                  {"[load]\nlatency = 1", "[load]\nlatency = 4", ISS_LOAD, ISS_WAIT_LOAD_STORE}};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        int64_t waits[ISS_WAITS] = {0};
        open_core(makers[i].was, makers[i].is);
        to(put(makers[i].class), 2);
        to(from(put(ISS_ALU), 2, ISS_NEED_OPERAND), 3);
        to(from(put(ISS_ALU), 0, ISS_NEED_OPERAND), 4);
        to(from(put(ISS_ALU), 0, ISS_NEED_OPERAND), 5);
        run(0x10000, 0); /* the code is there afterwards */
        iss_core_drain(core);
        iss_core_explain(core, waits);
        run(0x10000, 0);
        iss_core_explain(core, NULL);
        run(0x10000, 0);
        for (int k = 0; k < ISS_WAITS; k++)
            assert_int_equal(waits[k], k == ISS_WAIT_ISSUE ? 2 : k == (int)makers[i].wait ? 3 : 0);
        close_core();
    }
}

/* By hand: a division takes the divider for 9 cycles. A taken branch's target is fetched 3 cycles later; a load behind a
 * store of the same bytes comes 2 cycles after it. */
static void test_explained_otherwise(void **state)
{
    (void)state;
    int64_t waits[ISS_WAITS] = {0};
    open_core(NULL, NULL);
    to(from(put(ISS_UDIV32), 0, ISS_NEED_MULTIPLY), 1);
    to(from(put(ISS_UDIV32), 0, ISS_NEED_MULTIPLY), 2);
    run(0x10000, 0);
    iss_core_drain(core);
    iss_core_explain(core, waits);
    run(0x10000, 0);
    assert_int_equal(waits[ISS_WAIT_ISSUE], 1);
    assert_int_equal(waits[ISS_WAIT_UNIT], 8);
    close_core();
    memset(waits, 0, sizeof waits);
    open_core(NULL, NULL);
    access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x4000, 8);
    access_memory(to(put(ISS_LOAD), 1), ISS_READ_MEMORY, 0x4000, 8);
    run(0x10000, 0);
    iss_core_drain(core);
    iss_core_explain(core, waits);
    run(0x10000, 0);
    assert_int_equal(waits[ISS_WAIT_ISSUE], 1);
    assert_int_equal(waits[ISS_WAIT_LOAD_STORE], 1);
    close_core();
    memset(waits, 0, sizeof waits);
    open_core(NULL, NULL);
    put(ISS_BRANCH)->branch = ISS_JUMP;
    for (int i = 0; i < 3; i++)
        run(0x10000, 0x10000);
    iss_core_explain(core, waits);
    run(0x10000, 0x10000);
    assert_int_equal(waits[ISS_WAIT_ISSUE], 1);
    assert_int_equal(waits[ISS_WAIT_FETCH], 2);
    close_core();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_at_a_time), cmocka_unit_test(test_one_after_the_other),
                                       cmocka_unit_test(test_units),         cmocka_unit_test(test_copies),
                                       cmocka_unit_test(test_explained),     cmocka_unit_test(test_explained_otherwise),
                                       cmocka_unit_test(test_memory),        cmocka_unit_test(test_late),
                                       cmocka_unit_test(test_division),      cmocka_unit_test(test_taken),
                                       cmocka_unit_test(test_mispredicted),  cmocka_unit_test(test_taken_to_next),
                                       cmocka_unit_test(test_barrier),       cmocka_unit_test(test_skipped),
                                       cmocka_unit_test(test_attributed),    cmocka_unit_test(test_no_predictor)};
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
