/* What single vector instructions become on a core in order, derived by hand: an addition of a register of 16 bytes has
 * Pitch 1 and Latency 2 here, a number in floating point half the Pitch of two; all else as in schedule_example.h. */
#include "tests/unit/estimate/schedule_example.h"

static struct costs costs;
static struct schedule s;

static void begin_code(const char *target)
{
    costs = some_costs(false);
    value(&costs, "add.v4i32", 1, 2);
    value(&costs, "mul.v4i32", 1, 4);
    value(&costs, "select", 0.5, 1);
    value(&costs, "trunc", 0.5, 1);
    value(&costs, "fadd.double", 0.5, 4);
    value(&costs, "fadd.v2f64", 1, 4);
    value(&costs, "extractelement", 1, 3);
    value(&costs, "call.llvm.vector.reduce.add.i32", 2, 2);
    begin();
    x.module.target = (char *)target;
    block(0, 0, NO, 1);
}

static void make_code(void)
{
    open_schedule(&s, &costs);
    schedule_code(&s, BOUND_TYPICAL);
}

static void end_code(void)
{
    close_schedule(&s);
    costs_release(&costs);
}

static void code_is(uint32_t i, double slots, double pitch, double latency)
{
    const struct code *c = &s.code[i];
    if (fabs(c->slots - slots) > 1e-6 || fabs(c->pitch - pitch) > 1e-6 || fabs(c->latency - latency) > 1e-6)
        fail_msg("instruction %u (%s): %g, %g, %g", i, x.keys[x.instructions[i].key], (double)c->slots,
                 (double)c->pitch, (double)c->latency);
}

/* From 8 to 32 bits: 16 elements are 2 registers of 16 bits, then 4 of 32: six instructions, in two steps. Back, 2 and 1. */
static void elements_change_their_width_step_by_step(void **state)
{
    (void)state;
    static const struct {
        const char *from, *key;
        double instructions, steps;
    } all[] = {{"load.v16i8", "sext.v16i32", 6, 2},        {"load.v16i8", "zext.v16i16", 2, 1},
               {"load.v8i16", "sext.v8i32", 2, 1},         {"load.v2i32", "zext.v2i64", 1, 1},
               {"add.v16i32", "trunc.v16i8", 3, 2},        {"add.v8i32", "trunc.v8i16", 1, 1},
               {"add.v16i64", "trunc.v16i8", 4 + 2 + 1, 3}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code("aarch64-linux-gnu");
        uint32_t from = put(all[i].from, NO, NO), to = put(all[i].key, from, NO);
        put("xor.v16i32", to, NO);
        make_code();
        code_is(to, 0.5 * all[i].instructions, all[i].instructions, 2 * all[i].steps);
        end_code();
    }
}

/* Registers are added two by two (a Latency for each halving), then what is in the last one, which then leaves it (3). The
 * Pitch is what was measured, and an addition's for each further register. */
static void reductions_add_registers_first(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        double slots, pitch, latency;
    } all[] = {{"add.v4i32", 1, 2, 2 + 3}, {"add.v8i32", 1.5, 3, 4 + 3}, {"add.v16i32", 2.5, 5, 6 + 3}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code("aarch64-linux-gnu");
        uint32_t from = put(all[i].from, NO, NO), sum = put("call.llvm.vector.reduce.add.i32", from, NO);
        make_code();
        code_is(sum, all[i].slots, all[i].pitch, all[i].latency);
        end_code();
    }
}

/* At least an addition's time for each register; half of it where half a register is used; comparisons and selections have
 * an addition's Latency. The smaller of two is one instruction for each register, but of 64 bits. */
static void units_take_at_least_an_addition(void **state)
{
    (void)state;
    begin_code("aarch64-linux-gnu");
    uint32_t a = put("load.v8i32", NO, NO), b = put("load.v8i8", NO, NO);
    uint32_t compared = put("icmp.v8i32", a, NO), twice = put("xor.v8i32", a, compared);
    uint32_t selected = put("select.v8i8", compared, b);
    uint32_t low = put("call.llvm.umin.v8i32", a, twice), half = put("call.llvm.umin.v8i8", b, selected);
    uint32_t whole = put("call.llvm.umin.v16i8", b, NO), wide = put("call.llvm.umin.v2i64", b, NO);
    make_code();
    code_is(compared, 1, 2, 2);
    code_is(selected, 0.5, 0.5, 2);
    code_is(low, 1, 2, 2);
    code_is(half, 0.5, 0.5, 2);
    code_is(whole, 0.5, 1, 2);
    assert_true(s.code[wide].slots > 0.5F);
    end_code();
}

/* Both extensions in the product's block: one step of them is in it, the next makes the products longer, 2 + 4 for six
 * instructions of each factor; where one was extended before the loop, both factors stay extended. */
static void only_what_is_extended_here_is_multiplied_as_it_was(void **state)
{
    (void)state;
    for (int before = 0; before < 2; before++) {
        begin_code("aarch64-linux-gnu");
        uint32_t a = put("load.v16i8", NO, NO), b = put("load.v16i8", NO, NO), x1 = put("sext.v16i32", a, NO);
        if (before)
            block(0, 1, NO, 1);
        uint32_t x2 = put("sext.v16i32", b, NO), product = put("mul.v16i32", x1, x2);
        make_code();
        if (before) {
            code_is(x2, 3, 6, 4);
            code_is(product, 2, 4, 4);
        } else {
            code_is(x1, 0, 0, 0);
            code_is(x2, 0, 0, 0);
            code_is(product, 3, 6, 4);
        }
        end_code();
    }
}

/* An addition of a product (mla), and of what was made longer (saddw, which saves the last step: 4 of 6). */
static void additions_come_with_what_is_added(void **state)
{
    (void)state;
    for (int arm = 0; arm < 2; arm++) {
        begin_code(arm ? "aarch64-linux-gnu" : "riscv64-linux-gnu");
        uint32_t product = put("mul.v4i32", NO, NO), sum = put("add.v4i32", product, NO);
        uint32_t from = put("load.v16i8", NO, NO), longer = put("sext.v16i32", from, NO);
        put("add.v16i32", longer, NO);
        make_code();
        code_is(product, 0.5, 1, 4);
        code_is(sum, arm ? 0 : 0.5, arm ? 0 : 1, arm ? 0 : 2);
        code_is(longer, arm ? 1 : 3, arm ? 2 : 6, 4);
        end_code();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_change_their_width_step_by_step),
        cmocka_unit_test(reductions_add_registers_first),
        cmocka_unit_test(units_take_at_least_an_addition),
        cmocka_unit_test(only_what_is_extended_here_is_multiplied_as_it_was),
        cmocka_unit_test(additions_come_with_what_is_added),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
