/* test_arithmetic_x86.c - what instructions of x86-64 calculate. The bytes are as the assembler makes them (binutils
 * 2.40), the counts follow from the operation and the width of the registers in Intel's Software Developer's Manual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "sim/core/arithmetic.h"

struct sample {
    const char *mnemonic, *operands;
    struct arithmetic is;
};
static const struct sample samples[] = {
    {"addss", "xmm0, xmm1", {32, 1, 1, 0}},
    {"mulsd", "xmm0, qword ptr [rdi]", {64, 1, 1, 0}},
    {"divps", "xmm0, xmm1", {32, 4, 1, 0}},
    {"sqrtpd", "xmm0, xmm1", {64, 2, 1, 0}},
    {"vminpd", "ymm0, ymm1, ymm2", {64, 4, 1, 0}},
    {"vmaxss", "xmm0, xmm1, xmm2", {32, 1, 1, 0}},
    {"vaddps", "zmm0, zmm1, zmm2", {32, 16, 1, 0}},
    {"vfmadd231ps", "ymm0, ymm1, ymmword ptr [rsi]", {32, 8, 2, 0}},
    {"vfnmsub132sd", "xmm0, xmm1, xmm2", {64, 1, 2, 0}},
    {"vfmaddsub213pd", "xmm0, xmm1, xmm2", {64, 2, 2, 0}},
    {"haddpd", "xmm0, xmm1", {64, 2, 1, 0}},
    {"faddp", "st(1)", {80, 1, 1, 0}},
    {"fsqrt", "", {80, 1, 1, 0}},
    {"add", "rax, rbx", {0, 1, 0, 1}},
    {"lock add", "dword ptr [rdi], 1", {0, 1, 0, 1}},
    {"imul", "eax, ecx, 7", {0, 1, 0, 1}},
    {"cmp", "rax, 5", {0, 1, 0, 1}},
    {"paddd", "xmm0, xmm1", {0, 1, 0, 4}},
    {"vpcmpeqb", "ymm0, ymm1, ymm2", {0, 1, 0, 32}},
    {"vpand", "ymm0, ymm1, ymm2", {0, 1, 0, 8}},
    /* no operations */
    {"xor", "eax, eax", {0, 1, 0, 0}},
    {"pxor", "xmm0, xmm0", {0, 1, 0, 0}},
    {"vpxor", "xmm0, xmm1, xmm1", {0, 1, 0, 0}},
    {"sub", "rsp, 0x28", {0, 1, 0, 0}},
    {"mov", "rax, rbx", {0, 1, 0, 0}},
    {"lea", "rax, [rbx + 4]", {0, 1, 0, 0}},
    {"movapd", "xmm0, xmm1", {0, 1, 0, 0}},
    {"movss", "xmm0, xmm1", {0, 1, 0, 0}},
    {"cvtsi2sd", "xmm0, eax", {0, 1, 0, 0}},
    {"cvtsd2ss", "xmm0, xmm1", {0, 1, 0, 0}},
    {"ucomisd", "xmm0, xmm1", {0, 1, 0, 0}},
    {"cmpltsd", "xmm0, xmm1", {0, 1, 0, 0}},
    {"xorps", "xmm0, xmm1", {0, 1, 0, 0}},
    {"roundsd", "xmm0, xmm1, 9", {0, 1, 0, 0}},
    {"movsd", "dword ptr [rdi], dword ptr [rsi]", {0, 1, 0, 0}},
    {"ss", "", {0, 1, 0, 0}},
    {"", "", {0, 1, 0, 0}},
};

static void is(const char *mnemonic, struct arithmetic found, struct arithmetic expected)
{
    if (memcmp(&found, &expected, sizeof found) != 0)
        print_message("%s: %u bits, %u lanes, %u each, %u integer\n", mnemonic, found.bits, found.lanes, found.each,
                      found.integer);
    assert_memory_equal(&found, &expected, sizeof found);
}

static void by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        is(samples[i].mnemonic, arithmetic_of_x86(samples[i].mnemonic, samples[i].operands), samples[i].is);
}

static void by_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint8_t bytes[8];
        size_t n;
        struct arithmetic is;
    } code[] = {
        {"mulsd (%rdi),%xmm0", {0xf2, 0x0f, 0x59, 0x07}, 4, {64, 1, 1, 0}},
        {"vfmadd231ps %ymm2,%ymm1,%ymm0", {0xc4, 0xe2, 0x75, 0xb8, 0xc2}, 5, {32, 8, 2, 0}},
        {"add %rbx,%rax", {0x48, 0x01, 0xd8}, 3, {0, 1, 0, 1}},
        {"sub $0x28,%rsp", {0x48, 0x83, 0xec, 0x28}, 4, {0, 1, 0, 0}},
        {"xor %eax,%eax", {0x31, 0xc0}, 2, {0, 1, 0, 0}},
        {"paddd %xmm1,%xmm0", {0x66, 0x0f, 0xfe, 0xc1}, 4, {0, 1, 0, 4}},
        {"ret", {0xc3}, 1, {0, 1, 0, 0}},
    };
    struct arithmetic_decoder *d = arithmetic_decoder_new();
    struct arithmetic a;
    assert_non_null(d);
    for (size_t i = 0; i < sizeof code / sizeof *code; i++) {
        assert_true(arithmetic_decode(&a, d, code[i].bytes, code[i].n, 0x1000));
        is(code[i].text, a, code[i].is);
    }
    static const uint8_t cut[] = {0xf2, 0x0f};
    assert_false(arithmetic_decode(&a, d, cut, sizeof cut, 0x1000));
    assert_false(arithmetic_decode(&a, d, cut, 0, 0x1000));
    arithmetic_decoder_free(d);
    arithmetic_decoder_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_name), cmocka_unit_test(by_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
