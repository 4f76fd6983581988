/* board_kernels_riscv64.c - what boards with 64-bit RISC-V run besides the kernels: waits, pairs, branches, stores. */
#include "shimgen/core/trials.h"

static const struct core_consumer consumers[] = {
    {ISS_ALU, "operand", 'x', "add x$d, x$s, x21"},
    {ISS_SHIFT, "shifted", 'x', "slli x$d, x$s, 3"},
    {ISS_LOAD, "address", 'x', "ld x$d, 0(x$s)"},
    {ISS_STORE, "data", 'x', "sd x$s, 64(x23)"},
    {ISS_MUL64, "multiply", 'x', "mul x$d, x$s, x22"},
    {ISS_BRANCH_ZERO, "condition", 'x', "bltz x$s, 1f\n1:"},
    {ISS_FP_ADD, "fp", 'f', "fadd.d f$d, f$s, f22"},
    {ISS_FP_FMA, "fp_accumulate", 'f', "fmadd.d f$d, f21, f22, f$s"},
    {ISS_FP_STORE, "fp_data", 'f', "fsd f$s, 64(x23)"},
};
static const unsigned partners[] = {ISS_ALU,    ISS_MUL64,      ISS_SDIV64,   ISS_LOAD, ISS_BRANCH_ZERO,
                                    ISS_FP_ADD, ISS_FP_COMPARE, ISS_FP_DIV64, ISS_NOP};

#define PLACE CORE_PLACE
#define WAIT  "fdiv.d f5, f5, f21\nfadd.d f6, f5, f22\n"
static const struct core_special specials[] = {
    {"branch/taken", ".balign 16\nj 1f\nnop\nnop\nnop\n1:\n", CORE_ZEROS, {0}, {ISS_BRANCH}},
    {"branch/into a group", ".balign 32\nj 1f\nnop\nnop\nnop\nnop\n1:\nnop\nnop\nnop\n", CORE_ZEROS, {0}, {ISS_BRANCH}},
    {"branch/same taken", "li x6, 4\n1:\naddi x6, x6, -1\nbnez x6, 1b\n", CORE_ZEROS, {0}, {ISS_BRANCH_ZERO, ISS_ALU}},
    {"branch/call", "jal x1, 2f\nj 3f\n2:\nret\n3:\n", CORE_ZEROS, {0}, {ISS_CALL, ISS_RETURN}},
    {"branch/register", "lla x6, 1f\nnop\nnop\nnop\nnop\njr x6\nnop\n1:\n", CORE_ZEROS, {0}, {ISS_BRANCH_REG}},
    {"branch/call register",
     "lla x6, 2f\nnop\nnop\nnop\nnop\njalr x1, 0(x6)\nj 3f\n2:\nret\n3:\n",
     CORE_ZEROS,
     {0},
     {ISS_CALL_REG, ISS_RETURN}},
    /* across more than one instruction: some cores execute a branch across one as one with it, and predict nothing */
    {"branch/mispredicted",
     "lb x5, 0(x20)\naddi x20, x20, 1\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nbeqz x5, 1f\naddi x6, x6, 1\nnop\n1:\n",
     CORE_BITS,
     {0, PLACE},
     {ISS_BRANCH_ZERO}},
    {"branch/mispredicted late",
     "lb x5, 0(x20)\naddi x20, x20, 1\nbeqz x5, 1f\naddi x6, x6, 1\nnop\nnop\n1:\n",
     CORE_BITS,
     {0, PLACE},
     {ISS_LOAD_SMALL, ISS_BRANCH_ZERO}},
    {"issue/three kinds",
     "add x5, x20, x21\nld x6, 0(x20)\nfadd.d f7, f20, f21\n",
     CORE_ZEROS,
     {0, PLACE},
     {ISS_FP_ADD, ISS_LOAD, ISS_ALU}},
    CORE_AHEADS(WAIT, "j"),
    {"store/other place", "sd x21, 0(x20)\nld x5, 128(x20)\n", CORE_ZEROS, {0, PLACE}, {ISS_LOAD, ISS_STORE}},
    {"store/forward", "sd x21, 0(x20)\nld x5, 0(x20)\n", CORE_ZEROS, {0, PLACE}, {ISS_LOAD, ISS_STORE}},
    {"store/forward chain", "sd x5, 0(x20)\nld x5, 0(x20)\n", CORE_ZEROS, {0, PLACE}, {ISS_LOAD, ISS_STORE}},
    {"store/forward split", "sd x21, 0(x20)\nsd x21, 8(x20)\nld x5, 4(x20)\n", CORE_ZEROS, {0, PLACE}, {0}},
    {"split/load 8", "ld x5, 0(x5)\n", CORE_ASKEW, {PLACE "+4"}, {0}},
    {"split/load 16", "ld x5, 0(x5)\n", CORE_ASKEW, {PLACE "+12"}, {0}},
    {"split/load 32", "ld x5, 0(x5)\n", CORE_ASKEW, {PLACE "+28"}, {0}},
    {"split/load 64", "ld x5, 0(x5)\n", CORE_ASKEW, {PLACE "+60"}, {0}},
    {"split/small", "lw x5, 0(x5)\n", CORE_ASKEW, {PLACE "+1030"}, {0}},
    {"split/stream 8", "ld x5, 0(x20)\nld x6, 0(x20)\n", CORE_ZEROS, {0, PLACE "+4"}, {0}},
    {"split/stream 64", "ld x5, 0(x20)\nld x6, 0(x20)\n", CORE_ZEROS, {0, PLACE "+60"}, {0}},
    {"split/store", "sd x21, 0(x20)\nsd x22, 0(x20)\n", CORE_ZEROS, {0, PLACE "+60"}, {0}},
};

const struct core_board_kernels core_board_riscv64 = {
    .kernels = &core_kernels_riscv64,
    .consumers = consumers,
    .n_consumers = sizeof consumers / sizeof *consumers,
    .partners = partners,
    .registers = {"x5", "x20", "x21", "x22", "x23"},
    .operands = 3,
    .trips = 16,
    .least = 24,
    .small_chain = "lw x$d, 0(x$s)",
    .specials = specials,
    .n_specials = sizeof specials / sizeof *specials,
    .head = ".option arch, rv64gc_zba_zbb\n.option norvc\n.option norelax\n"
            ".macro number reg, value\nli \\reg, \\value\n.endm\n"
            ".macro place reg, symbol\nlla \\reg, \\symbol\n.endm\n",
    .enter =
        "addi sp, sp, -112\nsd x1, 0(sp)\nsd x8, 8(sp)\nsd x9, 16(sp)\nsd x20, 24(sp)\nsd x21, 32(sp)\nsd x22, 40(sp)\n"
        "sd x23, 48(sp)\nfsd f8, 56(sp)\nfsd f9, 64(sp)\nfsd f20, 72(sp)\nfsd f21, 80(sp)\nfsd f22, 88(sp)\n"
        "mv x31, x10\nli x30, 1\n",
    .one = "fcvt.d.w f$d, x30",
    .zero = "fcvt.d.w f$d, x0",
    .again = "addi x31, x31, -1\nbeqz x31, 9f\nj .Lloop$d\n9:",
    .leave =
        "ld x1, 0(sp)\nld x8, 8(sp)\nld x9, 16(sp)\nld x20, 24(sp)\nld x21, 32(sp)\nld x22, 40(sp)\nld x23, 48(sp)\n"
        "fld f8, 56(sp)\nfld f9, 64(sp)\nfld f20, 72(sp)\nfld f21, 80(sp)\nfld f22, 88(sp)\naddi sp, sp, 112\nret\n",
};
