/* board_kernels_x86_64.c - what boards with x86-64 run besides the kernels: waits, branches, stores, divisions.
 * Register rbx counts the passes. */
#include "shimgen/core/trials.h"

static const struct core_consumer consumers[] = {
    {ISS_ALU, "operand", 'x', "add r$d, r$s"},
    {ISS_FP_ADD, "fp", 'f', "vaddsd xmm$d, xmm$s, xmm15"},
};

#define PLACE CORE_PLACE
/* The dividend is rdx:rax, whose upper half is 0; the divisor is 1, so the quotient has as many bits as the dividend. */
#define DIVIDES(class, bits, value, text)                                                                              \
    {                                                                                                                  \
        class "/" #bits " bits/chain", "xor edx, edx\n" text "\n", CORE_ZEROS, {0, "1", "1", 0, value},                \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }
#define DIVIDES_32(class, text)                                                                                        \
    DIVIDES(class, 1, "1", text), DIVIDES(class, 8, "255", text), DIVIDES(class, 16, "65535", text),                   \
        DIVIDES(class, 31, "2147483647", text)
#define DIVIDES_64(class, text)                                                                                        \
    DIVIDES_32(class, text), DIVIDES(class, 48, "281474976710655", text),                                              \
        DIVIDES(class, 63, "9223372036854775807", text)

/* Four that take slots, of four kinds so that ports are not what limits. */
#define FOUR "mov esi, 5\nvpand xmm6, xmm14, xmm15\nmov rcx, [r14]\nmov rdi, rdx\n"
static const struct core_special specials[] = {
    {"branch/taken", ".balign 64\njmp 1f\nnop\n.balign 64\n1:\n", CORE_ZEROS, {0}, {ISS_BRANCH}},
    {"branch/taken after four",
     ".balign 64\nmov ebp, 5\nmov esi, 5\nmov edi, 5\nmov r8d, 5\njmp 1f\nnop\n.balign 64\n1:\n",
     CORE_ZEROS,
     {0},
     {ISS_BRANCH, ISS_MOVE_IMM}},
    {"branch/call",
     ".balign 64\ncall 2f\njmp 3f\n.balign 64\n2:\nret\n.balign 64\n3:\n",
     CORE_ZEROS,
     {0},
     {ISS_CALL, ISS_RETURN}},
    {"branch/register",
     "lea rcx, [rip + 1f]\nnop\nnop\nnop\nnop\njmp rcx\nnop\n1:\n",
     CORE_ZEROS,
     {0},
     {ISS_BRANCH_REG}},
    {"branch/call register",
     "lea rcx, [rip + 2f]\nnop\nnop\nnop\nnop\ncall rcx\njmp 3f\n.balign 64\n2:\nret\n.balign 64\n3:\n",
     CORE_ZEROS,
     {0},
     {ISS_CALL_REG, ISS_RETURN}},
    {"branch/fused", "cmp r14, r15\njb 1f\n1:\n" FOUR FOUR FOUR, CORE_ZEROS, {0, PLACE}, {ISS_COMPARE, ISS_BRANCH_IF}},
    {"branch/apart",
     "cmp r14, r15\n" FOUR "jb 1f\n1:\n" FOUR FOUR,
     CORE_ZEROS,
     {0, PLACE},
     {ISS_COMPARE, ISS_BRANCH_IF}},
    {"branch/mispredicted",
     "movzx ecx, byte ptr [r14]\nadd r14, 1\ntest ecx, ecx\nje 1f\nadd rbp, 1\n1:\n",
     CORE_BITS,
     {0, PLACE},
     {ISS_BRANCH_IF}},
    {"branch/mispredicted late", /* by three multiplications */
     "movzx ecx, byte ptr [r14]\nadd r14, 1\nimul ecx, ecx, 3\nimul ecx, ecx, 3\nimul ecx, ecx, 3\ntest ecx, ecx\nje "
     "1f\nadd rbp, 1\n1:\n",
     CORE_BITS,
     {0, PLACE},
     {ISS_MUL32, ISS_BRANCH_IF}},
    {"store/forward", "mov [r14], r15\nmov rbp, [r14]\n", CORE_ZEROS, {0, PLACE}, {ISS_LOAD, ISS_STORE}},
    {"store/forward chain", "mov [r14], rbp\nmov rbp, [r14]\n", CORE_ZEROS, {0, PLACE}, {ISS_LOAD, ISS_STORE}},
    {"store/forward through an addition",
     "mov [r14], rbp\nmov rbp, [r14]\nadd rbp, r15\n",
     CORE_ZEROS,
     {0, PLACE},
     {ISS_LOAD, ISS_STORE}},
    {"store/forward in memory", "add [r14], r15\n", CORE_ZEROS, {0, PLACE}, {ISS_LOAD, ISS_STORE}},
    {"fp_compare/back", "vucomisd xmm5, xmm15\ncmovne rbp, r14\nvmovq xmm5, rbp\n", CORE_ZEROS, {0}, {ISS_FP_COMPARE}},
    DIVIDES_64("udiv64", "div r14"),
    DIVIDES_64("sdiv64", "idiv r14"),
    DIVIDES_32("udiv32", "div r14d"),
    DIVIDES_32("sdiv32", "idiv r14d"),
};

const struct core_board_kernels core_board_x86_64 = {
    .kernels = &core_kernels_x86_64,
    .consumers = consumers,
    .n_consumers = sizeof consumers / sizeof *consumers,
    .indexed = true,
    .small_chain = "movsxd r$d, dword ptr [r$s]",
    .specials = specials,
    .n_specials = sizeof specials / sizeof *specials,
    .head = ".intel_syntax noprefix\n"
            ".macro number reg, value\nmov \\reg, \\value\n.endm\n"
            ".macro place reg, symbol\nlea \\reg, [rip + \\symbol]\n.endm\n",
    .enter = "push rbx\npush rbp\npush r12\npush r13\npush r14\npush r15\nmov rbx, rdi\n",
    .registers = {"rbp", "r14", "r15", "rcx", "rax"},
    .operands = 2,
    /* 1.0 in the upper and in the lower half: of double precision nearly so, of single precision exactly. */
    .one = "movabs rdi, 0x3ff000003f800000\nvmovq xmm$d, rdi",
    .zero = "vpxor xmm$d, xmm$d, xmm$d",
    .again = "dec rbx\njne .Lloop$d",
    .leave = "pop r15\npop r14\npop r13\npop r12\npop rbp\npop rbx\nret\n",
    .trips = 256,
    .least = 96,
    .ticks = true,
    .divides_fixed = true,
    .slot = "xor ecx, ecx",
    .wait = "vmovapd xmm5, xmm14\n.rept 12\nvdivsd xmm5, xmm5, xmm15\n.endr\nvmovq rdi, xmm5\n",
    .mixed = "mov esi, 5\nvpand xmm6, xmm14, xmm15\ncmp r14, r15",
    .waiting = "lea rsi, [rdi + 8]",
    .loads = "mov rsi, [r14]",
    .stores = "mov [r14], r15",
};
