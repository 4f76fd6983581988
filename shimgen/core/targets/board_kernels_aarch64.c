/* board_kernels_aarch64.c - what boards with AArch64 run besides the kernels: waits, pairs, branches, stores,
 * splits. */
#include "shimgen/core/trials.h"

static const struct core_consumer consumers[] = {
    {ISS_ALU, "operand", 'x', "add x$d, x$s, x21"},
    {ISS_ALU_SHIFTED, "shifted", 'x', "add x$d, x22, x$s, lsl #3"},
    {ISS_LOAD, "address", 'x', "ldr x$d, [x23, x$s]"},
    {ISS_STORE, "data", 'x', "str x$s, [x23, #64]"},
    {ISS_MUL64, "multiply", 'x', "mul x$d, x$s, x22"},
    {ISS_MADD64, "accumulate", 'x', "madd x$d, x22, x22, x$s"},
    {ISS_BRANCH_ZERO, "condition", 'x', "tbnz x$s, #40, 1f\n1:"},
    {ISS_SELECT, "flags", 'c', "csel x$d, x21, x22, ne"},
    {ISS_BRANCH_IF, "condition", 'c', "b.vs 1f\n1:"},
    {ISS_FP_ADD, "fp", 'f', "fadd d$d, d$s, d22"},
    {ISS_FP_FMA, "fp_accumulate", 'f', "fmadd d$d, d21, d22, d$s"},
    {ISS_FP_STORE, "fp_data", 'f', "str d$s, [x23, #64]"},
};
static const unsigned partners[] = {ISS_ALU,        ISS_SHIFT_REG, ISS_COMPARE,     ISS_MUL64,
                                    ISS_SDIV64,     ISS_LOAD,      ISS_BRANCH_ZERO, ISS_FP_ADD,
                                    ISS_FP_COMPARE, ISS_FP_DIV64,  ISS_SIMD_128,    ISS_NOP};

#define PLACE CORE_PLACE
#define WAIT  "fdiv d1, d1, d21\nfadd d2, d1, d22\n"
static const struct core_special specials[] = {
    {"branch/taken", ".balign 16\nb 1f\nnop\nnop\nnop\n1:\n", CORE_ZEROS, {0}, {ISS_BRANCH}},
    {"branch/into a group", ".balign 32\nb 1f\nnop\nnop\nnop\nnop\n1:\nnop\nnop\nnop\n", CORE_ZEROS, {0}, {ISS_BRANCH}},
    {"branch/same taken", "mov x2, #4\n1:\nsub x2, x2, #1\ncbnz x2, 1b\n", CORE_ZEROS, {0}, {ISS_BRANCH_ZERO, ISS_ALU}},
    {"branch/call", "bl 2f\nb 3f\n2:\nret\n3:\n", CORE_ZEROS, {0}, {ISS_CALL, ISS_RETURN}},
    {"branch/register", "adr x1, 1f\nnop\nnop\nnop\nnop\nbr x1\nnop\n1:\n", CORE_ZEROS, {0}, {ISS_BRANCH_REG}},
    {"branch/call register",
     "adr x1, 2f\nnop\nnop\nnop\nnop\nblr x1\nb 3f\n2:\nret\n3:\n",
     CORE_ZEROS,
     {0},
     {ISS_CALL_REG, ISS_RETURN}},
    {"branch/mispredicted",
     "ldrb w1, [x20], #1\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\ncbz w1, 1f\nadd x2, x2, #1\n1:\n",
     CORE_BITS,
     {0, PLACE},
     {ISS_BRANCH_ZERO}},
    {"branch/mispredicted late",
     "ldrb w1, [x20], #1\ncbz w1, 1f\nadd x2, x2, #1\n1:\n",
     CORE_BITS,
     {0, PLACE},
     {ISS_LOAD_SMALL, ISS_BRANCH_ZERO}},
    {"issue/three kinds",
     "add x1, x20, x21\nldr x2, [x20]\nfadd d3, d20, d21\n",
     CORE_ZEROS,
     {0, PLACE},
     {ISS_FP_ADD, ISS_LOAD, ISS_ALU}},
    CORE_AHEADS(WAIT, "b"),
    {"store/other place", "str x21, [x20]\nldr x1, [x20, #128]\n", CORE_ZEROS, {0, PLACE}, {ISS_LOAD, ISS_STORE}},
    {"store/forward", "str x21, [x20]\nldr x1, [x20]\n", CORE_ZEROS, {0, PLACE}, {ISS_LOAD, ISS_STORE}},
    {"store/forward chain", "str x1, [x20]\nldr x1, [x20]\n", CORE_ZEROS, {0, PLACE}, {ISS_LOAD, ISS_STORE}},
    {"store/forward wide", "stp x21, x22, [x20]\nldr x1, [x20]\n", CORE_ZEROS, {0, PLACE}, {ISS_LOAD, ISS_STORE_PAIR}},
    {"store/forward split", "str x21, [x20]\nstr x21, [x20, #8]\nldur x1, [x20, #4]\n", CORE_ZEROS, {0, PLACE}, {0}},
    {"split/load 8", "ldr x1, [x1]\n", CORE_ASKEW, {PLACE "+4"}, {0}},
    {"split/load 16", "ldr x1, [x1]\n", CORE_ASKEW, {PLACE "+12"}, {0}},
    {"split/load 32", "ldr x1, [x1]\n", CORE_ASKEW, {PLACE "+28"}, {0}},
    {"split/load 64", "ldr x1, [x1]\n", CORE_ASKEW, {PLACE "+60"}, {0}},
    {"split/small", "ldrsw x1, [x1]\n", CORE_ASKEW, {PLACE "+1030"}, {0}},
    {"split/stream 8", "ldr x1, [x20]\nldr x2, [x20]\n", CORE_ZEROS, {0, PLACE "+4"}, {0}},
    {"split/stream 64", "ldr x1, [x20]\nldr x2, [x20]\n", CORE_ZEROS, {0, PLACE "+60"}, {0}},
    {"split/store", "str x21, [x20]\nstr x22, [x20]\n", CORE_ZEROS, {0, PLACE "+60"}, {0}},
    {"write back", "ldr x13, [x1], #8\n", CORE_ZEROS, {PLACE}, {ISS_LOAD}},
};

const struct core_board_kernels core_board_aarch64 = {
    .kernels = &core_kernels_aarch64,
    .consumers = consumers,
    .n_consumers = sizeof consumers / sizeof *consumers,
    .indexed = true,
    .partners = partners,
    .registers = {"x1", "x20", "x21", "x22", "x23"},
    .operands = 3,
    .trips = 16,
    .least = 24,
    .small_chain = "ldrsw x$d, [x$s]",
    .specials = specials,
    .n_specials = sizeof specials / sizeof *specials,
    .head = ".arch armv8-a+crc\n"
            ".macro number reg, value\n"
            "movz \\reg, #((\\value) & 0xffff)\nmovk \\reg, #(((\\value) >> 16) & 0xffff), lsl #16\n"
            "movk \\reg, #(((\\value) >> 32) & 0xffff), lsl #32\nmovk \\reg, #(((\\value) >> 48) & 0xffff), lsl #48\n"
            ".endm\n"
            ".macro place reg, symbol\nadrp \\reg, \\symbol\nadd \\reg, \\reg, :lo12:\\symbol\n.endm\n",
    .enter = "stp x29, x30, [sp, #-144]!\nstp x19, x20, [sp, #16]\nstp x21, x22, [sp, #32]\nstr x23, [sp, #48]\n"
             "stp d8, d9, [sp, #64]\nstp d10, d11, [sp, #80]\nstp d12, d13, [sp, #96]\nmov x19, x0\ncmn xzr, xzr\n",
    .one = "fmov d$d, #1.0",
    .zero = "movi d$d, #0",
    .again = "sub x19, x19, #1\ncbnz x19, .Lloop$d",
    .leave = "ldp d8, d9, [sp, #64]\nldp d10, d11, [sp, #80]\nldp d12, d13, [sp, #96]\nldr x23, [sp, #48]\n"
             "ldp x21, x22, [sp, #32]\nldp x19, x20, [sp, #16]\nldp x29, x30, [sp], #144\nret\n",
};
