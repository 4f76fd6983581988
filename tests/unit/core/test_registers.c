/* Values that are followed: against the same arithmetic in C, and against flags worked out bit by bit. */
#include "tests/unit/core/core_fixture.h"

#include "sim/core/registers.h"

static struct iss_op op_of(enum iss_value value, int n_sources, uint8_t width)
{
    struct iss_op op = {.value = (uint8_t)value, .width = width, .n_dests = 1, .dest = {0}};
    op.n_sources = (uint8_t)n_sources;
    for (int i = 0; i < n_sources; i++)
        op.source[i].reg = (uint8_t)(i + 1);
    return op;
}

static struct iss_values with(uint64_t a, uint64_t b)
{
    struct iss_values v = {.known = 6};
    v.reg[1] = a;
    v.reg[2] = b;
    return v;
}

static void test_unknown(void **state)
{
    (void)state;
    struct iss_values v = with(7, 2);
    struct iss_op add = op_of(ISS_VALUE_ADD, 2, 64), what = op_of(ISS_VALUE_NONE, 1, 64);
    iss_values_step(&v, &add, NULL);
    assert_true(v.known & 1);
    assert_int_equal(v.reg[0], 9);
    iss_values_step(&v, &what, NULL); /* nobody knows what x0 is now */
    assert_false(v.known & 1);
    v.known = 2;
    iss_values_step(&v, &add, NULL); /* x2 is not known: nor is the sum */
    assert_false(v.known & 1);
    struct iss_op load = op_of(ISS_VALUE_LOAD_SIGNED, 1, 64);
    load.bytes = 2;
    uint64_t loaded = 0xfffe;
    iss_values_step(&v, &load, NULL);
    assert_false(v.known & 1);
    iss_values_step(&v, &load, &loaded);
    assert_true(v.reg[0] == (uint64_t)-2);
    load.width = 32;
    iss_values_step(&v, &load, &loaded);
    assert_true(v.reg[0] == 0xfffffffe);
    load.sign_extends = true;
    iss_values_step(&v, &load, &loaded);
    assert_true(v.reg[0] == (uint64_t)-2);
    iss_values_reset(&v);
    assert_int_equal(v.known, 0);
}

static void test_quotients(void **state)
{
    (void)state;
    static const struct {
        uint64_t a, b;
        enum iss_value value;
        uint8_t width;
        int bits;
    } want[] = {
        {0, 5, ISS_VALUE_UDIV, 32, 0},
        {5, 5, ISS_VALUE_UDIV, 32, 1},
        {4, 5, ISS_VALUE_SDIV, 64, 0},
        {1000, 1, ISS_VALUE_UDIV, 32, 10},
        {0xffffffff, 1, ISS_VALUE_UDIV, 32, 32},
        {0xffffffff, 1, ISS_VALUE_SDIV, 32, 1}, /* -1 / 1 */
        {0xffffffff, 1, ISS_VALUE_SDIV, 64, 32},
        {UINT64_MAX, 1, ISS_VALUE_UDIV, 64, 64},
        {(uint64_t)-1000, 10, ISS_VALUE_SREM, 64, 7},            /* -100 */
        {UINT64_C(1) << 63, UINT64_MAX, ISS_VALUE_SDIV, 64, 64}, /* the quotient that does not fit */
        {77, 0, ISS_VALUE_UREM, 64, 0},
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct iss_values v = with(want[i].a, want[i].b);
        struct iss_op op = op_of(want[i].value, 2, want[i].width);
        assert_int_equal(iss_values_quotient_bits(&v, &op), want[i].bits);
        v.known = 2;
        assert_int_equal(iss_values_quotient_bits(&v, &op), -1);
        v.known = 4;
        assert_int_equal(iss_values_quotient_bits(&v, &op), -1);
        v.known = 6;
        op.n_sources = 1;
        assert_int_equal(iss_values_quotient_bits(&v, &op), -1);
    }
}

/* Quotient and remainder, of the width; a division by 0 leaves 0 and the dividend. */
static void test_division(void **state)
{
    (void)state;
    enum { UDIV = ISS_VALUE_UDIV, UREM = ISS_VALUE_UREM, SDIV = ISS_VALUE_SDIV, SREM = ISS_VALUE_SREM };
    static const struct {
        uint64_t a, b;
        int value;
        uint8_t width;
        uint64_t result;
    } want[] = {
        {77, 10, UDIV, 64, 7},
        {77, 7, UREM, 64, 0},
        {78, 10, UREM, 64, 8},
        {(uint64_t)-78, 10, SDIV, 64, (uint64_t)-7},
        {(uint64_t)-78, 10, SREM, 64, (uint64_t)-8},
        {77, UINT64_MAX, SDIV, 64, (uint64_t)-77}, /* by -1 */
        {77, UINT64_MAX, SREM, 64, 0},
        {77, UINT64_MAX, UREM, 64, 77},
        {77, 0, UDIV, 64, 0},
        {77, 0, UREM, 64, 77},
        {(uint64_t)-78, 0, SDIV, 64, 0},
        {(uint64_t)-78, 0, SREM, 64, (uint64_t)-78},
        {UINT64_C(0x100000009), UINT64_C(0x100000002), UDIV, 32, 4},
        {UINT64_C(0x100000009), UINT64_C(0x100000002), UREM, 32, 1},
        {0xfffffff8, 3, SDIV, 32, 0xfffffffe}, /* -8 / 3 */
        {0xfffffff8, 3, SREM, 32, 0xfffffffe},
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct iss_values v = with(want[i].a, want[i].b);
        struct iss_op op = op_of((enum iss_value)want[i].value, 2, want[i].width);
        iss_values_step(&v, &op, NULL);
        if (!(v.known & 1) || v.reg[0] != want[i].result)
            fail_msg("row %zu: %llx", i, (unsigned long long)v.reg[0]);
    }
}

/* What two registers make, of 64 bits. */
static void test_two_sources(void **state)
{
    (void)state;
    static const struct {
        enum iss_value value;
        uint64_t result;
    } want[] = {{ISS_VALUE_ADD, 12 + 10}, {ISS_VALUE_SUB, 12 - 10}, {ISS_VALUE_AND, 8},
                {ISS_VALUE_OR, 14},       {ISS_VALUE_XOR, 6},       {ISS_VALUE_MUL, 120}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct iss_values v = with(12, 10);
        struct iss_op op = op_of(want[i].value, 2, 64);
        iss_values_step(&v, &op, NULL);
        assert_true(v.known & 1);
        assert_int_equal(v.reg[0], want[i].result);
    }
}

/* Flags of 32 bits see no others. */
static void test_flags_of_words(void **state)
{
    (void)state;
    enum { EQUAL, NOT_EQUAL, CARRY, NO_CARRY, NEGATIVE, POSITIVE, OVERFLOWS };
    static const struct {
        uint64_t a, b;
        enum iss_value value;
        bool met[OVERFLOWS + 1];
    } want[] = {
        {UINT64_C(0x100000005), 5, ISS_VALUE_SUB, {true, false, true, false, false, true, false}},
        {UINT64_C(0x900000003), 5, ISS_VALUE_SUB, {false, true, false, true, true, false, false}},
        {0x80000000, 1, ISS_VALUE_SUB, {false, true, true, false, false, true, true}},
        {0xffffffff, 1, ISS_VALUE_ADD, {true, false, true, false, false, true, false}},
        {0x7fffffff, 1, ISS_VALUE_ADD, {false, true, false, true, true, false, true}},
        {UINT64_C(0xf80000001), UINT64_C(0xf80000000), ISS_VALUE_AND, {false, true, false, true, true, false, false}},
        {UINT64_C(0xf00000001), UINT64_C(0xf00000000), ISS_VALUE_AND, {true, false, false, true, false, true, false}},
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct iss_values v = with(want[i].a, want[i].b);
        struct iss_op op = op_of(want[i].value, 2, 32);
        op.dest[0] = ISS_REG_FLAGS;
        iss_values_step(&v, &op, NULL);
        for (int code = EQUAL; code <= OVERFLOWS; code++) {
            struct iss_op branch = {.condition = (uint8_t)(ISS_IF_FLAGS + code)};
            if (iss_values_condition(&v, &branch) != want[i].met[code])
                fail_msg("row %zu: condition %d", i, code);
        }
    }
}

static bool overflows(int64_t a, int64_t b)
{
    int64_t unused;
    return __builtin_sub_overflow(a, b, &unused);
}

/* Comparison sets the flags, the condition reads them: all pairs of some values, all codes, against C. */
static void test_conditions(void **state)
{
    (void)state;
    static const int64_t some[] = {0, 1, -1, 2, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1000, -1000};
    enum { N = sizeof some / sizeof some[0] };
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            int64_t a = some[i], b = some[k];
            struct iss_values v = with((uint64_t)a, (uint64_t)b);
            struct iss_op compare = op_of(ISS_VALUE_SUB, 2, 64);
            compare.dest[0] = ISS_REG_NONE;
            compare.dest[1] = ISS_REG_FLAGS;
            compare.n_dests = 2;
            iss_values_step(&v, &compare, NULL);
            const bool met[16] = {
                a == b,
                a != b,
                (uint64_t)a >= (uint64_t)b,
                (uint64_t)a<(uint64_t)b, (int64_t)((uint64_t)a - (uint64_t)b) < 0,
                            (int64_t)((uint64_t)a - (uint64_t)b) >= 0, overflows(a, b), !overflows(a, b), (uint64_t)a>(
                    uint64_t) b,
                (uint64_t)a <= (uint64_t)b,
                a >= b,
                a<b, a>
                    b,
                a <= b,
                true,
                true};
            for (int code = 0; code < 16; code++) {
                struct iss_op branch = {.condition = (uint8_t)(ISS_IF_FLAGS + code)};
                assert_int_equal(iss_values_condition(&v, &branch), met[code]);
            }
        }
}

/* ---- one source, and a constant ---- */

struct made {
    enum iss_value value;
    uint8_t width, shift;
    bool sign_extends;
    int64_t constant;
    uint64_t a, result;
};

static void check_made(const struct made *want, size_t n, int n_sources)
{
    for (size_t i = 0; i < n; i++) {
        struct iss_values v = with(want[i].a, 10);
        struct iss_op op = op_of(want[i].value, n_sources, want[i].width);
        op.shift = want[i].shift;
        op.sign_extends = want[i].sign_extends;
        op.constant = want[i].constant;
        iss_values_step(&v, &op, NULL);
        if (!(v.known & 1) || v.reg[0] != want[i].result)
            fail_msg("row %zu: %llx", i, (unsigned long long)v.reg[0]);
        if (!n_sources)
            continue;
        v.known = 4; /* of a register that is not known nothing is known */
        iss_values_step(&v, &op, NULL);
        assert_int_equal(v.known, 4);
    }
}

static void test_one_source(void **state)
{
    (void)state;
    static const struct made want[] = {
        {ISS_VALUE_ADD, 64, 0, false, 5, 7, 12},
        {ISS_VALUE_ADD, 64, 0, false, -8, 7, UINT64_MAX},
        {ISS_VALUE_SUB, 64, 0, false, 5, 7, 2},
        {ISS_VALUE_AND, 64, 0, false, 6, 15, 6},
        {ISS_VALUE_OR, 64, 0, false, 16, 3, 19},
        {ISS_VALUE_XOR, 64, 0, false, 1, 3, 2},
        {ISS_VALUE_ADD, 32, 0, false, 1, UINT32_MAX, 0}, /* of 32 bits, extended with zeros or with the sign */
        {ISS_VALUE_ADD, 32, 0, false, 1, INT32_MAX, UINT64_C(0x80000000)},
        {ISS_VALUE_ADD, 32, 0, true, 1, INT32_MAX, UINT64_C(0xffffffff80000000)},
        {ISS_VALUE_SHL, 64, 0, false, 4, 1, 16},
        {ISS_VALUE_SHL, 64, 0, false, 63, 3, UINT64_C(1) << 63},
        {ISS_VALUE_SHL, 32, 0, false, 31, 3, UINT64_C(0x80000000)},
        {ISS_VALUE_SHR, 64, 0, false, 60, UINT64_C(15) << 60, 15},
        {ISS_VALUE_SHR, 32, 0, false, 4, UINT64_C(0xff00000080), 8},
        {ISS_VALUE_SAR, 64, 0, false, 60, UINT64_C(1) << 63, (uint64_t)-8},
        {ISS_VALUE_SAR, 64, 0, false, 1, 6, 3},
        {ISS_VALUE_SAR, 32, 0, false, 4, UINT64_C(0x180000000), UINT64_C(0xf8000000)},
        {ISS_VALUE_SIGN, 64, 8, false, 0, 0x1ff80, (uint64_t)-128},
        {ISS_VALUE_SIGN, 64, 8, false, 0, 0x17f, 127},
        {ISS_VALUE_SIGN, 64, 64, false, 0, UINT64_C(1) << 63, UINT64_C(1) << 63},
        {ISS_VALUE_ZERO, 64, 8, false, 0, 0x1ff80, 0x80},
        {ISS_VALUE_ZERO, 64, 63, false, 0, UINT64_MAX, INT64_MAX},
        {ISS_VALUE_ZERO, 64, 64, false, 0, UINT64_MAX, UINT64_MAX},
        {ISS_VALUE_INSERT, 64, 16, false, 0xabcd, UINT64_C(0x1111222233334444), UINT64_C(0x11112222abcd4444)},
        {ISS_VALUE_INSERT, 64, 48, false, 0, UINT64_MAX, UINT64_C(0xffffffffffff)},
    };
    check_made(want, sizeof want / sizeof want[0], 1);
    static const struct made constants[] = {{ISS_VALUE_CONSTANT, 64, 0, false, -5, 0, (uint64_t)-5},
                                            {ISS_VALUE_CONSTANT, 32, 0, false, -5, 0, UINT64_C(0xfffffffb)}};
    check_made(constants, 2, 0);
    static const struct made shifted[] = {{ISS_VALUE_ADD, 64, 2, false, 0, 12, 12 + 40},
                                          {ISS_VALUE_SUB, 64, 1, false, 0, 12, (uint64_t)-8},
                                          {ISS_VALUE_SUB, 32, 1, true, 0, 12, (uint64_t)-8},
                                          {ISS_VALUE_OR, 64, 60, false, 0, 1, (UINT64_C(10) << 60) + 1}};
    check_made(shifted, 4, 2); /* the second, 10, is shifted */
}

/* Which registers are sources: none reads as 0, 31 is the last of integers, the others are not followed. */
static void test_which_sources(void **state)
{
    (void)state;
    static const struct {
        uint8_t reg;
        bool known;
    } want[] = {{ISS_REG_NONE, true}, {31, true}, {32, false}, {40, false}, {ISS_REG_FLAGS, false}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct iss_values v = with(7, 2);
        v.known = UINT32_MAX;
        struct iss_op add = op_of(ISS_VALUE_ADD, 2, 64);
        add.source[1].reg = want[i].reg;
        iss_values_step(&v, &add, NULL);
        assert_int_equal(v.known, want[i].known ? UINT32_MAX : UINT32_MAX - 1);
        if (want[i].known)
            assert_int_equal(v.reg[0], 7);
    }
}

/* The third source is added to, or subtracted from. */
static void test_multiply_and_add(void **state)
{
    (void)state;
    struct iss_values v = with(12, 10);
    v.reg[3] = 100;
    v.known = 14;
    struct iss_op op = op_of(ISS_VALUE_MADD, 3, 64);
    iss_values_step(&v, &op, NULL);
    assert_int_equal(v.reg[0], 100 + 120);
    op.value = ISS_VALUE_MSUB;
    iss_values_step(&v, &op, NULL);
    assert_true(v.reg[0] == (uint64_t)(100 - 120));
    for (unsigned reg = 1; reg <= 3; reg++) { /* all three are needed */
        v.known = 15 & ~(1u << reg);
        iss_values_step(&v, &op, NULL);
        assert_false(v.known & 1);
    }
    v.known = 14;
    op.n_sources = 2;
    iss_values_step(&v, &op, NULL);
    assert_false(v.known & 1);
}

/* All that is written is forgotten, but for the first where it is known; what is not written stays. */
static void test_destinations(void **state)
{
    (void)state;
    struct iss_values v = with(7, 2);
    v.known = 0x8000000f;
    struct iss_op op = op_of(ISS_VALUE_ADD, 2, 64);
    op.n_dests = 3;
    op.dest[1] = 31;
    op.dest[2] = 32; /* of floating point */
    iss_values_step(&v, &op, NULL);
    assert_int_equal(v.known, 15);
    assert_int_equal(v.reg[0], 9);
    op.n_dests = 0;
    iss_values_step(&v, &op, NULL);
    op.n_dests = 1;
    op.dest[0] = 33;
    iss_values_step(&v, &op, NULL);
    assert_int_equal(v.known, 15);
    assert_true(v.reg[0] == 9 && v.reg[1] == 7);
    uint64_t loaded = 0xfffe;
    struct iss_op load = op_of(ISS_VALUE_LOAD, 1, 64);
    load.bytes = 2;
    iss_values_step(&v, &load, &loaded);
    assert_int_equal(v.reg[0], 0xfffe);
}

/* ---- conditions ---- */

static void test_conditions_of_registers(void **state)
{
    (void)state;
    static const struct {
        uint64_t a, b;
        uint8_t condition, width, shift;
        int met; /* and the opposite condition is not */
    } want[] = {
        {0, 9, ISS_IF_ZERO, 64, 0, 1},
        {UINT64_C(1) << 32, 9, ISS_IF_ZERO, 64, 0, 0},
        {UINT64_C(1) << 32, 9, ISS_IF_ZERO, 32, 0, 1},
        {1, 9, ISS_IF_ZERO, 32, 0, 0},
        {UINT64_C(1) << 33, 9, ISS_IF_BIT_CLEAR, 64, 33, 0},
        {~(UINT64_C(1) << 33), 9, ISS_IF_BIT_CLEAR, 64, 33, 1},
        {5, 5, ISS_IF_EQUAL, 64, 0, 1},
        {5, 6, ISS_IF_EQUAL, 64, 0, 0},
        {UINT64_MAX, 1, ISS_IF_LESS, 64, 0, 1},
        {1, UINT64_MAX, ISS_IF_LESS, 64, 0, 0},
        {1, 1, ISS_IF_LESS, 64, 0, 0},
        {UINT64_MAX, 1, ISS_IF_BELOW, 64, 0, 0},
        {1, UINT64_MAX, ISS_IF_BELOW, 64, 0, 1},
        {1, 1, ISS_IF_BELOW, 64, 0, 0},
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct iss_values v = with(want[i].a, want[i].b);
        bool of_two = want[i].condition >= ISS_IF_EQUAL;
        struct iss_op op = op_of(ISS_VALUE_NONE, of_two ? 2 : 1, want[i].width);
        op.condition = want[i].condition;
        op.shift = want[i].shift;
        if (iss_values_condition(&v, &op) != want[i].met)
            fail_msg("row %zu", i);
        op.condition++;
        assert_int_equal(iss_values_condition(&v, &op), !want[i].met);
        for (unsigned reg = 1; reg <= 2; reg++) { /* what is compared must be known */
            v.known = 6 & ~(1u << reg);
            assert_int_equal(iss_values_condition(&v, &op), reg == 1 || of_two ? -1 : !want[i].met);
        }
        v.known = 6;
        op.n_sources--;
        assert_int_equal(iss_values_condition(&v, &op), -1);
    }
    struct iss_values v = with(1, 1);
    struct iss_op op = op_of(ISS_VALUE_NONE, 2, 64);
    assert_int_equal(iss_values_condition(&v, &op), -1); /* ISS_IF_UNKNOWN */
    op.condition = ISS_IF_NOT_BELOW + 1;                 /* none */
    assert_int_equal(iss_values_condition(&v, &op), -1);
}

/* Flags are those of the last addition, subtraction or logic that sets them; of others nothing is known. */
static void test_what_sets_flags(void **state)
{
    (void)state;
    struct iss_values v = with(20, 10);
    struct iss_op equal = {.condition = ISS_IF_FLAGS}, set = op_of(ISS_VALUE_SUB, 2, 64);
    assert_int_equal(iss_values_condition(&v, &equal), -1);
    set.dest[0] = ISS_REG_FLAGS;
    set.shift = 1; /* 20 - (10 << 1) */
    iss_values_step(&v, &set, NULL);
    assert_int_equal(iss_values_condition(&v, &equal), 1);
    struct iss_op add = op_of(ISS_VALUE_ADD, 2, 64); /* sets none, and changes a source */
    add.dest[0] = 1;
    iss_values_step(&v, &add, NULL);
    assert_int_equal(iss_values_condition(&v, &equal), 1);
    set.n_sources = 1; /* 30 + -30: the constant is not shifted */
    set.value = ISS_VALUE_ADD;
    set.constant = -30;
    iss_values_step(&v, &set, NULL);
    assert_int_equal(iss_values_condition(&v, &equal), 1);
    set.constant = -29;
    iss_values_step(&v, &set, NULL);
    assert_int_equal(iss_values_condition(&v, &equal), 0);
    set.n_sources = 2;
    v.known = 2; /* not the second source */
    iss_values_step(&v, &set, NULL);
    assert_int_equal(iss_values_condition(&v, &equal), -1);
    v.known = 6;
    iss_values_step(&v, &set, NULL);
    assert_int_equal(iss_values_condition(&v, &equal), 0);
    v.known = 4; /* not the first */
    iss_values_step(&v, &set, NULL);
    assert_int_equal(iss_values_condition(&v, &equal), -1);
    v.known = 6;
    iss_values_step(&v, &set, NULL);
    set.value = ISS_VALUE_OR;
    iss_values_step(&v, &set, NULL);
    assert_int_equal(iss_values_condition(&v, &equal), -1);
    set.value = ISS_VALUE_AND;
    iss_values_step(&v, &set, NULL);
    assert_int_equal(iss_values_condition(&v, &equal), 0);
    iss_values_reset(&v);
    assert_int_equal(iss_values_condition(&v, &equal), -1);
}

static void test_selection(void **state)
{
    (void)state;
    struct iss_values v = with(3, 10);
    struct iss_op compare = op_of(ISS_VALUE_SUB, 1, 32); /* w1 - 3 */
    compare.constant = 3;
    compare.dest[0] = ISS_REG_FLAGS;
    struct iss_op select = op_of(ISS_VALUE_SELECT, 2, 32);
    select.condition = ISS_IF_FLAGS; /* equal */
    iss_values_step(&v, &compare, NULL);
    iss_values_step(&v, &select, NULL);
    assert_int_equal(v.reg[0], 3);
    select.condition = ISS_IF_FLAGS + 1;
    static const uint64_t want[] = {10, 11, 0xfffffff5, 0xfffffff6}; /* csel, csinc, csinv, csneg of 10 */
    for (uint8_t kind = 0; kind < 4; kind++) {
        select.shift = kind;
        iss_values_step(&v, &select, NULL);
        assert_int_equal(v.reg[0], want[kind]);
    }
    v.known = 4; /* only what is selected must be known, and the condition */
    iss_values_step(&v, &select, NULL);
    assert_int_equal(v.known, 5);
    v.known = 3;
    iss_values_step(&v, &select, NULL);
    assert_int_equal(v.known, 2);
    iss_values_reset(&v);
    v.known = 6;
    iss_values_step(&v, &select, NULL);
    assert_int_equal(v.known, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown),          cmocka_unit_test(test_quotients),
        cmocka_unit_test(test_division),         cmocka_unit_test(test_two_sources),
        cmocka_unit_test(test_one_source),       cmocka_unit_test(test_which_sources),
        cmocka_unit_test(test_multiply_and_add), cmocka_unit_test(test_destinations),
        cmocka_unit_test(test_flags_of_words),   cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_selection),        cmocka_unit_test(test_conditions_of_registers),
        cmocka_unit_test(test_what_sets_flags)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
