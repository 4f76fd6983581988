/* The cycle in which each instruction issues, derived by hand from the rules in pipeline.c and a core of round figures
 * (core_fixture.h): two a cycle; results after 1 cycle, products after 4; a shifted operand is needed 1 cycle earlier,
 * an address 2, data to be stored 1 later. Fetching does not hold anything up unless a test is about it. */
#include "tests/unit/core/pipeline_example.h"

/* A model to be changed; start() makes an ideal core of it: all accesses hit, branches go as predicted. */
static void prepare(void)
{
    memset(&program, 0, sizeof program);
    model = small_model(NULL, NULL);
    model->fetch.bytes = 64;
}

static void start(void)
{
    core = iss_core_new_ideal(model);
}

/* A core whose caches know the program and what it accesses. */
static void start_warm(void)
{
    core = iss_core_new(model);
    for (int i = 0; i < 4; i++) {
        run(0x10000, 0);
        iss_core_drain(core);
    }
}

/* The steps of the program so far, at `address` and after, then what is at `next`; cycles from `base`. */
static void check_cycles(uint64_t address, uint64_t next, int64_t base, const int64_t *expected, size_t n)
{
    size_t k = 0;
    assert_int_equal(program.n, n);
    for (size_t i = 0; i < n; i++) {
        struct iss_step step;
        uint64_t here = address + 4 * i;
        iss_step_make(model, &program.ops[i], here, &step);
        bool accesses = k < program.n_accesses && program.accesses[k].step == i;
        struct iss_access_at access = {.address = accesses ? program.accesses[k++].address : 0};
        iss_core_run(core, &step, 1, &access, accesses, i + 1 < n ? here + 4 : next);
        if (iss_core_cycle(core) != base + expected[i])
            fail_msg("instruction %zu issues at %lld, not %lld", i, (long long)(iss_core_cycle(core) - base),
                     (long long)expected[i]);
    }
}
#define ISSUE_AT(...)                                                                                                  \
    check_cycles(0x10000, 0, iss_core_cycle(core), (const int64_t[]){__VA_ARGS__},                                     \
                 sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t))

static struct iss_op *alu(unsigned reg, unsigned source)
{
    struct iss_op *op = put(ISS_ALU);
    if (source)
        from(op, source, ISS_NEED_OPERAND);
    return to(op, reg);
}

/* ---- results ---- */

/* mul 0; its result as an operand at 4, shifted at 5, as an address at 6, to be stored at 3. */
static void test_uses_need_it_at_their_time(void **state)
{
    (void)state;
    static const struct {
        enum iss_need need;
        int64_t at;
    } all[] = {{ISS_NEED_OPERAND, 4}, {ISS_NEED_SHIFTED, 5}, {ISS_NEED_ADDRESS, 6}, {ISS_NEED_DATA, 3}};
    for (size_t i = 0; i < 4; i++) {
        prepare();
        start();
        to(put(ISS_MUL64), 1);
        to(from(put(ISS_NOP), 1, all[i].need), 2);
        ISSUE_AT(0, all[i].at);
        close_core();
    }
}

/* Products at 4 (r1) and 6 (r2: the unit takes one in two cycles): the later counts, wherever it stands. */
static void test_the_last_operand_counts(void **state)
{
    (void)state;
    for (unsigned swapped = 0; swapped < 2; swapped++) {
        prepare();
        start();
        to(put(ISS_MUL64), 1);
        to(put(ISS_MUL64), 2);
        to(from(from(put(ISS_NOP), swapped ? 2 : 1, ISS_NEED_OPERAND), swapped ? 1 : 2, ISS_NEED_OPERAND), 3);
        ISSUE_AT(0, 2, 6);
        close_core();
    }
}

/* Two registers loaded at 0: the first is there at 1, the second at 3; the address written back at 2. */
static void test_results_come_one_after_the_other(void **state)
{
    (void)state;
    static const int64_t at[] = {1, 3, 2};
    for (unsigned reg = 1; reg <= 3; reg++) {
        prepare();
        model->timing[ISS_NOP].after2[ISS_NEED_OPERAND] = 3;
        model->write_back[ISS_NEED_OPERAND] = 2;
        start();
        to(to(to(put(ISS_NOP), 1), 2), 3)->n_address = 1;
        alu(4, reg);
        ISSUE_AT(0, at[reg - 1]);
        close_core();
    }
}

/* Registers that are none (always zero) hold nothing up and are not waited for. */
static void test_no_register(void **state)
{
    (void)state;
    prepare();
    start();
    to(to(put(ISS_MUL64), ISS_REG_NONE), 1);
    to(from(put(ISS_NOP), ISS_REG_NONE, ISS_NEED_OPERAND), 2);
    alu(3, 1);
    ISSUE_AT(0, 0, 4);
    close_core();
    prepare(); /* what has no operands does not wait, of whatever number the product's register is */
    start();
    to(put(ISS_MUL64), 0);
    put(ISS_NOP);
    ISSUE_AT(0, 0);
    close_core();
}

/* The addition may take its operand 2 cycles after its issue: it issues at 2, executes at 4; what it makes is there at
 * 5, so that the next such issues at 3, and one that must have it at its issue at 6. */
static void test_late(void **state)
{
    (void)state;
    prepare();
    model->timing[ISS_ALU].late = 2;
    start();
    to(put(ISS_MUL64), 1);
    alu(2, 1);
    alu(3, 2);
    to(from(put(ISS_NOP), 3, ISS_NEED_OPERAND), 4);
    ISSUE_AT(0, 2, 3, 6);
    close_core();
}

/* That it may go before its operands does not let it go before its time: two a cycle. */
static void test_late_in_its_turn(void **state)
{
    (void)state;
    prepare();
    model->timing[ISS_NOP].late = 2;
    start();
    put(ISS_NOP);
    put(ISS_NOP);
    put(ISS_NOP);
    to(put(ISS_MUL64), 1);
    ISSUE_AT(0, 0, 1, 1);
    close_core();
}

/* An address is written back at the issue, however late the instruction executes: issue 3 (5 - 2), back at 4. */
static void test_written_back_at_the_issue(void **state)
{
    (void)state;
    prepare();
    model->timing[ISS_LOAD].late = 2;
    start();
    to(put(ISS_MUL64), 1);
    to(to(from(put(ISS_LOAD), 1, ISS_NEED_SHIFTED), 2), 3)->n_address = 1;
    alu(4, 3);
    alu(5, 2);
    ISSUE_AT(0, 3, 4, 6);
    close_core();
}

/* ---- issue ---- */

/* In order, three a cycle: the fourth is of the next. */
static void test_width(void **state)
{
    (void)state;
    prepare();
    model->width = 3;
    start();
    for (int i = 0; i < 7; i++)
        put(ISS_NOP);
    ISSUE_AT(0, 0, 0, 1, 1, 1, 2);
    close_core();
}

/* What needs nothing stays after what waits until 4, two a cycle. */
static void test_in_order(void **state)
{
    (void)state;
    prepare();
    start();
    to(put(ISS_MUL64), 1);
    alu(2, 1);
    put(ISS_NOP);
    put(ISS_NOP);
    ISSUE_AT(0, 4, 4, 5);
    close_core();
}

/* Three a cycle, and a shift that must be the first, or the last of its cycle, or alone. */
static void test_places_in_the_cycle(void **state)
{
    (void)state;
    static const struct {
        enum iss_issue issue;
        int64_t at[6];
    } all[] = {{ISS_ISSUE_ANY, {0, 0, 0, 1, 1, 1}},
               {ISS_ISSUE_FIRST, {0, 1, 1, 2, 2, 2}},
               {ISS_ISSUE_LAST, {0, 0, 1, 1, 2, 2}},
               {ISS_ISSUE_ALONE, {0, 1, 2, 3, 4, 4}}};
    for (size_t k = 0; k < 4; k++) { /* nop shift nop shift nop nop */
        prepare();
        model->width = 3;
        model->timing[ISS_CRC].issue = (uint8_t)all[k].issue;
        start();
        for (int i = 0; i < 6; i++)
            put(i == 1 || i == 3 ? ISS_CRC : ISS_NOP);
        check_cycles(0x10000, 0, 0, all[k].at, 6);
        close_core();
    }
    for (size_t k = 0; k < 4; k++) { /* the very first: last and alone close its cycle, first does not */
        prepare();
        model->timing[ISS_CRC].issue = (uint8_t)all[k].issue;
        start();
        put(ISS_CRC);
        put(ISS_NOP);
        if (all[k].issue == ISS_ISSUE_LAST || all[k].issue == ISS_ISSUE_ALONE)
            ISSUE_AT(0, 1);
        else
            ISSUE_AT(0, 0);
        close_core();
    }
}

/* Nothing issues for 5 cycles. */
static void test_hold(void **state)
{
    (void)state;
    prepare();
    model->timing[ISS_CRC].hold = 5;
    start();
    put(ISS_CRC);
    put(ISS_NOP);
    put(ISS_CRC);
    put(ISS_NOP);
    ISSUE_AT(0, 5, 5, 10);
    close_core();
}

/* ---- units ---- */

/* One multiplier, busy 2 cycles; what needs it not goes on. */
static void test_one_unit(void **state)
{
    (void)state;
    prepare();
    start();
    to(put(ISS_MUL64), 1);
    to(put(ISS_MUL64), 2);
    put(ISS_NOP);
    to(put(ISS_MUL64), 3);
    ISSUE_AT(0, 2, 2, 4);
    close_core();
}

/* Two adders; a shift keeps one of them 5 cycles. The additions go by the other, one a cycle; what takes both waits for
 * the later, and keeps both; what needs one then has either. */
static void test_two_of_a_unit(void **state)
{
    (void)state;
    prepare();
    model->width = 3;
    model->timing[ISS_SHIFT].busy = 5;
    model->timing[ISS_SELECT] = model->timing[ISS_ALU];
    model->timing[ISS_SELECT].take = 2;
    model->timing[ISS_SELECT].busy = 3;
    start();
    put(ISS_SHIFT);
    put(ISS_ALU);
    put(ISS_ALU);
    put(ISS_ALU);
    put(ISS_SELECT);
    put(ISS_ALU);
    put(ISS_ALU);
    put(ISS_ALU);
    ISSUE_AT(0, 0, 1, 2, 5, 8, 8, 9);
    close_core();
}

/* The other way round: the second adder is the one that is busy. */
static void test_the_other_of_a_unit(void **state)
{
    (void)state;
    prepare();
    model->width = 3;
    model->timing[ISS_SHIFT].busy = 5;
    model->timing[ISS_SELECT] = model->timing[ISS_ALU];
    model->timing[ISS_SELECT].take = 2;
    start();
    put(ISS_ALU);
    put(ISS_SHIFT);
    put(ISS_ALU);
    put(ISS_SELECT);
    ISSUE_AT(0, 0, 1, 5);
    close_core();
}

/* A second unit beside the first: it must be free, and is busy as long. */
static void test_second_unit(void **state)
{
    (void)state;
    prepare();
    model->width = 3;
    model->timing[ISS_CRC].unit = ISS_UNIT_ALU;
    model->timing[ISS_CRC].take = 1;
    model->timing[ISS_CRC].second_unit = ISS_UNIT_MULTIPLY;
    model->timing[ISS_CRC].busy = 3;
    start();
    to(put(ISS_MUL64), 1); /* busy until 2 */
    put(ISS_CRC);          /* until 5, both */
    put(ISS_ALU);
    put(ISS_ALU);
    to(put(ISS_MUL64), 2);
    ISSUE_AT(0, 2, 2, 3, 5);
    close_core();
}

/* A barrier waits for all that was issued (the product, at 4) and is alone. */
static void test_drains(void **state)
{
    (void)state;
    prepare();
    start();
    to(put(ISS_MUL64), 1);
    alu(2, 0);
    put(ISS_BARRIER);
    put(ISS_NOP);
    ISSUE_AT(0, 0, 4, 5);
    close_core();
}

/* A barrier waits for a division, 12 cycles by its operands, and for a list of three steps, 4 and twice 2. */
static void test_drains_what_takes_longer(void **state)
{
    (void)state;
    for (int list = 0; list < 2; list++) {
        prepare();
        model->timing[ISS_MUL64].repeat = 2;
        start();
        iss_core_quotients(core, ISS_QUOTIENT_LONG);
        to(put(list ? ISS_MUL64 : ISS_UDIV32), 1)->repeat = list ? 3 : 1;
        program.ops[0].width = list ? 64 : 32;
        put(ISS_BARRIER);
        ISSUE_AT(0, list ? 8 : 12);
        close_core();
    }
}

/* After a drain one group is fetched a cycle, as ever; not before the target of a branch that was mispredicted. */
static void test_fetching_behind_a_drain(void **state)
{
    (void)state;
    prepare();
    model->fetch.bytes = 4;
    start();
    to(put(ISS_MUL64), 1);
    ISSUE_AT(0);
    iss_core_drain(core);
    program.n = 0;
    put(ISS_NOP);
    put(ISS_NOP);
    put(ISS_NOP);
    ISSUE_AT(0, 1, 2);
    program.n = 0;
    struct iss_op *op = put(ISS_BRANCH);
    op->branch = ISS_JUMP;
    iss_core_mispredict(core);
    check_cycles(0x10010, 0x20000, 4, (const int64_t[]){3}, 1);
    iss_core_drain(core);
    program.n = 0;
    put(ISS_NOP);
    check_cycles(0x20000, 0, 4, (const int64_t[]){3 + 10}, 1);
    close_core();
}

/* Time goes on until the product is there; then fetching begins again. */
static void test_drain(void **state)
{
    (void)state;
    prepare();
    model->timing[ISS_CRC].issue = ISS_ISSUE_LAST;
    start();
    to(put(ISS_MUL64), 1);
    put(ISS_CRC);
    ISSUE_AT(0, 0);
    iss_core_drain(core);
    assert_int_equal(iss_core_cycle(core), 4);
    iss_core_drain(core); /* nothing is underway any more */
    assert_int_equal(iss_core_cycle(core), 4);
    program.n = 0;
    put(ISS_NOP);
    put(ISS_NOP);
    put(ISS_NOP);
    ISSUE_AT(0, 0, 1);
    close_core();
}

/* Steps of a list of vectors: 3, each after the first 2 more cycles of the unit and until the result. */
static void test_repeat(void **state)
{
    (void)state;
    prepare();
    model->timing[ISS_MUL64].repeat = 2;
    start();
    to(put(ISS_MUL64), 1)->repeat = 3;
    alu(2, 1);
    ISSUE_AT(0, 4 + 4);
    close_core();
    prepare();
    model->timing[ISS_MUL64].repeat = 2;
    start();
    to(put(ISS_MUL64), 1)->repeat = 3;
    to(put(ISS_MUL64), 2);
    ISSUE_AT(0, 2 + 4);
    close_core();
}

/* ---- divisions ---- */

/* Nothing is known of the operands: 3 cycles and one for each 2 bits of the quotient, at most 12; of 32 bits the mean
 * is 5 (a sixth). The unit is free when it is done. */
static void test_unknown_quotients(void **state)
{
    (void)state;
    static const int64_t cycles[] = {[ISS_QUOTIENT_MEAN] = 6, [ISS_QUOTIENT_SHORT] = 3, [ISS_QUOTIENT_LONG] = 12};
    for (int q = ISS_QUOTIENT_MEAN; q <= ISS_QUOTIENT_LONG; q++) {
        prepare();
        start();
        iss_core_quotients(core, (enum iss_quotient)q);
        iss_core_restart(core); /* which keeps that */
        for (unsigned i = 1; i < 3; i++) {
            struct iss_op *op = to(put(ISS_UDIV32), i);
            op->width = 32;
            op->value = ISS_VALUE_UDIV;
        }
        alu(3, 1);
        alu(4, 2);
        ISSUE_AT(0, cycles[q], cycles[q], 2 * cycles[q]);
        close_core();
    }
    prepare();
    model->timing32[ISS_UDIV32].divide_max = 11;
    start();
    iss_core_quotients(core, ISS_QUOTIENT_LONG);
    struct iss_op *op = to(put(ISS_UDIV32), 1);
    op->width = 32;
    alu(2, 1);
    ISSUE_AT(0, 11);
    close_core();
}

/* ---- fetching ---- */

/* Groups of two instructions, one a cycle; the first begins in the middle of one. */
static void test_groups(void **state)
{
    (void)state;
    prepare();
    model->fetch.bytes = 8;
    model->width = 3;
    start();
    for (int i = 0; i < 6; i++)
        put(ISS_NOP);
    check_cycles(0x10004, 0, 0, (const int64_t[]){0, 1, 1, 2, 2, 3}, 6);
    close_core();
}

/* One instruction fetched a cycle; the second waits until 4. Those after are there by then, and go two a cycle until
 * what is fetched is used up: the sixth is there at 5. With a queue of two, the fourth is not fetched before the second
 * has issued, at 4, the fifth at 5, and so on. */
static void test_queue(void **state)
{
    (void)state;
    for (int queue = 2; queue <= 16; queue += 14) {
        prepare();
        model->fetch.bytes = 4;
        model->fetch.queue = queue;
        start();
        to(put(ISS_MUL64), 1);
        alu(2, 1);
        for (int i = 0; i < 6; i++)
            put(ISS_NOP);
        if (queue == 2)
            ISSUE_AT(0, 4, 4, 5, 5, 6, 7, 8);
        else
            ISSUE_AT(0, 4, 4, 5, 5, 6, 6, 7);
        close_core();
    }
}

/* ---- branches ---- */

static struct iss_op *branch(enum iss_branch kind, uint64_t target)
{
    struct iss_op *op = put(kind == ISS_CONDITIONAL ? ISS_BRANCH_IF : ISS_BRANCH);
    op->branch = (uint8_t)kind;
    op->constant = (int64_t)target;
    return op;
}

static int64_t behind(uint64_t address)
{
    struct iss_op nop = {.class = ISS_NOP, .size = 4, .repeat = 1, .width = 64};
    struct iss_step step;
    iss_step_make(model, &nop, address, &step);
    iss_core_run(core, &step, 1, NULL, 0, 0);
    return iss_core_cycle(core);
}

/* From the group of a taken branch to that of its target: by its kind; the same branch again at once has a figure of
 * its own. */
static void test_taken_branches(void **state)
{
    (void)state;
    static const struct {
        enum iss_branch kind;
        int64_t at;
    } all[] = {{ISS_JUMP, 3},          {ISS_CONDITIONAL, 3},   {ISS_CALL_DIRECT, 3},
               {ISS_JUMP_INDIRECT, 4}, {ISS_CALL_INDIRECT, 5}, {ISS_RETURN_TO, 6}};
    for (size_t i = 0; i < 6; i++) {
        prepare();
        model->fetch.back = 6;
        model->fetch.same_taken = 2;
        start();
        branch(all[i].kind, 0x20000);
        check_cycles(0x10000, 0x20000, 0, (const int64_t[]){0}, 1);
        assert_int_equal(behind(0x20000), all[i].at);
        close_core();
    }
    prepare();
    model->fetch.same_taken = 2;
    start();
    branch(ISS_JUMP, 0x10000);
    /* fetched at 0, 3, then again and again two later; another target is another branch, and then so is the first */
    check_cycles(0x10000, 0x10000, 0, (const int64_t[]){0}, 1);
    check_cycles(0x10000, 0x10000, 0, (const int64_t[]){3}, 1);
    check_cycles(0x10000, 0x10000, 0, (const int64_t[]){5}, 1);
    check_cycles(0x10000, 0x10100, 0, (const int64_t[]){7}, 1);
    check_cycles(0x10100, 0x10000, 0, (const int64_t[]){10}, 1);
    check_cycles(0x10000, 0x10100, 0, (const int64_t[]){13}, 1);
    close_core();
}

/* One that is not taken goes on in its group; a second in the same group is predicted a cycle later, so that what is
 * after them comes a cycle later. */
static void test_branches_not_taken(void **state)
{
    (void)state;
    prepare();
    model->fetch.bytes = 16;
    model->width = 4;
    model->timing[ISS_BRANCH_IF].unit = 0;
    start();
    branch(ISS_CONDITIONAL, 0x20000);
    put(ISS_NOP);
    put(ISS_NOP);
    put(ISS_NOP);
    put(ISS_NOP);
    ISSUE_AT(0, 0, 0, 0, 1);
    close_core();
    prepare();
    model->fetch.bytes = 16;
    model->width = 4;
    model->timing[ISS_BRANCH_IF].unit = 0;
    start();
    branch(ISS_CONDITIONAL, 0x20000);
    branch(ISS_CONDITIONAL, 0x20000);
    put(ISS_NOP);
    branch(ISS_CONDITIONAL, 0x20000);
    put(ISS_NOP);
    put(ISS_NOP);
    ISSUE_AT(0, 0, 1, 1, 3, 3);
    close_core();
}

/* What was predicted otherwise is fetched again 10 cycles after the branch's execution, which waits for the product
 * (needed a cycle late, so at 3). */
static void test_announced_misprediction(void **state)
{
    (void)state;
    for (uint64_t next = 0x10008; next <= 0x20000; next += 0xfff8) {
        prepare();
        model->timing[ISS_BRANCH_IF].late = 2;
        start();
        to(put(ISS_MUL64), 1);
        from(branch(ISS_CONDITIONAL, 0x20000), 1, ISS_NEED_CONDITION);
        iss_core_mispredict(core);
        check_cycles(0x10000, next, 0, (const int64_t[]){0, 1}, 2); /* issues 2 before its operand is there, at 3 */
        assert_int_equal(behind(next), 3 + 10);
        assert_int_equal(counts().mispredicted, 1);
        assert_int_equal(counts().taken, next == 0x20000);
        program.n = 0; /* the next goes as predicted */
        branch(ISS_CONDITIONAL, 0x30000);
        check_cycles(next + 4, next + 8, 13, (const int64_t[]){0}, 1);
        assert_int_equal(behind(next + 8), 14);
        assert_int_equal(counts().mispredicted, 1);
        close_core();
    }
}

/* The branch that was mispredicted is the last taken one all the same. */
static void test_mispredicted_branch_is_remembered(void **state)
{
    (void)state;
    prepare();
    model->fetch.same_taken = 1;
    start();
    branch(ISS_JUMP, 0x10000);
    iss_core_mispredict(core);
    check_cycles(0x10000, 0x10000, 0, (const int64_t[]){0}, 1);
    check_cycles(0x10000, 0x10000, 0, (const int64_t[]){10}, 1);
    check_cycles(0x10000, 0x10000, 0, (const int64_t[]){11}, 1);
    close_core();
}

static void test_what_is_counted(void **state)
{
    (void)state;
    prepare();
    start();
    static const enum iss_branch kinds[] = {ISS_JUMP,          ISS_CONDITIONAL,   ISS_CALL_DIRECT,
                                            ISS_JUMP_INDIRECT, ISS_CALL_INDIRECT, ISS_RETURN_TO};
    for (size_t i = 0; i < 6; i++) {
        program.n = 0;
        branch(kinds[i], 0x20000);
        run(0x10000, 0x20000);
    }
    program.n = 0;
    branch(ISS_CONDITIONAL, 0x20000);
    run(0x10000, 0x10004);
    program.n = 0;
    access_memory(put(ISS_LOAD), ISS_READ_MEMORY, 0x20000, 8);
    access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, 0x20000, 8);
    access_memory(put(ISS_ATOMIC), (enum iss_access)(ISS_READ_MEMORY | ISS_WRITE_MEMORY), 0x20000, 8);
    put(ISS_UNKNOWN);
    run(0x10000, 0);
    struct iss_counts c = counts();
    assert_int_equal(c.instructions, 11);
    assert_int_equal(c.branches, 7);
    assert_int_equal(c.branches_immediate, 4);
    assert_int_equal(c.returns, 1);
    assert_int_equal(c.taken, 6);
    assert_int_equal(c.loads, 2);
    assert_int_equal(c.stores, 2);
    assert_int_equal(c.unknown, 1);
    assert_int_equal(c.mispredicted, 0);
    close_core();
}

/* ---- memory ---- */

static struct iss_op *store(uint64_t address, unsigned bytes)
{
    return access_memory(put(ISS_STORE), ISS_WRITE_MEMORY, address, bytes);
}

static struct iss_op *load(uint64_t address, unsigned bytes)
{
    return access_memory(to(put(ISS_LOAD), 1), ISS_READ_MEMORY, address, bytes);
}

/* A load that reads a byte of what a store at 0 wrote issues at 4 (forward), one that does not at 1 (one access a
 * cycle). What it reads beside that is no matter, nor whose word it is in. */
static void test_loads_wait_for_the_bytes_they_read(void **state)
{
    (void)state;
    static const struct {
        uint64_t stored, loaded;
        unsigned stored_bytes, loaded_bytes;
        int64_t at;
    } all[] = {
        {0x20000, 0x20000, 8, 8, 4},                               /* all of it */
        {0x20004, 0x20000, 4, 8, 4},                               /* its upper half */
        {0x20000, 0x20000, 4, 8, 4},                               /* its lower half */
        {0x20003, 0x20002, 1, 2, 4},                               /* its last byte */
        {0x20000, 0x20004, 8, 4, 4},                               /* a part of what was stored */
        {0x20000, 0x20007, 8, 1, 4},                               /* a byte of it */
        {0x20000, 0x20004, 4, 4, 1},                               /* the other half of the word */
        {0x20004, 0x20000, 4, 4, 1},  {0x20002, 0x20003, 1, 1, 1}, /* the byte beside */
        {0x20000, 0x20008, 8, 8, 1},                               /* the next word */
        {0x20000, 0x20800, 8, 8, 1},                               /* a word of the same place in the table */
        {0x20004, 0x20008, 8, 4, 4},                               /* stored over two words: the second */
        {0x20004, 0x20000, 8, 8, 4},                               /* the first */
        {0x20004, 0x2000c, 8, 4, 1},                               /* after it */
        {0x20008, 0x20000, 8, 16, 3}, /* words are read one after the other: the second a cycle later */
        {0x20000, 0x20000, 8, 16, 4}, {0x20006, 0x20000, 4, 16, 4}, /* both words: the first holds it longer */
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        prepare();
        model->data.forward = 4;
        start();
        store(all[i].stored, all[i].stored_bytes);
        load(all[i].loaded, all[i].loaded_bytes);
        check_cycles(0x10000, 0, 0, (const int64_t[]){0, all[i].at}, 2);
        close_core();
    }
}

/* Of two stores to the same bytes the last counts: stores 0 and 1, the load 1 + 4. */
static void test_the_last_store_counts(void **state)
{
    (void)state;
    prepare();
    model->data.forward = 4;
    start();
    store(0x20000, 8);
    store(0x20000, 8);
    load(0x20000, 8);
    put(ISS_NOP);
    ISSUE_AT(0, 1, 5, 5);
    close_core();
}

/* A store of more than 8 bytes takes longer: 6, not 4; of its second word as of its first. Words are read one after the
 * other. */
static void test_wide_stores(void **state)
{
    (void)state;
    static const struct {
        uint64_t stored, loaded;
        unsigned stored_bytes, bytes;
        int64_t at;
    } all[] = {{0x20000, 0x20000, 16, 8, 6},
               {0x20000, 0x20008, 16, 8, 6},
               {0x20008, 0x20000, 16, 16, 5},
               {0x20000, 0x20000, 9, 8, 6},
               {0x20000, 0x20000, 8, 8, 4}};
    for (size_t i = 0; i < 5; i++) {
        prepare();
        model->data.forward = 4;
        model->data.forward_wide = 6;
        start();
        store(all[i].stored, all[i].stored_bytes);
        load(all[i].loaded, all[i].bytes);
        ISSUE_AT(0, all[i].at);
        close_core();
    }
}

/* A store over the end of a line: what is in the next line has its place a cycle later. */
static void test_stores_over_a_line(void **state)
{
    (void)state;
    static const struct {
        uint64_t stored, loaded;
        int64_t at;
    } all[] = {{0x2003c, 0x20038, 4}, {0x2003c, 0x20040, 5}, {0x20034, 0x20038, 4}};
    for (size_t i = 0; i < 3; i++) {
        prepare();
        model->data.forward = 4;
        start();
        store(all[i].stored, 8);
        load(all[i].loaded, 8);
        ISSUE_AT(0, all[i].at);
        close_core();
    }
}

/* A load over the end of a granule that waits for a store waits 1 more; within a line, and where it waits. */
static void test_split_loads_wait_longer(void **state)
{
    (void)state;
    static const struct {
        uint64_t stored, loaded;
        int64_t at;
    } all[] = {{0x20000, 0x20004, 5}, {0x20008, 0x20004, 4}, {0x20000, 0x20000, 4},
               {0x20010, 0x20004, 1}, {0x20038, 0x2003c, 4}, {0x20000, 0x1fffc, 3}};
    for (size_t i = 0; i < 6; i++) {
        prepare();
        model->data.forward = 4;
        start();
        store(all[i].stored, 8);
        load(all[i].loaded, 8);
        ISSUE_AT(0, all[i].at);
        close_core();
    }
}

/* On a core with caches: a load over the end of a granule has its data 2 cycles later (2 at most for what is there
 * after 3 and 5 at most), and keeps the unit, and all that is after it, 1 more. */
static void test_split_loads(void **state)
{
    (void)state;
    static const struct {
        uint64_t address;
        int64_t split, most, at, behind;
    } all[] = {{0x20000, 2, 5, 3, 0}, {0x20004, 2, 5, 5, 1}, {0x20004, 1, 5, 4, 1}, {0x20004, 9, 5, 5, 1},
               {0x20004, 2, 4, 4, 1}, {0x20004, 2, 2, 3, 1}, {0x20001, 2, 5, 5, 1}};
    for (size_t i = 0; i < 7; i++) {
        prepare();
        model->data.load_split = all[i].split;
        model->data.load_split_most = all[i].most;
        load(all[i].address, 8);
        put(ISS_NOP);
        from(put(ISS_NOP), 1, ISS_NEED_ADDRESS);
        start_warm();
        uint64_t before = counts().memory.unaligned;
        ISSUE_AT(0, all[i].behind, all[i].at);
        assert_int_equal(counts().memory.unaligned - before, all[i].behind);
        close_core();
    }
    prepare(); /* two granules, but not over the end of one: it begins at one */
    load(0x20000, 16);
    put(ISS_NOP);
    from(put(ISS_NOP), 1, ISS_NEED_ADDRESS);
    start_warm();
    ISSUE_AT(0, 0, 3);
    close_core();
    prepare(); /* an ideal core */
    load(0x20004, 8);
    put(ISS_NOP);
    from(put(ISS_NOP), 1, ISS_NEED_ADDRESS);
    start();
    ISSUE_AT(0, 0, 3);
    close_core();
    prepare(); /* the unit: 1 and 1 more */
    load(0x20004, 8);
    load(0x20010, 8);
    load(0x20010, 4);
    start_warm();
    ISSUE_AT(0, 2, 3);
    close_core();
}

/* A core that splits an access into aligned ones, of a granule of 8 bytes at most: each one more is 2 cycles. 8 bytes at 4 are 4 + 4,
 * at 1 they are 1 + 2 + 4 + 1; 4 bytes at 2 are 2 + 2; 2 bytes at 1 are 1 + 1. Nothing else waits. */
static void test_pieces_of_loads(void **state)
{
    (void)state;
    static const struct {
        uint64_t address;
        unsigned bytes;
        int64_t at;
    } all[] = {{0x20000, 8, 3}, {0x20004, 8, 5}, {0x20001, 8, 9}, {0x20004, 4, 3},
               {0x20002, 4, 5}, {0x20006, 4, 5}, {0x20001, 2, 5}, {0x20001, 1, 3}};
    for (size_t i = 0; i < 8; i++) {
        prepare();
        model->data.pieces = 1;
        model->data.load_split = 2;
        load(all[i].address, all[i].bytes);
        put(ISS_NOP);
        from(put(ISS_NOP), 1, ISS_NEED_ADDRESS);
        start_warm();
        uint64_t before = counts().memory.unaligned;
        ISSUE_AT(0, 0, all[i].at);
        assert_int_equal(counts().memory.unaligned - before, all[i].at > 3);
        close_core();
    }
}

/* A store over the end of a line keeps the unit 1 more; one within it does not. */
static void test_split_stores(void **state)
{
    (void)state;
    for (uint64_t address = 0x20034; address <= 0x2003c; address += 8) {
        prepare();
        store(address, 8);
        load(0x20100, 8);
        put(ISS_NOP);
        start_warm();
        uint64_t before = counts().memory.unaligned;
        if (address == 0x2003c)
            ISSUE_AT(0, 2, 2);
        else
            ISSUE_AT(0, 1, 1);
        assert_int_equal(counts().memory.unaligned - before, address == 0x2003c);
        close_core();
    }
}

/* Announced: what it reads is there 20 cycles later, at 1 + 20. Two at a time: the third begins when the first is done,
 * at 20, the fourth when the second is, at 21. */
static void test_delayed_loads(void **state)
{
    (void)state;
    static const int64_t there[] = {21, 22, 41, 42};
    for (size_t n = 1; n <= 4; n++) {
        prepare();
        start();
        for (size_t i = 0; i < n; i++) {
            struct iss_step step;
            iss_step_make(model, load(0x20000 + 64 * i, 8), 0x10000, &step);
            iss_core_delay(core, 20);
            iss_core_run(core, &step, 1, NULL, 0, 0);
            assert_int_equal(iss_core_cycle(core), i);
        }
        struct iss_step step;
        iss_step_make(model, alu(2, 1), 0x10000, &step);
        iss_core_run(core, &step, 1, NULL, 0, 0);
        assert_int_equal(iss_core_cycle(core), there[n - 1]);
        close_core();
    }
    prepare(); /* the next load alone, and no store */
    start();
    iss_core_delay(core, 20);
    store(0x20000, 8);
    load(0x20100, 8);
    load(0x20200, 8);
    alu(2, 1);
    ISSUE_AT(0, 1, 2, 3);
    close_core();
}

/* The store buffer has two places; each store that misses takes its line's 110 cycles, and brings two at a time: done
 * at 110, 111 and (when the first slot is free) 220. The third store waits for the first's place: what is after it
 * issues at 110. */
static void test_full_store_buffer(void **state)
{
    (void)state;
    prepare();
    put(ISS_NOP);
    start_warm(); /* the code's line is there */
    program.n = 0;
    store(0x20000, 8);
    store(0x20100, 8);
    store(0x20200, 8);
    put(ISS_NOP);
    put(ISS_NOP);
    int64_t base = iss_core_cycle(core);
    run(0x10000, 0);
    assert_in_range(iss_core_cycle(core) - base, 109, 112);
    close_core();
}

/* Four groups of a line of instructions are one access of the cache. */
static void test_lines_of_instructions(void **state)
{
    (void)state;
    prepare();
    model->fetch.bytes = 8;
    for (int i = 0; i < 8; i++)
        put(ISS_NOP);
    start_warm();
    iss_core_reset(core, false);
    uint64_t before = counts().memory.l1i;
    run(0x10000, 0);
    run(0x10020, 0);
    run(0x10040, 0);
    assert_int_equal(counts().memory.l1i - before, 2);
    close_core();
}

/* Neither the branch that was taken last nor what was stored is remembered: the branch has its usual 3 cycles, and the
 * load of what was stored waits for its line from memory, 10 + 100, and not for 1000 of the store. */
static void test_forget_branches_and_stores(void **state)
{
    (void)state;
    for (int forgets = 0; forgets < 2; forgets++) {
        prepare();
        model->fetch.same_taken = 1;
        branch(ISS_JUMP, 0x10000);
        core = iss_core_new(model);
        for (int i = 0; i < 5; i++)
            run(0x10000, 0x10000);
        int64_t at = iss_core_cycle(core);
        if (forgets)
            iss_core_reset(core, false);
        int64_t first = (run(0x10000, 0x10000), iss_core_cycle(core));
        run(0x10000, 0x10000);
        assert_int_equal(iss_core_cycle(core) - first, forgets ? 3 : 1);
        assert_true(first > at);
        close_core();
        prepare();
        model->data.forward = 1000;
        store(0x20000, 8);
        core = iss_core_new(model);
        run(0x10000, 0);
        iss_core_drain(core);
        if (forgets)
            iss_core_reset(core, false);
        program.n = program.n_accesses = 0;
        load(0x20000, 8);
        at = iss_core_cycle(core);
        run(0x10004, 0);
        if (forgets)
            assert_true(iss_core_cycle(core) - at < 500);
        else
            assert_true(iss_core_cycle(core) - at > 500);
        close_core();
    }
}

/* Nothing is known any more: the load does not wait for the store, the caches are cold. */
static void test_forget(void **state)
{
    (void)state;
    prepare();
    model->data.forward = 50;
    store(0x20000, 8);
    load(0x20000, 8);
    alu(2, 1);
    start_warm();
    ISSUE_AT(0, 50, 51);
    struct iss_counts before = counts();
    iss_core_reset(core, true);
    run(0x10000, 0);
    struct iss_counts after = counts();
    assert_int_equal(after.memory.l1i_refills - before.memory.l1i_refills, 1);
    assert_int_equal(after.memory.l1d_refills - before.memory.l1d_refills, 1);
    close_core();
}

/* ---- the whole ---- */

/* As new, and as another one is. */
static void test_restart_and_copy(void **state)
{
    (void)state;
    prepare();
    start();
    struct iss_core *other = iss_core_new_ideal(model);
    to(put(ISS_MUL64), 1);
    run(0x10000, 0);
    iss_core_copy(other, core);
    iss_core_restart(core);
    assert_int_equal(iss_core_cycle(core), 0);
    assert_int_equal(counts().instructions, 0);
    program.n = 0;
    alu(2, 1);
    ISSUE_AT(0);
    iss_core_free(core);
    core = other;
    ISSUE_AT(4);
    close_core();
}

/* Of a core that has run: what is known of registers is not, after code that nobody saw. */
static void test_lost_sight(void **state)
{
    (void)state;
    for (int lost = 0; lost < 2; lost++) {
        prepare();
        start();
        for (unsigned reg = 1; reg < 3; reg++) {
            struct iss_op *op = alu(reg, 0);
            op->value = ISS_VALUE_CONSTANT;
            op->constant = 1;
        }
        run(0x10000, 0);
        if (lost)
            iss_core_lost_sight(core);
        iss_core_drain(core);
        program.n = 0;
        struct iss_op *op = to(from(from(put(ISS_UDIV32), 1, ISS_NEED_OPERAND), 2, ISS_NEED_OPERAND), 3);
        op->width = 32;
        op->value = ISS_VALUE_UDIV;
        alu(4, 3);
        if (lost)
            ISSUE_AT(0, 6);
        else
            ISSUE_AT(0, 4); /* a quotient of one bit */
        close_core();
    }
}

/* Of a run of several steps each access belongs to the step that it names: the addition between them has none, and
 * accesses of steps that are skipped are passed over. */
static void test_accesses_of_a_run(void **state)
{
    (void)state;
    prepare();
    model->data.forward = 20;
    start();
    store(0x20000, 8); /* 0 */
    alu(2, 0);         /* 0 */
    store(0x20100, 8); /* 1 */
    load(0x20100, 8);  /* 21: it waits for the store before it, and not for the first */
    load(0x20000, 8);  /* 22 */
    int64_t each[5] = {0};
    iss_core_attribute(core, each);
    run(0x10000, 0);
    assert_int_equal(iss_core_cycle(core), 22);
    static const int64_t expected[] = {0, 0, 1, 20, 1};
    assert_memory_equal(each, expected, sizeof each);
    assert_true(counts().loads == 2 && counts().stores == 2);
    close_core();
    prepare(); /* skipped, with its access: what is after it has its own */
    model->data.forward = 20;
    start();
    struct iss_step steps[3];
    store(0x20000, 8);
    store(0x20000, 8);
    load(0x20100, 8);
    for (size_t i = 0; i < 3; i++)
        iss_step_make(model, &program.ops[i], 0x10000 + 4 * i, &steps[i]);
    steps[0].skip = steps[1].skip = true;
    iss_core_run(core, steps, 3, program.accesses, program.n_accesses, 0);
    assert_int_equal(iss_core_cycle(core), 0);
    assert_true(counts().loads == 1 && counts().stores == 0);
    close_core();
    prepare(); /* an access behind the steps that have one is nobody's */
    start();
    store(0x20000, 8);
    for (size_t i = 0; i < 2; i++)
        iss_step_make(model, &program.ops[0], 0x10000 + 4 * i, &steps[i]);
    steps[0].op.memory = ISS_NO_MEMORY;
    program.accesses[0].step = 1;
    iss_core_run(core, steps, 2, program.accesses, 1, 0);
    assert_int_equal(counts().stores, 1);
    steps[0].op.memory = ISS_WRITE_MEMORY; /* it says that it stores, and nothing says where */
    iss_core_run(core, steps, 2, program.accesses, 1, 0);
    assert_int_equal(counts().stores, 2);
    close_core();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uses_need_it_at_their_time),
        cmocka_unit_test(test_the_last_operand_counts),
        cmocka_unit_test(test_results_come_one_after_the_other),
        cmocka_unit_test(test_no_register),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_late_in_its_turn),
        cmocka_unit_test(test_written_back_at_the_issue),
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_places_in_the_cycle),
        cmocka_unit_test(test_hold),
        cmocka_unit_test(test_one_unit),
        cmocka_unit_test(test_two_of_a_unit),
        cmocka_unit_test(test_the_other_of_a_unit),
        cmocka_unit_test(test_second_unit),
        cmocka_unit_test(test_drains),
        cmocka_unit_test(test_drains_what_takes_longer),
        cmocka_unit_test(test_drain),
        cmocka_unit_test(test_fetching_behind_a_drain),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_unknown_quotients),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_taken_branches),
        cmocka_unit_test(test_branches_not_taken),
        cmocka_unit_test(test_announced_misprediction),
        cmocka_unit_test(test_mispredicted_branch_is_remembered),
        cmocka_unit_test(test_what_is_counted),
        cmocka_unit_test(test_accesses_of_a_run),
        cmocka_unit_test(test_loads_wait_for_the_bytes_they_read),
        cmocka_unit_test(test_the_last_store_counts),
        cmocka_unit_test(test_wide_stores),
        cmocka_unit_test(test_stores_over_a_line),
        cmocka_unit_test(test_split_loads_wait_longer),
        cmocka_unit_test(test_split_loads),
        cmocka_unit_test(test_pieces_of_loads),
        cmocka_unit_test(test_split_stores),
        cmocka_unit_test(test_delayed_loads),
        cmocka_unit_test(test_full_store_buffer),
        cmocka_unit_test(test_lines_of_instructions),
        cmocka_unit_test(test_forget_branches_and_stores),
        cmocka_unit_test(test_forget),
        cmocka_unit_test(test_restart_and_copy),
        cmocka_unit_test(test_lost_sight),
    };
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
