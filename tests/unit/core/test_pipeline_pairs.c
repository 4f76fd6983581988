/* A branch that is executed as one with the instruction it leads across: the cycles in which the two and what follows
 * issue, by hand, on the core of round figures (core_fixture.h): two a cycle, results after 1 cycle, products after 4,
 * needed a cycle later by a branch. */
#include "tests/unit/core/pipeline_example.h"

static struct iss_step steps[MOST];

static void prepare(void)
{
    memset(&program, 0, sizeof program);
    model = small_model("[shift]", "predicated = 1\n[shift]");
    model->fetch.bytes = 64;
}

static struct iss_op *alu(unsigned reg, unsigned source)
{
    struct iss_op *op = put(ISS_ALU);
    if (source)
        from(op, source, ISS_NEED_OPERAND);
    return to(op, reg);
}

static struct iss_op *branch(unsigned reg, uint64_t target)
{
    struct iss_op *op = from(put(ISS_BRANCH_IF), reg, ISS_NEED_CONDITION);
    op->branch = ISS_CONDITIONAL;
    op->constant = (int64_t)target;
    return op;
}

/* Steps of the program at 0x10000, with pairs. */
static void make_steps(void)
{
    for (size_t i = 0; i < program.n; i++) {
        iss_step_make(model, &program.ops[i], 0x10000 + 4 * i, &steps[i]);
        if (i + 1 < program.n)
            iss_step_across(model, &steps[i], &program.ops[i + 1]);
    }
}

/* The steps from `i` on that are executed, one after the other, and when each issues. */
static void issue_at(const size_t *which, const int64_t *expected, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t next = k + 1 < n ? 0x10000 + 4 * which[k + 1] : 0;
        iss_core_run(core, &steps[which[k]], 1, NULL, 0, next);
        if (iss_core_cycle(core) != expected[k])
            fail_msg("instruction %zu issues at %lld, not %lld", which[k], (long long)iss_core_cycle(core),
                     (long long)expected[k]);
    }
}
#define NUMBERS(type, ...)                                                                                             \
    (const type[])                                                                                                     \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* A product is needed by the branch 1 later than by an addition, at 3: there both issue, and the addition's result is
 * there at 4 for what follows, whether or not the branch is taken. */
static void test_both_wait_for_the_condition(void **state)
{
    (void)state;
    for (int taken = 0; taken < 2; taken++) {
        prepare();
        to(put(ISS_MUL64), 1);
        branch(1, 0x1000c);
        alu(2, 3);
        alu(4, 2);
        make_steps();
        core = iss_core_new_ideal(model);
        if (taken)
            issue_at(NUMBERS(size_t, 0, 1, 3), NUMBERS(int64_t, 0, 3, 4), 3);
        else
            issue_at(NUMBERS(size_t, 0, 1, 2, 3), NUMBERS(int64_t, 0, 3, 3, 4), 4);
        assert_int_equal(counts().instructions, 4 - taken); /* what was jumped over was not executed */
        assert_int_equal(counts().branches, 1);
        assert_int_equal(counts().taken, taken);
        close_core();
    }
}

/* So they do for the operand of the addition, and for the old value of what it writes, at 4. */
static void test_both_wait_for_operands(void **state)
{
    (void)state;
    for (unsigned old = 0; old < 2; old++) {
        prepare();
        to(put(ISS_MUL64), 1);
        branch(5, 0x1000c);
        alu(old ? 1 : 2, old ? 3 : 1);
        make_steps();
        core = iss_core_new_ideal(model);
        issue_at(NUMBERS(size_t, 0, 1, 2), NUMBERS(int64_t, 0, 4, 4), 3);
        close_core();
    }
}

/* Both places of a cycle are needed: not the second one beside the first addition, and nothing beside the two. A core of
 * one place gives them the cycle. */
static void test_two_places(void **state)
{
    (void)state;
    for (int width = 1; width <= 2; width++) {
        prepare();
        model->width = width;
        alu(6, 0);
        branch(5, 0x10010);
        program.ops[1].constant = 0x1000c;
        alu(2, 0);
        alu(7, 0);
        make_steps();
        core = iss_core_new_ideal(model);
        issue_at(NUMBERS(size_t, 0, 1, 2, 3), NUMBERS(int64_t, 0, 1, 1, 2), 4);
        close_core();
    }
}

/* The addition's unit must be free, and is taken: one that two at a time could use is busy for 3 cycles. */
static void test_both_units(void **state)
{
    (void)state;
    prepare();
    model->units[ISS_UNIT_ALU] = 1;
    model->timing[ISS_ALU].busy = 3;
    alu(6, 0);
    branch(5, 0x1000c);
    alu(2, 0);
    alu(7, 0);
    make_steps();
    core = iss_core_new_ideal(model);
    issue_at(NUMBERS(size_t, 0, 1, 2, 3), NUMBERS(int64_t, 0, 3, 3, 6), 4);
    close_core();
}

/* Neither is executed in a late stage: the load's result at 1, the product at 4, not 2 before it. */
static void test_not_late(void **state)
{
    (void)state;
    prepare();
    model->timing[ISS_ALU].late = model->timing[ISS_BRANCH_IF].late = 2;
    to(put(ISS_MUL64), 1);
    branch(1, 0x1000c);
    alu(2, 1);
    make_steps();
    core = iss_core_new_ideal(model);
    issue_at(NUMBERS(size_t, 0, 1, 2), NUMBERS(int64_t, 0, 4, 4), 3);
    close_core();
}

/* The real core: 40 of them, taken as random bits say, are never mispredicted, teach the predictor nothing, and lead to
 * no other fetch; of any other class each is predicted. */
static void test_nothing_is_predicted(void **state)
{
    (void)state;
    int64_t cycles[2];
    for (int of_other_class = 0; of_other_class < 2; of_other_class++) {
        prepare();
        model->timing[ISS_ALU].predicated = !of_other_class;
        branch(1, 0x10008);
        alu(2, 0);
        alu(3, 0);
        make_steps();
        core = iss_core_new(model);
        uint32_t bits = 0x5a17c3e9;
        for (int i = 0; i < 40; i++) {
            bool taken = bits >> i % 32 & 1;
            iss_core_run(core, &steps[0], 1, NULL, 0, taken ? 0x10008 : 0x10004);
            iss_core_run(core, &steps[taken ? 2 : 1], taken ? 1 : 2, NULL, 0, 0x10000);
        }
        cycles[of_other_class] = iss_core_cycle(core);
        assert_true(of_other_class ? counts().mispredicted > 10 : counts().mispredicted == 0);
        assert_int_equal(counts().branches, 40);
        close_core();
    }
    assert_true(cycles[0] + 100 < cycles[1]);
}

/* An ideal core is told of a misprediction that cannot be: neither this branch nor the next one has it. */
static void test_no_misprediction_is_announced(void **state)
{
    (void)state;
    prepare();
    branch(5, 0x10008);
    alu(2, 0);
    branch(5, 0x10010);
    put(ISS_MUL64);
    alu(2, 0);
    make_steps();
    core = iss_core_new_ideal(model);
    iss_core_mispredict(core);
    issue_at(NUMBERS(size_t, 0, 2, 3, 4), NUMBERS(int64_t, 0, 1, 1, 2), 4);
    assert_int_equal(counts().mispredicted, 0);
    close_core();
}

/* What is not one with the branch: the wrong distance, backwards, an access, a branch, another class, two results, what
 * is conditional itself; nor anything on a core that issues out of order. */
static void test_what_is_no_pair(void **state)
{
    (void)state;
    for (int kind = 0; kind <= 8; kind++) {
        prepare();
        struct iss_op *b = branch(1, 0x10008), *next = alu(2, 3);
        if (kind == 1 || kind == 2)
            b->constant = kind == 1 ? 0x1000c : 0xfff8;
        next->memory = kind == 3 ? ISS_READ_MEMORY : ISS_NO_MEMORY;
        next->branch = kind == 4 ? ISS_JUMP : ISS_NO_BRANCH;
        next->class = kind == 5 ? ISS_MUL64 : ISS_ALU;
        if (kind == 6)
            to(next, 4);
        next->conditional = kind == 7;
        model->window.reorder = kind == 8 ? 64 : 0;
        make_steps();
        assert_true((steps[0].across == NULL) == (kind > 0));
        assert_int_equal(steps[0].n_sources, kind ? 1 : 3);
        assert_int_equal(steps[0].n_dests, kind ? 0 : 1);
        iss_model_free(model);
    }
}

/* The step after a pair is left out once: the same instruction reached from elsewhere is executed by itself. */
static void test_reached_from_elsewhere(void **state)
{
    (void)state;
    prepare();
    branch(5, 0x10008);
    alu(2, 0);
    alu(2, 2);
    make_steps();
    core = iss_core_new_ideal(model);
    issue_at(NUMBERS(size_t, 0, 1, 1, 2), NUMBERS(int64_t, 0, 0, 1, 2), 4);
    iss_core_drain(core);
    int64_t at = iss_core_cycle(core);
    issue_at(NUMBERS(size_t, 0, 2, 1), NUMBERS(int64_t, at, at + 1, at + 1), 3);
    close_core();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_wait_for_the_condition),
        cmocka_unit_test(test_both_wait_for_operands),
        cmocka_unit_test(test_two_places),
        cmocka_unit_test(test_both_units),
        cmocka_unit_test(test_not_late),
        cmocka_unit_test(test_nothing_is_predicted),
        cmocka_unit_test(test_no_misprediction_is_announced),
        cmocka_unit_test(test_what_is_no_pair),
        cmocka_unit_test(test_reached_from_elsewhere),
    };
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
