/*
 * kernels_x86_64.c - the table of kernels for x86-64. Integer instructions have two operands and change the first one,
 * so a stream of them is as many chains as there are registers. Floating-point instructions are in AVX form, with three
 * operands. Divisions use fixed registers: these are set first, by instructions that wait for nothing, and no chain of
 * single instructions leads through them. The same holds for floating-point comparisons, since no single instruction
 * brings their flags back.
 */
#include "shimgen/core/kernels.h"

static const struct core_kind divides = {.unit = "divide"}, compares = {.unit = "fp"}, zeroes = {.unit = "none"},
                              shifts = {.unit = "alu", .need = "operand"},
                              multiplies = {.unit = "multiply", .need = "multiply"},
                              converts_from_int = {.unit = "fp", .need = "operand", .back = ISS_FP_TO_INT},
                              converts_to_int = {.unit = "fp", .need = "fp", .back = ISS_FP_FROM_INT};
#define OWN(class, kind, text)                                                                                         \
    {                                                                                                                  \
        ISS_##class, &(kind), text, NULL, false                                                                        \
    }

#define CHANGES(class, kind, text)                                                                                     \
    {                                                                                                                  \
        ISS_##class, &(kind), text, NULL, true                                                                         \
    }

static const struct core_kernel kernels[] = {
    CHANGES(ALU, core_kinds[ISS_ALU], "add r$d, r$s"),
    KERNEL(NOP, "nop"),
    KERNEL(MOVE_IMM, "mov r$dd, 5"),
    KERNEL(MOVE, "mov r$d, r$s"),
    OWN(ZERO, zeroes, "xor r$dd, r$dd"),
    KERNEL(ALU_SHIFTED, "lea r$d, [r15 + 8*r$s + 64]"),
    CHANGES(ALU_CARRY, core_kinds[ISS_ALU_CARRY], "adc r$d, r15"),
    CHANGES(SHIFT, shifts, "shl r$d, 3"),
    CHANGES(SHIFT_REG, core_kinds[ISS_SHIFT_REG], "shl r$d, cl"),
    KERNEL(BITS, "popcnt r$d, r$s"),
    CHANGES(CRC, shifts, "crc32 r$d, r15"),
    CHANGES(SELECT, core_kinds[ISS_SELECT], "cmovne r$d, r$s"),
    KERNEL(COMPARE, "cmp r$s, r15"),
    OWN(MUL_WIDE, multiplies, "mulx r$dd, r$ed, r$sd"),
    KERNEL(MUL32, "imul r$dd, r$sd, 99"),
    KERNEL(MUL64, "imul r$d, r$s, 99"),
    KERNEL(MUL_HIGH, "mulx r$d, r$e, r$s"),
    OWN(UDIV32, divides, "mov eax, 99\nxor edx, edx\ndiv r$sd"),
    OWN(SDIV32, divides, "mov eax, 99\nxor edx, edx\nidiv r$sd"),
    OWN(UDIV64, divides, "mov eax, 99\nxor edx, edx\ndiv r$s"),
    OWN(SDIV64, divides, "mov eax, 99\nxor edx, edx\nidiv r$s"),
    KERNEL(LOAD, "mov r$d, [r$s]"),
    KERNEL(LOAD_WORD, "mov r$dd, [r$s]"),
    KERNEL(LOAD_SMALL, "movzx r$dd, byte ptr [r$s]"),
    KERNEL(STORE, "mov [r$s], r15"),
    KERNEL(PREFETCH, "prefetcht0 [r$s]"),
    KERNEL(FP_ADD, "vaddsd xmm$d, xmm$s, xmm15"),
    KERNEL_32(FP_ADD, "vaddss xmm$d, xmm$s, xmm15", NULL),
    KERNEL(FP_MUL, "vmulsd xmm$d, xmm$s, xmm15"),
    KERNEL_32(FP_MUL, "vmulss xmm$d, xmm$s, xmm15", NULL),
    {ISS_FP_FMA, &core_kinds[ISS_FP_FMA], "vfmadd132sd xmm$d, xmm15, xmm$s", "vfmadd231sd xmm$d, xmm14, xmm15", true},
    KERNEL(FP_DIV32, "vdivss xmm$d, xmm$s, xmm15"),
    KERNEL(FP_DIV64, "vdivsd xmm$d, xmm$s, xmm15"),
    KERNEL(FP_SQRT32, "vsqrtss xmm$d, xmm$s, xmm$s"),
    KERNEL(FP_SQRT64, "vsqrtsd xmm$d, xmm$s, xmm$s"),
    KERNEL(FP_MOVE, "vmovapd xmm$d, xmm$s"),
    KERNEL(FP_SELECT, "vblendvpd xmm$d, xmm$s, xmm14, xmm15"),
    OWN(FP_COMPARE, compares, "vucomisd xmm$s, xmm15"),
    KERNEL(FP_CONVERT, "vcvtsd2ss xmm$d, xmm$s, xmm$s"),
    KERNEL(FP_TO_INT, "vmovq r$d, xmm$s"),
    KERNEL(FP_FROM_INT, "vmovq xmm$d, r$s"),
    OWN(FP_CONVERT_TO_INT, converts_to_int, "vcvttsd2si r$d, xmm$s"),
    OWN(FP_CONVERT_FROM_INT, converts_from_int, "vcvtsi2sd xmm$d, xmm15, r$s"),
    OWN(FP_LANE_TO_INT, converts_to_int, "vpextrd r$dd, xmm$s, 1"),
    OWN(FP_LANE_FROM_INT, converts_from_int, "vpinsrd xmm$d, xmm15, r$sd, 1"),
    KERNEL(FP_LOAD, "vmovsd xmm$d, qword ptr [r$s]"),
    KERNEL(FP_LOAD_128, "vmovups xmm$d, [r$s]"),
    KERNEL(FP_STORE, "vmovsd qword ptr [r$s], xmm15"),
    KERNEL(FP_STORE_128, "vmovups [r$s], xmm15"),
    KERNEL(SIMD_LOGIC_128, "vpand xmm$d, xmm$s, xmm15"),
    KERNEL(SIMD_128, "vpaddd xmm$d, xmm$s, xmm15"),
    KERNEL(SIMD_MUL_128, "vpmuludq xmm$d, xmm$s, xmm15"),
    KERNEL(SIMD_FP_128, "vhaddpd xmm$d, xmm$s, xmm15"),
    KERNEL(SIMD_DIV, "vdivpd xmm$d, xmm$s, xmm15"),
    KERNEL(SIMD_SHUFFLE, "vpshufd xmm$d, xmm$s, 5"),
    KERNEL(CRYPTO, "vaesenc xmm$d, xmm$s, xmm15"),
    KERNEL(BRANCH, "jmp 1f\n1:"),
    KERNEL(BRANCH_IF, "jo 1f\n1:"),
};
static const struct core_need_kernel needs[] = {
    {ISS_FP_ADD, "fp", "vaddsd xmm$d, xmm14, xmm15", "vaddsd xmm$d, xmm$s, xmm15"},
};

/* By their number in machine code. */
static const char *const low[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};

const struct core_kernels core_kernels_x86_64 = {.architecture = "x86_64",
                                                 .prologue = ".intel_syntax noprefix\n",
                                                 .first = 5,
                                                 .turns = 9,
                                                 .low = low,
                                                 .operand = 14,
                                                 .at = kernels,
                                                 .n = sizeof kernels / sizeof *kernels,
                                                 .needs = needs,
                                                 .n_needs = sizeof needs / sizeof *needs,
                                                 .use = "add r$d, r15",
                                                 .renames_stack = true};
