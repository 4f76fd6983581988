/* decode_aarch64_fp.c - decodes A64 floating-point instructions; vector instructions by capstone's names. */
#include "sim/core/decode_aarch64.h"

#include <string.h>

/* ---- scalar floating point ---- */

static void fp_and_integer(struct iss_op *op, uint32_t w)
{
    unsigned opcode = bits(w, 18, 16);
    bool fixed = !bits(w, 21, 21), from = opcode == 2 || opcode == 3 || opcode == 7;
    if (!fixed && opcode >= 6)
        op->class = from ? ISS_FP_FROM_INT : ISS_FP_TO_INT;
    else
        op->class = from ? ISS_FP_CONVERT_FROM_INT : ISS_FP_CONVERT_TO_INT;
    if (from) {
        source_or_zero(op, rn(w), ISS_NEED_OPERAND);
        dest(op, fp(rd(w)));
    } else {
        source(op, fp(rn(w)), ISS_NEED_FP);
        dest_or_zero(op, rd(w));
    }
}

static void fp_one_source(struct iss_op *op, uint32_t w, bool is_double)
{
    unsigned opcode = bits(w, 20, 15);
    op->class = opcode == 0                                 ? ISS_FP_MOVE
                : opcode == 3                               ? (is_double ? ISS_FP_SQRT64 : ISS_FP_SQRT32)
                : opcode == 4 || opcode == 5 || opcode == 7 ? ISS_FP_CONVERT
                                                            : ISS_FP_ADD;
    source(op, fp(rn(w)), ISS_NEED_FP);
    dest(op, fp(rd(w)));
}

static void fp_two_sources(struct iss_op *op, uint32_t w, bool is_double)
{
    unsigned opcode = bits(w, 15, 12);
    op->class = opcode == 0 || opcode == 8 ? ISS_FP_MUL
                : opcode == 1              ? (is_double ? ISS_FP_DIV64 : ISS_FP_DIV32)
                                           : ISS_FP_ADD;
    source(op, fp(rn(w)), ISS_NEED_FP);
    source(op, fp(rm(w)), ISS_NEED_FP);
    dest(op, fp(rd(w)));
}

void iss_a64_scalar_fp(struct iss_op *op, uint32_t w)
{
    bool is_double = bits(w, 23, 22) == 1;
    op->width = is_double ? 64 : 32;
    if (bits(w, 24, 24)) { /* fmadd and its variants */
        op->class = ISS_FP_FMA;
        source(op, fp(rn(w)), ISS_NEED_FP);
        source(op, fp(rm(w)), ISS_NEED_FP);
        source(op, fp(ra(w)), ISS_NEED_FP_ACCUMULATE);
        dest(op, fp(rd(w)));
    } else if (!bits(w, 21, 21) || bits(w, 15, 10) == 0) {
        fp_and_integer(op, w);
    } else if (bits(w, 11, 10) == 2) {
        fp_two_sources(op, w, is_double);
    } else if (bits(w, 11, 10) == 3) {
        op->class = ISS_FP_SELECT;
        source(op, fp(rn(w)), ISS_NEED_FP);
        source(op, fp(rm(w)), ISS_NEED_FP);
        source(op, ISS_REG_FLAGS, ISS_NEED_FLAGS);
        dest(op, fp(rd(w)));
    } else if (bits(w, 11, 10) == 1) {
        op->class = ISS_FP_COMPARE;
        source(op, fp(rn(w)), ISS_NEED_FP);
        source(op, fp(rm(w)), ISS_NEED_FP);
        source(op, ISS_REG_FLAGS, ISS_NEED_FLAGS);
        dest(op, ISS_REG_FLAGS);
    } else if (bits(w, 12, 10) == 4) {
        op->class = ISS_FP_MOVE;
        dest(op, fp(rd(w)));
    } else if (bits(w, 13, 10) == 8) {
        op->class = ISS_FP_COMPARE;
        source(op, fp(rn(w)), ISS_NEED_FP);
        if (!bits(w, 3, 3))
            source(op, fp(rm(w)), ISS_NEED_FP);
        dest(op, ISS_REG_FLAGS);
    } else {
        fp_one_source(op, w, is_double);
    }
}

/* ---- vectors: by capstone ---- */

static enum iss_class vector_class(unsigned id, bool wide)
{
    switch (id) {
    case ARM64_INS_FDIV:
    case ARM64_INS_FSQRT:
        return ISS_SIMD_DIV;
    case ARM64_INS_FMLA:
    case ARM64_INS_FMLS:
    case ARM64_INS_FRECPS:
    case ARM64_INS_FRSQRTS:
        return wide ? ISS_SIMD_FMA_128 : ISS_SIMD_FMA_64;
    case ARM64_INS_MUL:
    case ARM64_INS_MLA:
    case ARM64_INS_MLS:
    case ARM64_INS_PMUL:
    case ARM64_INS_SMULL:
    case ARM64_INS_SMULL2:
    case ARM64_INS_UMULL:
    case ARM64_INS_UMULL2:
    case ARM64_INS_PMULL:
    case ARM64_INS_PMULL2:
    case ARM64_INS_SMLAL:
    case ARM64_INS_SMLAL2:
    case ARM64_INS_SMLSL:
    case ARM64_INS_SMLSL2:
    case ARM64_INS_UMLAL:
    case ARM64_INS_UMLAL2:
    case ARM64_INS_UMLSL:
    case ARM64_INS_UMLSL2:
    case ARM64_INS_SQDMULH:
    case ARM64_INS_SQRDMULH:
    case ARM64_INS_SQDMULL:
    case ARM64_INS_SQDMULL2:
    case ARM64_INS_SQDMLAL:
    case ARM64_INS_SQDMLAL2:
    case ARM64_INS_SQDMLSL:
    case ARM64_INS_SQDMLSL2:
        return wide ? ISS_SIMD_MUL_128 : ISS_SIMD_MUL_64;
    case ARM64_INS_AND:
    case ARM64_INS_BIC:
    case ARM64_INS_EOR:
    case ARM64_INS_MOV:
    case ARM64_INS_MVN:
    case ARM64_INS_NOT:
    case ARM64_INS_ORN:
    case ARM64_INS_ORR:
        return wide ? ISS_SIMD_LOGIC_128 : ISS_SIMD_LOGIC_64;
    case ARM64_INS_AESD:
    case ARM64_INS_AESE:
    case ARM64_INS_AESIMC:
    case ARM64_INS_AESMC:
    case ARM64_INS_SHA1C:
    case ARM64_INS_SHA1H:
    case ARM64_INS_SHA1M:
    case ARM64_INS_SHA1P:
    case ARM64_INS_SHA1SU0:
    case ARM64_INS_SHA1SU1:
    case ARM64_INS_SHA256H:
    case ARM64_INS_SHA256H2:
    case ARM64_INS_SHA256SU0:
    case ARM64_INS_SHA256SU1:
        return ISS_CRYPTO;
    default:
        return wide ? ISS_SIMD_128 : ISS_SIMD_64;
    }
}

/* Floating-point instructions are named f..., conversions from integers scvtf and ucvtf. Comparisons between vectors
 * and between scalars in vector registers (fcmeq, facge) take as long as integer ones. */
static bool is_floating(const char *mnemonic, unsigned id)
{
    if (!strncmp(mnemonic, "fcm", 3) || !strncmp(mnemonic, "fac", 3))
        return false;
    return mnemonic[0] == 'f' || id == ARM64_INS_SCVTF || id == ARM64_INS_UCVTF;
}

/* fmaxp, fminnmp and their kind occupy both halves of the unit even for scalars. */
static bool is_pairwise_extreme(const char *mnemonic)
{
    return (!strncmp(mnemonic, "fmax", 4) || !strncmp(mnemonic, "fmin", 4)) && mnemonic[strlen(mnemonic) - 1] == 'p';
}

/* dup, ins, smov, umov: by the word, since capstone 5 calls ins mov, and capstone 4 dup of a scalar. */
static bool is_lane(uint32_t w)
{
    return (w & 0x9fe08400) == 0x0e000400;
}

static bool is_insertion(uint32_t w)
{
    return is_lane(w) && (bits(w, 29, 29) || bits(w, 14, 11) == 3);
}

static void lane(struct iss_op *op, uint32_t w)
{
    if (bits(w, 29, 29)) { /* between lanes */
        op->class = ISS_SIMD_128;
        return;
    }
    switch (bits(w, 14, 11)) {
    case 1:
    case 3:
        op->class = ISS_FP_LANE_FROM_INT;
        return;
    case 5:
    case 7:
        op->class = ISS_FP_LANE_TO_INT;
        return;
    }
}

/* Does the instruction also read the register that it writes, although its operands do not say so? */
static bool keeps_dest(const char *mnemonic)
{
    static const char *const kept[] = {"mla",    "mls",    "bsl",    "bit",    "bif",    "tbx",   "sli",   "sri",
                                       "aese",   "aesd",   "sha1",   "fmla",   "fmls",   "ssra",  "usra",  "saba",
                                       "uaba",   "smla",   "smls",   "umla",   "umls",   "srsra", "ursra", "sha256",
                                       "sadalp", "uadalp", "sqdmla", "sqdmls", "suqadd", "usqadd"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (!strncmp(mnemonic, kept[i], strlen(kept[i])))
            return true;
    size_t n = strlen(mnemonic);
    bool narrows = n > 2 && strcmp(mnemonic + n - 2, "n2") == 0 && strcmp(mnemonic, "trn2"); /* writes the upper half */
    return narrows;
}

/* The last operand. An element of 16 bits must be in one of the first 16 registers, since the fifth bit selects the
 * element. */
static unsigned last_vector(uint32_t w)
{
    bool element = (w & 0x9f000400) == 0x0f000000 || (w & 0xdf000400) == 0x5f000000;
    return element && bits(w, 23, 22) == 1 ? rm(w) & 15 : rm(w);
}

static enum iss_class class_of_vector(uint32_t w, const cs_insn *insn)
{
    bool scalar = bits(w, 28, 28), wide = bits(w, 30, 30) && !scalar;
    enum iss_class class = vector_class(insn->id, wide);
    if (is_floating(insn->mnemonic, insn->id) && (class == ISS_SIMD_64 || class == ISS_SIMD_128))
        class = wide || is_pairwise_extreme(insn->mnemonic) ? ISS_SIMD_FP_128 : ISS_SIMD_FP_64;
    return class;
}

static bool is_general(unsigned reg)
{
    return (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28) || (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30) ||
           reg == ARM64_REG_X29 || reg == ARM64_REG_X30 || reg == ARM64_REG_WZR || reg == ARM64_REG_XZR;
}

static void vector_dest(struct iss_op *op, uint32_t w, const cs_insn *insn, bool general)
{
    bool accumulates = op->class == ISS_SIMD_FMA_64 || op->class == ISS_SIMD_FMA_128 || op->class == ISS_SIMD_MUL_64 ||
                       op->class == ISS_SIMD_MUL_128;
    if (general)
        dest_or_zero(op, rd(w));
    else
        dest(op, fp(rd(w)));
    if (keeps_dest(insn->mnemonic) || is_insertion(w))
        source(op, fp(rd(w)), accumulates ? ISS_NEED_FP_ACCUMULATE : ISS_NEED_FP);
}

static void vector_source(struct iss_op *op, unsigned number, bool general)
{
    if (general)
        source_or_zero(op, number, ISS_NEED_OPERAND);
    else
        source(op, fp(number), ISS_NEED_FP);
}

void iss_a64_vector(struct iss_op *op, uint32_t w, const cs_insn *insn)
{
    unsigned id = insn->id;
    op->class = (uint8_t)class_of_vector(w, insn);
    if (is_lane(w))
        lane(op, w);
    else if ((w & 0xffe0fc00) == 0x5e000400) /* dup of a scalar */
        op->class = ISS_SIMD_LOGIC_64;
    bool table = id == ARM64_INS_TBL || id == ARM64_INS_TBX;
    const cs_arm64 *detail = &insn->detail->arm64;
    for (uint8_t i = 0; i < detail->op_count; i++) {
        if (detail->operands[i].type != ARM64_OP_REG || (table && i > 1 && i + 1 < detail->op_count))
            continue;
        bool general = is_general(detail->operands[i].reg);
        if (i == 0)
            vector_dest(op, w, insn, general);
        else
            vector_source(op, i == 1 ? rn(w) : last_vector(w), general);
    }
    if ((w & 0x9ff80400) == 0x0f000400 && (id == ARM64_INS_ORR || id == ARM64_INS_BIC)) /* with a constant operand */
        source(op, fp(rd(w)), ISS_NEED_FP);
    if (detail->op_count && table) /* a table lookup reads up to four registers */
        for (unsigned i = 1; i <= bits(w, 14, 13); i++)
            source(op, fp((rn(w) + i) & 31), ISS_NEED_FP);
}
