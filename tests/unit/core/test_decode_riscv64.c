/* What RV64GC instructions read, write and do. The words are as the assembler makes them (binutils 2.40,
 * riscv64-linux-gnu-as -march=rv64gc_zba_zbb_zbs), the meaning is The RISC-V Instruction Set Manual's, volume I. */
#include "tests/unit/core/core_fixture.h"
#include "tests/unit/core/op_words.h"

#define ADDRESS 0x100000

struct sample {
    uint32_t word;
    const char *text;   /* what was assembled */
    const char *what;   /* class, sources as register/need, '>', destinations */
    const char *effect; /* op_words.h */
};

/* Branches and jumps: the target is relative to ADDRESS. */
static const struct sample samples[] = {
    {0x002081b3, "add x3,x1,x2", "alu 1/operand 2/operand > 3", "add64"},
    {0x402081b3, "sub x3,x1,x2", "alu 1/operand 2/operand > 3", "sub64"},
    {0x0020c1b3, "xor x3,x1,x2", "alu 1/operand 2/operand > 3", "xor64"},
    {0x0020e1b3, "or x3,x1,x2", "alu 1/operand 2/operand > 3", "or64"},
    {0x0020f1b3, "and x3,x1,x2", "alu 1/operand 2/operand > 3", "and64"},
    {0x0020a1b3, "slt x3,x1,x2", "alu 1/operand 2/operand > 3", ""},
    {0x0020b1b3, "sltu x3,x1,x2", "alu 1/operand 2/operand > 3", ""},
    {0x002081bb, "addw x3,x1,x2", "alu 1/operand 2/operand > 3", "add32s"},
    {0x402081bb, "subw x3,x1,x2", "alu 1/operand 2/operand > 3", "sub32s"},
    {0x002091b3, "sll x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x0020d1b3, "srl x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x4020d1b3, "sra x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x002091bb, "sllw x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x0020d1bb, "srlw x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x4020d1bb, "sraw x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x602091b3, "rol x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x6020d1b3, "ror x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x602091bb, "rolw x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x6020d1bb, "rorw x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x482091b3, "bclr x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x4820d1b3, "bext x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x282091b3, "bset x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x682091b3, "binv x3,x1,x2", "shift_reg 1/shifted 2/shifted > 3", ""},
    {0x4020f1b3, "andn x3,x1,x2", "alu 1/operand 2/operand > 3", ""},
    {0x4020e1b3, "orn x3,x1,x2", "alu 1/operand 2/operand > 3", ""},
    {0x4020c1b3, "xnor x3,x1,x2", "alu 1/operand 2/operand > 3", ""},
    {0x002071b3, "and x3,x0,x2", "alu z/operand 2/operand > 3", "and64"},
    {0x00208033, "add x0,x1,x2", "alu 1/operand 2/operand >", "add64"},
    {0x0a20c1b3, "min x3,x1,x2", "select 1/operand 2/operand > 3", ""},
    {0x0a20d1b3, "minu x3,x1,x2", "select 1/operand 2/operand > 3", ""},
    {0x0a20e1b3, "max x3,x1,x2", "select 1/operand 2/operand > 3", ""},
    {0x0a20f1b3, "maxu x3,x1,x2", "select 1/operand 2/operand > 3", ""},
    {0x0e20d1b3, "czero.eqz x3,x1,x2", "select 1/operand 2/operand > 3", ""},
    {0x0e20f1b3, "czero.nez x3,x1,x2", "select 1/operand 2/operand > 3", ""},
    {0x2020a1b3, "sh1add x3,x1,x2", "alu_shifted 2/operand 1/shifted > 3", "add64 by 1"},
    {0x2020a1bb, "sh1add.uw x3,x1,x2", "alu_shifted 2/operand 1/shifted > 3", ""},
    {0x2020c1b3, "sh2add x3,x1,x2", "alu_shifted 2/operand 1/shifted > 3", "add64 by 2"},
    {0x2020c1bb, "sh2add.uw x3,x1,x2", "alu_shifted 2/operand 1/shifted > 3", ""},
    {0x2020e1b3, "sh3add x3,x1,x2", "alu_shifted 2/operand 1/shifted > 3", "add64 by 3"},
    {0x2020e1bb, "sh3add.uw x3,x1,x2", "alu_shifted 2/operand 1/shifted > 3", ""},
    {0x082081bb, "add.uw x3,x1,x2", "alu_shifted 2/operand 1/shifted > 3", ""},
    {0xffb08193, "addi x3,x1,-5", "alu 1/operand > 3", "add64 -5"},
    {0x7ff08193, "addi x3,x1,2047", "alu 1/operand > 3", "add64 2047"},
    {0x80000193, "addi x3,x0,-2048", "move_imm > 3", "constant64 -2048"},
    {0x00000013, "addi x0,x0,0", "nop >", "constant64"},
    {0x0070a193, "slti x3,x1,7", "alu 1/operand > 3", ""},
    {0x0070b193, "sltiu x3,x1,7", "alu 1/operand > 3", ""},
    {0x00702193, "slti x3,x0,7", "alu z/operand > 3", ""},
    {0xfff0c193, "xori x3,x1,-1", "alu 1/operand > 3", "xor64 -1"},
    {0x0060e193, "ori x3,x1,6", "alu 1/operand > 3", "or64 6"},
    {0x00f0f193, "andi x3,x1,15", "alu 1/operand > 3", "and64 15"},
    {0x0070819b, "addiw x3,x1,7", "alu 1/operand > 3", "add32s 7"},
    {0x0090019b, "addiw x3,x0,9", "move_imm > 3", "constant64 9"},
    {0x02109193, "slli x3,x1,33", "shift 1/shifted > 3", "shl64 33"},
    {0x03f09193, "slli x3,x1,63", "shift 1/shifted > 3", "shl64 63"},
    {0x0210d193, "srli x3,x1,33", "shift 1/shifted > 3", "shr64 33"},
    {0x03f0d193, "srli x3,x1,63", "shift 1/shifted > 3", "shr64 63"},
    {0x4210d193, "srai x3,x1,33", "shift 1/shifted > 3", "sar64 33"},
    {0x43f0d193, "srai x3,x1,63", "shift 1/shifted > 3", "sar64 63"},
    {0x01f0919b, "slliw x3,x1,31", "shift 1/shifted > 3", "shl32s 31"},
    {0x01f0d19b, "srliw x3,x1,31", "shift 1/shifted > 3", "shr32s 31"},
    {0x41f0d19b, "sraiw x3,x1,31", "shift 1/shifted > 3", "sar32s 31"},
    {0x0a10919b, "slli.uw x3,x1,33", "shift 1/shifted > 3", ""},
    {0x2a809193, "bseti x3,x1,40", "shift 1/shifted > 3", ""},
    {0x48409193, "bclri x3,x1,4", "shift 1/shifted > 3", ""},
    {0x6a809193, "binvi x3,x1,40", "shift 1/shifted > 3", ""},
    {0x4840d193, "bexti x3,x1,4", "shift 1/shifted > 3", ""},
    {0x2870d193, "orc.b x3,x1", "shift 1/shifted > 3", ""},
    {0x6b80d193, "rev8 x3,x1", "shift 1/shifted > 3", ""},
    {0x6210d193, "rori x3,x1,33", "shift 1/shifted > 3", ""},
    {0x6030d19b, "roriw x3,x1,3", "shift 1/shifted > 3", ""},
    {0x60009193, "clz x3,x1", "bits 1/shifted > 3", ""},
    {0x60109193, "ctz x3,x1", "bits 1/shifted > 3", ""},
    {0x60209193, "cpop x3,x1", "bits 1/shifted > 3", ""},
    {0x6000919b, "clzw x3,x1", "bits 1/shifted > 3", ""},
    {0x6010919b, "ctzw x3,x1", "bits 1/shifted > 3", ""},
    {0x6020919b, "cpopw x3,x1", "bits 1/shifted > 3", ""},
    {0x60409193, "sext.b x3,x1", "shift 1/shifted > 3", "sign64 by 8"},
    {0x60509193, "sext.h x3,x1", "shift 1/shifted > 3", "sign64 by 16"},
    {0x0800c1bb, "zext.h x3,x1", "shift 1/shifted z/shifted > 3", "zero64 by 16"},
    {0x022081b3, "mul x3,x1,x2", "mul64 1/multiply 2/multiply > 3", "mul64"},
    {0x022081bb, "mulw x3,x1,x2", "mul32 1/multiply 2/multiply > 3", "mul32s"},
    {0x022091b3, "mulh x3,x1,x2", "mul_high 1/multiply 2/multiply > 3", ""},
    {0x0220a1b3, "mulhsu x3,x1,x2", "mul_high 1/multiply 2/multiply > 3", ""},
    {0x0220b1b3, "mulhu x3,x1,x2", "mul_high 1/multiply 2/multiply > 3", ""},
    {0x0220c1b3, "div x3,x1,x2", "sdiv64 1/multiply 2/multiply > 3", "sdiv64"},
    {0x0220d1b3, "divu x3,x1,x2", "udiv64 1/multiply 2/multiply > 3", "udiv64"},
    {0x0220e1b3, "rem x3,x1,x2", "sdiv64 1/multiply 2/multiply > 3", "srem64"},
    {0x0220f1b3, "remu x3,x1,x2", "udiv64 1/multiply 2/multiply > 3", "urem64"},
    {0x0220c1bb, "divw x3,x1,x2", "sdiv32 1/multiply 2/multiply > 3", "sdiv32s"},
    {0x0220d1bb, "divuw x3,x1,x2", "udiv32 1/multiply 2/multiply > 3", "udiv32s"},
    {0x0220e1bb, "remw x3,x1,x2", "sdiv32 1/multiply 2/multiply > 3", "srem32s"},
    {0x0220f1bb, "remuw x3,x1,x2", "udiv32 1/multiply 2/multiply > 3", "urem32s"},
    {0xff808183, "lb x3,-8(x1)", "load_small 1/address > 3", "read 1 at -8, load signed64"},
    {0xff809183, "lh x3,-8(x1)", "load_small 1/address > 3", "read 2 at -8, load signed64"},
    {0xff80a183, "lw x3,-8(x1)", "load_small 1/address > 3", "read 4 at -8, load signed64"},
    {0xff80b183, "ld x3,-8(x1)", "load 1/address > 3", "read 8 at -8, load signed64"},
    {0xff80c183, "lbu x3,-8(x1)", "load_small 1/address > 3", "read 1 at -8, load64"},
    {0xff80d183, "lhu x3,-8(x1)", "load_small 1/address > 3", "read 2 at -8, load64"},
    {0xff80e183, "lwu x3,-8(x1)", "load_word 1/address > 3", "read 4 at -8, load64"},
    {0x7ff0a183, "lw x3,2047(x1)", "load_small 1/address > 3", "read 4 at 2047, load signed64"},
    {0x80208023, "sb x2,-2048(x1)", "store 1/address 2/data >", "write 1 at -2048"},
    {0x80209023, "sh x2,-2048(x1)", "store 1/address 2/data >", "write 2 at -2048"},
    {0x8020a023, "sw x2,-2048(x1)", "store 1/address 2/data >", "write 4 at -2048"},
    {0x8020b023, "sd x2,-2048(x1)", "store 1/address 2/data >", "write 8 at -2048"},
    {0x7e20bfa3, "sd x2,2047(x1)", "store 1/address 2/data >", "write 8 at 2047"},
    {0x0000b0a3, "sd x0,1(x1)", "store 1/address z/data >", "write 8 at 1"},
    {0x0040a187, "flw f3,4(x1)", "fp_load 1/address > f3", "read 4 at 4, width 32"},
    {0xff80b187, "fld f3,-8(x1)", "fp_load 1/address > f3", "read 8 at -8, width 64"},
    {0xfe20ae27, "fsw f2,-4(x1)", "fp_store 1/address f2/fp_data >", "write 4 at -4, width 32"},
    {0x0220b427, "fsd f2,40(x1)", "fp_store 1/address f2/fp_data >", "write 8 at 40, width 64"},
    {0x1000a1af, "lr.w x3,(x1)", "load_exclusive 1/address > 3", "read 4 at 0"},
    {0x1000b1af, "lr.d x3,(x1)", "load_exclusive 1/address > 3", "read 8 at 0"},
    {0x1820b1af, "sc.d x3,x2,(x1)", "store_exclusive 1/address 2/data > 3", "write 8 at 0"},
    {0x0820a1af, "amoswap.w x3,x2,(x1)", "atomic 1/address 2/data > 3", "read and write 4 at 0"},
    {0x0020a1af, "amoadd.w x3,x2,(x1)", "atomic 1/address 2/data > 3", "read and write 4 at 0"},
    {0x2020a1af, "amoxor.w x3,x2,(x1)", "atomic 1/address 2/data > 3", "read and write 4 at 0"},
    {0x4020a1af, "amoor.w x3,x2,(x1)", "atomic 1/address 2/data > 3", "read and write 4 at 0"},
    {0x6020a1af, "amoand.w x3,x2,(x1)", "atomic 1/address 2/data > 3", "read and write 4 at 0"},
    {0x8020a1af, "amomin.w x3,x2,(x1)", "atomic 1/address 2/data > 3", "read and write 4 at 0"},
    {0xa020a1af, "amomax.w x3,x2,(x1)", "atomic 1/address 2/data > 3", "read and write 4 at 0"},
    {0xc020a1af, "amominu.w x3,x2,(x1)", "atomic 1/address 2/data > 3", "read and write 4 at 0"},
    {0xe020a1af, "amomaxu.w x3,x2,(x1)", "atomic 1/address 2/data > 3", "read and write 4 at 0"},
    {0x0620b1af, "amoadd.d.aqrl x3,x2,(x1)", "atomic 1/address 2/data > 3", "read and write 8 at 0"},
    {0x1820f243, "fmadd.s f4,f1,f2,f3", "fp_fma f1/fp f2/fp f3/fp_accumulate > f4", "width 32"},
    {0x1a20f247, "fmsub.d f4,f1,f2,f3", "fp_fma f1/fp f2/fp f3/fp_accumulate > f4", "width 64"},
    {0x1820f24b, "fnmsub.s f4,f1,f2,f3", "fp_fma f1/fp f2/fp f3/fp_accumulate > f4", "width 32"},
    {0x1a20f24f, "fnmadd.d f4,f1,f2,f3", "fp_fma f1/fp f2/fp f3/fp_accumulate > f4", "width 64"},
    {0x0020f1d3, "fadd.s f3,f1,f2", "fp_add f1/fp f2/fp > f3", "width 32"},
    {0x0220f1d3, "fadd.d f3,f1,f2", "fp_add f1/fp f2/fp > f3", "width 64"},
    {0x0a20f1d3, "fsub.d f3,f1,f2", "fp_add f1/fp f2/fp > f3", "width 64"},
    {0x1020f1d3, "fmul.s f3,f1,f2", "fp_mul f1/fp f2/fp > f3", "width 32"},
    {0x1220f1d3, "fmul.d f3,f1,f2", "fp_mul f1/fp f2/fp > f3", "width 64"},
    {0x1820f1d3, "fdiv.s f3,f1,f2", "fp_div32 f1/fp f2/fp > f3", "width 32"},
    {0x1a20f1d3, "fdiv.d f3,f1,f2", "fp_div64 f1/fp f2/fp > f3", "width 64"},
    {0x222081d3, "fsgnj.d f3,f1,f2", "fp_move f1/fp f2/fp > f3", "width 64"},
    {0x2020a1d3, "fsgnjx.s f3,f1,f2", "fp_move f1/fp f2/fp > f3", "width 32"},
    {0x282081d3, "fmin.s f3,f1,f2", "fp_select f1/fp f2/fp > f3", "width 32"},
    {0x2a2091d3, "fmax.d f3,f1,f2", "fp_select f1/fp f2/fp > f3", "width 64"},
    {0x221091d3, "fsgnjn.d f3,f1,f1", "fp_move f1/fp > f3", "width 64"},
    {0x0210f1d3, "fadd.d f3,f1,f1", "fp_add f1/fp f1/fp > f3", "width 64"},
    {0x5800f1d3, "fsqrt.s f3,f1", "fp_sqrt32 f1/fp > f3", "width 32"},
    {0x5a00f1d3, "fsqrt.d f3,f1", "fp_sqrt64 f1/fp > f3", "width 64"},
    {0x420081d3, "fcvt.d.s f3,f1", "fp_convert f1/fp > f3", "width 64"},
    {0x4010f1d3, "fcvt.s.d f3,f1", "fp_convert f1/fp > f3", "width 32"},
    {0xa220a1d3, "feq.d x3,f1,f2", "fp_compare f1/fp f2/fp > 3", "width 64"},
    {0xa02091d3, "flt.s x3,f1,f2", "fp_compare f1/fp f2/fp > 3", "width 32"},
    {0xc200f1d3, "fcvt.w.d x3,f1", "fp_convert_to_int f1/fp > 3", "width 64"},
    {0xc030f1d3, "fcvt.lu.s x3,f1", "fp_convert_to_int f1/fp > 3", "width 32"},
    {0xd220f1d3, "fcvt.d.l f3,x1", "fp_convert_from_int 1/operand > f3", "width 64"},
    {0xd010f1d3, "fcvt.s.wu f3,x1", "fp_convert_from_int 1/operand > f3", "width 32"},
    {0xe20081d3, "fmv.x.d x3,f1", "fp_to_int f1/fp > 3", "width 64"},
    {0xe00091d3, "fclass.s x3,f1", "fp_to_int f1/fp > 3", "width 32"},
    {0xf20081d3, "fmv.d.x f3,x1", "fp_from_int 1/operand > f3", "width 64"},
    {0x0020006f, "jal x0,.+(2)", "branch >", "jump to 0x100002"},
    {0x4000006f, "jal x0,.+(1024)", "branch >", "jump to 0x100400"},
    {0x0010006f, "jal x0,.+(2048)", "branch >", "jump to 0x100800"},
    {0x0000106f, "jal x0,.+(4096)", "branch >", "jump to 0x101000"},
    {0x0001006f, "jal x0,.+(65536)", "branch >", "jump to 0x110000"},
    {0x0008006f, "jal x0,.+(524288)", "branch >", "jump to 0x180000"},
    {0x8000006f, "jal x0,.+(-1048576)", "branch >", "jump to 0x0"},
    {0xfffff06f, "jal x0,.+(-2)", "branch >", "jump to 0xffffe"},
    {0x010000ef, "jal x1,.+(16)", "call > 1", "call to 0x100010"},
    {0x010002ef, "jal x5,.+(16)", "call > 5", "call to 0x100010"},
    {0x0100036f, "jal x6,.+(16)", "branch > 6", "jump to 0x100010"},
    {0x000300e7, "jalr x1,0(x6)", "call_reg 6/target > 1", "call-register"},
    {0x008082e7, "jalr x5,8(x1)", "call_reg 1/target > 5", "call-register"},
    {0x00008067, "jalr x0,0(x1)", "return 1/target >", "return"},
    {0x00028067, "jalr x0,0(x5)", "return 5/target >", "return"},
    {0x00030067, "jalr x0,0(x6)", "branch_reg 6/target >", "jump-register"},
    {0x00208463, "beq x1,x2,.+(8)", "branch_zero 1/condition 2/condition >", "if equal64 to 0x100008"},
    {0x00209463, "bne x1,x2,.+(8)", "branch_zero 1/condition 2/condition >", "if not equal64 to 0x100008"},
    {0x0020c463, "blt x1,x2,.+(8)", "branch_zero 1/condition 2/condition >", "if less64 to 0x100008"},
    {0x0020d463, "bge x1,x2,.+(8)", "branch_zero 1/condition 2/condition >", "if not less64 to 0x100008"},
    {0x0020e463, "bltu x1,x2,.+(8)", "branch_zero 1/condition 2/condition >", "if below64 to 0x100008"},
    {0x0020f463, "bgeu x1,x2,.+(8)", "branch_zero 1/condition 2/condition >", "if not below64 to 0x100008"},
    {0x00008163, "beq x1,x0,.+(2)", "branch_zero 1/condition z/condition >", "if equal64 to 0x100002"},
    {0x00008863, "beq x1,x0,.+(16)", "branch_zero 1/condition z/condition >", "if equal64 to 0x100010"},
    {0x02008063, "beq x1,x0,.+(32)", "branch_zero 1/condition z/condition >", "if equal64 to 0x100020"},
    {0x40008063, "beq x1,x0,.+(1024)", "branch_zero 1/condition z/condition >", "if equal64 to 0x100400"},
    {0x000080e3, "beq x1,x0,.+(2048)", "branch_zero 1/condition z/condition >", "if equal64 to 0x100800"},
    {0x80008063, "beq x1,x0,.+(-4096)", "branch_zero 1/condition z/condition >", "if equal64 to 0xff000"},
    {0xfe008fe3, "beq x1,x0,.+(-2)", "branch_zero 1/condition z/condition >", "if equal64 to 0xffffe"},
    {0x123451b7, "lui x3,0x12345", "move_imm > 3", "constant64 305418240"},
    {0x800001b7, "lui x3,0x80000", "move_imm > 3", "constant64 -2147483648"},
    {0x00001197, "auipc x3,0x1", "move_imm > 3", "constant64 1052672"},
    {0xfffff197, "auipc x3,0xfffff", "move_imm > 3", "constant64 1044480"},
    {0x00001037, "lui x0,1", "nop >", "constant64 4096"},
    {0x00000073, "ecall", "system >", ""},
    {0x300091f3, "csrrw x3,0x300,x1", "system 1/operand > 3", ""},
    {0xc00021f3, "csrrs x3,0xc00,x0", "system z/operand > 3", ""},
    {0x3000b073, "csrrc x0,0x300,x1", "system 1/operand >", ""},
    {0x3002d1f3, "csrrwi x3,0x300,5", "system > 3", ""},
    {0x3002f1f3, "csrrci x3,0x300,5", "system > 3", ""},
    {0x0330000f, "fence rw,rw", "barrier >", ""},
    {0x0000100f, "fence.i", "barrier >", ""},
    {0x0040a00f, "cbo.zero (x1)", "system >", ""},
};

static bool decode_bytes(uint32_t word, size_t size, struct iss_op *op)
{
    const uint8_t code[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    return iss_decode_riscv64.decode(iss_decode_riscv64.open(), code, size, ADDRESS, op);
}

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct sample *want = &samples[i];
        struct iss_op op;
        struct str what = STR_INIT, effect = STR_INIT;
        if (!decode_bytes(want->word, 4, &op))
            fail_msg("%s is not known", want->text);
        put_what(&what, &op);
        put_effect(&effect, &op);
        if (strcmp(str_text(&what), want->what) || strcmp(str_text(&effect), want->effect))
            fail_msg("%s: %s; %s", want->text, str_text(&what), str_text(&effect));
        assert_int_equal(op.size, 4);
        assert_int_equal(op.repeat, 1);
        str_release(&what);
        str_release(&effect);
    }
}

/* Reserved, or of an extension that is not among those of RV64GC, Zba, Zbb, Zbs, Zicond. */
static void test_unknown(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        0x0000f183,                                     /* a load with funct3 7 */
        0x0020c023,                                     /* a store with funct3 4 */
        0x00009187,                                     /* flh, fsh: Zfh */
        0x00209027, 0x0020802f,                         /* amoadd.b, amoadd of 128 bits */
        0x0020c02f, 0x2820a1af,                         /* an atomic with funct5 5 */
        0x0400f1c3,                                     /* fmadd.h */
        0x042081d3,                                     /* fadd.h, fadd.q */
        0x062081d3, 0x302081d3,                         /* OP-FP with funct5 6 */
        0x000091e7,                                     /* jalr with funct3 1 */
        0x0020a063,                                     /* branches with funct3 2, 3 */
        0x0020b063, 0x3000c073,                         /* csr with funct3 4 */
        0x0000b00f,                                     /* fence with funct3 3 */
        0x0020a1bb,                                     /* slt of 32 bits */
        0x0020f1bb,                                     /* and of 32 bits */
        0x022091bb,                                     /* mulh of 32 bits */
        0x0000a19b,                                     /* slti of 32 bits */
        0x0200919b,                                     /* slliw by 32, srliw by 32 */
        0x0200d19b, 0x40009193,                         /* funct6 16 with funct3 1 */
        0x0800d193,                                     /* funct6 2 with funct3 5 */
        0x60309193,                                     /* clz's place with a number that it does not have */
        0x60609193, 0x6040919b,                         /* sext.b of 32 bits */
        0x2800919b,                                     /* bseti of 32 bits */
        0x4800d19b,                                     /* bexti of 32 bits */
        0x2860d193,                                     /* orc.b and rev8 with another constant */
        0x6b90d193, 0x402091b3,                         /* OP: funct7 32 with funct3 1, 2, 3 */
        0x4020a1b3, 0x4020b1b3, 0x0a20c1bb,             /* min, max of 32 bits; zero for a condition, of 32 bits */
        0x0a20f1bb, 0x0e20d1bb, 0x482091bb,             /* bclr, bset, binv, bext of 32 bits */
        0x282091bb, 0x682091bb, 0x4820d1bb, 0x0800c1b3, /* pack: Zbkb */
        0x0000000b,                                     /* custom-0 */
        0x0220e1b8,                                     /* not an instruction of 32 bits */
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct iss_op op, nothing = {.class = ISS_UNKNOWN, .repeat = 1, .size = 4};
        if (decode_bytes(words[i], 4, &op))
            fail_msg("%08x is taken for %s", words[i], iss_class_names[op.class]);
        assert_memory_equal(&op, &nothing, sizeof op);
    }
    struct iss_op op;
    assert_false(decode_bytes(0x002081b3, 3, &op));
}

static void test_size(void **state)
{
    (void)state;
    for (unsigned low = 0; low < 4; low++)
        assert_int_equal(iss_decode_riscv64.size((const uint8_t[]){(uint8_t)(0x90 | low), 0}), low == 3 ? 4 : 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples), cmocka_unit_test(test_unknown),
                                       cmocka_unit_test(test_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
