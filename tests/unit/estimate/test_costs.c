/* What an instruction costs: what the values have of it, what stands for it, what they say of the core. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "shimgen/estimate/costs.h"

static void value(struct costs *c, const char *name, double pitch, double latency)
{
    costs_add(c, name, (struct cycles){pitch, pitch, pitch}, (struct cycles){latency, latency, latency});
}

static void cycles_are(const struct cycles *c, double best, double typical, double worst)
{
    if (c->best != best || c->typical != typical || c->worst != worst)
        fail_msg("%g %g %g, expected %g %g %g", c->best, c->typical, c->worst, best, typical, worst);
}

static void sums_and_bounds(void **state)
{
    (void)state;
    struct cycles sum = {1, 2, 3}, c = {10, 20, 30};
    cycles_add(&sum, &c, 2);
    cycles_are(&sum, 21, 42, 63);
    assert_true(cycles_pick(&c, BOUND_BEST) == 10 && cycles_pick(&c, BOUND_TYPICAL) == 20);
    assert_true(cycles_pick(&c, BOUND_WORST) == 30);
    cycles_charge(&c, BOUND_BEST, 1);
    cycles_charge(&c, BOUND_TYPICAL, 2);
    cycles_charge(&c, BOUND_WORST, 3);
    cycles_are(&c, 11, 22, 33);
    c = cycles_completed((struct cycles){NAN, 5, 6});
    cycles_are(&c, 5, 5, 6);
    c = cycles_completed((struct cycles){4, 5, NAN});
    cycles_are(&c, 4, 5, 5);
}

/* The first value of a name stays; a copy has all of them, and is its own. */
static void values_and_copies(void **state)
{
    (void)state;
    struct costs c = {.core = xstrdup("Core"), .interval = xstrdup("1"), .warning = xstrdup("mind")}, copy;
    size_t i;
    costs_add(&c, "add", (struct cycles){NAN, 1, NAN}, (struct cycles){2, 3, 4});
    value(&c, "add", 7, 7);
    value(&c, "mul", 5, 6);
    costs_copy(&copy, &c);
    c.pitch[1].typical = 99;
    assert_string_equal(copy.core, "Core");
    assert_string_equal(copy.interval, "1");
    assert_string_equal(copy.warning, "mind");
    assert_true(costs_has(&copy, IR_ADD, &i) && i == 0);
    cycles_are(&copy.pitch[i], 1, 1, 1);
    cycles_are(&copy.latency[i], 2, 3, 4);
    assert_true(costs_has(&copy, IR_MUL, &i) && i == 1);
    cycles_are(&copy.pitch[i], 5, 5, 5);
    cycles_are(&copy.latency[i], 6, 6, 6);
    assert_false(costs_has(&copy, IR_SUB, &i));
    costs_release(&copy);
    costs_release(&c);
}

/* The least Pitch of sums and of logic is what the core issues; one where that takes a third of an addition's Latency or
 * less executes out of order. */
static void issue(void **state)
{
    (void)state;
    struct costs c = {.core = xstrdup("Core")};
    assert_true(costs_issue(&c) == 1 && !costs_out_of_order(&c)); /* nothing is known */
    value(&c, "mul", 0.1, 0.1);
    value(&c, "fadd", 0.1, 0.1);
    value(&c, "sub", 0, 1); /* no Pitch at all */
    assert_true(costs_issue(&c) == 1);
    value(&c, "xor", 0.5, 1);
    assert_true(costs_issue(&c) == 0.5);
    value(&c, "add", 0.75, 1.5);
    assert_true(costs_issue(&c) == 0.5 && costs_out_of_order(&c));
    c.latency[4].typical = 1.49;
    assert_false(costs_out_of_order(&c));
    costs_release(&c);
}

/* assumed NULL: the values have it. */
static void stands_for(const struct costs *c, enum ir_opcode opcode, const char *assumed, double pitch, double latency)
{
    struct cycles p, l;
    const char *found = costs_of_instruction(&p, &l, c, opcode);
    if (found != assumed && (!found || !assumed || strcmp(found, assumed) != 0))
        fail_msg("%s: %s", ir_instruction(opcode)->name, found ? found : "its own");
    cycles_are(&p, pitch, pitch, pitch);
    cycles_are(&l, latency, latency, latency);
}

/* fneg is like fsub, else like fadd; insertvalue like extractvalue, else no code; load like nothing of these: the mean
 * of all instructions, without types, functions and widths. */
static void stand_ins(void **state)
{
    (void)state;
    struct costs c = {.core = xstrdup("Core")};
    value(&c, "add", 1, 2);
    value(&c, "fadd", 3, 6);
    value(&c, "add.i64", 100, 100);
    value(&c, "call.library.sin", 100, 100);
    value(&c, "add:64>64*0", 100, 100);
    stands_for(&c, IR_ADD, 0, 1, 2);
    stands_for(&c, IR_SUB, "add", 1, 2);
    stands_for(&c, IR_FNEG, "fadd", 3, 6);
    stands_for(&c, IR_EXTRACTVALUE, "nothing", 0, 0);
    stands_for(&c, IR_BR, "the mean of all", 2, 4);
    stands_for(&c, IR_NONE, "the mean of all", 2, 4);
    value(&c, "fsub", 4, 7);
    stands_for(&c, IR_FNEG, "fsub", 4, 7);
    value(&c, "insertvalue", 5, 8);
    stands_for(&c, IR_EXTRACTVALUE, "insertvalue", 5, 8);
    struct cycles p, l;
    costs_of_typed(&p, &l, &c, IR_ADD, "i64");
    cycles_are(&p, 100, 100, 100);
    costs_of_typed(&p, &l, &c, IR_ADD, "i32");
    cycles_are(&l, 2, 2, 2);
    costs_release(&c);
    struct costs none = {0};
    stands_for(&none, IR_ADD, "the mean of all", 0, 0);
}

/* Keys of a profile: their own value, that of a register of such elements, of the function that an intrinsic calls, of the
 * width, of the instruction. */
static void keys_of_a_profile(void **state)
{
    (void)state;
    static const struct {
        const char *key, *instruction, *assumed;
        double pitch;
        bool own;
    } rows[] = {
        {"mul.i64", "mul", 0, 10, true},
        {"mul.i64_d", "mul", 0, 10, true},
        {"mul.i32", "mul", 0, 1, false},
        {"fadd.v4f32", "fadd", 0, 20, true},
        {"fadd.v8f32", "fadd", 0, 20, false},
        {"fadd.v2f32", "fadd", 0, 20, false},
        {"fadd.v2f64", "fadd", 0, 2, false},
        {"fadd.float", "fadd", 0, 2, false},
        {"add.i16", "add", 0, 60, false}, /* by its width */
        {"call.library.sin", "call.library.sin", 0, 30, true},
        {"call.library.cos", "call.library.cos", "the call alone", 4, false},
        {"call.llvm.sin.double", "call", 0, 30, false},
        {"call.direct", "call", 0, 4, false},
        {"sub.i32", "sub", "add", 3, false},
    };
    enum { N = sizeof rows / sizeof *rows };
    char *names[N];
    struct irprof_profile p = {.keys = names, .n_keys = N};
    struct costs c = {.core = xstrdup("Core")};
    struct key_costs k;
    value(&c, "mul", 1, 1);
    value(&c, "fadd", 2, 2);
    value(&c, "add", 3, 3);
    value(&c, "call", 4, 4);
    value(&c, "mul.i64", 10, 10);
    value(&c, "fadd.v4f32", 20, 20);
    value(&c, "call.library.sin", 30, 30);
    value(&c, "add:16>16*0", 60, 60);
    for (size_t i = 0; i < N; i++)
        names[i] = (char *)(uintptr_t)rows[i].key;
    key_costs_init(&k, &p, &c);
    assert_int_equal(k.n, N);
    for (size_t i = 0; i < N; i++) {
        const struct key_cost *x = &k.at[i];
        bool same = x->assumed == rows[i].assumed ||
                    (x->assumed && rows[i].assumed && strcmp(x->assumed, rows[i].assumed) == 0);
        if (!same || x->own != rows[i].own || x->pitch.typical != rows[i].pitch ||
            x->latency.typical != rows[i].pitch || strcmp(x->instruction, rows[i].instruction) != 0)
            fail_msg("%s: of %s, %s, own %d, %g", rows[i].key, x->instruction, x->assumed ? x->assumed : "known",
                     x->own, x->pitch.typical);
    }
    key_costs_release(&k);
    costs_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_and_bounds), cmocka_unit_test(values_and_copies),
                                       cmocka_unit_test(issue), cmocka_unit_test(stand_ins),
                                       cmocka_unit_test(keys_of_a_profile)};
    return cmocka_run_group_tests(tests, 0, 0);
}
