/* What x86-64 instructions read, write and do. The bytes are as the assembler makes them (llvm-mc 19, Intel's
 * syntax), the meaning is that of Intel's manual, volume 2. Registers by their encoding: rax 0, rcx 1, rdx 2, rbx
 * 3, rsp 4, rbp 5, rsi 6, rdi 7; the carry flag 16, x87 17. */
#include "sim/core/x86/decode_x86.h"
#include "tests/unit/core/core_fixture.h"
#include "tests/unit/core/op_words.h"

#define ADDRESS 0x100000

struct sample {
    uint8_t code[15];
    uint8_t size;
    const char *text;   /* what was assembled; targets of branches are relative to ADDRESS */
    const char *what;   /* class, sources as register/need, '>', destinations */
    const char *effect; /* op_words.h */
};

static const struct sample samples[] = {
    {{0x48, 0x01, 0xd1}, 3, "add rcx, rdx", "alu 1/operand 2/operand > 1 16 cc", "add64"},
    {{0x83, 0xc1, 0x05}, 3, "add ecx, 5", "alu 1/operand > 1 16 cc", "add32 5"},
    {{0x48, 0x83, 0xec, 0x28}, 4, "sub rsp, 40", "alu 4/operand > 4 16 cc", "sub64 40"},
    {{0x21, 0xd1}, 2, "and ecx, edx", "alu 1/operand 2/operand > 1 16 cc", "and32"},
    {{0x48, 0xff, 0xc1}, 3, "inc rcx", "alu 1/operand > 1 cc", "width 64"},
    {{0xff, 0xc9}, 2, "dec ecx", "alu 1/operand > 1 cc", "width 32"},
    {{0x48, 0xf7, 0xd1}, 3, "not rcx", "alu 1/operand > 1", "width 64"},
    {{0x31, 0xc9}, 2, "xor ecx, ecx", "zero > 1 16 cc", "constant32"},
    {{0x48, 0x29, 0xc9}, 3, "sub rcx, rcx", "zero > 1 16 cc", "constant64"},
    {{0x31, 0xd1}, 2, "xor ecx, edx", "alu 1/operand 2/operand > 1 16 cc", "xor32"},
    {{0x30, 0xc9}, 2, "xor cl, cl", "alu 1/operand > 1 16 cc", ""},
    {{0x48, 0x11, 0xd1}, 3, "adc rcx, rdx", "alu_carry 1/operand 2/operand 16/flags > 1 16 cc", "width 64"},
    {{0x48, 0x39, 0xd1}, 3, "cmp rcx, rdx", "compare 1/operand 2/operand > 16 cc", "sub64"},
    {{0x83, 0x79, 0x08, 0x03}, 4, "cmp dword ptr [rcx + 8], 3", "compare 1/address > 16 cc", "read 4 at 8, width 32"},
    {{0x85, 0xc9}, 2, "test ecx, ecx", "compare 1/operand > 16 cc", "and32"},
    {{0x48, 0x01, 0x11},
     3,
     "add qword ptr [rcx], rdx",
     "alu 1/address 2/operand > 16 cc",
     "read and write 8 at 0, width 64"},
    {{0x48, 0x03, 0x54, 0xf1, 0xf0},
     5,
     "add rdx, qword ptr [rcx + 8*rsi - 16]",
     "alu 2/operand 1/address 6/address > 2 16 cc",
     "read 8 at -16 index by 3, width 64"},
    {{0x48, 0x89, 0xd1}, 3, "mov rcx, rdx", "move 2/operand > 1", "add64"},
    {{0x89, 0xd1}, 2, "mov ecx, edx", "move 2/operand > 1", "add32"},
    {{0x66, 0x89, 0xd1}, 3, "mov cx, dx", "alu 1/operand 2/operand > 1", ""},
    {{0x88, 0xd1}, 2, "mov cl, dl", "alu 1/operand 2/operand > 1", ""},
    {{0xb9, 0x07, 0x00, 0x00, 0x00}, 5, "mov ecx, 7", "move_imm > 1", "constant32 7"},
    {{0x48, 0xb9, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00},
     10,
     "movabs rcx, 4294967296",
     "move_imm > 1",
     "constant64 4294967296"},
    {{0x48, 0x8b, 0x4a, 0xf8}, 4, "mov rcx, qword ptr [rdx - 8]", "load 2/address > 1", "read 8 at -8, width 64"},
    {{0x8b, 0x0d, 0x10, 0x00, 0x00, 0x00},
     6,
     "mov ecx, dword ptr [rip + 16]",
     "load_word > 1",
     "read 4 at 1048598, width 32"},
    {{0x8a, 0x0a}, 2, "mov cl, byte ptr [rdx]", "alu 1/operand 2/address > 1", "read 1 at 0"},
    {{0x48, 0x89, 0x0c, 0xb2},
     4,
     "mov qword ptr [rdx + 4*rsi], rcx",
     "store 2/address 6/address 1/data >",
     "write 8 at 0 index by 2, width 64"},
    {{0xc7, 0x02, 0x05, 0x00, 0x00, 0x00}, 6, "mov dword ptr [rdx], 5", "store 2/address >", "write 4 at 0, width 32"},
    {{0x0f, 0xb6, 0x0a}, 3, "movzx ecx, byte ptr [rdx]", "load_small 2/address > 1", "read 1 at 0, width 32"},
    {{0x0f, 0xb6, 0xca}, 3, "movzx ecx, dl", "alu 2/operand > 1", "zero32 by 8"},
    {{0x48, 0x63, 0xca}, 3, "movsxd rcx, edx", "alu 2/operand > 1", "sign64 by 32"},
    {{0x48, 0x8d, 0x4a, 0x08}, 4, "lea rcx, [rdx + 8]", "alu 2/operand > 1", "add64 8"},
    {{0x48, 0x8d, 0x0c, 0x32}, 4, "lea rcx, [rdx + rsi]", "alu 2/operand 6/operand > 1", "add64"},
    {{0x48, 0x8d, 0x0c, 0xb2}, 4, "lea rcx, [rdx + 4*rsi]", "alu_shifted 2/operand 6/shifted > 1", "add64 by 2"},
    {{0x48, 0x8d, 0x4c, 0x32, 0x08}, 5, "lea rcx, [rdx + rsi + 8]", "alu_shifted 2/operand 6/operand > 1", "width 64"},
    {{0x48, 0x8d, 0x0d, 0x10, 0x00, 0x00, 0x00}, 7, "lea rcx, [rip + 16]", "move_imm > 1", "constant64 1048599"},
    {{0x48, 0xc1, 0xe1, 0x04}, 4, "shl rcx, 4", "shift 1/operand > 1 16 cc", "shl64 4"},
    {{0x48, 0xd3, 0xe1}, 3, "shl rcx, cl", "shift_reg 1/operand > 1 16 cc", "width 64"},
    {{0xc4, 0xe2, 0xca, 0xf7, 0xca}, 5, "sarx rcx, rdx, rsi", "shift 2/operand 6/operand > 1", "width 64"},
    {{0x48, 0x0f, 0xaf, 0xca}, 4, "imul rcx, rdx", "mul64 1/multiply 2/multiply > 1 16 cc", "mul64"},
    {{0x6b, 0xca, 0x0c}, 3, "imul ecx, edx, 12", "mul32 2/multiply > 1 16 cc", "mul32 12"},
    {{0x48, 0xf7, 0xe1}, 3, "mul rcx", "mul_high 1/multiply 0/multiply > 0 2 16 cc", "width 64"},
    {{0xf7, 0xe9}, 2, "imul ecx", "mul_wide 1/multiply 0/multiply > 0 2 16 cc", "width 32"},
    {{0x48, 0xf7, 0xf1}, 3, "div rcx", "udiv64 1/multiply 0/multiply 2/multiply > 0 2 16 cc", "width 64"},
    {{0xf7, 0xf9}, 2, "idiv ecx", "sdiv32 1/multiply 0/multiply 2/multiply > 0 2 16 cc", "width 32"},
    {{0x48, 0x99}, 2, "cqo", "shift 0/operand > 2", ""},
    {{0x0f, 0x4c, 0xca}, 3, "cmovl ecx, edx", "select 1/operand 2/operand cc/flags > 1", "width 32"},
    {{0x48, 0x0f, 0x42, 0xca}, 4, "cmovb rcx, rdx", "select 1/operand 2/operand 16/flags > 1", "width 64"},
    {{0x0f, 0x9f, 0xc1}, 3, "setg cl", "select 1/operand cc/flags > 1", ""},
    {{0xf3, 0x48, 0x0f, 0xb8, 0xca}, 5, "popcnt rcx, rdx", "bits 2/operand > 1 16 cc", "width 64"},
    {{0x51}, 1, "push rcx", "store 1/data 4/address > !4", "write 8 at -8 back -8, width 64"},
    {{0x59}, 1, "pop rcx", "load 4/address > 1 !4", "read 8 at 0 back 8, width 64"},
    {{0xc9}, 1, "leave", "load 5/address > 5 4", "read 8 at 0"},
    {{0xc3}, 1, "ret", "return 4/address > !4", "read 8 at 0 back 8return"},
    {{0xe8, 0x0b, 0x00, 0x00, 0x00},
     5,
     "call 1048592",
     "call 4/address > !4",
     "write 8 at -8 back -8, width 64call to 0x100010"},
    {{0xff, 0xd1}, 2, "call rcx", "call_reg 1/target 4/address > !4", "write 8 at -8 back -8, width 64call-register"},
    {{0xff, 0xe1}, 2, "jmp rcx", "branch_reg 1/target >", "width 64jump-register"},
    {{0xff, 0x24, 0xd1},
     3,
     "jmp qword ptr [rcx + 8*rdx]",
     "branch_reg 1/address 2/address >",
     "read 8 at 0 index by 3, width 64jump-register"},
    {{0x74, 0x0e}, 2, "je 1048592", "branch_if cc/condition >", "width 64if to 0x100010"},
    {{0x72, 0x0e}, 2, "jb 1048592", "branch_if 16/condition >", "width 64if to 0x100010"},
    {{0x77, 0x0e}, 2, "ja 1048592", "branch_if cc/condition 16/condition >", "width 64if to 0x100010"},
    {{0xf0, 0x48, 0x0f, 0xc1, 0x11},
     5,
     "lock xadd qword ptr [rcx], rdx",
     "atomic 1/address 2/operand > 2 16 cc",
     "read and write 8 at 0, width 64"},
    {{0x48, 0x87, 0xca}, 3, "xchg rcx, rdx", "alu 2/operand 1/operand > 2 1", "width 64"},
    {{0x66, 0x0f, 0x1f, 0x04, 0x00}, 5, "nop word ptr [rax + rax]", "nop >", ""},
    {{0xf2, 0x0f, 0x58, 0xca}, 4, "addsd xmm1, xmm2", "fp_add f1/fp f2/fp > f1", "width 64"},
    {{0xc5, 0xea, 0x58, 0xcb}, 4, "vaddss xmm1, xmm2, xmm3", "fp_add f2/fp f3/fp > f1", "width 32"},
    {{0x66, 0x0f, 0x59, 0x09},
     4,
     "mulpd xmm1, xmmword ptr [rcx]",
     "fp_mul f1/fp 1/address > f1",
     "read 16 at 0, width 64"},
    {{0xc4, 0xe2, 0xe9, 0xb9, 0xcb},
     5,
     "vfmadd231sd xmm1, xmm2, xmm3",
     "fp_fma f1/fp_accumulate f2/fp f3/fp > f1",
     "width 64"},
    {{0xc4, 0xe2, 0x6d, 0x98, 0xcb},
     5,
     "vfmadd132ps ymm1, ymm2, ymm3",
     "fp_fma f1/fp f2/fp_accumulate f3/fp > f1",
     "width 32"},
    {{0xf3, 0x0f, 0x5e, 0xca}, 4, "divss xmm1, xmm2", "fp_div32 f1/fp f2/fp > f1", "width 32"},
    {{0x66, 0x0f, 0x5e, 0xca}, 4, "divpd xmm1, xmm2", "simd_div f1/fp f2/fp > f1", "width 64"},
    {{0xf2, 0x0f, 0x51, 0xca}, 4, "sqrtsd xmm1, xmm2", "fp_sqrt64 f1/fp f2/fp > f1", "width 64"},
    {{0xc5, 0xeb, 0x51, 0xcb}, 4, "vsqrtsd xmm1, xmm2, xmm3", "fp_sqrt64 f2/fp f3/fp > f1", "width 64"},
    {{0x66, 0x0f, 0x28, 0xca}, 4, "movapd xmm1, xmm2", "fp_move f2/fp > f1", "width 64"},
    {{0xf2, 0x0f, 0x10, 0xca}, 4, "movsd xmm1, xmm2", "simd_logic_128 f1/fp f2/fp > f1", "width 64"},
    {{0xf2, 0x0f, 0x10, 0x09}, 4, "movsd xmm1, qword ptr [rcx]", "fp_load 1/address > f1", "read 8 at 0, width 64"},
    {{0x0f, 0x10, 0x09}, 3, "movups xmm1, xmmword ptr [rcx]", "fp_load_128 1/address > f1", "read 16 at 0, width 64"},
    {{0xc5, 0xfc, 0x11, 0x09},
     4,
     "vmovups ymmword ptr [rcx], ymm1",
     "fp_store_128 1/address f1/fp_data >",
     "write 32 at 0 repeated 2, width 64"},
    {{0xf3, 0x0f, 0x11, 0x09},
     4,
     "movss dword ptr [rcx], xmm1",
     "fp_store 1/address f1/fp_data >",
     "write 4 at 0, width 64"},
    {{0x66, 0x0f, 0x16, 0x09},
     4,
     "movhpd xmm1, qword ptr [rcx]",
     "simd_shuffle f1/fp 1/address > f1",
     "read 8 at 0, width 64"},
    {{0x66, 0x48, 0x0f, 0x6e, 0xc9}, 5, "movq xmm1, rcx", "fp_from_int 1/operand > f1", "width 64"},
    {{0x66, 0x48, 0x0f, 0x7e, 0xc9}, 5, "movq rcx, xmm1", "fp_to_int f1/fp > 1", "width 64"},
    {{0xf2, 0x0f, 0x2a, 0xc9}, 4, "cvtsi2sd xmm1, ecx", "fp_convert_from_int f1/fp 1/operand > f1", "width 64"},
    {{0xf2, 0x0f, 0x2c, 0xc9}, 4, "cvttsd2si ecx, xmm1", "fp_convert_to_int f1/fp > 1", "width 64"},
    {{0xf3, 0x0f, 0x5a, 0xca}, 4, "cvtss2sd xmm1, xmm2", "fp_convert f1/fp f2/fp > f1", "width 64"},
    {{0xf3, 0x0f, 0xe6, 0xca}, 4, "cvtdq2pd xmm1, xmm2", "fp_convert f2/fp > f1", "width 64"},
    {{0x66, 0x0f, 0x2e, 0xca}, 4, "ucomisd xmm1, xmm2", "fp_compare f1/fp f2/fp > 16 cc", "width 64"},
    {{0x66, 0x0f, 0x57, 0xc9}, 4, "xorpd xmm1, xmm1", "zero > f1", "constant64"},
    {{0xc5, 0xe9, 0xef, 0xca}, 4, "vpxor xmm1, xmm2, xmm2", "zero > f1", "constant64"},
    {{0x66, 0x0f, 0xef, 0xca}, 4, "pxor xmm1, xmm2", "simd_logic_128 f1/fp f2/fp > f1", "width 64"},
    {{0x66, 0x0f, 0xfe, 0xca}, 4, "paddd xmm1, xmm2", "simd_128 f1/fp f2/fp > f1", "width 64"},
    {{0x66, 0x0f, 0xf4, 0xca}, 4, "pmuludq xmm1, xmm2", "simd_mul_128 f1/fp f2/fp > f1", "width 64"},
    {{0x66, 0x0f, 0x70, 0xca, 0x1b}, 5, "pshufd xmm1, xmm2, 27", "simd_shuffle f2/fp > f1", "width 64"},
    {{0x66, 0x0f, 0x14, 0xca}, 4, "unpcklpd xmm1, xmm2", "simd_shuffle f1/fp f2/fp > f1", "width 64"},
    {{0x66, 0x0f, 0xd7, 0xc9}, 4, "pmovmskb ecx, xmm1", "fp_lane_to_int f1/fp > 1", "width 64"},
    {{0xdb, 0x29}, 2, "fld tbyte ptr [rcx]", "fp_load 1/address > 17", "read 10 at 0"},
    /* capstone 5: no flags of the first, one id for the other two */
    {{0x85, 0x08}, 2, "test dword ptr [rax], ecx", "compare 0/address 1/operand > 16 cc", "read 4 at 0, width 32"},
    {{0xc5, 0xf3, 0xc2, 0xc2, 0x05}, 5, "vcmpnltsd xmm0, xmm1, xmm2", "fp_add f1/fp f2/fp > f0", "width 64"},
    {{0xc5, 0xf8, 0x2f, 0xc2}, 4, "vcomiss xmm0, xmm2", "fp_compare f0/fp f2/fp > 16 cc", "width 64"},
    {{0xd8, 0xc1}, 2, "fadd st, st(1)", "fp_add 17/fp > 17", ""},
    {{0x0f, 0xae, 0xf0}, 3, "mfence", "barrier >", ""},
    {{0x0f, 0xa2}, 2, "cpuid", "system 0/operand 1/operand > 0 3 1 2", ""},
};

static void test_samples(void **state)
{
    (void)state;
    void *decoder = iss_decode_x86_64.open();
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct sample *want = &samples[i];
        struct iss_op op;
        struct str what = STR_INIT, effect = STR_INIT;
        if (!iss_decode_x86_64.decode(decoder, want->code, sizeof want->code, ADDRESS, &op))
            fail_msg("%s is not known", want->text);
        put_what(&what, &op);
        put_effect(&effect, &op);
        if (strcmp(str_text(&what), want->what) || strcmp(str_text(&effect), want->effect))
            fail_msg("%s: %s; %s", want->text, str_text(&what), str_text(&effect));
        assert_int_equal(op.size, want->size);
        str_release(&what);
        str_release(&effect);
    }
    iss_decode_x86_64.close(decoder);
}

/* A vector of 256 bits is two steps of 128, one of 512 four. */
static void test_steps(void **state)
{
    (void)state;
    static const uint8_t xmm[] = {0xc5, 0xf1, 0xfe, 0xca}, ymm[] = {0xc5, 0xf5, 0xfe, 0xca},
                         zmm[] = {0x62, 0xf1, 0x75, 0x48, 0xfe, 0xca}; /* vpaddd of registers 1, 1, 2 */
    void *decoder = iss_decode_x86_64.open();
    struct iss_op op;
    assert_true(iss_decode_x86_64.decode(decoder, xmm, sizeof xmm, ADDRESS, &op));
    assert_int_equal(op.repeat, 1);
    assert_true(iss_decode_x86_64.decode(decoder, ymm, sizeof ymm, ADDRESS, &op));
    assert_int_equal(op.repeat, 2);
    assert_true(iss_decode_x86_64.decode(decoder, zmm, sizeof zmm, ADDRESS, &op));
    assert_int_equal(op.repeat, 4);
    iss_decode_x86_64.close(decoder);
}

static void test_unknown(void **state)
{
    (void)state;
    static const uint8_t code[][3] = {{0x06, 0x90, 0x90}, {0x0f, 0x04, 0x90}, {0x48, 0x89, 0x00}};
    void *decoder = iss_decode_x86_64.open();
    for (size_t i = 0; i < sizeof code / sizeof code[0]; i++) {
        struct iss_op op, nothing = {.class = ISS_UNKNOWN, .repeat = 1, .size = 1};
        /* push es is none in 64-bit mode; 0f 04 is reserved; a move that is cut off */
        assert_false(iss_decode_x86_64.decode(decoder, code[i], i == 2 ? 2 : 3, ADDRESS, &op));
        assert_memory_equal(&op, &nothing, sizeof op);
    }
    iss_decode_x86_64.close(decoder);
}

/* Vectors that capstone 4 does not know (5 knows some) keep their length: registers, displacements of one and of four bytes, relative to the
 * instruction, an index, one without a base, immediates by map and opcode, VEX. Bytes: llvm-mc 19. */
static void test_length_of_unknown(void **state)
{
    (void)state;
    static const struct {
        uint8_t code[11], size;
    } codes[] = {
        {{0x62, 0xf2, 0x75, 0x48, 0x50, 0xc2}, 6},                                /* vpdpbusd zmm0, zmm1, zmm2 */
        {{0x62, 0xf2, 0x75, 0x48, 0x50, 0x40, 0x01}, 7},                          /* [rax + 64] */
        {{0x62, 0xf2, 0x75, 0x48, 0x50, 0x44, 0x88, 0x40}, 8},                    /* [rax + 4*rcx + 4096] */
        {{0x62, 0xf2, 0x75, 0x48, 0x50, 0x05, 0x10, 0x00, 0x00, 0x00}, 10},       /* [rip + 16] */
        {{0x62, 0xf2, 0x75, 0x48, 0x50, 0x04, 0x88}, 7},                          /* [rax + 4*rcx] */
        {{0x62, 0xf2, 0x75, 0x48, 0x50, 0x04, 0x8d, 0x64, 0x00, 0x00, 0x00}, 11}, /* [4*rcx + 100] */
        {{0x62, 0xf3, 0x75, 0x48, 0x71, 0xc2, 0x03}, 7},                          /* vpshldd zmm0, zmm1, zmm2, 3 */
        {{0x62, 0xf3, 0x75, 0x48, 0x71, 0x40, 0x02, 0x03}, 8},                    /* [rax + 128], 3 */
        {{0xc4, 0xe3, 0xf1, 0xce, 0xc2, 0x07}, 6},       /* vgf2p8affineqb xmm0, xmm1, xmm2, 7 */
        {{0xc4, 0xe2, 0x75, 0x50, 0x40, 0x40}, 6},       /* {vex} vpdpbusd ymm0, ymm1, [rax + 64] */
        {{0x62, 0xf5, 0x74, 0x48, 0x58, 0xc2}, 6},       /* vaddph zmm0, zmm1, zmm2 */
        {{0x62, 0xf3, 0x74, 0x48, 0xc2, 0xca, 0x01}, 7}, /* vcmpltph k1, zmm1, zmm2 */
    };
    void *decoder = iss_decode_x86_64.open();
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct iss_op op;
        assert_int_equal(x86_vector_length(codes[i].code, sizeof codes[i].code), codes[i].size);
        bool known = iss_decode_x86_64.decode(decoder, codes[i].code, sizeof codes[i].code, ADDRESS, &op);
        assert_int_equal(op.size, codes[i].size);
        if (!known)
            assert_int_equal(op.class, ISS_UNKNOWN);
        assert_false(iss_decode_x86_64.decode(decoder, codes[i].code, codes[i].size - 1u, ADDRESS, &op));
        assert_int_equal(op.size, 1); /* cut off */
    }
    iss_decode_x86_64.close(decoder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples), cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_unknown), cmocka_unit_test(test_length_of_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
