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
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unknown),        cmocka_unit_test(test_quotients),
                                       cmocka_unit_test(test_division),       cmocka_unit_test(test_two_sources),
                                       cmocka_unit_test(test_flags_of_words), cmocka_unit_test(test_conditions),
                                       cmocka_unit_test(test_selection)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
