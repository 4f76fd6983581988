/* A64 words as the assembler makes them (binutils 2.40, aarch64-linux-gnu-as -march=armv8.1-a+crc): what is computed, from
 * where it is read and where it goes, as the Arm Architecture Reference Manual says. */
#include "tests/unit/core/core_fixture.h"
#include "tests/unit/core/op_words.h"

#define ADDRESS 0x1000

/* The instruction stands at ADDRESS; "." is its own address. */
static const struct sample {
    uint32_t word;
    const char *text, *what, *effect; /* assembled; op_words.h */
} samples[] = {
    {0x11001420, "add w0,w1,#5", "alu 1/operand > 0", "add32 5"},
    {0xd1400420, "sub x0,x1,#1,lsl #12", "alu 1/operand > 0", "sub64 4096"},
    {0x913ffc20, "add x0,x1,#4095", "alu 1/operand > 0", "add64 4095"},
    {0xb1000c20, "adds x0,x1,#3", "alu 1/operand > 0 cc", "add64 3"},
    {0x31000c3f, "cmn w1,#3", "compare 1/operand > z cc", "add32 3"},
    {0x92400020, "and x0,x1,#1", "alu 1/operand > 0", "and64 1"},
    {0xb27c0c20, "orr x0,x1,#0xf0", "alu 1/operand > 0", "or64 240"},
    {0x521f0020, "eor w0,w1,#2", "alu 1/operand > 0", "xor32 8589934594"},
    {0xf2401c20, "ands x0,x1,#0xff", "alu 1/operand > 0 cc", "and64 255"},
    {0xf2401c3f, "tst x1,#0xff", "compare 1/operand > z cc", "and64 255"},
    {0xb24103e0, "orr x0,xzr,#0x8000000000000000", "move_imm z/operand > 0", "or64 -9223372036854775808"},
    {0x9240f820, "and x0,x1,#0x7fffffffffffffff", "alu 1/operand > 0", "and64 9223372036854775807"},
    {0xd2bfffe0, "movz x0,#0xffff,lsl #16", "move_imm > 0", "constant64 by 16 4294901760"},
    {0x92e00020, "movn x0,#1,lsl #48", "move_imm > 0", "constant64 by 48 -281474976710657"},
    {0xf2c000e0, "movk x0,#7,lsl #32", "move_imm 0/operand > 0", "insert64 by 32 7"},
    {0x9345fc20, "asr x0,x1,#5", "shift 1/shifted > 0", "sar64 5"},
    {0x53077c20, "lsr w0,w1,#7", "shift 1/shifted > 0", "shr32 7"},
    {0xd37df020, "lsl x0,x1,#3", "shift 1/shifted > 0", "shl64 3"},
    {0x53010020, "lsl w0,w1,#31", "shift 1/shifted > 0", "shl32 31"},
    {0x13001c20, "sxtb w0,w1", "shift 1/shifted > 0", "sign32 by 8"},
    {0x93407c20, "sxtw x0,w1", "shift 1/shifted > 0", "sign64 by 32"},
    {0x53003c20, "uxth w0,w1", "shift 1/shifted > 0", "zero32 by 16"},
    {0x53001c20, "uxtb w0,w1", "shift 1/shifted > 0", "zero32 by 8"},
    {0x93431820, "sbfx x0,x1,#3,#4", "shift 1/shifted > 0", "width 64"},
    {0x531d0c20, "ubfiz w0,w1,#3,#4", "shift 1/shifted > 0", "width 32"},
    {0xb3400c20, "bfi x0,x1,#0,#4", "shift 1/shifted 0/shifted > 0", "width 64"},
    {0xb344fc20, "bfxil x0,x1,#4,#60", "shift 1/shifted 0/shifted > 0", "width 64"},
    {0x93c21c20, "extr x0,x1,x2,#7", "shift 1/shifted 2/shifted > 0", "width 64"},
    {0x30ffffe0, "adr x0,.-3", "move_imm > 0", "constant64 4093"},
    {0x8b020020, "add x0,x1,x2", "alu 1/operand 2/operand > 0", "add64"},
    {0x4b020020, "sub w0,w1,w2", "alu 1/operand 2/operand > 0", "sub32"},
    {0x8a020020, "and x0,x1,x2", "alu 1/operand 2/operand > 0", "and64"},
    {0xaa020020, "orr x0,x1,x2", "alu 1/operand 2/operand > 0", "or64"},
    {0x4a020020, "eor w0,w1,w2", "alu 1/operand 2/operand > 0", "xor32"},
    {0x8a220020, "bic x0,x1,x2", "alu 1/operand 2/operand > 0", "width 64"},
    {0xaa220020, "orn x0,x1,x2", "alu 1/operand 2/operand > 0", "width 64"},
    {0x4b020c20, "sub w0,w1,w2,lsl #3", "alu_shifted 1/operand 2/shifted > 0", "sub32 by 3"},
    {0x8b420820, "add x0,x1,x2,lsr #2", "alu_shifted 1/operand 2/shifted > 0", "width 64"},
    {0xaa02a020, "orr x0,x1,x2,lsl #40", "alu_shifted 1/operand 2/shifted > 0", "or64 by 40"},
    {0x8b224020, "add x0,x1,w2,uxtw", "alu_shifted 1/operand 2/shifted > 0", "width 64"},
    {0xcb22e420, "sub x0,x1,x2,sxtx #1", "alu_shifted 1/operand 2/shifted > 0", "width 64"},
    {0x0b220020, "add w0,w1,w2,uxtb", "alu_shifted 1/operand 2/shifted > 0", "width 32"},
    {0xab020020, "adds x0,x1,x2", "alu 1/operand 2/operand > 0 cc", "add64"},
    {0x6a020020, "ands w0,w1,w2", "alu 1/operand 2/operand > 0 cc", "and32"},
    {0xea220020, "bics x0,x1,x2", "alu 1/operand 2/operand > 0 cc", "width 64"},
    {0xea02043f, "tst x1,x2,lsl #1", "compare_shifted 1/operand 2/shifted > z cc", "and64 by 1"},
    {0x8b22603f, "add sp,x1,x2", "alu 1/operand 2/operand > 31", "add64"},
    {0x4b22403f, "sub wsp,w1,w2", "alu 1/operand 2/operand > 31", "sub32"},
    {0x8b226be0, "add x0,sp,x2,lsl #2", "alu_shifted 31/operand 2/shifted > 0", "width 64"},
    {0xab2263e0, "adds x0,sp,x2", "alu 31/operand 2/operand > 0 cc", "add64"},
    {0xeb2263ff, "cmp sp,x2", "compare 31/operand 2/operand > z cc", "sub64"},
    {0xeb22803f, "cmp x1,w2,sxtb", "compare_shifted 1/operand 2/shifted > z cc", "width 64"},
    {0x1ac22420, "lsr w0,w1,w2", "shift_reg 1/operand 2/operand > 0", "width 32"},
    {0x9ac22c20, "ror x0,x1,x2", "shift_reg 1/operand 2/operand > 0", "width 64"},
    {0x9ac20c20, "sdiv x0,x1,x2", "sdiv64 1/multiply 2/multiply > 0", "sdiv64"},
    {0x1ac20c20, "sdiv w0,w1,w2", "sdiv32 1/multiply 2/multiply > 0", "sdiv32"},
    {0x9ac20820, "udiv x0,x1,x2", "udiv64 1/multiply 2/multiply > 0", "udiv64"},
    {0x1ac20820, "udiv w0,w1,w2", "udiv32 1/multiply 2/multiply > 0", "udiv32"},
    {0x1ac25020, "crc32cb w0,w1,w2", "crc 1/shifted 2/shifted > 0", "width 32"},
    {0x1b020c20, "madd w0,w1,w2,w3", "madd32 1/multiply 2/multiply 3/accumulate > 0", "madd32"},
    {0x1b028c20, "msub w0,w1,w2,w3", "msub32 1/multiply 2/multiply 3/accumulate > 0", "msub32"},
    {0x9b028c20, "msub x0,x1,x2,x3", "msub64 1/multiply 2/multiply 3/accumulate > 0", "msub64"},
    {0x9b027c20, "mul x0,x1,x2", "mul64 1/multiply 2/multiply z/accumulate > 0", "madd64"},
    {0x1b02fc20, "mneg w0,w1,w2", "msub32 1/multiply 2/multiply z/accumulate > 0", "msub32"},
    {0x9b220c20, "smaddl x0,w1,w2,x3", "mul_wide 1/multiply 2/multiply 3/accumulate > 0", "width 64"},
    {0x9ba28c20, "umsubl x0,w1,w2,x3", "mul_wide 1/multiply 2/multiply 3/accumulate > 0", "width 64"},
    {0x9ba27c20, "umull x0,w1,w2", "mul_wide 1/multiply 2/multiply z/accumulate > 0", "width 64"},
    {0x9b427c20, "smulh x0,x1,x2", "mul_high 1/multiply 2/multiply > 0", "width 64"},
    {0x9a020020, "adc x0,x1,x2", "alu 1/operand 2/operand cc/flags > 0", "width 64"},
    {0x7a020020, "sbcs w0,w1,w2", "alu_carry 1/operand 2/operand cc/flags > 0 cc", "width 32"},
    {0xfa421020, "ccmp x1,x2,#0,ne", "compare_if 1/operand 2/operand cc/flags > cc", "width 64"},
    {0x3a5f1820, "ccmn w1,#31,#0,ne", "compare_if 1/operand cc/flags > cc", "width 32"},
    {0x9a828020, "csel x0,x1,x2,hi", "select 1/operand 2/operand cc/flags > 0", "select64 if 8"},
    {0x1a820420, "csinc w0,w1,w2,eq", "select 1/operand 2/operand cc/flags > 0", "select32 by 1 if 0"},
    {0xda82b020, "csinv x0,x1,x2,lt", "select 1/operand 2/operand cc/flags > 0", "select64 by 2 if 11"},
    {0xda824420, "csneg x0,x1,x2,mi", "select 1/operand 2/operand cc/flags > 0", "select64 by 3 if 4"},
    {0xdac00020, "rbit x0,x1", "shift 1/shifted > 0", "width 64"},
    {0x5ac00420, "rev16 w0,w1", "shift 1/shifted > 0", "width 32"},
    {0xdac01420, "cls x0,x1", "bits 1/operand > 0", "width 64"},
    {0xf97ffc20, "ldr x0,[x1,#32760]", "load 1/address > 0", "read 8 at 32760, load64"},
    {0xb9400420, "ldr w0,[x1,#4]", "load_word 1/address > 0", "read 4 at 4, load64"},
    {0xf85fb020, "ldur x0,[x1,#-5]", "load 1/address > 0", "read 8 at -5, load64"},
    {0xf85f0420, "ldr x0,[x1],#-16", "load 1/address > 0 !1", "read 8 at 0 back -16, load64"},
    {0xf85f0c20, "ldr x0,[x1,#-16]!", "load 1/address > 0 !1", "read 8 at -16 back -16, load64"},
    {0x39401c20, "ldrb w0,[x1,#7]", "load_small 1/address > 0", "read 1 at 7, load64"},
    {0x39c00020, "ldrsb w0,[x1]", "load_small 1/address > 0", "read 1 at 0, load signed32"},
    {0x39800020, "ldrsb x0,[x1]", "load_small 1/address > 0", "read 1 at 0, load signed64"},
    {0xb9800820, "ldrsw x0,[x1,#8]", "load_small 1/address > 0", "read 4 at 8, load signed64"},
    {0x79400420, "ldrh w0,[x1,#2]", "load_small 1/address > 0", "read 2 at 2, load64"},
    {0xf8626820, "ldr x0,[x1,x2]", "load 1/address 2/address > 0", "read 8 at 0, load64"},
    {0xf8627820, "ldr x0,[x1,x2,lsl #3]", "load 1/address 2/address > 0", "read 8 at 0 index by 3, load64"},
    {0x78627820, "ldrh w0,[x1,x2,lsl #1]", "load_small_reg 1/address 2/address > 0", "read 2 at 0 index by 1, load64"},
    {0xb93ffc20, "str w0,[x1,#16380]", "store 0/data 1/address >", "write 4 at 16380"},
    {0x78002420, "strh w0,[x1],#2", "store 0/data 1/address > !1", "write 2 at 0 back 2"},
    {0xf8227820, "str x0,[x1,x2,lsl #3]", "store 0/data 1/address 2/address >", "write 8 at 0 index by 3"},
    {0x29ff0c20, "ldp w0,w3,[x1,#-8]!", "load_pair_word 1/address > 0 3 !1", "read 8 at -8 back -8"},
    {0x69410c20, "ldpsw x0,x3,[x1,#8]", "load_pair_word 1/address > 0 3", "read 8 at 8"},
    {0xa8df8c20, "ldp x0,x3,[x1],#504", "load_pair 1/address > 0 3 !1", "read 16 at 0 back 504"},
    {0xa8600c20, "ldnp x0,x3,[x1,#-512]", "load_pair 1/address > 0 3", "read 16 at -512"},
    {0x29008c20, "stp w0,w3,[x1,#4]", "store_pair 0/data 3/data 1/address >", "write 8 at 4"},
    {0x2d400c20, "ldp s0,s3,[x1]", "fp_load_pair 1/address > f0 f3", "read 8 at 0"},
    {0xad7f0c20, "ldp q0,q3,[x1,#-32]", "fp_load_pair_128 1/address > f0 f3", "read 32 at -32"},
    {0xad000c20, "stp q0,q3,[x1]", "fp_store_pair_128 f0/fp_data f3/fp_data 1/address >", "write 32 at 0"},
    {0x3d400420, "ldr b0,[x1,#1]", "fp_load 1/address > f0", "read 1 at 1"},
    {0x3d000420, "str b0,[x1,#1]", "fp_store f0/fp_data 1/address >", "write 1 at 1"},
    {0x7d400420, "ldr h0,[x1,#2]", "fp_load 1/address > f0", "read 2 at 2"},
    {0x7d000420, "str h0,[x1,#2]", "fp_store f0/fp_data 1/address >", "write 2 at 2"},
    {0xbd400420, "ldr s0,[x1,#4]", "fp_load 1/address > f0", "read 4 at 4"},
    {0xbd000420, "str s0,[x1,#4]", "fp_store f0/fp_data 1/address >", "write 4 at 4"},
    {0xfd400420, "ldr d0,[x1,#8]", "fp_load 1/address > f0", "read 8 at 8"},
    {0xfd000420, "str d0,[x1,#8]", "fp_store f0/fp_data 1/address >", "write 8 at 8"},
    {0x3d800820, "str q0,[x1,#32]", "fp_store_128 f0/fp_data 1/address >", "write 16 at 32"},
    {0x3ce27820, "ldr q0,[x1,x2,lsl #4]", "fp_load_128 1/address 2/address > f0", "read 16 at 0 index by 4"},
    {0x3cc10420, "ldr q0,[x1],#16", "fp_load_128 1/address > f0 !1", "read 16 at 0 back 16"},
    {0x18000040, "ldr w0,.+8", "load_literal > 0", "read 4 at 0, load0"},
    {0x98000040, "ldrsw x0,.+8", "load_literal > 0", "read 4 at 0, load signed0"},
    {0x9c000040, "ldr q0,.+8", "fp_load_128 > f0", "read 16 at 0"},
    {0x1c000040, "ldr s0,.+8", "fp_load > f0", "read 4 at 0"},
    {0xd8000040, "prfm pldl1keep,.+8", "prefetch >", ""},
    {0x885ffc20, "ldaxr w0,[x1]", "load_exclusive 1/address > 0", "read 4 at 0"},
    {0xc87f0c20, "ldxp x0,x3,[x1]", "load_exclusive 1/address > 0 3", "read 16 at 0"},
    {0x88240c20, "stxp w4,w0,w3,[x1]", "store_exclusive 1/address 0/data 3/data > 4", "write 8 at 0"},
    {0xc89ffc20, "stlr x0,[x1]", "store_exclusive 1/address 0/data >", "write 8 at 0"},
    {0x08dffc20, "ldarb w0,[x1]", "load_exclusive 1/address > 0", "read 1 at 0"},
    {0xf8a26820, "prfm pldl1keep,[x1,x2]", "prefetch 1/address 2/address >", ""},
    {0x4c407020, "ld1 {v0.16b},[x1]", "fp_load_many 1/address > f0", "read 16 at 0 repeated 2"},
    {0x0c407020, "ld1 {v0.8b},[x1]", "fp_load_many 1/address > f0", "read 8 at 0"},
    {0x4cdf203f, "ld1 {v31.16b,v0.16b,v1.16b,v2.16b},[x1],#64", "fp_load_many 1/address > f31 f0 f1 f2 !1",
     "read 64 at 0 back 64 repeated 8"},
    {0x4cc24420, "ld3 {v0.8h,v1.8h,v2.8h},[x1],x2", "fp_load_many 1/address 2/operand > f0 f1 f2 !1",
     "read 48 at 0 back 48 repeated 6"},
    {0x4d60e820, "ld4r {v0.4s,v1.4s,v2.4s,v3.4s},[x1]", "fp_load_many 1/address > f0 f1 f2 f3",
     "read 16 at 0 repeated 2"},
    {0x4d40c420, "ld1r {v0.8h},[x1]", "fp_load_many 1/address > f0", "read 2 at 0"},
    {0x4d400420, "ld1 {v0.b}[9],[x1]", "fp_load_many f0/fp 1/address > f0", "read 1 at 0"},
    {0x0d609020, "ld2 {v0.s,v1.s}[1],[x1]", "fp_load_many f0/fp f1/fp 1/address > f0 f1", "read 8 at 0"},
    {0x4d408420, "ld1 {v0.d}[1],[x1]", "fp_load_many f0/fp 1/address > f0", "read 8 at 0"},
    {0x0d9f6820, "st3 {v0.h,v1.h,v2.h}[1],[x1],#6", "fp_store_many f0/fp_data f1/fp_data f2/fp_data 1/address > !1",
     "write 6 at 0 back 6 repeated 2"},
    {0x17fffffe, "b .-8", "branch >", "jump to 0xff8"},
    {0x95ffffff, "bl .+0x7fffffc", "call > 30", "call to 0x8000ffc"},
    {0x34000061, "cbz w1,.+12", "branch_zero 1/condition >", "if zero32 to 0x100c"},
    {0xb5ffffe1, "cbnz x1,.-4", "branch_zero 1/condition >", "if not zero64 to 0xffc"},
    {0xb6080081, "tbz x1,#33,.+16", "branch_zero 1/condition >", "if bit clear bit 33 to 0x1010"},
    {0x372fff01, "tbnz w1,#5,.-32", "branch_zero 1/condition >", "if bit set bit 5 to 0xfe0"},
    {0x540000ac, "b.gt .+20", "branch_if cc/condition >", "if flags 12 to 0x1014"},
    {0x540000ae, "b.al .+20", "branch_if cc/condition >", "jump flags 14 to 0x1014"},
    {0xd61f0020, "br x1", "branch_reg 1/target >", "jump-register"},
    {0xd63f0020, "blr x1", "call_reg 1/target > 30", "call-register"},
    {0xd65f0020, "ret x1", "return 1/target >", "return"},
    {0xd4000001, "svc #0", "system > 0", ""},
    {0xd51b4401, "msr fpcr,x1", "system 1/operand >", ""},
    {0xd503203f, "yield", "nop >", ""},
    {0xd5033fdf, "isb", "barrier >", ""},
};

static void test_effects(void **state)
{
    (void)state;
    void *decoder = iss_decode_aarch64.open();
    assert_non_null(decoder);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct sample *want = &samples[i];
        const uint8_t code[4] = {(uint8_t)want->word, (uint8_t)(want->word >> 8), (uint8_t)(want->word >> 16),
                                 (uint8_t)(want->word >> 24)};
        struct iss_op op;
        struct str what = STR_INIT, effect = STR_INIT;
        if (!iss_decode_aarch64.decode(decoder, code, 4, ADDRESS, &op))
            fail_msg("%s is not known", want->text);
        put_what(&what, &op);
        put_effect(&effect, &op);
        if (strcmp(str_text(&what), want->what) || strcmp(str_text(&effect), want->effect))
            fail_msg("%s: %s; %s", want->text, str_text(&what), str_text(&effect));
        str_release(&what);
        str_release(&effect);
    }
    iss_decode_aarch64.close(decoder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_effects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
