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
    enum target_class class;
    const char *opcodes; /* patterns for opcode_is */
};

/* The first rule that fits counts. Opcodes of one architecture never look like those of another with a different
 * meaning. */
static const struct rule rules[] = {
    {TARGET_NONE, "DBG_* CFI_* KILL IMPLICIT_DEF SUBREG_TO_REG BUNDLE EH_LABEL ANNOTATION_LABEL LIFETIME_* "
                  "PSEUDO_PROBE INLINEASM* SEH_*"},
    /* calls and branches */
    {TARGET_CALL, "BL BLR* BLX* tBL* BL_* CALL* TCRETURN* TAILJMP* PseudoCALL* PseudoTAIL*"},
    {TARGET_BRANCH, "B Bcc BR BRIND* RET* CBZ* CBNZ* TBZ* TBNZ* JCC_* JMP* BEQ BNE BLT* BGE* PseudoBR* PseudoRET "
                    "tB tBcc t2B*cc BX_RET tBX_RET"},
    /* x86: stack */
    {TARGET_STORE, "PUSH*"},
    {TARGET_LOAD, "POP?? POP??r"},
    /* Arm: floating-point operations have a "V" in front */
    {TARGET_FDIV_LONG, "VDIVD VSQRTD"},
    {TARGET_FDIV, "VDIVS VSQRTS"},
    {TARGET_CONVERT, "VCVT* VSITO* VUITO* VTOSI* VTOUI*"},
    {TARGET_FCMP, "VCMP? VCMPZ?"},
    {TARGET_MOVE, "VMOVSR VMOVRS VMOVDRR VMOVRRD"},
    {TARGET_FP, "VADDS VADDD VSUBS VSUBD VMULS VMULD VNMUL? VMLA? VMLS? VFMA?"},
    /* integer division: AArch64, Arm; RISC-V; x86 */
    {TARGET_DIV_LONG, "SDIVX* UDIVX* DIV DIVU REM REMU DIV64* IDIV64*"},
    {TARGET_DIV, "SDIV* UDIV* t2SDIV t2UDIV DIVW DIVUW REMW REMUW DIV8* DIV16* DIV32* IDIV*"},
    /* floating point: AArch64; RISC-V; x86 */
    {TARGET_FDIV_LONG, "FDIVD* FDIVv2f64 FSQRTD* FSQRTv2f64 FDIV_D FSQRT_D *DIVSD* *DIVPD* *SQRTSD* *SQRTPD*"},
    {TARGET_FDIV, "*DIV?S* *DIV?D* *SQRT*"},
    {TARGET_CONVERT, "*CVT*"},
    {TARGET_FCMP, "*UCOMIS* CMP?S* CMP?D*"},
    {TARGET_MOVE, "MOVDI2* MOVPDI2* MOVPQI* MOV64toPQI* MOVSS2DI* MOVMSK*"},
    {TARGET_FP, "ADDSSr? ADDSDr? SUBSSr? SUBSDr? MULSSr? MULSDr? ADDP?r? SUBP?r? MULP?r? MAX??r? MIN??r? VADD??* "
                "VSUB??* VMUL??* VFM*"},
    /* AArch64, RISC-V */
    {TARGET_FDIV, "FDIV*"},
    {TARGET_FCMP, "FCMP* FCCMP* FEQ_? FLT_? FLE_?"},
    {TARGET_MOVE, "FMV_* FMOVW?r FMOVX?r FMOV?Wr FMOV?Xr UMOV* SMOV* INSv*gpr DUPv*gpr"},
    {TARGET_FP, "FABD* FADD* FSUB* FMUL* FNMUL* FMADD* FMSUB* FNMADD* FNMSUB* FMLA* FMLS* FMAX* FMIN* FRINT*"},
    /* integer multiplication */
    {TARGET_MUL_LONG, "MADDXrrr MSUBXrrr ?MULHrr MUL MULH MULHU MULHSU MUL64* IMUL64* MULX64*"},
    {TARGET_MUL, "MADD?rrr MSUB?rrr ?MADDLrrr ?MSUBLrrr MULW MUL8* MUL16* MUL32* IMUL* MLA MLS ?MULL ?MLAL t2M* "
                 "tMUL"},
    /* integer vectors, and instructions that move lanes: AArch64; x86; RISC-V */
    {TARGET_VECTOR, "*v?i* *v1?i* *v?f* *v??_* PADD* PSUB* PMUL* PMADD* PSHUF* PUNPCK* PACK* PCMP* PAND* POR* "
                    "PXOR* PS???i PM???* UNPCK* SHUFP* PseudoV*"},
};

/* Opcodes that only load or store. Others that access memory also compute. */
static const char accesses[] = "LD* ST* L? L?U S? F?D FL? FS? MOV* VLD* VST* tLD* tST* "
                               "t2LD* t2ST* LOADgot C?LD* LR_* SC_* PLD* CAS* SWP*";

bool opcode_is(struct line opcode, const char *patterns)
{
    char text[NAME_MAX_SIZE], pattern[NAME_MAX_SIZE];
    size_t length = opcode.n < sizeof text ? opcode.n : sizeof text - 1;
    memcpy(text, opcode.s, length);
    text[length] = 0;
    for (size_t n; *patterns; patterns += n + (patterns[n] == ' ')) {
        n = strcspn(patterns, " ");
        if (*patterns != *text && *patterns != '*' && *patterns != '?')
            continue;
        memcpy(pattern, patterns, n);
        pattern[n] = 0;
        if (glob_match(pattern, text))
            return true;
    }
    return false;
}

static enum target_class class_of(struct line opcode, bool loads, bool stores)
{
    if ((loads || stores) && opcode_is(opcode, accesses))
        return loads ? TARGET_LOAD : TARGET_STORE;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (opcode_is(opcode, rules[i].opcodes))
            return rules[i].class;
    if (!loads && !stores) /* without a memory operand: fast instruction selection, and accesses of several registers */
        return opcode_is(opcode, "LD*") ? TARGET_LOAD : opcode_is(opcode, "ST?*") ? TARGET_STORE : TARGET_ALU;
    return stores && !loads ? TARGET_STORE : TARGET_ALU;
}

/* ---- registers ---- */

/* The register that a name is part of: $w3 and $x3 are "r3", $s0, $d0 and $q0 "v0", $eax and $al "ra". If a digit
 * follows, the letters are looked up and the number is appended. "": nothing waits for this register. */
static const struct {
    bool numbered;
    const char *names, *as;
} aliases[] = {
    {true, "w x r", "r"},
    {true, "b h s d q z f v xmm ymm zmm", "v"},
    {false, "sp wsp rsp esp spl noreg xzr wzr fpcr mxcsr ssp fpcw", ""},
    {false, "al ah ax eax rax", "ra"},
    {false, "bl bh bx ebx rbx", "rb"},
    {false, "cl ch cx ecx rcx", "rc"},
    {false, "dl dh dx edx rdx", "rd"},
    {false, "sil si esi rsi", "rsi"},
    {false, "dil di edi rdi", "rdi"},
    {false, "bpl bp ebp rbp", "rbp"},
    {false, "lr", "r30"},
    {false, "fp", "r29"},
};

static bool has_word(const char *words, const char *word, size_t n)
{
    for (; *words; words += strcspn(words, " "), words += *words == ' ')
        if (strcspn(words, " ") == n && memcmp(words, word, n) == 0)
            return true;
    return false;
}

/* Returns false for a register that nothing waits for. */
static bool canonical(char *out, const char *name, size_t n)
{
    size_t letters = 0;
    while (letters < n && !(name[letters] >= '0' && name[letters] <= '9'))
        letters++;
    bool numbered = letters < n;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (aliases[i].numbered != numbered || !has_word(aliases[i].names, name, numbered ? letters : n))
            continue;
        int digits = numbered ? (int)strspn(name + letters, "0123456789") : 0;
        snprintf(out, NAME_MAX_SIZE, "%s%.*s", aliases[i].as, digits, name + letters);
        return *aliases[i].as;
    }
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

/* Reads all registers. A pair ($x0_x1) is two registers; RISC-V's $f10_d is one. */
static void read_registers(struct reader *r, struct line l, bool left)
{
    const char *s = l.s, *end = l.s + l.n, *previous = s;
    for (s = line_find(s, end, "$"); s; s = line_find(s, end, "$")) {
        bool defines = left || line_find(previous, s, "implicit-def ");
        bool implicit = !left && !defines && line_find(previous, s, "implicit ");
        size_t n = strspn(++s, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (implicit && (r->code.class == TARGET_CALL || r->code.class == TARGET_BRANCH) && !holds_flags(s, n)) {
            previous = s += n; /* registers that an instruction only passes on need not be ready yet */
            continue;
        }
        for (const char *stop = s + n; s < stop;) {
            const char *cut = memchr(s, '_', (size_t)(stop - s));
            size_t piece = (size_t)((cut ? cut : stop) - s);
            if (piece > 1)
                add_register(r, s, piece, defines);
            s += piece + (s + piece < stop);
        }
        previous = s;
    }
}

/* Does it name a register of 128 bits, as "$q0"? AArch64 and Arm do; on x86 the name does not tell. */
static bool names_wide(struct line l)
{
    const char *end = l.s + l.n;
    for (const char *s = line_find(l.s, end, "$q"); s; s = line_find(s + 1, end, "$q"))
        if (s + 2 < end && s[2] >= '0' && s[2] <= '9')
            return true;
    return false;
}

/* ---- an instruction ---- */

/* The place in memory of the first operand, without its attributes. */
static uint32_t place_of(const struct mir_line *m, struct target_names *names)
{
    struct line l = m->memory.s ? mir_line_place(m->memory) : (struct line){0};
    char text[PLACE_MAX_SIZE];
    size_t n = 0;
    while (n < l.n && !strchr(",)", l.s[n]) && n < sizeof text - 1)
        n++;
    if (!n || (n >= 7 && strncmp(l.s, "unknown", 7) == 0))
        return TARGET_NOWHERE;
    snprintf(text, sizeof text, "%.*s", (int)n, l.s);
    return (uint32_t)map_number(&names->places, text) + 1;
}

/* On a 32-bit target, the opcodes of RV64's 64-bit operations are operations of 32 bits. */
static enum target_class narrowed(enum target_class class)
{
    return class == TARGET_MUL_LONG ? TARGET_MUL : class == TARGET_DIV_LONG ? TARGET_DIV : class;
}

struct target_code target_code_of(const struct mir_line *m, struct target_names *names)
{
    struct reader r = {.names = names};
    r.code.class = (unsigned char)class_of(m->opcode, m->loads, m->stores);
    if (r.code.class == TARGET_NONE)
        return r.code;
    if (names->narrow)
        r.code.class = (unsigned char)narrowed(r.code.class);
    r.code.reads = m->loads && r.code.class != TARGET_LOAD;
    r.code.wide = names_wide(m->defined) || names_wide(m->operands);
    r.code.place = place_of(m, names);
    read_registers(&r, m->defined, true);
    read_registers(&r, m->operands, false);
    if (r.code.defined + r.code.used > TARGET_REGISTERS)
        r.code.used = (unsigned char)(TARGET_REGISTERS - r.code.defined);
    memcpy(r.code.at, r.defined, r.code.defined * sizeof *r.defined);
    memcpy(r.code.at + r.code.defined, r.used, r.code.used * sizeof *r.used);
    return r.code;
}
