/* What instructions become: how long they keep others from issuing (slots), how long their unit (pitch), and until
 * their result is there (latency), derived by hand from the values in schedule_example.h and the rules in
 * docs/method/estimating.md, 1 and 2. Half a cycle is the issue pitch. */
#include "tests/unit/estimate/schedule_example.h"

static struct costs costs;
static struct schedule s;

static void open_with(int which)
{
    open_schedule(&s, &costs);
    s.store_pitch = 1;
    s.load_pitch = 2;
    schedule_code(&s, which);
}

static void code_is(uint32_t i, double slots, double pitch, double latency)
{
    const struct code *c = &s.code[i];
    if (fabs(c->slots - slots) > 1e-6 || fabs(c->pitch - pitch) > 1e-6 || fabs(c->latency - latency) > 1e-6)
        fail_msg("instruction %u (%s): %g, %g, %g", i, x.keys[x.instructions[i].key], (double)c->slots,
                 (double)c->pitch, (double)c->latency);
}

static void begin_code(void)
{
    costs = some_costs(false);
    begin();
    block(0, 0, NO, 1);
}

static void end_code(void)
{
    close_schedule(&s);
    costs_release(&costs);
}

static void kinds(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        bool barrier, load, store;
    } all[] = {{"add.i32_d", 0, 0, 0},        {"load.i64", 0, 1, 0},    {"store.i8_d", 0, 0, 1},
               {"call.direct", 1, 0, 0},      {"invoke.i32", 1, 0, 0},  {"call.library.sin_d", 1, 0, 0},
               {"call.llvm.memcpy", 0, 0, 0}, {"callbr", 0, 0, 0},      {"loading", 0, 0, 0},
               {"call.llvm.x", 0, 0, 0},      {"call_d", 1, 0, 0},      {"load_d", 0, 1, 0},
               {"invoker.i32", 0, 0, 0},      {"storeroom.i8", 0, 0, 0}};
    enum { N = sizeof all / sizeof *all };
    begin_code();
    for (size_t i = 0; i < N; i++)
        put(all[i].key, NO, NO);
    open_with(1);
    for (size_t i = 0; i < N; i++)
        if (s.code[i].barrier != all[i].barrier || s.code[i].load != all[i].load || s.code[i].store != all[i].store)
            fail_msg("%s", all[i].key);
    code_is(0, 0.5, 0.5, 1);
    code_is(1, 0.5, 1, 3);
    code_is(3, 0.5, 6, 20);
    code_is(6, 0.5, 6, 20); /* what nothing is known of is a call, but nothing stays on its side of it */
    end_code();
}

/* One instruction for each 16 bytes, at least one; four times as many for products of long integers. */
static void vectors_take_pieces(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double slots, pitch, latency;
    } all[] = {{"add.v4i32", 0.5, 0.5, 1},   {"add.v8i32_d", 1, 1, 1},   {"add.v2i16", 0.5, 0.5, 1},
               {"add.v5i32", 1, 1, 1},       {"add.i128", 1, 1, 1},      {"add.v0i32", 0.5, 0.5, 1},
               {"add.nxv8i32", 0.5, 0.5, 1}, {"mul.v2i64", 2, 4, 4},     {"mul.v4i64_d", 4, 8, 4},
               {"mul.v8i32", 1, 2, 4},       {"add.v4i64", 1, 1, 1},     {"fmul.v4float", 0.5, 2, 6},
               {"fmul.v8float_d", 1, 4, 6},  {"fmul.v4double", 1, 4, 6}, {"fmul.v4f", 0.5, 2, 6},
               {"fmul.v8f32", 1, 4, 6},      {"fmul.v2f64", 0.5, 2, 6}};
    enum { N = sizeof all / sizeof *all };
    begin_code();
    value(&costs, "fmul", 2, 6);
    for (size_t i = 0; i < N; i++)
        put(all[i].key, NO, NO);
    open_with(1);
    for (uint32_t i = 0; i < N; i++)
        code_is(i, all[i].slots, all[i].pitch, all[i].latency);
    end_code();
}

/* A key's own value is of all its pieces; that of a register of such elements is of one of them. */
static void keys_have_their_own(void **state)
{
    (void)state;
    begin_code();
    value(&costs, "mul.v4i64", 9, 11);
    value(&costs, "add.v4i32", 3, 7);
    value(&costs, "call.llvm.ctpop.i32", 2, 6);
    put("mul.v4i64_d", NO, NO);
    put("add.v8i32", NO, NO);
    put("call.llvm.ctpop.i32", NO, NO);
    open_with(1);
    code_is(0, 8 * 0.5, 9, 11);
    code_is(1, 1, 2 * 3, 7);
    code_is(2, 8 * 0.5, 2, 6); /* eight instructions, as it means them */
    end_code();
}

/* What an intrinsic means: instructions one after the other, by their own values, waited for as its first one is. */
static void intrinsics_mean_instructions(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double slots, pitch, latency;
    } all[] = {
        {"call.llvm.smax.i32", 1, 1, 2},                    /* icmp select */
        {"call.llvm.smax.v8i32", 1, 1, 1},                  /* of two registers: one instruction each */
        {"call.llvm.fmuladd.double_d", 1, 3, 10},           /* fmul fadd */
        {"call.llvm.fshl.i32", 0.5, 0.5, 1},                /* lshr */
        {"call.llvm.ctpop.i64", 4, 4.5, 11},                /* lshr and add lshr and add lshr mul */
        {"call.llvm.vector.reduce.fadd.v4float", 2, 4, 16}, /* four fadd */
        {"call.llvm.umul.with.overflow.i64", 1, 1.5, 5},    /* mul icmp */
        {"switch.i32", 2.5, 3, 7},                          /* icmp getelementptr load add br */
    };
    enum { N = sizeof all / sizeof *all };
    begin_code();
    value(&costs, "fmul", 2, 6);
    value(&costs, "fadd", 1, 4);
    for (size_t i = 0; i < N; i++)
        put(all[i].key, NO, NO);
    uint32_t icmp = put("icmp.i32", NO, NO), other = put("switch.i64", NO, NO), fmul = put("fmul.float", NO, NO);
    put("call.llvm.maxillary.i32", NO, NO);
    open_with(1);
    for (uint32_t i = 0; i < N; i++)
        code_is(i, all[i].slots, all[i].pitch, all[i].latency);
    assert_int_equal(s.code[0].unit, s.code[icmp].unit);
    assert_int_equal(s.code[2].unit, s.code[fmul].unit);
    assert_int_not_equal(s.code[7].unit, s.code[icmp].unit);
    assert_int_equal(s.code[7].unit, s.code[other].unit);
    code_is(fmul + 1, 0.5, 6, 20); /* no such word: a call */
    end_code();
}

static void best_and_worst(void **state)
{
    (void)state;
    static const double pitch[] = {2, 3, 5}, latency[] = {4, 6, 9};
    for (int which = 0; which < 3; which++) {
        begin_code();
        costs_add(&costs, "fadd", (struct cycles){2, 3, 5}, (struct cycles){4, 6, 9});
        put("fadd.double", NO, NO);
        put("call.llvm.floor.double", NO, NO); /* fadd */
        open_with(which);
        code_is(0, 0.5, pitch[which], latency[which]);
        code_is(1, 0.5, pitch[which], latency[which]);
        end_code();
    }
}

/* An address that its load computes, a name, what the load has extended: no code. A comparison with 0 that only its
 * branch uses is one with it; with anything else it is an instruction. */
static void what_makes_no_code(void **state)
{
    (void)state;
    begin_code();
    uint32_t gep = put_constant("getelementptr.ptr", NO, NO, IRPROF_CONSTANT);
    uint32_t l = put("load.i32", ADDRESS | gep, NO), wide = put("sext.i64", l, NO);
    uint32_t easy = put_constant("icmp.i64", wide, NO, IRPROF_CONSTANT | IRPROF_CONSTANT_EASY);
    put("br.cond", easy, NO);
    block(0, 1, NO, 1);
    uint32_t hard = put_constant("icmp.i64", wide, NO, IRPROF_CONSTANT);
    put("br.cond", hard, NO);
    open_with(1);
    code_is(gep, 0, 0, 0);
    code_is(wide, 0, 0, 0);
    code_is(easy, 0, 0, 0);
    code_is(easy + 1, 0.5, 0.5, 1);
    code_is(hard, 0.5, 0.5, 1);
    end_code();
}

/* A jump to the block after makes no code, but where nobody optimised; there a constant is loaded before it is stored,
 * too. */
static void what_only_optimisers_remove(void **state)
{
    (void)state;
    for (int optimised = 0; optimised < 2; optimised++) {
        begin_code();
        uint32_t store = put_constant("store.i32", NO, NO, IRPROF_CONSTANT);
        uint32_t load = put_constant("load.i32", NO, NO, IRPROF_CONSTANT), jump = put("br.uncond", NO, NO);
        block(0, 1, NO, 1);
        put("store.i32", load, NO);
        put("br.cond", NO, NO);
        edge(0, 0, 1, IRPROF_EDGE_JUMP, 1);
        if (!optimised)
            keeps_variables(0);
        open_with(1);
        assert_int_equal(s.optimised[0], optimised);
        code_is(store, optimised ? 0.5 : 1, 1, 5);
        code_is(load, 0.5, 1, 3);
        if (optimised)
            code_is(jump, 0, 0, 0);
        else
            code_is(jump, 0.5, 0.5, 1);
        code_is(jump + 1, 0.5, 1, 5);
        code_is(jump + 2, 0.5, 0.5, 1);
        end_code();
    }
}

/* What divides by a constant: instructions, and the Latency of the longest way through them. */
struct divided {
    const char *key;
    unsigned constants;
    double slots, pitch, latency;
};

/* mul 1 and 4, mul.i64 2 and 6, everything else 1: so a high multiplication of 64 bits takes 8. */
static void divided_are(const char *target, bool optimised, const struct divided *all, size_t n)
{
    begin_code();
    x.module.target = (char *)target;
    value(&costs, "mul.i64", 2, 6);
    for (size_t i = 0; i < n; i++)
        put_constant(all[i].key, NO, NO, all[i].constants);
    if (!optimised)
        keeps_variables(0);
    open_with(1);
    for (uint32_t i = 0; i < n; i++)
        code_is(i, all[i].slots, all[i].pitch, all[i].latency);
    end_code();
}

enum { NUMBER = IRPROF_CONSTANT, POWER = IRPROF_CONSTANT | IRPROF_CONSTANT_EASY };

/* umull, lsr; smull, lsr, asr, add; smulh, asr, add; and msub for remainders. */
static void divisions_by_constants(void **state)
{
    (void)state;
    static const struct divided all[] = {
        {"udiv.i32", NUMBER, 1, 1, 4 + 1},
        {"sdiv.i32", NUMBER, 2, 2, 4 + 1 + 1},
        {"udiv.i64_d", NUMBER, 1, 4, 8 + 1},
        {"sdiv.i64", NUMBER, 1.5, 4, 8 + 1 + 1},
        {"urem.i32", NUMBER, 1.5, 2, 4 + 1 + 4},
        {"srem.i16", NUMBER, 2.5, 2.5, 4 + 2 + 4},
        {"urem.i64", NUMBER, 1.5, 4 + 2, 8 + 1 + 6},
        {"srem.i64", NUMBER, 2, 4 + 2, 8 + 2 + 6},
        {"udiv.i32", POWER, 0.5, 0.5, 1},
        {"urem.i64", POWER, 0.5, 0.5, 1},
        {"sdiv.i32", POWER, 2, 2, 3},
        {"srem.i64", POWER, 2, 2, 3},
        {"udiv.v4i32", NUMBER, 1.5, 1.5, 4 + 1},
    };
    divided_are("aarch64-linux-gnu", true, all, sizeof all / sizeof *all);
}

/* No instruction multiplies and adds, or 32 bits by 32; the remainder's product is subtracted by one of its own. */
static void divisions_on_other_targets(void **state)
{
    (void)state;
    static const struct divided all[] = {{"sdiv.i32", NUMBER, 2, 2, 6 + 1 + 1},
                                         {"sdiv.i64", NUMBER, 2, 4, 8 + 1 + 1},
                                         {"urem.i32", NUMBER, 2, 2 + 1, 6 + 1 + 4 + 1}};
    divided_are("x86_64-linux-gnu", true, all, sizeof all / sizeof *all);
    divided_are("riscv64-linux-gnu", true, all, sizeof all / sizeof *all);
    divided_are("riscv64-linux-gnu", false, all, sizeof all / sizeof *all); /* nor does it wait to be optimised */
}

/* Not by constants, and code that is not optimised: what an instruction takes. */
static void divisions_that_stay(void **state)
{
    (void)state;
    begin_code();
    put("sdiv.i32", NO, NO);
    put_constant("sdiv.i32", NO, NO, IRPROF_CONSTANT_GLOBAL);
    put_constant("mul.i32", NO, NO, IRPROF_CONSTANT);
    open_with(1);
    code_is(0, 0.5, 8, 10);
    code_is(1, 1, 8, 10);
    code_is(2, 0.5, 1, 4);
    end_code();
    static const char *const targets[] = {"aarch64-linux-gnu", "x86_64-linux-gnu"};
    for (int t = 0; t < 2; t++) {
        begin_code();
        x.module.target = (char *)targets[t];
        put_constant("sdiv.i32", NO, NO, IRPROF_CONSTANT);
        keeps_variables(0);
        open_with(1);
        code_is(0, 0.5, 8, 10);
        end_code();
    }
}

/* A call (6 and 20), and 3/4 of a cycle for each instruction of the library's function. Nothing is moved across it. */
static void the_library_calculates(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double n;
    } all[] = {{"fadd.fp128", 100}, {"fmul.fp128_d", 190}, {"fdiv.fp128", 205}, {"fcmp.fp128", 30},
               {"fpext.fp128", 22}, {"sitofp.fp128", 22},  {"udiv.i128_d", 51}, {"srem.i128", 51}};
    enum { N = sizeof all / sizeof *all };
    begin_code();
    for (size_t i = 0; i < N; i++)
        put(all[i].key, NO, NO);
    uint32_t to_double = put("fptrunc.double", 0, NO), to_integer = put("fptosi.i32", 1, NO);
    open_with(1);
    for (uint32_t i = 0; i < N; i++) {
        code_is(i, 0.5, 6 + 0.75 * all[i].n, 20 + 0.75 * all[i].n);
        assert_true(s.code[i].barrier);
    }
    code_is(to_double, 0.5, 6 + 0.75 * 67, 20 + 0.75 * 67);
    code_is(to_integer, 0.5, 6 + 0.75 * 50, 20 + 0.75 * 50);
    end_code();
}

/* Of other types, and where the file knows better. */
static void what_the_library_does_not_calculate(void **state)
{
    (void)state;
    begin_code();
    value(&costs, "udiv.i128", 7, 9);
    value(&costs, "fadd.fp128", 3, 5);
    value(&costs, "fadd", 1, 4);
    const uint32_t none[] = {put("udiv.i128", NO, NO),  put("fadd.fp128", NO, NO), put("fadd.double", NO, NO),
                             put("load.fp128", NO, NO), put("mul.i128", NO, NO),   put("add.i128", NO, NO)};
    open_with(1);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(s.code[none[i]].barrier);
    code_is(none[0], 1, 7, 9);
    code_is(none[1], 0.5, 3, 5);
    code_is(none[2], 0.5, 1, 4);
    code_is(none[4], 2, 4, 4); /* mul, umulh, madd, madd */
    code_is(none[5], 1, 1, 1); /* adds, adc */
    end_code();
}

/* The address of a global variable is one more instruction; in optimised code, before the loop that it is used in. */
static void addresses_of_globals(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        bool in_loop = how & 1, optimised = how & 2;
        begin_code();
        if (in_loop)
            x.segments[0].loop = loop(0, NO, 1, 0);
        put_constant("load.i32", NO, NO, IRPROF_CONSTANT_GLOBAL);
        put_constant("freeze.ptr", NO, NO, IRPROF_CONSTANT_GLOBAL);
        if (!optimised)
            keeps_variables(0);
        open_with(1);
        code_is(0, in_loop && optimised ? 0.5 : 1, 1, 3);
        code_is(1, 0, 0, 0);
        end_code();
    }
}

/* ---- variables in memory ---- */

/* An alloca that is loaded and stored, and nothing else, is what an optimiser removes. */
static void what_is_optimised(void **state)
{
    (void)state;
    enum { LOADED, STORED, BOTH, UNUSED, PASSED, ITS_ADDRESS_STORED, AN_ARRAY, ADDED, N };
    static const bool optimised[N] = {
        [UNUSED] = true, [PASSED] = true, [ITS_ADDRESS_STORED] = true, [AN_ARRAY] = true, [ADDED] = true};
    for (int how = 0; how < N; how++) {
        begin_code();
        uint32_t a = put("alloca.ptr", NO, NO);
        if (how == LOADED || how == BOTH || how >= PASSED)
            put("load.i32", ADDRESS | a, NO);
        if (how == STORED || how == BOTH)
            put("store.i32", NO, ADDRESS | a);
        if (how == PASSED)
            put("call.direct", a, NO);
        if (how == ITS_ADDRESS_STORED)
            put("store.ptr", a, NO);
        if (how == AN_ARRAY)
            put("getelementptr.ptr", ADDRESS | a, NO);
        if (how == ADDED)
            put("ptrtoint.i64", a, NO);
        block(1, 0, NO, 1);
        put("load.i32", NO, NO);
        open_with(1);
        if (s.optimised[0] != optimised[how])
            fail_msg("case %d", how);
        assert_true(s.optimised[1]);
        end_code();
    }
}

/* Which variable a load or store goes to itself. */
static void what_variables_are_accessed(void **state)
{
    (void)state;
    begin_code();
    uint32_t a = put("alloca.ptr", NO, NO), load = put("load.ptr", ADDRESS | a, NO);
    uint32_t store = put("store.i32", load, ADDRESS | a), through = put("load.i32", ADDRESS | load, NO);
    uint32_t value_of = put("store.ptr", a, ADDRESS | load), sum = put("add.i64", ADDRESS | a, NO);
    open_with(1);
    assert_int_equal(s.variable[load], a);
    assert_int_equal(s.variable[store], a);
    assert_int_equal(s.variable[through], NO);
    assert_int_equal(s.variable[value_of], NO);
    assert_int_equal(s.variable[sum], NO);
    assert_int_equal(s.variable[a], NO);
    end_code();
}

/* The cycles of a call by the mean size of its part's calls: on the line between two sizes of the file, below the first as
 * the first, beyond the last as the last two go on. */
static void calls_take_what_their_size_does(void **state)
{
    (void)state;
    static const struct {
        double size, cycles;
    } all[] = {{0, 20}, {16, 20}, {40, 30}, {64, 40}, {128, 60}, {256, 100}, {1256, 412.5}};
    enum { N = sizeof all / sizeof *all };
    for (size_t i = 0; i < N; i++) {
        begin_code();
        value(&costs, "call.library.memcmp:64", 40, 40);
        value(&costs, "call.library.memcmp:16", 20, 20);
        value(&costs, "call.library.memcmp:256", 100, 100);
        value(&costs, "call.library.memcmp", 77, 77);
        value(&costs, "call.library.mem:16", 7, 7);
        value(&costs, "call.library.memcmp:-1", 1, 1); /* no sizes */
        value(&costs, "call.library.memcmp:", 2, 2);
        value(&costs, "call.library.memcmp:32B", 3, 3);
        uint32_t sizes = event("SIZE_memcmp");
        x.executions[0] = 10;
        put("call.library.memcmp", NO, NO);
        happens(sizes, (uint64_t)(2 * 10 * all[i].size));
        x.same_line = true;
        put("call.library.memcmp_d", NO, NO);
        open_with(1);
        code_is(0, 0.5, all[i].cycles, all[i].cycles);
        code_is(1, 0.5, all[i].cycles, all[i].cycles);
        end_code();
    }
}

/* Known at one size, it takes as long for all. Of two sizes the cycles may get fewer; beyond the second they do not go on to. */
static void one_size_and_two(void **state)
{
    (void)state;
    static const struct {
        bool two;
        double size, cycles;
    } all[] = {{false, 4, 20}, {false, 16, 20}, {false, 99, 20}, {true, 16, 20},
               {true, 24, 15}, {true, 32, 10},  {true, 99, 10}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code();
        value(&costs, "call.library.memcmp:16", 20, 20);
        if (all[i].two)
            value(&costs, "call.library.memcmp:32", 10, 10);
        uint32_t sizes = event("SIZE_memcmp");
        x.executions[0] = 1;
        put("call.library.memcmp", NO, NO);
        happens(sizes, (uint64_t)all[i].size);
        open_with(1);
        code_is(0, 0.5, all[i].cycles, all[i].cycles);
        end_code();
    }
}

/* Of a constant size the compiler makes loads and stores, which are no call; of a larger one than any measured so, and of
 * a size that only the run knows, it calls the function. Without a size the plain value counts. */
static void constant_sizes_are_no_call(void **state)
{
    (void)state;
    enum { CONSTANT, LARGE, VALUE, UNKNOWN };
    begin_code();
    value(&costs, "call.llvm.memcpy:8", 2, 2);
    value(&costs, "call.llvm.memcpy:32", 6, 6);
    value(&costs, "call.llvm.memcpy", 3, 3);
    value(&costs, "call.library.memcpy:16", 18, 18);
    value(&costs, "call.library.memcpy:64", 24, 24);
    uint32_t sizes = event("SIZE_memcpy");
    x.executions[0] = 5;
    put("call.llvm.memcpy", NO, NO);
    happens_always(sizes, 5 * 20);
    put("call.llvm.memcpy", NO, NO);
    happens_always(sizes, 5 * 64);
    put("call.llvm.memcpy", NO, NO);
    happens(sizes, 5 * 16);
    put("call.llvm.memcpy", NO, NO);
    open_with(1);
    code_is(CONSTANT, 0.5, 4, 4);
    code_is(LARGE, 0.5, 24, 24);
    code_is(VALUE, 0.5, 18, 18);
    code_is(UNKNOWN, 0.5, 3, 3);
    assert_true(!s.code[CONSTANT].barrier && s.code[LARGE].barrier && s.code[VALUE].barrier);
    assert_false(s.code[UNKNOWN].barrier);
    end_code();
}

/* A quotient of a product of two variables is long: longer by what the worst division takes more than a typical one. */
static void products_have_long_quotients(void **state)
{
    (void)state;
    static const struct {
        const char *product, *division;
        bool constant;
        double more;
    } all[] = {{"mul.i64", "udiv.i64", false, 12}, {"mul.i64", "urem.i64", false, 12},
               {"mul.i64", "sdiv.i64", false, 0},  {"mul.i64", "udiv.i64", true, 0},
               {"add.i64", "udiv.i64", false, 0},  {"mul.i32", "udiv.i32", false, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code();
        costs_add(&costs, "udiv", (struct cycles){2, 8, 20}, (struct cycles){2, 8, 20});
        uint32_t a = put("load.i64", NO, NO), b = put("load.i64", NO, NO);
        uint32_t product = put_constant(all[i].product, a, all[i].constant ? NO : b, all[i].constant);
        uint32_t d = put(all[i].division, product, b), alone = put(all[i].division, a, b);
        open_with(BOUND_TYPICAL);
        assert_true(fabs(s.code[d].pitch - s.code[alone].pitch - all[i].more) < 1e-6);
        assert_true(fabs(s.code[d].latency - s.code[alone].latency - all[i].more) < 1e-6);
        end_code();
    }
}

/* Two divisions of a line, ten times each: their quotients' mean length, on the line between two lengths of the file. A remainder is
 * as much later as it is in the mean. What is divided by a constant, wider, or has a file without lengths, is not in that sum. */
static void divisions_take_what_their_quotients_do(void **state)
{
    (void)state;
    static const struct {
        double bits, pitch, latency;
    } all[] = {{0, 2, 4}, {2, 2, 4}, {11, 6.5, 9}, {20, 11, 14}, {63, 32.5, 57}, {64, 33, 58}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_code();
        costs_add(&costs, "udiv", (struct cycles){8, 8, 20}, (struct cycles){8, 8, 20});
        value(&costs, "udiv.i64:20", 11, 14);
        value(&costs, "udiv.i64:2", 2, 4);
        value(&costs, "udiv.i64:63", 32.5, 57);
        uint32_t bits = event("QUOTIENT_BITS");
        x.executions[0] = 10;
        uint32_t a = put("load.i64", NO, NO), product = put("mul.i64", a, a);
        uint32_t first = put("udiv.i64", product, a);
        happens(bits, (uint64_t)(2 * 10 * all[i].bits));
        x.same_line = true;
        uint32_t second = put("udiv.i64_d", a, first);
        put_constant("udiv.i64", a, NO, IRPROF_CONSTANT);
        put("udiv.i128", a, a);
        put("udiv.v2i64", a, a);
        x.same_line = false;
        uint32_t silent = put("udiv.i64", a, a);
        value(&costs, "urem.i64", 30, 17);
        value(&costs, "udiv.i64", 8, 12);
        uint32_t rest = put("urem.i64", a, a);
        happens(bits, (uint64_t)(10 * all[i].bits));
        open_with(BOUND_TYPICAL);
        assert_true(fabs(s.code[rest].pitch - all[i].pitch) < 1e-5);
        assert_true(fabs(s.code[rest].latency - all[i].latency - (17 - 12)) < 1e-5);
        assert_true(fabs(s.code[first].pitch - all[i].pitch) < 1e-5 && s.code[second].pitch == s.code[first].pitch);
        assert_true(fabs(s.code[first].latency - all[i].latency) < 1e-5);
        assert_true(s.code[silent].pitch == 8 && s.code[silent].latency == 12);
        end_code();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(divisions_take_what_their_quotients_do),
        cmocka_unit_test(products_have_long_quotients),
        cmocka_unit_test(vectors_take_pieces),
        cmocka_unit_test(keys_have_their_own),
        cmocka_unit_test(intrinsics_mean_instructions),
        cmocka_unit_test(best_and_worst),
        cmocka_unit_test(what_makes_no_code),
        cmocka_unit_test(what_only_optimisers_remove),
        cmocka_unit_test(divisions_by_constants),
        cmocka_unit_test(divisions_on_other_targets),
        cmocka_unit_test(divisions_that_stay),
        cmocka_unit_test(the_library_calculates),
        cmocka_unit_test(what_the_library_does_not_calculate),
        cmocka_unit_test(addresses_of_globals),
        cmocka_unit_test(what_is_optimised),
        cmocka_unit_test(what_variables_are_accessed),
        cmocka_unit_test(calls_take_what_their_size_does),
        cmocka_unit_test(one_size_and_two),
        cmocka_unit_test(constant_sizes_are_no_call),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
