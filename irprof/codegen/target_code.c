/*
 * A line of machine IR says what it defines and uses:
 *
 *   renamable $w8 = ADDWrr killed renamable $w9, renamable $w8, debug-location !7
 *   $x8, $x9 = LDPXi $sp, 2 :: (load (s64) from %stack.1), (load (s64) from %stack.0)
 *   dead $wzr = SUBSWri renamable $w8, 3, 0, implicit-def $nzcv
 *
 * What an instruction does is told by its opcode: the tables below, for AArch64, RISC-V, x86 and Arm. An opcode that no
 * table has is an operation on integers.
 */
#include "irprof/codegen/target_code.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"

enum { NAME_MAX_SIZE = 64, PLACE_MAX_SIZE = 160 };

struct rule {
    const char *pattern;
    enum target_class class;
};

/* The first that matches. Opcodes of one architecture do not look like another's with another meaning. */
static const struct rule rules[] = {
    {"DBG_*", TARGET_NONE},
    {"CFI_*", TARGET_NONE},
    {"KILL", TARGET_NONE},
    {"IMPLICIT_DEF", TARGET_NONE},
    {"SUBREG_TO_REG", TARGET_NONE},
    {"BUNDLE", TARGET_NONE},
    {"EH_LABEL", TARGET_NONE},
    {"ANNOTATION_LABEL", TARGET_NONE},
    {"LIFETIME_*", TARGET_NONE},
    {"PSEUDO_PROBE", TARGET_NONE},
    {"INLINEASM*", TARGET_NONE},
    {"SEH_*", TARGET_NONE},
    /* calls and branches */
    {"BL", TARGET_CALL},
    {"BLR*", TARGET_CALL},
    {"BLX*", TARGET_CALL},
    {"tBL*", TARGET_CALL},
    {"BL_*", TARGET_CALL},
    {"CALL*", TARGET_CALL},
    {"TCRETURN*", TARGET_CALL},
    {"TAILJMP*", TARGET_CALL},
    {"PseudoCALL*", TARGET_CALL},
    {"PseudoTAIL*", TARGET_CALL},
    {"B", TARGET_BRANCH},
    {"Bcc", TARGET_BRANCH},
    {"BR", TARGET_BRANCH},
    {"BRIND*", TARGET_BRANCH},
    {"RET*", TARGET_BRANCH},
    {"CBZ*", TARGET_BRANCH},
    {"CBNZ*", TARGET_BRANCH},
    {"TBZ*", TARGET_BRANCH},
    {"TBNZ*", TARGET_BRANCH},
    {"JCC_*", TARGET_BRANCH},
    {"JMP*", TARGET_BRANCH},
    {"BEQ", TARGET_BRANCH},
    {"BNE", TARGET_BRANCH},
    {"BLT*", TARGET_BRANCH},
    {"BGE*", TARGET_BRANCH},
    {"PseudoBR*", TARGET_BRANCH},
    {"PseudoRET", TARGET_BRANCH},
    {"tB", TARGET_BRANCH},
    {"tBcc", TARGET_BRANCH},
    {"t2B*cc", TARGET_BRANCH},
    {"BX_RET", TARGET_BRANCH},
    {"tBX_RET", TARGET_BRANCH},
    /* x86: the stack */
    {"PUSH*", TARGET_STORE},
    {"POP??", TARGET_LOAD},
    {"POP??r", TARGET_LOAD},
    /* Arm: "V" before operations on floating point */
    {"VDIVS", TARGET_FDIV},
    {"VDIVD", TARGET_FDIV},
    {"VSQRT*", TARGET_FDIV},
    {"VCVT*", TARGET_CONVERT},
    {"VSITO*", TARGET_CONVERT},
    {"VUITO*", TARGET_CONVERT},
    {"VTOSI*", TARGET_CONVERT},
    {"VTOUI*", TARGET_CONVERT},
    {"VCMP?", TARGET_FCMP},
    {"VCMPZ?", TARGET_FCMP},
    {"VMOVSR", TARGET_MOVE},
    {"VMOVRS", TARGET_MOVE},
    {"VMOVDRR", TARGET_MOVE},
    {"VMOVRRD", TARGET_MOVE},
    {"VADDS", TARGET_FP},
    {"VADDD", TARGET_FP},
    {"VSUBS", TARGET_FP},
    {"VSUBD", TARGET_FP},
    {"VMULS", TARGET_FP},
    {"VMULD", TARGET_FP},
    {"VNMUL?", TARGET_FP},
    {"VMLA?", TARGET_FP},
    {"VMLS?", TARGET_FP},
    {"VFMA?", TARGET_FP},
    /* integer division: AArch64, Arm; RISC-V; x86 */
    {"SDIV*", TARGET_DIV},
    {"UDIV*", TARGET_DIV},
    {"t2SDIV", TARGET_DIV},
    {"t2UDIV", TARGET_DIV},
    {"DIV", TARGET_DIV},
    {"DIVU", TARGET_DIV},
    {"DIVW", TARGET_DIV},
    {"DIVUW", TARGET_DIV},
    {"REM", TARGET_DIV},
    {"REMU", TARGET_DIV},
    {"REMW", TARGET_DIV},
    {"REMUW", TARGET_DIV},
    {"DIV8*", TARGET_DIV},
    {"DIV16*", TARGET_DIV},
    {"DIV32*", TARGET_DIV},
    {"DIV64*", TARGET_DIV},
    {"IDIV*", TARGET_DIV},
    /* floating point: x86 */
    {"*DIV?S*", TARGET_FDIV},
    {"*DIV?D*", TARGET_FDIV},
    {"*SQRT*", TARGET_FDIV},
    {"*CVT*", TARGET_CONVERT},
    {"*UCOMIS*", TARGET_FCMP},
    {"CMP?S*", TARGET_FCMP},
    {"CMP?D*", TARGET_FCMP},
    {"MOVDI2*", TARGET_MOVE},
    {"MOVPDI2*", TARGET_MOVE},
    {"MOVPQI*", TARGET_MOVE},
    {"MOV64toPQI*", TARGET_MOVE},
    {"MOVSS2DI*", TARGET_MOVE},
    {"MOVMSK*", TARGET_MOVE},
    {"ADDSSr?", TARGET_FP},
    {"ADDSDr?", TARGET_FP},
    {"SUBSSr?", TARGET_FP},
    {"SUBSDr?", TARGET_FP},
    {"MULSSr?", TARGET_FP},
    {"MULSDr?", TARGET_FP},
    {"ADDP?r?", TARGET_FP},
    {"SUBP?r?", TARGET_FP},
    {"MULP?r?", TARGET_FP},
    {"MAX??r?", TARGET_FP},
    {"MIN??r?", TARGET_FP},
    {"VADD??*", TARGET_FP},
    {"VSUB??*", TARGET_FP},
    {"VMUL??*", TARGET_FP},
    {"VFM*", TARGET_FP},
    /* AArch64, RISC-V */
    {"FDIV*", TARGET_FDIV},
    {"FCMP*", TARGET_FCMP},
    {"FCCMP*", TARGET_FCMP},
    {"FEQ_?", TARGET_FCMP},
    {"FLT_?", TARGET_FCMP},
    {"FLE_?", TARGET_FCMP},
    {"FMV_*", TARGET_MOVE},
    {"FMOVW?r", TARGET_MOVE},
    {"FMOVX?r", TARGET_MOVE},
    {"FMOV?Wr", TARGET_MOVE},
    {"FMOV?Xr", TARGET_MOVE},
    {"UMOV*", TARGET_MOVE},
    {"SMOV*", TARGET_MOVE},
    {"INSv*gpr", TARGET_MOVE},
    {"DUPv*gpr", TARGET_MOVE},
    {"FABD*", TARGET_FP},
    {"FADD*", TARGET_FP},
    {"FSUB*", TARGET_FP},
    {"FMUL*", TARGET_FP},
    {"FNMUL*", TARGET_FP},
    {"FMADD*", TARGET_FP},
    {"FMSUB*", TARGET_FP},
    {"FNMADD*", TARGET_FP},
    {"FNMSUB*", TARGET_FP},
    {"FMLA*", TARGET_FP},
    {"FMLS*", TARGET_FP},
    {"FMAX*", TARGET_FP},
    {"FMIN*", TARGET_FP},
    {"FRINT*", TARGET_FP},
    /* integer multiplication */
    {"MADD?rrr", TARGET_MUL},
    {"MSUB?rrr", TARGET_MUL},
    {"?MADDLrrr", TARGET_MUL},
    {"?MSUBLrrr", TARGET_MUL},
    {"?MULHrr", TARGET_MUL},
    {"MUL", TARGET_MUL},
    {"MULW", TARGET_MUL},
    {"MULH", TARGET_MUL},
    {"MULHU", TARGET_MUL},
    {"MULHSU", TARGET_MUL},
    {"MUL8*", TARGET_MUL},
    {"MUL16*", TARGET_MUL},
    {"MUL32*", TARGET_MUL},
    {"MUL64*", TARGET_MUL},
    {"IMUL*", TARGET_MUL},
    {"MLA", TARGET_MUL},
    {"MLS", TARGET_MUL},
    {"?MULL", TARGET_MUL},
    {"?MLAL", TARGET_MUL},
    {"t2M*", TARGET_MUL},
    {"tMUL", TARGET_MUL},
    /* vectors of integers, and what moves lanes: AArch64; x86; RISC-V */
    {"*v?i*", TARGET_VECTOR},
    {"*v1?i*", TARGET_VECTOR},
    {"*v?f*", TARGET_VECTOR},
    {"*v??_*", TARGET_VECTOR},
    {"PADD*", TARGET_VECTOR},
    {"PSUB*", TARGET_VECTOR},
    {"PMUL*", TARGET_VECTOR},
    {"PMADD*", TARGET_VECTOR},
    {"PSHUF*", TARGET_VECTOR},
    {"PUNPCK*", TARGET_VECTOR},
    {"PACK*", TARGET_VECTOR},
    {"PCMP*", TARGET_VECTOR},
    {"PAND*", TARGET_VECTOR},
    {"POR*", TARGET_VECTOR},
    {"PXOR*", TARGET_VECTOR},
    {"PS???i", TARGET_VECTOR},
    {"PM???*", TARGET_VECTOR},
    {"UNPCK*", TARGET_VECTOR},
    {"SHUFP*", TARGET_VECTOR},
    {"PseudoV*", TARGET_VECTOR},
};

/* Moves that load or store and do nothing else; others that touch memory work on it. */
static const char *const accesses[] = {"LD*",   "ST*",  "L?",   "L?U",  "S?",   "F?D",   "FL?",   "FS?",
                                       "MOV*",  "VLD*", "VST*", "tLD*", "tST*", "t2LD*", "t2ST*", "LOADgot",
                                       "C?LD*", "LR_*", "SC_*", "PLD*", "CAS*", "SWP*"};

static bool one_of(const char *opcode, const char *const *patterns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (glob_match(patterns[i], opcode))
            return true;
    return false;
}

static enum target_class class_of(const char *opcode, bool loads, bool stores)
{
    if ((loads || stores) && one_of(opcode, accesses, sizeof accesses / sizeof *accesses))
        return loads ? TARGET_LOAD : TARGET_STORE;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (glob_match(rules[i].pattern, opcode))
            return rules[i].class;
    if (!loads && !stores) /* without a memory operand: quick selection, and several registers at once */
        return glob_match("LD*", opcode) || glob_match("LDR*", opcode) ? TARGET_LOAD
               : glob_match("ST?*", opcode)                            ? TARGET_STORE
                                                                       : TARGET_ALU;
    return stores && !loads ? TARGET_STORE : TARGET_ALU;
}

/* ---- registers ---- */

/* The register that a name is part of: $w3 and $x3 are "r3", $s0, $d0 and $q0 "v0", $eax and $al "ra". False: one that
 * nothing waits for. */
static bool canonical(char *out, const char *name, size_t n)
{
    static const char *const never[] = {"sp",  "wsp",  "rsp",   "esp", "noreg", "xzr",
                                        "wzr", "fpcr", "mxcsr", "ssp", "fpcw"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strlen(never[i]) == n && memcmp(never[i], name, n) == 0)
            return false;
    size_t digits = strcspn(name, "0123456789");
    char file = *name;
    if (digits < n && digits == 1 && strchr("wxr", file))
        snprintf(out, NAME_MAX_SIZE, "r%lu", strtoul(name + 1, 0, 10));
    else if (digits < n && digits == 1 && strchr("bhsdqzfv", file))
        snprintf(out, NAME_MAX_SIZE, "v%lu", strtoul(name + 1, 0, 10));
    else if (digits == 3 && digits < n && memcmp(name + 1, "mm", 2) == 0)
        snprintf(out, NAME_MAX_SIZE, "v%lu", strtoul(name + 3, 0, 10));
    else if (n == 2 && strchr("lhx", name[1]) && strchr("abcd", file))
        snprintf(out, NAME_MAX_SIZE, "r%c", file);
    else if (n == 3 && strchr("re", file) && name[2] == 'x')
        snprintf(out, NAME_MAX_SIZE, "r%c", name[1]);
    else if (n == 3 && strchr("re", file) && strchr("sdb", name[1]))
        snprintf(out, NAME_MAX_SIZE, "r%.2s", name + 1);
    else if ((n == 3 && strchr("sdb", file) && name[2] == 'l') || (n == 2 && strchr("sdb", file) && name[1] == 'i'))
        snprintf(out, NAME_MAX_SIZE, "r%.2s", name);
    else if (n == 2 && memcmp(name, "lr", 2) == 0)
        snprintf(out, NAME_MAX_SIZE, "r30");
    else if (n == 2 && memcmp(name, "fp", 2) == 0)
        snprintf(out, NAME_MAX_SIZE, "r29");
    else
        snprintf(out, NAME_MAX_SIZE, "%.*s", (int)(n < NAME_MAX_SIZE ? n : NAME_MAX_SIZE - 1), name);
    return true;
}

struct reader {
    struct target_code code;
    uint16_t defined[TARGET_REGISTERS], used[TARGET_REGISTERS];
    struct target_names *names;
};

static void add_register(struct reader *r, const char *name, size_t n, bool defines)
{
    char text[NAME_MAX_SIZE];
    if (!canonical(text, name, n))
        return;
    size_t number = map_number(&r->names->registers, text);
    unsigned char *count = defines ? &r->code.defined : &r->code.used;
    if (*count < TARGET_REGISTERS && number < UINT16_MAX)
        (defines ? r->defined : r->used)[(*count)++] = (uint16_t)number;
}

static bool holds_flags(const char *name, size_t n)
{
    return (n == 4 && (memcmp(name, "nzcv", n) == 0 || memcmp(name, "cpsr", n) == 0)) ||
           (n == 6 && memcmp(name, "eflags", n) == 0);
}

/* Registers from s to end; pairs ($x0_x1) are several, RISC-V's $f10_d is one. */
static void read_registers(struct reader *r, const char *s, const char *end, bool left)
{
    const char *previous = s;
    for (s = line_find(s, end, "$"); s; s = line_find(s, end, "$")) {
        bool defines = left || line_find(previous, s, "implicit-def ");
        bool implicit = !left && !defines && line_find(previous, s, "implicit ");
        size_t n = strspn(++s, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (implicit && (r->code.class == TARGET_CALL || r->code.class == TARGET_BRANCH) && !holds_flags(s, n)) {
            previous = s += n; /* what is handed over need not be there yet */
            continue;
        }
        for (const char *stop = s + n; s < stop;) {
            size_t piece = strcspn(s, "_");
            piece = piece < (size_t)(stop - s) ? piece : (size_t)(stop - s);
            if (piece > 1)
                add_register(r, s, piece, defines);
            s += piece + (s + piece < stop);
        }
        previous = s;
    }
}

/* ---- a line ---- */

/* Where in memory: what stands behind "from", "into" or "on" of the first operand, up to its attributes. */
static uint32_t place_of(const char *s, const char *end, struct target_names *names)
{
    static const char *const relations[] = {" from ", " into ", " on "};
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const char *at = line_find(s, end, relations[i]);
        if (!at)
            continue;
        char text[PLACE_MAX_SIZE];
        at += strlen(relations[i]);
        size_t n = 0;
        while (at + n < end && !strchr(",)", at[n]) && n < sizeof text - 1)
            n++;
        snprintf(text, sizeof text, "%.*s", (int)n, at);
        if (strncmp(text, "unknown", 7) != 0 && *text)
            return (uint32_t)map_number(&names->places, text) + 1;
    }
    return TARGET_NOWHERE;
}

static const char *skip_flags(const char *s)
{
    static const char *const flags[] = {"frame-setup ", "frame-destroy ", "nofpexcept ",    "nomerge ",     "nsw ",
                                        "nuw ",         "exact ",         "disjoint ",      "nneg ",        "contract ",
                                        "nnan ",        "ninf ",          "nsz ",           "arcp ",        "afn ",
                                        "reassoc ",     "samesign ",      "unpredictable ", "noconvergent "};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strncmp(s, flags[i], strlen(flags[i])) == 0) {
            s += strlen(flags[i]);
            i = (size_t)-1;
        }
    }
    return s;
}

struct target_code target_code_of(struct line l, struct target_names *names)
{
    struct reader r = {.names = names};
    const char *end = l.s + l.n, *memory = line_find(l.s, end, " :: "), *tail = memory ? memory : end;
    const char *location = line_find(l.s, tail, "debug-location "), *equals = line_find(l.s, tail, " = ");
    const char *operands = location ? location : tail;
    char opcode[NAME_MAX_SIZE];
    const char *s = skip_flags(equals ? equals + 3 : l.s + strspn(l.s, " "));
    size_t n = strcspn(s, " ,\n");
    n = n < (size_t)(end - s) ? n : (size_t)(end - s);
    snprintf(opcode, sizeof opcode, "%.*s", (int)n, s);
    bool loads = memory && line_find(memory, end, "load "), stores = memory && line_find(memory, end, "store ");
    r.code.class = (unsigned char)class_of(opcode, loads, stores);
    if (r.code.class == TARGET_NONE)
        return r.code;
    r.code.reads = loads && r.code.class != TARGET_LOAD;
    r.code.place = memory ? place_of(memory, end, names) : TARGET_NOWHERE;
    if (equals)
        read_registers(&r, l.s, equals, true);
    read_registers(&r, s + n, operands, false);
    if (r.code.defined + r.code.used > TARGET_REGISTERS)
        r.code.used = (unsigned char)(TARGET_REGISTERS - r.code.defined);
    memcpy(r.code.at, r.defined, r.code.defined * sizeof *r.defined);
    memcpy(r.code.at + r.code.defined, r.used, r.code.used * sizeof *r.used);
    return r.code;
}
