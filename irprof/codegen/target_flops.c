/*
 * target_flops.c - how many floating-point operations a machine instruction does, by its opcode in LLVM:
 *
 *   x86      ADDSDrm  VMULPSYrr  VFMADD213PDZ256m  ADD_FrST0
 *   AArch64  FADDDrr  FMULv4f32  FMLAv4i32_indexed  FADDPv2i64p  FMAXNMVv4i32v
 *   RISC-V   FADD_D  FMADD_S
 *   Arm      VADDD  VMLAS  VMULfq
 */
#include <stdlib.h>
#include <string.h>

#include "irprof/codegen/target_code.h"

enum { XMM = 16, YMM = 32, ZMM = 64 }; /* bytes of a vector register */

struct operation {
    const char *name;
    unsigned each; /* operations per lane */
};

/* The longest operation that `*s` begins with; it is skipped. 0: none. */
static unsigned skip_operation(const char **s, const struct operation *list, size_t n)
{
    size_t longest = 0;
    unsigned each = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(list[i].name);
        if (length > longest && strncmp(*s, list[i].name, length) == 0) {
            longest = length;
            each = list[i].each;
        }
    }
    *s += longest;
    return each;
}

static unsigned lanes_weighed(unsigned lanes, unsigned bits)
{
    return bits > 32 ? 2 * lanes : lanes;
}

/* ---- x86 ---- */

/* Bytes of the vectors by what follows "PS" or "PD". */
static unsigned vector_bytes(const char *s)
{
    if (*s == 'Y' || strncmp(s, "Z256", 4) == 0)
        return YMM;
    return *s == 'Z' && strncmp(s, "Z128", 4) != 0 ? ZMM : XMM;
}

static unsigned flops_x86(const char *s)
{
    static const struct operation list[] = {
        {"ADD", 1},         {"SUB", 1},         {"MUL", 1},         {"DIV", 1},         {"SQRT", 1},
        {"MIN", 1},         {"MAX", 1},         {"MINC", 1},        {"MAXC", 1},        {"ADDSUB", 1},
        {"HADD", 1},        {"HSUB", 1},        {"DP", 2},          {"RCP", 1},         {"RSQRT", 1},
        {"RCP14", 1},       {"RSQRT14", 1},     {"FMADD", 2},       {"FMSUB", 2},       {"FNMADD", 2},
        {"FNMSUB", 2},      {"FMADDSUB", 2},    {"FMSUBADD", 2},    {"FMADD132", 2},    {"FMADD213", 2},
        {"FMADD231", 2},    {"FMSUB132", 2},    {"FMSUB213", 2},    {"FMSUB231", 2},    {"FNMADD132", 2},
        {"FNMADD213", 2},   {"FNMADD231", 2},   {"FNMSUB132", 2},   {"FNMSUB213", 2},   {"FNMSUB231", 2},
        {"FMADDSUB132", 2}, {"FMADDSUB213", 2}, {"FMADDSUB231", 2}, {"FMSUBADD132", 2}, {"FMSUBADD213", 2},
        {"FMSUBADD231", 2}};
    s += *s == 'V';
    unsigned each = skip_operation(&s, list, sizeof list / sizeof *list);
    if (!each || (s[0] != 'S' && s[0] != 'P') || (s[1] != 'S' && s[1] != 'D') || !s[2] || !strchr("rmYZ4", s[2]))
        return 0;
    unsigned bits = s[1] == 'S' ? 32 : 64, lanes = s[0] == 'S' ? 1 : 8 * vector_bytes(s + 2) / bits;
    return each * lanes_weighed(lanes, bits);
}

static bool is_x87(struct line opcode)
{
    return opcode_is(opcode, "ADD_F* SUB_F* SUBR_F* MUL_F* DIV_F* DIVR_F* SQRT_F*");
}

/* ---- AArch64, RISC-V ---- */

/* Bits of an operand by the letter after the operation: "Drr", "_D". */
static unsigned bits_of_letter(char letter)
{
    return letter == 'D' ? 64 : letter == 'S' ? 32 : letter == 'H' ? 16 : 0;
}

/* "v4f32". For pairs ("Pv2i64p") there is one result, for "Vv4i32v" all lanes give one. */
static unsigned vector_of_arm64(const char *s)
{
    bool pair = *s == 'P', all = *s == 'V';
    s += pair || all;
    if (*s != 'v')
        return 0;
    char *end;
    unsigned lanes = (unsigned)strtoul(s + 1, &end, 10), bits;
    if (*end != 'f' && *end != 'i')
        return 0;
    bits = (unsigned)strtoul(end + 1, &end, 10);
    if (!lanes || !bits)
        return 0;
    if ((pair && *end == 'p') || all)
        lanes--;
    return lanes_weighed(lanes, bits);
}

static unsigned flops_risc(const char *s)
{
    static const struct operation list[] = {{"FADD", 1},   {"FSUB", 1},  {"FMUL", 1},  {"FNMUL", 1}, {"FMULX", 1},
                                            {"FDIV", 1},   {"FSQRT", 1}, {"FMAX", 1},  {"FMIN", 1},  {"FMAXNM", 1},
                                            {"FMINNM", 1}, {"FABD", 1},  {"FMADD", 2}, {"FMSUB", 2}, {"FNMADD", 2},
                                            {"FNMSUB", 2}, {"FMLA", 2},  {"FMLS", 2}};
    unsigned each = skip_operation(&s, list, sizeof list / sizeof *list);
    if (!each)
        return 0;
    unsigned bits = bits_of_letter(*s == '_' ? s[1] : s[1] == 'r' ? s[0] : 0);
    return each * (bits ? lanes_weighed(1, bits) : vector_of_arm64(s));
}

/* ---- Arm ---- */

static unsigned flops_arm(const char *s)
{
    static const struct operation list[] = {
        {"VADD", 1},  {"VSUB", 1},  {"VMUL", 1},  {"VNMUL", 1}, {"VDIV", 1},       {"VSQRT", 1},
        {"VMAX", 1},  {"VMIN", 1},  {"VMLA", 2},  {"VMLS", 2},  {"VFMA", 2},       {"VFMS", 2},
        {"VFNMA", 2}, {"VFNMS", 2}, {"VNMLA", 2}, {"VNMLS", 2}, {"VFP_VMAXNM", 1}, {"VFP_VMINNM", 1}};
    unsigned each = skip_operation(&s, list, sizeof list / sizeof *list);
    unsigned lanes = !*s || s[1] ? strncmp(s, "fd", 2) == 0 ? 2 : strncmp(s, "fq", 2) == 0 ? 4 : 0 : 1;
    unsigned bits = lanes == 1 ? bits_of_letter(*s) : 32;
    return bits ? each * lanes_weighed(lanes, bits) : 0;
}

unsigned target_flops(struct line opcode)
{
    enum { LONGEST = 32 };
    char text[LONGEST] = "";
    if (opcode.n >= sizeof text)
        return 0;
    memcpy(text, opcode.s, opcode.n);
    if (is_x87(opcode))
        return lanes_weighed(1, 80);
    unsigned x86 = flops_x86(text), risc = x86 ? 0 : flops_risc(text);
    return x86 ? x86 : risc ? risc : flops_arm(text);
}
