/* Which branches are mispredicted: tables, targets and return addresses of a made-up core, by hand. */
#include "tests/unit/core/core_fixture.h"

#include "sim/core/branch_unit.h"

static struct iss_model *model;
static struct iss_predictor *p;

static void open_predictor(const char *was, const char *is)
{
    model = small_model(was, is);
    p = iss_predictor_new(model);
}

static void close_predictor(void)
{
    iss_predictor_free(p);
    iss_model_free(model);
}

static bool wrong(enum iss_branch kind, uint64_t address, uint64_t target, bool taken)
{
    struct iss_op op = {.branch = (uint8_t)kind, .size = 4, .constant = (int64_t)target};
    return iss_predictor_branch(p, &op, address, target, taken);
}

/* Two counters for a branch: one that never was there goes by the rule, then the last ways count. */
static void test_conditional(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        bool forwards, backwards; /* taken, the first time, says the rule */
    } rows[] = {
        {"unseen = not_taken", false, false}, {"unseen = taken", true, true}, {"unseen = backwards", false, true}};
    for (size_t i = 0; i < 3; i++) {
        open_predictor("unseen = not_taken", rows[i].rule);
        for (int taken = 0; taken < 2; taken++) {
            assert_int_equal(wrong(ISS_CONDITIONAL, 0x1000, 0x1100, taken), rows[i].forwards != taken);
            assert_int_equal(wrong(ISS_CONDITIONAL, 0x1004, 0x900, taken), rows[i].backwards != taken);
            assert_int_equal(wrong(ISS_CONDITIONAL, 0x1008, 0x1008, taken), rows[i].backwards != taken);
            iss_predictor_reset(p);
        }
        close_predictor();
    }
    open_predictor(NULL, NULL);
    assert_true(wrong(ISS_CONDITIONAL, 0x1000, 0x900, true)); /* "not taken", weakly: one is enough */
    assert_false(wrong(ISS_CONDITIONAL, 0x1000, 0x900, true));
    assert_true(wrong(ISS_CONDITIONAL, 0x1000, 0x900, false)); /* now two are needed */
    assert_false(wrong(ISS_CONDITIONAL, 0x1000, 0x900, true));
    assert_false(wrong(ISS_CONDITIONAL, 0x1004, 0x900, false)); /* the next branch has a counter of its own */
    /* 1024 counters, of instructions of 4 bytes: this one is the first's, which has learnt "taken" */
    assert_false(wrong(ISS_CONDITIONAL, 0x1000 + 4 * 1024, 0x900, true));
    /* two bytes further on is another one, 512 counters away */
    assert_false(wrong(ISS_CONDITIONAL, 0x1002, 0x900, false));
    assert_false(wrong(ISS_CONDITIONAL, 0x1000 ^ 4 * 512, 0x900, false));
    close_predictor();
}

/* 768 counters of 1024 numbers: the last quarter's are those 512 before. */
static void test_folded(void **state)
{
    (void)state;
    open_predictor("entries = 1024", "entries = 768");
    assert_true(wrong(ISS_CONDITIONAL, 4 * 768, 0, true));
    assert_true(wrong(ISS_CONDITIONAL, 4 * 767, 0, true));
    assert_false(wrong(ISS_CONDITIONAL, 4 * 256, 0, true)); /* 768 - 512 */
    assert_false(wrong(ISS_CONDITIONAL, 4 * 768, 0, true));
    assert_true(wrong(ISS_CONDITIONAL, 4 * 255, 0, true));
    close_predictor();
}

/* 16 targets, by the address of the branch. */
static void test_indirect(void **state)
{
    (void)state;
    open_predictor(NULL, NULL);
    assert_true(wrong(ISS_JUMP_INDIRECT, 0x1000, 0x2000, true));
    assert_false(wrong(ISS_JUMP_INDIRECT, 0x1000, 0x2000, true));
    assert_true(wrong(ISS_JUMP_INDIRECT, 0x1000, 0x3000, true));
    assert_true(wrong(ISS_JUMP_INDIRECT, 0x1004, 0x3000, true));
    assert_false(wrong(ISS_JUMP_INDIRECT, 0x1000 + 4 * 16, 0x3000, true)); /* the same place */
    assert_false(wrong(ISS_CALL_INDIRECT, 0x1000, 0x3000, true));
    iss_predictor_reset(p);
    assert_true(wrong(ISS_JUMP_INDIRECT, 0x1000, 0x3000, true));
    close_predictor();
    open_predictor("targets = 16", "targets = 0");
    for (int i = 0; i < 2; i++)
        assert_true(wrong(ISS_JUMP_INDIRECT, 0x1000, 0x2000, true));
    close_predictor();
}

/* Two return addresses; a third call pushes the first out. */
static void test_returns(void **state)
{
    (void)state;
    open_predictor(NULL, NULL);
    assert_false(wrong(ISS_CALL_DIRECT, 0x1000, 0x2000, true));
    assert_true(wrong(ISS_CALL_INDIRECT, 0x2000, 0x3000, true));
    assert_false(wrong(ISS_RETURN_TO, 0x3004, 0x2004, true));
    assert_false(wrong(ISS_RETURN_TO, 0x2008, 0x1004, true));
    assert_true(wrong(ISS_RETURN_TO, 0x900, 0x1004, true)); /* nothing is left */
    for (uint64_t i = 1; i <= 3; i++)
        assert_false(wrong(ISS_CALL_DIRECT, 0x1000 * i, 0x9000, true));
    assert_false(wrong(ISS_RETURN_TO, 0x9000, 0x3004, true));
    assert_false(wrong(ISS_RETURN_TO, 0x9000, 0x2004, true));
    assert_true(wrong(ISS_RETURN_TO, 0x9000, 0x1004, true));
    assert_false(wrong(ISS_CALL_DIRECT, 0x1000, 0x9000, true));
    iss_predictor_reset(p);
    assert_true(wrong(ISS_RETURN_TO, 0x9000, 0x1004, true));
    close_predictor();
    open_predictor("returns = 2", "returns = 0");
    assert_false(wrong(ISS_CALL_DIRECT, 0x1000, 0x9000, true));
    assert_true(wrong(ISS_RETURN_TO, 0x9000, 0x1004, true));
    close_predictor();
}

/* A direct jump goes where it says. */
static void test_direct(void **state)
{
    (void)state;
    open_predictor(NULL, NULL);
    assert_false(wrong(ISS_JUMP, 0x1000, 0x2000, true));
    assert_false(wrong(ISS_NO_BRANCH, 0x1000, 0x1004, false));
    close_predictor();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditional), cmocka_unit_test(test_folded),
                                       cmocka_unit_test(test_indirect), cmocka_unit_test(test_returns),
                                       cmocka_unit_test(test_direct)};
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
