/* What single targets make of several instructions, and what functions save: derived by hand from the values in
 * schedule_example.h (additions 0.5 and 1, mul 1 and 4). */
#include "tests/unit/estimate/schedule_example.h"

static struct costs costs;
static struct schedule s;

static void begin_code(const char *target)
{
    costs = some_costs(false);
    begin();
    x.module.target = (char *)target;
    block(0, 0, NO, 1);
}

static void make_code(void)
{
    open_schedule(&s, &costs);
    s.store_pitch = 1;
    s.load_pitch = 2;
    schedule_code(&s, 1);
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
        fail_msg("instruction %u (%s, %s): %g, %g, %g", i, x.keys[x.instructions[i].key], x.module.target,
                 (double)c->slots, (double)c->pitch, (double)c->latency);
}

/* ---- AArch64 ---- */

static void product_is(const char *target, const char *product, const char *user, bool joined)
{
    begin_code(target);
    uint32_t m = put(product, NO, NO), u = put(user, m, NO);
    make_code();
    if (joined) {
        code_is(m, 0, 0, 0);
        code_is(u, 0.5, 1, 4);
    } else {
        assert_true(s.code[m].slots > 0 && s.code[u].slots > 0 && s.code[u].latency > 0);
    }
    end_code();
}

static void products_are_added_at_once(void **state)
{
    (void)state;
    product_is("aarch64-linux-gnu", "mul.i32", "add.i32_d", true);
    product_is("arm64-apple-macosx", "mul.i64", "sub.i64", true);
    product_is("aarch64-linux-gnu", "mul.i32", "and.i32", false);
    product_is("aarch64-linux-gnu", "add.i32", "add.i32", false);
    product_is("x86_64-linux-gnu", "mul.i32", "add.i32", false);
    product_is("riscv64-linux-gnu", "mul.i32", "add.i32", false);
    product_is("", "mul.i32", "add.i32", false);
}

/* Not one that is used twice, or in another block, or where nobody optimised. Of two products that are added the addition
 * comes with the first: it waits for the second. */
static void products_that_are_not(void **state)
{
    (void)state;
    begin_code("aarch64-linux-gnu");
    uint32_t m = put("mul.i32", NO, NO), twice = put("add.i32", m, m);
    uint32_t far = put("mul.i32", NO, NO);
    block(0, 1, NO, 1);
    uint32_t other = put("add.i32", far, NO);
    uint32_t a = put("mul.i32", NO, NO), b = put("mul.i32", NO, NO), sum = put("add.i32", a, b);
    make_code();
    code_is(twice, 0.5, 0.5, 1);
    code_is(other, 0.5, 0.5, 1);
    code_is(a, 0, 0, 0);
    code_is(b, 0.5, 1, 4);
    code_is(sum, 0.5, 1, 4);
    end_code();
    begin_code("aarch64-linux-gnu");
    m = put("mul.i32", NO, NO);
    sum = put("add.i32", m, NO);
    keeps_variables(0);
    make_code();
    code_is(sum, 0.5, 0.5, 1);
    end_code();
}

/* The first element of a register is a number in floating point that is there already; a load fills another element itself,
 * if nobody else uses it and it is in the block. */
static void elements_are_loaded(void **state)
{
    (void)state;
    for (int arm = 0; arm < 2; arm++) {
        begin_code(arm ? "aarch64-linux-gnu" : "riscv64-linux-gnu");
        value(&costs, "insertelement", 1, 2);
        uint32_t far = put("load.float", NO, NO);
        block(0, 1, NO, 1);
        uint32_t l0 = put("load.float", NO, NO), e0 = put("insertelement.v4f32", l0, NO);
        uint32_t l1 = put("load.float", NO, NO), e1 = put("insertelement.v4f32", e0, l1);
        uint32_t made = put("fadd.float", NO, NO), e2 = put("insertelement.v4f32", e1, made);
        uint32_t twice = put("load.float", NO, NO), e3 = put("insertelement.v4f32", e2, twice);
        uint32_t e4 = put("insertelement.v4f32", e3, far), whole = put("insertelement.v4i32", made, NO);
        put("fadd.float", twice, NO);
        make_code();
        code_is(e0, arm ? 0 : 0.5, arm ? 0 : 1, arm ? 0 : 2);
        code_is(e1, arm ? 0 : 0.5, arm ? 0 : 1, 2);
        const uint32_t others[] = {e2, e3, e4, whole};
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            code_is(others[k], 0.5, 1, 2);
        end_code();
    }
}

/* A shift by a constant goes with the operation that alone uses it, at half its Latency. */
static void operands_are_shifted_on_the_way(void **state)
{
    (void)state;
    static const struct {
        const char *shift, *user;
        unsigned constants;
        bool joined;
    } all[] = {{"shl.i64", "add.i64", IRPROF_CONSTANT, true},   {"shl.i64", "sub.i64", IRPROF_CONSTANT, true},
               {"shl.i64", "and.i64", IRPROF_CONSTANT, true},   {"shl.i64", "or.i64", IRPROF_CONSTANT, true},
               {"shl.i64", "xor.i64_d", IRPROF_CONSTANT, true}, {"shl.i64", "add.i64", 0, false},
               {"shl.i64", "mul.i64", IRPROF_CONSTANT, false},  {"lshr.i64", "add.i64", IRPROF_CONSTANT, false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code("aarch64-linux-gnu");
        uint32_t shift = put_constant(all[i].shift, NO, NO, all[i].constants), user = put(all[i].user, shift, NO);
        make_code();
        code_is(shift, all[i].joined ? 0 : 0.5, all[i].joined ? 0 : 0.5, all[i].joined ? 0.5 : 1);
        assert_true(s.code[user].slots > 0);
        end_code();
    }
}

/* A field of bits: a shift to the right by a constant, and a constant mask. */
static void fields_of_bits(void **state)
{
    (void)state;
    static const struct {
        const char *shift, *user;
        unsigned constants, mask;
        bool joined;
    } all[] = {{"lshr.i64", "and.i64", IRPROF_CONSTANT, IRPROF_CONSTANT, true},
               {"ashr.i64", "and.i64", IRPROF_CONSTANT, IRPROF_CONSTANT, true},
               {"lshr.i64", "and.i64", 0, IRPROF_CONSTANT, false},
               {"lshr.i64", "and.i64", IRPROF_CONSTANT, 0, false},
               {"lshr.i64", "or.i64", IRPROF_CONSTANT, IRPROF_CONSTANT, false},
               {"sext.i64", "and.i64", IRPROF_CONSTANT, IRPROF_CONSTANT, false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code("aarch64-linux-gnu");
        uint32_t shift = put_constant(all[i].shift, NO, NO, all[i].constants);
        put_constant(all[i].user, shift, NO, all[i].mask);
        make_code();
        if (all[i].joined)
            code_is(shift, 0, 0, 0);
        else
            code_is(shift, 0.5, 0.5, 1);
        end_code();
    }
}

/* ---- products of extended factors ---- */

/* One instruction for each 16 bytes, without the extensions, at the Pitch of a product of vectors; extensions that
 * something else uses, too, stay. */
static void vectors_of_extended_elements(void **state)
{
    (void)state;
    static const struct {
        const char *target, *product;
        double slots;
        bool joined;
    } all[] = {{"aarch64-linux-gnu", "mul.v4i32", 0.5, true},  {"x86_64-linux-gnu", "mul.v4i32_d", 0.5, true},
               {"i686-linux-gnu", "mul.v8i32", 1, true},       {"aarch64-linux-gnu", "mul.v2i64", 0.5, true},
               {"riscv64-linux-gnu", "mul.v4i32", 0.5, false}, {"aarch64-linux-gnu", "mul.i32", 0.5, false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code(all[i].target);
        uint32_t a = put("sext.v4i32", NO, NO), b = put("zext.v4i32", NO, NO);
        uint32_t product = put(all[i].product, a, b);
        put("and.v4i32", b, NO);
        make_code();
        if (all[i].joined)
            code_is(a, 0, 0, 0);
        else
            code_is(a, 0.5, 0.5, 1);
        code_is(b, 0.5, 0.5, 1);
        code_is(product, all[i].slots, 2 * all[i].slots, 4);
        end_code();
    }
}

/* The other factor is a constant, or one number in all elements, made longer before the loop: LLVM moves it there. */
static void vectors_by_one_number(void **state)
{
    (void)state;
    for (int how = 0; how < 3; how++) {
        begin_code("aarch64-linux-gnu");
        uint32_t number = put(how == 2 ? "add.i64" : "sext.i64", NO, NO);
        uint32_t splat = put("shufflevector.v2i64", put("insertelement.v2i64", number, NO), NO);
        uint32_t a = put("sext.v2i64", NO, NO);
        uint32_t product = how ? put("mul.v2i64", splat, a) : put_constant("mul.v2i64", a, NO, IRPROF_CONSTANT);
        make_code();
        code_is(a, how == 2 ? 0.5 : 0, how == 2 ? 0.5 : 0, how == 2 ? 1 : 0);
        if (how < 2)
            code_is(product, 0.5, 1, 4);
        else
            code_is(product, 2 * 4 * 0.5, 2 * 4 * 0.5, 4 + 1); /* each pair to registers, its product back */
        end_code();
    }
}

/* One of the factors is not extended, or there is but one. */
static void products_of_other_factors(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        begin_code("aarch64-linux-gnu");
        uint32_t a = put("sext.v4i32", NO, NO), b = put("and.v4i32", NO, NO);
        uint32_t product = put(how == 3 ? "and.v4i32" : "mul.v4i32", how == 1 ? b : a,
                               how == 2   ? NO
                               : how == 0 ? b
                                          : a);
        make_code();
        code_is(a, 0.5, 0.5, 1);
        code_is(product, 0.5, how == 3 ? 0.5 : 1, how == 3 ? 1 : 4);
        end_code();
    }
}

/* The 128 bits of a product of two registers: two multiplications, the second a Pitch after the first, by the value of
 * those of 64 bits where there is one. The extensions are names, for whoever uses them. */
static void long_products(void **state)
{
    (void)state;
    for (int own = 0; own < 2; own++) {
        begin_code("riscv64-linux-gnu");
        if (own)
            value(&costs, "mul.i64", 3, 7);
        uint32_t a = put("zext.i128", put("add.i64", NO, NO), NO), b = put("zext.i128", put("add.i64", NO, NO), NO);
        uint32_t product = put("mul.i128", a, b);
        put("and.i128", a, b);
        make_code();
        code_is(a, 0, 0, 0);
        code_is(b, 0, 0, 0);
        code_is(product, 1, own ? 6 : 2, own ? 10 : 5);
        end_code();
    }
}

/* The upper register of 128 bits: a shift to the right by a constant, of which nothing but a narrower number is taken, makes
 * no code. Any other is two instructions, one for each register. */
static void upper_halves(void **state)
{
    (void)state;
    static const struct {
        const char *shift, *user;
        unsigned char constants;
        bool twice;
        double slots;
    } all[] = {
        {"lshr.i128", "trunc.i64", IRPROF_CONSTANT, false, 0}, {"lshr.i128", "trunc.i64", 0, false, 1},
        {"lshr.i128", "trunc.i64", IRPROF_CONSTANT, true, 1},  {"lshr.i128", "add.i128", IRPROF_CONSTANT, false, 1},
        {"shl.i128", "trunc.i64", IRPROF_CONSTANT, false, 1},  {"lshr.i64", "trunc.i64", IRPROF_CONSTANT, false, 0.5}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code("riscv64-linux-gnu");
        uint32_t shift = put(all[i].shift, put("load.i128", NO, NO), NO);
        x.instructions[shift].constants = all[i].constants;
        put(all[i].user, shift, NO);
        if (all[i].twice)
            put("trunc.i64", shift, NO);
        make_code();
        if (fabs((double)s.code[shift].slots - all[i].slots) > 1e-6)
            fail_msg("%zu: %g slots", i, (double)s.code[shift].slots);
        end_code();
    }
}

/* ---- calls that the IR does not show ---- */

/* AArch64 calls functions for atomic variables: no instruction crosses them. */
static void atomics_are_calls(void **state)
{
    (void)state;
    static const struct {
        const char *target, *key;
        bool call;
    } all[] = {{"aarch64-linux-gnu", "atomicrmw.i32", true},  {"aarch64-linux-gnu", "cmpxchg.agg", true},
               {"aarch64-linux-gnu", "fence", false},         {"aarch64-linux-gnu", "load.i32", false},
               {"riscv64-linux-gnu", "atomicrmw.i32", false}, {"x86_64-linux-gnu", "cmpxchg.agg", false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code(all[i].target);
        uint32_t k = put(all[i].key, NO, NO);
        make_code();
        assert_int_equal(s.code[k].barrier, all[i].call);
        end_code();
    }
}

/* ---- x86 ---- */

/* A load whose only user takes its operand from memory is half an instruction. */
static void operands_from_memory(void **state)
{
    (void)state;
    static const struct {
        const char *target, *user;
        double slots;
    } all[] = {{"x86_64-linux-gnu", "add.i32", 0.25},     {"i686-linux-gnu", "mul.i32_d", 0.25},
               {"x86_64-linux-gnu", "icmp.i32", 0.25},    {"x86_64-linux-gnu", "shl.i32", 0.5},
               {"x86_64-linux-gnu", "xor.i32", 0.25},     {"x86_64-linux-gnu", "fadd.double", 0.25},
               {"x86_64-linux-gnu", "fmul.double", 0.25}, {"x86_64-linux-gnu", "fdiv.double", 0.25},
               {"x86_64-linux-gnu", "frem.double", 0.5},  {"x86_64-linux-gnu", "sitofp.double", 0.5},
               {"aarch64-linux-gnu", "add.i32", 0.5},     {"riscv64-linux-gnu", "add.i32", 0.5}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code(all[i].target);
        uint32_t l = put("load.i32", NO, NO);
        put(all[i].user, l, NO);
        make_code();
        code_is(l, all[i].slots, 1, 3);
        end_code();
    }
    begin_code("x86_64-linux-gnu");
    uint32_t twice = put("load.i32", NO, NO), far = put("load.i32", NO, NO), no_load = put("shl.i32", NO, NO);
    put("add.i32", twice, twice);
    put("add.i32", no_load, NO);
    block(0, 1, NO, 1);
    put("add.i32", far, NO);
    make_code();
    code_is(twice, 0.5, 1, 3);
    code_is(far, 0.5, 1, 3);
    code_is(no_load, 0.5, 0.5, 1);
    end_code();
}

/* ---- RISC-V ---- */

/* A branch compares two integers itself, optimised or not. */
static void branches_compare(void **state)
{
    (void)state;
    static const struct {
        const char *target, *comparison, *user;
        bool joined;
    } all[] = {
        {"riscv64-linux-gnu", "icmp.i32", "br.cond", true},     {"riscv32-linux-gnu", "icmp.i32_d", "br.cond_d", true},
        {"riscv64-linux-gnu", "icmp.i32", "select.i32", false}, {"riscv64-linux-gnu", "fcmp.double", "br.cond", false},
        {"aarch64-linux-gnu", "icmp.i32", "br.cond", false},    {"x86_64-linux-gnu", "icmp.i32", "br.cond", false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int optimised = 0; optimised < 2; optimised++) {
            begin_code(all[i].target);
            value(&costs, "fcmp", 0.5, 1);
            uint32_t c = put(all[i].comparison, NO, NO);
            put(all[i].user, c, NO);
            if (!optimised)
                keeps_variables(0);
            make_code();
            if (all[i].joined)
                code_is(c, 0, 0, 0);
            else
                code_is(c, 0.5, 0.5, 1);
            end_code();
        }
}

/* What is compared for a branch and for a phi is compared by the branch; the phi's number is made on the way. If the block
 * itself needs the number, it is made there, and the branch does not wait for it. A comparison of another block is no part of
 * the branch. */
static void branches_compare_for_others(void **state)
{
    (void)state;
    enum { PHI, SAME_BLOCK, OTHER_BRANCH, WAYS };
    for (int way = 0; way < WAYS; way++) {
        begin_code("riscv64-linux-gnu");
        uint32_t c = put("icmp.i32", NO, NO);
        if (way == SAME_BLOCK)
            put("zext.i32", c, NO);
        if (way != OTHER_BRANCH)
            put("br.cond", c, NO);
        block(0, 1, NO, 1);
        if (way == OTHER_BRANCH)
            put("br.cond", c, NO);
        else
            put("phi.i1", c, NO);
        make_code();
        if (way == PHI)
            code_is(c, 0, 0, 0);
        else if (way == SAME_BLOCK)
            code_is(c, 0.5, 0.5, 0);
        else
            code_is(c, 0.5, 0.5, 1);
        end_code();
    }
}

/* ---- saved registers ---- */

/* Of each register half a store and half a load, (1 + 2) / 2 here; beside the instruction itself. */
static void ret_saves(uint32_t ret, uint32_t registers)
{
    make_code();
    code_is(ret, 0.5 + 1.5 * registers, 0.5, 1);
    end_code();
}

static void functions_that_call_save_registers(void **state)
{
    (void)state;
    begin_code(""); /* one value lives across the call, used twice; two are for the frame */
    uint32_t a = put("add.i32", NO, NO);
    put("call.direct", NO, NO);
    uint32_t b = put("add.i32", a, NO);
    put("and.i32", a, b);
    ret_saves(put("ret", NO, NO), 1 + 2);

    begin_code(""); /* no call */
    a = put("add.i32", NO, NO);
    put("add.i32", a, NO);
    ret_saves(put("ret", NO, NO), 0);

    begin_code(""); /* used before it; the call's own result is not there before it */
    a = put("add.i32", NO, NO);
    put("add.i32", a, NO);
    uint32_t result = put("call.direct", NO, NO);
    put("add.i32", result, NO);
    ret_saves(put("ret", NO, NO), 2);

    begin_code(""); /* the result of the first call lives across the second, as does what is made between them */
    result = put("call.direct", NO, NO);
    b = put("add.i32", NO, NO);
    put("call.direct", NO, NO);
    put("add.i32", result, b);
    ret_saves(put("ret", NO, NO), 2 + 2);

    begin_code(""); /* a name is no register; a phi is, and an argument is not counted */
    uint32_t phi = put("phi.i32", NO, NO), name = put("freeze.i32", NO, NO);
    put("call.direct", NO, NO);
    put("add.i32", name, phi);
    ret_saves(put("ret", NO, NO), 1 + 2);
}

static void ten_registers_are_saved_at_most(void **state)
{
    (void)state;
    for (uint32_t n = 9; n < 13; n++) {
        begin_code("");
        for (uint32_t i = 0; i < n; i++)
            put("add.i32", NO, NO);
        put("call.direct", NO, NO);
        for (uint32_t i = 0; i < n; i++)
            put("and.i32", i, NO);
        ret_saves(put("ret", NO, NO), (n < 10 ? n : 10) + 2);
    }
}

/* All blocks of the function count, and all its returns; other functions do not. */
static void each_function_saves_its_own(void **state)
{
    (void)state;
    begin_code("");
    uint32_t a = put("add.i32", NO, NO);
    put("call.direct", NO, NO);
    uint32_t early = put("ret", NO, NO);
    block(0, 1, NO, 1);
    put("add.i32", a, NO);
    uint32_t late = put("ret", NO, NO);
    block(1, 0, NO, 1);
    put("add.i32", NO, NO);
    uint32_t other = put("ret", NO, NO);
    block(2, 0, NO, 1);
    put("call.direct", NO, NO);
    uint32_t last = put("ret", NO, NO);
    make_code();
    code_is(early, 0.5 + 1.5 * 3, 0.5, 1);
    code_is(late, 0.5 + 1.5 * 3, 0.5, 1);
    code_is(other, 0.5, 0.5, 1);
    code_is(last, 0.5 + 1.5 * 2, 0.5, 1);
    end_code();
}

/* A product of 64 bits of extended numbers costs what one of 32 bits does, and extends them itself. */
static void narrow_is(const char *target, const char *first, const char *second, unsigned constants, bool narrow)
{
    begin_code(target);
    value(&costs, "mul.i64", 3, 9);
    value(&costs, "mul.i32", 1, 4);
    uint32_t a = put(first, NO, NO), b = second ? put(second, NO, NO) : NO;
    uint32_t m = put_constant("mul.i64", a, b, constants);
    make_code();
    if (narrow)
        code_is(m, 0.5, 1, 4);
    else
        code_is(m, 0.5, 3, 9);
    for (uint32_t i = a; i < m; i++)
        code_is(i, narrow ? 0 : 0.5, narrow ? 0 : 0.5, narrow ? 0 : 1);
    end_code();
}

static void products_of_narrow_numbers(void **state)
{
    (void)state;
    narrow_is("aarch64-linux-gnu", "sext.i64", "sext.i64", 0, true);
    narrow_is("aarch64-linux-gnu", "zext.i64", "zext.i64", 0, true);
    narrow_is("aarch64-linux-gnu", "sext.i64", 0, IRPROF_CONSTANT, true);
    narrow_is("aarch64-linux-gnu", "sext.i64", "add.i64", 0, false);
    narrow_is("riscv64-linux-gnu", "sext.i64", "sext.i64", 0, false);
    narrow_is("x86_64-linux-gnu", "sext.i64", "sext.i64", 0, false);
}

/* ldpsw x1, x2; mul: what was loaded with its sign is of 64 bits. One such load beside a register is not. */
static void products_of_loaded_numbers(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        begin_code("aarch64-linux-gnu");
        value(&costs, "mul.i64", 3, 9);
        value(&costs, "mul.i32", 1, 4);
        uint32_t a = put("sext.i64", put("load.i32", NO, NO), NO);
        uint32_t b = put("sext.i64", put(both ? "load.i32" : "load.i16", NO, NO), NO);
        uint32_t m = put("mul.i64", a, b);
        make_code();
        code_is(m, 0.5, both ? 3 : 1, both ? 9 : 4);
        end_code();
    }
}

/* ---- pairs ---- */

static uint32_t access_at(const char *key, uint32_t value, uint32_t base, int64_t offset, uint32_t size)
{
    uint32_t i = put(key, value, NO);
    at(base, offset, size, 0);
    return i;
}

/* Two accesses; whether the target has one instruction for them. Loads occupy their unit as long as two. */
static void pair_is(const char *target, const char *key, int64_t offset, uint32_t size, bool joined)
{
    bool load = strncmp(key, "load", 4) == 0;
    begin_code(target);
    uint32_t a = access_at(key, NO, 0, 8, size), b = access_at(key, NO, 0, offset, size);
    make_code();
    if (joined && load) {
        code_is(a, 0.5, 2, 3);
        code_is(b, 0, 0, 3);
    } else if (joined) {
        code_is(a, 0, 0, 5);
        code_is(b, 0.5, 1, 5);
    } else {
        code_is(a, 0.5, 1, load ? 3 : 5);
        code_is(b, 0.5, 1, load ? 3 : 5);
    }
    assert_int_equal(s.code[b].pair, joined ? (load ? a : b) + 1 : 0);
    end_code();
}

static void neighbours_are_pairs(void **state)
{
    (void)state;
    pair_is("aarch64-linux-gnu", "load.i32", 12, 4, true);
    pair_is("aarch64-linux-gnu", "load.i32", 4, 4, true);
    pair_is("aarch64-linux-gnu", "store.i64", 16, 8, true);
    pair_is("aarch64-linux-gnu", "store.f64", 0, 8, true);
    pair_is("aarch64-linux-gnu", "load.i32", 16, 4, false);
    pair_is("aarch64-linux-gnu", "load.i32", 8, 4, false);
    pair_is("aarch64-linux-gnu", "load.i16", 10, 2, false);
    pair_is("aarch64-linux-gnu", "store.i64", 12, 8, false);
    pair_is("x86_64-linux-gnu", "load.i32", 12, 4, false);
    pair_is("riscv64-linux-gnu", "store.i32", 12, 4, false);
}

/* Another base, another kind of register, nothing known, something in between that may access the same; the third. */
static void others_are_no_pairs(void **state)
{
    (void)state;
    begin_code("aarch64-linux-gnu");
    access_at("load.i32", NO, 0, 0, 4);
    access_at("load.i32", NO, 1, 4, 4);
    access_at("load.float", NO, 1, 8, 4);
    put("load.i32", NO, NO);
    access_at("store.i32", NO, 2, 0, 4);
    access_at("load.i32", NO, 3, 0, 4);
    access_at("store.i32", NO, 2, 4, 4);
    put("call.direct", NO, NO);
    access_at("store.i32", NO, 2, 8, 4);
    make_code();
    for (uint32_t i = 0; i < x.p.n_instructions; i++)
        assert_int_equal(s.code[i].pair, 0);
    end_code();
    begin_code("aarch64-linux-gnu");
    for (uint32_t i = 0; i < 3; i++)
        access_at("load.i32", NO, 0, 4 * i, 4);
    make_code();
    assert_int_equal(s.code[0].pair, 1);
    assert_int_equal(s.code[1].pair, 1);
    assert_int_equal(s.code[2].pair, 0);
    end_code();
}

/* The second is looked for among twenty instructions that make code; a freeze makes none. */
static void pairs_are_near(void **state)
{
    (void)state;
    for (int between = 18; between < 22; between++) {
        begin_code("aarch64-linux-gnu");
        uint32_t a = access_at("load.i32", NO, 0, 0, 4);
        put("freeze.i32", a, NO);
        for (int k = 0; k < between; k++)
            put("add.i32", NO, NO);
        uint32_t b = access_at("load.i32", NO, 0, 4, 4);
        make_code();
        assert_int_equal(s.code[b].pair, between < 20 ? a + 1 : 0);
        end_code();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_narrow_numbers),
        cmocka_unit_test(products_of_loaded_numbers),
        cmocka_unit_test(neighbours_are_pairs),
        cmocka_unit_test(others_are_no_pairs),
        cmocka_unit_test(pairs_are_near),
        cmocka_unit_test(products_are_added_at_once),
        cmocka_unit_test(products_that_are_not),
        cmocka_unit_test(elements_are_loaded),
        cmocka_unit_test(operands_are_shifted_on_the_way),
        cmocka_unit_test(fields_of_bits),
        cmocka_unit_test(vectors_of_extended_elements),
        cmocka_unit_test(vectors_by_one_number),
        cmocka_unit_test(products_of_other_factors),
        cmocka_unit_test(long_products),
        cmocka_unit_test(upper_halves),
        cmocka_unit_test(atomics_are_calls),
        cmocka_unit_test(operands_from_memory),
        cmocka_unit_test(branches_compare),
        cmocka_unit_test(branches_compare_for_others),
        cmocka_unit_test(functions_that_call_save_registers),
        cmocka_unit_test(ten_registers_are_saved_at_most),
        cmocka_unit_test(each_function_saves_its_own),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
