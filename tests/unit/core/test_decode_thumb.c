/* What Thumb-2 instructions read, write and do. The words are as the assembler makes them (LLVM 19, -mcpu=cortex-a7
 * -mthumb; the first halfword is the lower one), the meaning is the Armv7-M Architecture Reference Manual's, A7. */
#include "tests/unit/core/core_fixture.h"
#include "tests/unit/core/op_words.h"

#define ADDRESS 0x1000

struct sample {
    uint32_t word;
    const char *text;   /* what was assembled */
    const char *what;   /* class, sources as register/need, '>', destinations */
    const char *effect; /* op_words.h */
};

static const struct sample samples[] = {
    {0x0000188b, "adds r3, r1, r2", "alu 1/operand 2/operand > 3 cc", "add32"},
    {0x03c2eb01, "add.w r3, r1, r2, lsl #3", "alu_shifted 1/operand 2/shifted > 3", "add32 by 3"},
    {0x1322eba1, "sub.w r3, r1, r2, asr #4", "alu_shifted 1/operand 2/shifted > 3", "width 32"},
    {0x7380f501, "add.w r3, r1, #256", "alu 1/operand > 3", "add32 256"},
    {0x00003b05, "subs r3, #5", "alu 3/operand > 3 cc", "sub32 5"},
    {0x0307f111, "adds.w r3, r1, #7", "alu 1/operand > 3 cc", "add32 7"},
    {0x00004463, "add r3, r12", "alu 3/operand 12/operand > 3", "add32"},
    {0x0000ab04, "add r3, sp, #16", "alu 13/operand > 3", "add32 16"},
    {0x0302eb41, "adc.w r3, r1, r2", "alu cc/flags 1/operand 2/operand > 3", "width 32"},
    {0x0000414b, "adcs r3, r1", "alu cc/flags 3/operand 1/operand > 3 cc", "width 32"},
    {0x0302ea01, "and.w r3, r1, r2", "alu 1/operand 2/operand > 3", "and32"},
    {0x030ff021, "bic.w r3, r1, #15", "alu 1/operand > 3", "and32 4294967280"},
    {0x0302ea21, "bic.w r3, r1, r2", "alu 1/operand 2/operand > 3", "width 32"},
    {0x030ff061, "orn r3, r1, #15", "alu 1/operand > 3", "or32 4294967280"},
    {0x0300f1c1, "rsb r3, r1, #0", "alu 1/operand > 3", "width 32"},
    {0x0000a302, "adr r3, #8", "move_imm > 3", "constant32 4108"}, /* 0x1000 + 4 + 8 */
    {0x00002905, "cmp r1, #5", "compare 1/operand > cc", "sub32 5"},
    {0x0f82ebb1, "cmp.w r1, r2, lsl #2", "compare_shifted 1/operand 2/shifted > cc", "sub32 by 2"},
    {0x0f02eb11, "cmn.w r1, r2", "compare 1/operand 2/operand > cc", "add32"},
    {0x00004211, "tst r1, r2", "compare 1/operand 2/operand > cc", "and32"},
    {0x0f02ea91, "teq r1, r2", "compare 1/operand 2/operand > cc", "width 32"},
    {0x0000232a, "movs r3, #42", "move_imm > 3 cc", "constant32 42"},
    {0x0000000e, "movs r6, r1", "alu 1/operand > 6 cc", "add32"},
    {0x2334f241, "movw r3, #4660", "move_imm > 3", "constant32 4660"},
    {0x2334f2c1, "movt r3, #4660", "move_imm 3/operand > 3", "insert32 by 16 4660"},
    {0x0000460b, "mov r3, r1", "alu 1/operand > 3", "add32"},
    {0x0300f06f, "mvn r3, #0", "move_imm > 3", "constant32 4294967295"},
    {0x0000010b, "lsls r3, r1, #4", "shift 1/shifted > 3 cc", "shl32 4"},
    {0x1311ea4f, "lsr.w r3, r1, #4", "shift 1/shifted > 3", "shr32 4"},
    {0xf302fa41, "asr.w r3, r1, r2", "shift_reg 1/shifted 2/shifted > 3", "width 32"},
    {0x1331ea4f, "ror.w r3, r1, #4", "shift 1/shifted > 3", "width 32"},
    {0x0331ea4f, "rrx r3, r1", "shift 1/shifted cc/flags > 3", "width 32"},
    {0x0000b2cb, "uxtb r3, r1", "shift 1/shifted > 3", "zero32 by 8"},
    {0x0000b20b, "sxth r3, r1", "shift 1/shifted > 3", "sign32 by 16"},
    {0xf382fa51, "uxtab r3, r1, r2", "alu_shifted 1/shifted 2/shifted > 3", "width 32"},
    {0x1304f3c1, "ubfx r3, r1, #4, #5", "shift 1/shifted > 3", "width 32"},
    {0x1308f361, "bfi r3, r1, #4, #5", "shift 3/operand 1/shifted > 3", "width 32"},
    {0xf381fab1, "clz r3, r1", "bits 1/operand > 3", "width 32"},
    {0x0000ba0b, "rev r3, r1", "shift 1/shifted > 3", "width 32"},
    {0x0000434b, "muls r3, r1, r3", "mul32 1/multiply 3/multiply > 3 cc", "mul32"},
    {0x4302fb01, "mla r3, r1, r2, r4", "madd32 1/multiply 2/multiply 4/accumulate > 3", "madd32"},
    {0x4312fb01, "mls r3, r1, r2, r4", "msub32 1/multiply 2/multiply 4/accumulate > 3", "msub32"},
    {0x3402fba1, "umull r3, r4, r1, r2", "mul_wide 1/multiply 2/multiply > 3 4", "width 32"},
    {0x3402fbc1, "smlal r3, r4, r1, r2", "mul_wide 1/multiply 2/multiply 3/accumulate 4/accumulate > 3 4", "width 32"},
    {0x4302fb21, "smlad r3, r1, r2, r4", "madd32 1/multiply 2/multiply 4/multiply > 3", "width 32"},
    {0xf342fa81, "uadd8 r3, r1, r2", "alu 1/operand 2/operand > 3", "width 32"},
    {0x0307f301, "ssat r3, #8, r1", "shift 1/shifted > 3", "width 32"},
    {0xf3f2fbb1, "udiv r3, r1, r2", "udiv32 1/multiply 2/multiply > 3", "udiv32"},
    {0xf3f2fb91, "sdiv r3, r1, r2", "sdiv32 1/multiply 2/multiply > 3", "sdiv32"},
    {0x0000680b, "ldr r3, [r1]", "load 1/address > 3", "read 4 at 0, load32"},
    {0x0000684b, "ldr r3, [r1, #4]", "load 1/address > 3", "read 4 at 4, load32"},
    {0x0000588b, "ldr r3, [r1, r2]", "load 1/address 2/address > 3", "read 4 at 0, load32"},
    {0x3022f851, "ldr.w r3, [r1, r2, lsl #2]", "load 1/address 2/address > 3", "read 4 at 0 index by 2, load32"},
    {0x3b04f851, "ldr r3, [r1], #4", "load 1/address > 3 !1", "read 4 at 0 back 4, load32"},
    {0x3d08f851, "ldr r3, [r1, #-8]!", "load 1/address > 3 !1", "read 4 at -8 back -8, load32"},
    {0x00009b02, "ldr r3, [sp, #8]", "load 13/address > 3", "read 4 at 8, load32"},
    {0x0000780b, "ldrb r3, [r1]", "load_small 1/address > 3", "read 1 at 0, load32"},
    {0x00005e8b, "ldrsh r3, [r1, r2]", "load_small 1/address 2/address > 3", "read 2 at 0, load signed32"},
    {0x3402e9d1, "ldrd r3, r4, [r1, #8]", "load_pair 1/address > 3 4", "read 8 at 8, width 32"},
    {0x0000600b, "str r3, [r1]", "store 1/address 3/data >", "write 4 at 0"},
    {0x0000508b, "str r3, [r1, r2]", "store_reg 1/address 2/address 3/data >", "write 4 at 0"},
    {0x3b01f801, "strb r3, [r1], #1", "store 1/address 3/data > !1", "write 1 at 0 back 1"},
    {0x3402e9c1, "strd r3, r4, [r1, #8]", "store_pair 1/address 3/data 4/data >", "write 8 at 8"},
    {0x4300e841, "strex r3, r4, [r1]", "store_exclusive 1/address 4/data > 3", "write 4 at 0"},
    {0x000ce891, "ldm r1, {r2, r3}", "load_many 1/address > 2 3", "read 8 at 0 repeated 2"},
    {0x0000c90c, "ldm r1!, {r2, r3}", "load_many 1/address > 2 3 !1", "read 8 at 0 back 8 repeated 2"},
    {0x000ce921, "stmdb r1!, {r2, r3}", "store_many 1/address 2/data 3/data > !1", "write 8 at -8 back -8 repeated 2"},
    {0x0000b510, "push {r4, lr}", "store_many 13/address 4/data 14/data > !13", "write 8 at -8 back -8 repeated 2"},
    {0x0000bc30, "pop {r4, r5}", "load_many 13/address > 4 5 !13", "read 8 at 0 back 8 repeated 2"},
    {0x0000bd10, "pop {r4, pc}", "load_jump 13/address > 4 !13", "read 8 at 0 back 8 repeated 2return"},
    {0xf000f8d1, "ldr pc, [r1]", "load_jump 1/address >", "read 4 at 0jump-register"},
    {0xf003e8df, "tbb [pc, r3]", "branch_table 3/address >", "read 1 at 0jump-register"},
    {0xf013e8d1, "tbh [r1, r3, lsl #1]", "branch_table 1/address 3/address >", "read 2 at 0 index by 1jump-register"},
    {0x00004770, "bx lr", "return 14/target >", "return"},
    {0x00004718, "bx r3", "branch_reg 3/target >", "jump-register"},
    {0x00004798, "blx r3", "call_reg 3/target > 14", "call-register"},
    {0x000046f7, "mov pc, lr", "return 14/target >", "return"},
    {0x0000bf00, "nop", "nop >", ""},
    {0x8f5ff3bf, "dmb sy", "barrier >", ""},
    {0x0000df00, "svc #0", "system > 0", ""},
    {0x1a81ee70, "vadd.f32 s3, s1, s2", "fp_add f1/fp f2/fp > f3", "width 32"},
    {0x3b02ee31, "vadd.f64 d3, d1, d2", "fp_add f2/fp f3/fp f4/fp f5/fp > f6 f7", "width 64"},
    {0x1a81ee60, "vmul.f32 s3, s1, s2", "fp_mul f1/fp f2/fp > f3", "width 32"},
    {0x1a81ee40, "vmla.f32 s3, s1, s2", "fp_fma f1/fp f2/fp f3/fp_accumulate > f3", "width 32"},
    {0x1a81eee0, "vfma.f32 s3, s1, s2", "fp_fma f1/fp f2/fp f3/fp_accumulate > f3", "width 32"},
    {0x1a81eec0, "vdiv.f32 s3, s1, s2", "fp_div32 f1/fp f2/fp > f3", "width 32"},
    {0x1ae0eef1, "vsqrt.f32 s3, s1", "fp_sqrt32 f1/fp > f3", "width 32"},
    {0x1a60eef1, "vneg.f32 s3, s1", "fp_move f1/fp > f3", "width 32"},
    {0x3bc1eeb0, "vabs.f64 d3, d1", "fp_move f2/fp f3/fp > f6 f7", "width 64"},
    {0x0a41eef4, "vcmp.f32 s1, s2", "fp_compare f1/fp f2/fp >", "width 32"},
    {0x0a40eef5, "vcmp.f32 s1, #0", "fp_compare f1/fp >", "width 32"},
    {0xfa10eef1, "vmrs APSR_nzcv, fpscr", "fp_flags > cc", ""},
    {0x1ae0eefd, "vcvt.s32.f32 s3, s1", "fp_convert f1/fp > f3", "width 32"},
    {0x3ae0eeb7, "vcvt.f64.f32 d3, s1", "fp_convert f1/fp > f6 f7", "width 64"},
    {0x1a60eef0, "vmov.f32 s3, s1", "fp_move f1/fp > f3", "width 32"},
    {0x1a00eef7, "vmov.f32 s3, #1.0", "fp_move > f3", "width 32"},
    {0x3a90ee10, "vmov r3, s1", "fp_to_int f1/fp > 3", "width 32"},
    {0x1a90ee01, "vmov s3, r1", "fp_from_int 1/operand > f3", "width 32"},
    {0x3b11ec54, "vmov r3, r4, d1", "fp_int_pair f2/fp f3/fp > 3 4", "width 32"},
    {0x1b13ec42, "vmov d3, r1, r2", "fp_int_pair 1/operand 2/operand > f6 f7", "width 32"},
    {0x1a01edd1, "vldr s3, [r1, #4]", "fp_load 1/address > f3", "read 4 at 4, width 32"},
    {0x3b00ed91, "vldr d3, [r1]", "fp_load 1/address > f6 f7", "read 8 at 0, width 64"},
    {0x1a00edc1, "vstr s3, [r1]", "fp_store 1/address f3/fp_data >", "write 4 at 0, width 32"},
    {0x1a02ecb1, "vldmia r1!, {s2, s3}", "fp_load_many 1/address > f2 f3 !1", "read 8 at 0 back 8 repeated 2"},
    {0x8b02ed2d, "vpush {d8}", "fp_store_many 13/address f16/fp_data f17/fp_data > !13",
     "write 8 at -8 back -8 repeated 2"},
    {0x8b02ecbd, "vpop {d8}", "fp_load_many 13/address > f16 f17 !13", "read 8 at 0 back 8 repeated 2"},
    /* branches: pc is ADDRESS + 4 */
    {0x0000d0fe, "beq .", "branch_if cc/condition >", "if flags 0 to 0x1000"},
    {0x0000e7fe, "b .", "branch >", "jump to 0x1000"},
    {0x0000e001, "b .+6", "branch >", "jump to 0x1006"},
    {0xaffef43f, "beq.w .", "branch_if cc/condition >", "if flags 0 to 0x1000"},
    {0xbffef7ff, "b.w .", "branch >", "jump to 0x1000"},
    {0xfffef7ff, "bl .", "call > 14", "call to 0x1000"},
    {0xe800f000, "blx .+4", "call > 14", "call to 0x1004"},
    {0x0000b111, "cbz r1, .+8", "branch_zero 1/condition >", "if zero32 to 0x1008"},
    {0x0000b911, "cbnz r1, .+8", "branch_zero 1/condition >", "if not zero32 to 0x1008"},
};

static void *decoder;

static bool decode_at(uint64_t address, uint32_t word, struct iss_op *op)
{
    const uint8_t code[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    return iss_decode_thumb.decode(decoder, code, iss_decode_thumb.size(code), address, op);
}

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct sample *want = &samples[i];
        struct iss_op op;
        struct str what = STR_INIT, effect = STR_INIT;
        if (!decode_at(ADDRESS, want->word, &op))
            fail_msg("%s is not known", want->text);
        put_what(&what, &op);
        put_effect(&effect, &op);
        if (strcmp(str_text(&what), want->what) || strcmp(str_text(&effect), want->effect))
            fail_msg("%s: %s; %s", want->text, str_text(&what), str_text(&effect));
        assert_int_equal(op.size, want->word >> 16 ? 4 : 2);
        assert_false(op.conditional);
        str_release(&what);
        str_release(&effect);
    }
}

/* itte eq; addeq; moveq; addne; then one outside. In the block narrow additions set no flags, and a branch is one by its
 * condition. */
static void test_block(void **state)
{
    (void)state;
    struct iss_op op;
    assert_true(decode_at(0x2000, 0xbf06, &op));
    assert_int_equal(op.class, ISS_IF_THEN);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(decode_at(0x2002 + 2 * i, 0x188b, &op)); /* adds r3, r1, r2 */
        assert_true(op.conditional);
        assert_int_equal(op.condition, ISS_IF_FLAGS + (i == 2)); /* eq, eq, ne */
        assert_int_equal(op.n_dests, 1);
    }
    assert_true(decode_at(0x2008, 0x188b, &op));
    assert_false(op.conditional);
    assert_int_equal(op.n_dests, 2);
    /* it ne; bne; and an instruction elsewhere is in no block */
    assert_true(decode_at(0x3000, 0xbf18, &op));
    assert_true(decode_at(0x3002, 0xe7fe, &op));
    assert_int_equal(op.branch, ISS_CONDITIONAL);
    assert_int_equal(op.condition, ISS_IF_FLAGS + 1);
    assert_false(op.conditional);
    assert_true(decode_at(0x4000, 0xbf18, &op));
    assert_true(decode_at(0x5000, 0x188b, &op));
    assert_false(op.conditional);
}

/* Of a long list the registers behind the fifth are lost, the base with them. */
static void test_long_list(void **state)
{
    (void)state;
    struct iss_op op;
    assert_true(decode_at(ADDRESS, 0x0ff0e8bd, &op)); /* pop {r4 - r11} */
    assert_int_equal(op.n_dests, ISS_DESTS);
    assert_int_equal(op.lost, 1 << 9 | 1 << 10 | 1 << 11 | 1 << 13);
    assert_int_equal(op.n_address, 0);
    assert_int_equal(op.repeat, 8);
    assert_int_equal(op.bytes, 32);
}

/* What is none leaves nothing behind: undefined encodings, half of an instruction. */
static void test_unknown(void **state)
{
    (void)state;
    static const uint32_t words[] = {0xffffffff, 0x0000fbb1, 0xec00ec00};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct iss_op op, nothing = {.class = ISS_UNKNOWN, .repeat = 1, .size = 4};
        if (decode_at(ADDRESS, words[i], &op))
            fail_msg("%08x is taken for %s", words[i], iss_class_names[op.class]);
        assert_memory_equal(&op, &nothing, sizeof op);
    }
    struct iss_op op;
    assert_false(iss_decode_thumb.decode(decoder, (const uint8_t[]){0x88, 0x18, 0}, 3, ADDRESS, &op));
}

static void test_size(void **state)
{
    (void)state;
    for (unsigned high = 0; high < 32; high++)
        assert_int_equal(iss_decode_thumb.size((const uint8_t[]){0, (uint8_t)(high << 3)}), high >= 29 ? 4 : 2);
}

int main(void)
{
    decoder = iss_decode_thumb.open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples), cmocka_unit_test(test_block),
                                       cmocka_unit_test(test_long_list), cmocka_unit_test(test_unknown),
                                       cmocka_unit_test(test_size)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    iss_decode_thumb.close(decoder);
    return failed;
}
