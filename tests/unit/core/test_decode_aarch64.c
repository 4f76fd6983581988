/* A64 words as the assembler makes them (binutils 2.40, aarch64-linux-gnu-as -march=armv8-a+crc), and what the Arm
 * Architecture Reference Manual says that they read, write and do. */
#include "tests/unit/core/core_fixture.h"
#include "tests/unit/core/op_words.h"

#define ADDRESS 0x1000

struct sample {
    uint32_t word;
    const char *text;  /* what was assembled */
    const char *class; /* and what it is: class, sources as register/need, destinations ("f3" floating point, "z" zero,
                          "cc" flags), '!' before a base written back */
    const char *sources, *dests;
    uint16_t bytes;
    uint8_t access, branch;
};

static const struct sample samples[] = {
    {0x8b020020, "add x0, x1, x2", "alu", "1/operand 2/operand", "0", 0, 0, 0},
    {0x8b020820, "add x0, x1, x2, lsl #2", "alu_shifted", "1/operand 2/shifted", "0", 0, 0, 0},
    {0x910083ff, "add sp, sp, #32", "alu", "31/operand", "31", 0, 0, 0},
    {0x31000483, "adds w3, w4, #1", "alu", "4/operand", "3 cc", 0, 0, 0},
    {0xf1001cbf, "cmp x5, #7", "compare", "5/operand", "z cc", 0, 0, 0},
    {0xeb020c3f, "subs xzr, x1, x2, lsl #3", "compare_shifted", "1/operand 2/shifted", "z cc", 0, 0, 0},
    {0xd2824689, "mov x9, #4660", "move_imm", "", "9", 0, 0, 0},
    {0xf2aacf09, "movk x9, #22136, lsl #16", "move_imm", "9/operand", "9", 0, 0, 0},
    {0xaa0203e1, "mov x1, x2", "alu", "z/operand 2/operand", "1", 0, 0, 0},
    {0x531b6841, "lsl w1, w2, #5", "shift", "2/shifted", "1", 0, 0, 0},
    {0x331d0c20, "bfi w0, w1, #3, #4", "shift", "1/shifted 0/shifted", "0", 0, 0, 0},
    {0x9ac22020, "lsl x0, x1, x2", "shift_reg", "1/operand 2/operand", "0", 0, 0, 0},
    {0xdac01020, "clz x0, x1", "bits", "1/operand", "0", 0, 0, 0},
    {0xdac00c20, "rev x0, x1", "shift", "1/shifted", "0", 0, 0, 0},
    {0xba020020, "adcs x0, x1, x2", "alu_carry", "1/operand 2/operand cc/flags", "0 cc", 0, 0, 0},
    {0xfa430820, "ccmp x1, #3, #0, eq", "compare_if", "1/operand cc/flags", "cc", 0, 0, 0},
    {0x1a82b420, "csinc w0, w1, w2, lt", "select", "1/operand 2/operand cc/flags", "0", 0, 0, 0},
    {0x1b027c20, "mul w0, w1, w2", "mul32", "1/multiply 2/multiply z/accumulate", "0", 0, 0, 0},
    {0x9b020c20, "madd x0, x1, x2, x3", "madd64", "1/multiply 2/multiply 3/accumulate", "0", 0, 0, 0},
    {0x9b02fc20, "mneg x0, x1, x2", "mneg64", "1/multiply 2/multiply z/accumulate", "0", 0, 0, 0},
    {0x9b227c20, "smull x0, w1, w2", "mul_wide", "1/multiply 2/multiply z/accumulate", "0", 0, 0, 0},
    {0x9bc27c20, "umulh x0, x1, x2", "mul_high", "1/multiply 2/multiply", "0", 0, 0, 0},
    {0x1ac20c20, "sdiv w0, w1, w2", "sdiv32", "1/multiply 2/multiply", "0", 0, 0, 0},
    {0x9ac20820, "udiv x0, x1, x2", "udiv64", "1/multiply 2/multiply", "0", 0, 0, 0},
    {0x9ac24c20, "crc32x w0, w1, x2", "crc", "1/shifted 2/shifted", "0", 0, 0, 0},
    {0xf9400be0, "ldr x0, [sp, #16]", "load", "31/address", "0", 8, 1, 0},
    {0xb8404420, "ldr w0, [x1], #4", "load_word", "1/address", "0 !1", 4, 1, 0},
    {0xb8a27820, "ldrsw x0, [x1, x2, lsl #2]", "load_small_reg", "1/address 2/address", "0", 4, 1, 0},
    {0x39400020, "ldrb w0, [x1]", "load_small", "1/address", "0", 1, 1, 0},
    {0x79c00020, "ldrsh w0, [x1]", "load_small", "1/address", "0", 2, 1, 0},
    {0xa8c37bfd, "ldp x29, x30, [sp], #48", "load_pair", "31/address", "29 30 !31", 16, 1, 0},
    {0x29400440, "ldp w0, w1, [x2]", "load_pair_word", "2/address", "0 1", 8, 1, 0},
    {0x58000000, "ldr x0, .", "load_literal", "", "0", 8, 1, 0},
    {0xa9bd7bfd, "stp x29, x30, [sp, #-48]!", "store_pair", "29/data 30/data 31/address", "!31", 16, 2, 0},
    {0xb9001fff, "str wzr, [sp, #28]", "store", "z/data 31/address", "", 4, 2, 0},
    {0x38224820, "strb w0, [x1, w2, uxtw]", "store", "0/data 1/address 2/address", "", 1, 2, 0},
    {0xc85f7c20, "ldxr x0, [x1]", "load_exclusive", "1/address", "0", 8, 1, 0},
    {0xc803fc20, "stlxr w3, x0, [x1]", "store_exclusive", "1/address 0/data", "3", 8, 2, 0},
    {0xf9800000, "prfm pldl1keep, [x0]", "prefetch", "0/address", "", 0, 0, 0},
    {0xbd400020, "ldr s0, [x1]", "fp_load", "1/address", "f0", 4, 1, 0},
    {0x3dc00420, "ldr q0, [x1, #16]", "fp_load_128", "1/address", "f0", 16, 1, 0},
    {0x6d0127e8, "stp d8, d9, [sp, #16]", "fp_store_pair", "f8/fp_data f9/fp_data 31/address", "", 16, 2, 0},
    {0x4cdfa800, "ld1 {v0.4s, v1.4s}, [x0], #32", "fp_load_many", "0/address", "f0 f1 !0", 32, 1, 0},
    {0x0c004020, "st3 {v0.8b, v1.8b, v2.8b}, [x1]", "fp_store_many", "f0/fp_data f1/fp_data f2/fp_data 1/address", "",
     24, 2, 0},
    {0x14000000, "b .", "branch", "", "", 0, 0, ISS_JUMP},
    {0x54000001, "b.ne .", "branch_if", "cc/condition", "", 0, 0, ISS_CONDITIONAL},
    {0x34000000, "cbz w0, .", "branch_zero", "0/condition", "", 0, 0, ISS_CONDITIONAL},
    {0xb7080001, "tbnz x1, #33, .", "branch_zero", "1/condition", "", 0, 0, ISS_CONDITIONAL},
    {0x94000000, "bl .", "call", "", "30", 0, 0, ISS_CALL_DIRECT},
    {0xd61f0020, "br x1", "branch_reg", "1/target", "", 0, 0, ISS_JUMP_INDIRECT},
    {0xd63f0040, "blr x2", "call_reg", "2/target", "30", 0, 0, ISS_CALL_INDIRECT},
    {0xd65f03c0, "ret", "return", "30/target", "", 0, 0, ISS_RETURN_TO},
    {0x1e222820, "fadd s0, s1, s2", "fp_add", "f1/fp f2/fp", "f0", 0, 0, 0},
    {0x1e620820, "fmul d0, d1, d2", "fp_mul", "f1/fp f2/fp", "f0", 0, 0, 0},
    {0x1f420c20, "fmadd d0, d1, d2, d3", "fp_fma", "f1/fp f2/fp f3/fp_accumulate", "f0", 0, 0, 0},
    {0x1e221820, "fdiv s0, s1, s2", "fp_div32", "f1/fp f2/fp", "f0", 0, 0, 0},
    {0x1e61c020, "fsqrt d0, d1", "fp_sqrt64", "f1/fp", "f0", 0, 0, 0},
    {0x1e602008, "fcmp d0, #0.0", "fp_compare", "f0/fp", "cc", 0, 0, 0},
    {0x1e210400, "fccmp s0, s1, #0, eq", "fp_compare", "f0/fp f1/fp cc/flags", "cc", 0, 0, 0},
    {0x1e62ac20, "fcsel d0, d1, d2, ge", "fp_select", "f1/fp f2/fp cc/flags", "f0", 0, 0, 0},
    {0x1e22c020, "fcvt d0, s1", "fp_convert", "f1/fp", "f0", 0, 0, 0},
    {0x1e220020, "scvtf s0, w1", "fp_convert_from_int", "1/operand", "f0", 0, 0, 0},
    {0x9e780020, "fcvtzs x0, d1", "fp_convert_to_int", "f1/fp", "0", 0, 0, 0},
    {0x9e670020, "fmov d0, x1", "fp_from_int", "1/operand", "f0", 0, 0, 0},
    {0x1e260020, "fmov w0, s1", "fp_to_int", "f1/fp", "0", 0, 0, 0},
    {0x1e2e1000, "fmov s0, #1.0", "fp_move", "", "f0", 0, 0, 0},
    {0x4e22cc20, "fmla v0.4s, v1.4s, v2.4s", "simd_fma_128", "f0/fp_accumulate f1/fp f2/fp", "f0", 0, 0, 0},
    {0x4ea28420, "add v0.4s, v1.4s, v2.4s", "simd_128", "f1/fp f2/fp", "f0", 0, 0, 0},
    {0x0ea29c20, "mul v0.2s, v1.2s, v2.2s", "simd_mul_64", "f1/fp f2/fp", "f0", 0, 0, 0},
    {0x0e0c3c20, "umov w0, v1.s[1]", "fp_lane_to_int", "f1/fp", "0", 0, 0, 0},
    {0xd503201f, "nop", "nop", "", "", 0, 0, 0},
    {0xd5033bbf, "dmb ish", "barrier", "", "", 0, 0, 0},
    {0xd53b4200, "mrs x0, nzcv", "system", "", "0", 0, 0, 0},
};

static bool decode(uint32_t word, struct iss_op *op)
{
    static void *state;
    const uint8_t code[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    if (!state)
        state = iss_decode_aarch64.open();
    assert_non_null(state);
    return iss_decode_aarch64.decode(state, code, 4, ADDRESS, op);
}

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct sample *want = &samples[i];
        struct iss_op op;
        struct str sources = STR_INIT, dests = STR_INIT;
        if (!decode(want->word, &op))
            fail_msg("%s is not known", want->text);
        put_sources(&sources, &op);
        put_dests(&dests, &op);
        if (strcmp(iss_class_names[op.class], want->class) || strcmp(str_text(&sources), want->sources) ||
            strcmp(str_text(&dests), want->dests) || op.bytes != want->bytes || op.memory != want->access ||
            op.branch != want->branch || op.size != 4)
            fail_msg("%s: %s (%s) -> (%s), %u bytes, access %u, branch %u", want->text, iss_class_names[op.class],
                     str_text(&sources), str_text(&dests), op.bytes, op.memory, op.branch);
        str_release(&sources);
        str_release(&dests);
    }
}

static void test_constants(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        int64_t constant;
        uint8_t value;
    } want[] = {
        {0x12800001, -1, ISS_VALUE_CONSTANT},                     /* movn w1, #0 */
        {0x32001fe2, 0xff000000ff, ISS_VALUE_OR},                 /* orr w2, wzr, #0xff: the pattern repeats */
        {0x927eb041, 0x7ffffffffffc, ISS_VALUE_AND},              /* and x1, x2, #0x7ffffffffffc */
        {0x9200c041, 0x0101010101010101, ISS_VALUE_AND},          /* and x1, x2, #0x0101010101010101 */
        {0x9201f041, (int64_t)0xaaaaaaaaaaaaaaaa, ISS_VALUE_AND}, /* and x1, x2, #0xaaaaaaaaaaaaaaaa */
        {0x91400421, 4096, ISS_VALUE_ADD},                        /* add x1, x1, #1, lsl #12 */
        {0x10000080, ADDRESS + 16, ISS_VALUE_CONSTANT},           /* adr x0, . + 16 */
        {0xb0000000, 0x2000, ISS_VALUE_CONSTANT},                 /* adrp x0, the page after this */
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct iss_op op;
        assert_true(decode(want[i].word, &op));
        assert_int_equal(op.value, want[i].value);
        assert_int_equal(op.constant, want[i].constant);
    }
    struct iss_op op;
    assert_true(decode(0x17ffffff, &op)); /* b . - 4 */
    assert_int_equal(op.constant, ADDRESS - 4);
    assert_true(decode(0x540000a0, &op)); /* b.eq . + 20 */
    assert_int_equal(op.constant, ADDRESS + 20);
}

/* Whatever the word is, the op stays within its arrays, and an unknown one says so. */
static void test_any_word(void **state)
{
    (void)state;
    uint64_t x = UINT64_C(0x9e3779b97f4a7c15);
    size_t unknown = 0;
    for (int i = 0; i < 300000; i++) {
        struct iss_op op;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        bool known = decode((uint32_t)(x >> 32), &op);
        unknown += !known;
        assert_true(op.class < ISS_CLASS_N && known == (op.class != ISS_UNKNOWN));
        assert_true(op.n_sources <= ISS_SOURCES && op.n_dests <= ISS_DESTS && op.n_address <= op.n_dests);
        assert_true(!op.memory == !op.bytes && op.repeat >= 1);
        for (unsigned k = 0; k < op.n_sources; k++)
            assert_true(op.source[k].reg < ISS_REG_N || op.source[k].reg == ISS_REG_NONE);
        for (unsigned k = 0; k < op.n_dests; k++)
            assert_true(op.dest[k] < ISS_REG_N || op.dest[k] == ISS_REG_NONE);
    }
    assert_true(unknown > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples), cmocka_unit_test(test_constants),
                                       cmocka_unit_test(test_any_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
