/*
 * code_text.c - normalises an instruction of assembly, so that only registers' numbers may differ. A register keeps its
 * kind and width (%g, %x on x86; x, w, v on AArch64; v, s[2] on AMD's; %rd on NVIDIA's). A label and a place on the
 * stack are only marked as such.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/target.h"
#include "irprof/prove/code_lines.h"

static bool is_gpu(const char *triple)
{
    return strncmp(triple, "amdgcn", 6) == 0;
}

static bool is_x86(const char *triple)
{
    return strncmp(triple, "x86_64", 6) == 0 || strncmp(triple, "i686", 4) == 0 || strncmp(triple, "i386", 4) == 0;
}

const char *code_comment(const char *triple)
{
    if (is_gpu(triple))
        return ";";
    if (strncmp(triple, "nvptx", 5) == 0)
        return "//";
    const struct target *t = target_find(triple);
    return t->comment ? t->comment : target_find("x86_64")->comment;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Is it one to three letters, then digits: "x12", "fa0", "rd3"? Returns the number of letters; 0: no. */
static size_t register_letters(const char *s, size_t n)
{
    size_t letters = 0;
    while (letters < n && islower((unsigned char)s[letters]))
        letters++;
    size_t digits = letters;
    while (digits < n && isdigit((unsigned char)s[digits]))
        digits++;
    return letters && letters <= 3 && digits == n && digits > letters ? letters : 0;
}

/* The kind of %rax or %xmm3: vector registers are a kind of their own. */
static const char *x86_kind(const char *s, size_t n)
{
    if (n > 3 && (strncmp(s, "xmm", 3) == 0 || strncmp(s, "ymm", 3) == 0 || strncmp(s, "zmm", 3) == 0))
        return s[0] == 'x' ? "%x" : s[0] == 'y' ? "%y" : "%z";
    if (n >= 2 && strncmp(s, "st", 2) == 0)
        return "%st";
    if (n == 2 && s[0] == 'k' && isdigit((unsigned char)s[1]))
        return "%k";
    if (n == 3 && (strncmp(s, "rsp", 3) == 0 || strncmp(s, "rip", 3) == 0))
        return s[1] == 's' ? "%rsp" : "%rip";
    return "%g";
}

static void put_word(struct str *out, const char *s, size_t n, const char *triple)
{
    size_t letters = register_letters(s, n);
    if (n >= 2 && (strncmp(s, ".L", 2) == 0 || strncmp(s, "$L", 2) == 0))
        str_add(out, "LABEL");
    else if (is_gpu(triple) && n == 3 && strncmp(s, "vcc", 3) == 0)
        str_add(out, "s[2]"); /* a named pair of scalar registers */
    else if (letters)
        str_addn(out, s, letters);
    else
        str_addn(out, s, n);
}

/* Handles "[4:7]" after v, s or a: four registers. Returns its length. */
static size_t put_range(struct str *out, const char *s, const char *end)
{
    size_t first = 0, last = 0, i = 1;
    if (s >= end || *s != '[' || !out->len || !strchr("vsa", out->s[out->len - 1]))
        return 0;
    for (; s + i < end && isdigit((unsigned char)s[i]); i++)
        first = first * 10 + (size_t)(s[i] - '0');
    if (i == 1 || s + i >= end || s[i] != ':')
        return 0;
    for (i++; s + i < end && isdigit((unsigned char)s[i]); i++)
        last = last * 10 + (size_t)(s[i] - '0');
    if (s + i >= end || s[i] != ']')
        return 0;
    str_addf(out, "[%zu]", last - first + 1);
    return i + 1;
}

/* Handles an offset from the stack pointer: -8(%rsp), [sp, #16], 16(sp). Returns its length. */
static size_t put_place(struct str *out, const char *s, const char *end)
{
    size_t n = *s == '-', left = (size_t)(end - s);
    while (n < left && isdigit((unsigned char)s[n]))
        n++;
    if (n == (size_t)(*s == '-'))
        return 0;
    bool before =
        (left - n >= 5 && strncmp(s + n, "(%rsp", 5) == 0) || (left - n >= 4 && strncmp(s + n, "(sp)", 4) == 0);
    bool inside = out->len >= 6 && strcmp(out->s + out->len - 6, "[sp, #") == 0;
    if (!before && !inside)
        return 0;
    str_add(out, "STACK");
    return n;
}

/* Handles AMD's offsets into local memory: "offset:128", "offset0:4". Places of variables there depend on what else is
 * there. Returns its length. */
static size_t put_offset(struct str *out, const char *line, const char *s, const char *end)
{
    size_t left = (size_t)(end - s), n = 6;
    if (strncmp(line, "ds_", 3) != 0 || left < 8 || strncmp(s, "offset", 6) != 0)
        return 0;
    n += s[n] == '0' || s[n] == '1';
    if (n >= left || s[n] != ':')
        return 0;
    str_addn(out, s, n + 1);
    for (n++; n < left && isdigit((unsigned char)s[n]); n++)
        ;
    return n;
}

/* ---- different instructions for one operation ---- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, size_t n, const char *with)
{
    size_t m = strlen(with);
    return n >= m && memcmp(text + n - m, with, m) == 0;
}

/* The suffix in "v_add_co_u32_e64" names only the encoding. The 32-bit one (VOP1, VOP2, VOPC) has the carry in VCC, the
 * 64-bit one (VOP3) in any pair of registers. What else VOP3 can do (-v, |v|, clamp, omod) is visible in the operands
 * (LLVM, "AMDGPU: SIInstrInfo.td", VOP2b: one operation, Outs32 with vcc, Outs64 with sdst; AMD, "AMD Instinct MI200
 * Instruction Set Architecture", encodings of vector instructions). */
static size_t encoding_of(const char *mnemonic, size_t n)
{
    return ends(mnemonic, n, "_e32") || ends(mnemonic, n, "_e64") ? 4 : 0;
}

bool code_is_long(const char *line, size_t n, const char *triple)
{
    size_t word = 0;
    while (word < n && !isspace((unsigned char)line[word]))
        word++;
    return is_gpu(triple) && ends(line, word, "_e64");
}

/* Instructions of x86 that do the same except for the registers that they name (Intel, "Software Developer's Manual",
 * volume 2: CBW/CWDE/CDQE and MOVSX/MOVSXD; MOVD/MOVQ and MOVSS/MOVSD between memory and a vector register). */
static const struct {
    const char *from, *to;
    bool memory; /* only if one operand is memory and the other a vector register */
} same_x86[] = {
    {"cltq", "movslq %g, %g", false}, {"cwtl", "movswl %g, %g", false}, {"cbtw", "movsbw %g, %g", false},
    {"movd ", "movss ", true},        {"movq ", "movsd ", true},
};

static char *usual_x86(char *text)
{
    for (size_t i = 0; i < sizeof same_x86 / sizeof *same_x86; i++) {
        if (same_x86[i].memory ? !begins(text, same_x86[i].from) || !strchr(text, '(') || !strstr(text, "%x")
                               : strcmp(text, same_x86[i].from) != 0)
            continue;
        char *usual = xasprintf("%s%s", same_x86[i].to, same_x86[i].memory ? text + strlen(same_x86[i].from) : "");
        free(text);
        return usual;
    }
    return text;
}

bool code_is_copy(const char *text)
{
    static const char *const copies[] = {"movaps %x, %x", "movapd %x, %x",  "movdqa %x, %x",        "movq %g, %g",
                                         "movl %g, %g",   "s_mov_b32 s, s", "s_mov_b64 s[2], s[2]", "v_mov_b32 v, v"};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        if (strcmp(text, copies[i]) == 0)
            return true;
    return false;
}

char *code_text(const char *line, size_t n, const char *triple)
{
    struct str out = STR_INIT;
    const char *s = line, *end = line + n;
    while (s < end && !isspace((unsigned char)*s)) /* the mnemonic; NVIDIA's may have a predicate before it */
        s++;
    size_t mnemonic = (size_t)(s - line);
    str_addn(&out, line, mnemonic - (is_gpu(triple) ? encoding_of(line, mnemonic) : 0));
    while (s < end) {
        size_t word = 0, taken;
        if (*s == '%' && is_x86(triple)) {
            while (s + 1 + word < end && isalnum((unsigned char)s[1 + word]))
                word++;
            str_add(&out, x86_kind(s + 1, word));
            s += 1 + word;
        } else if ((taken = put_place(&out, s, end)) || (taken = put_range(&out, s, end)) ||
                   (taken = put_offset(&out, line, s, end))) {
            s += taken;
        } else if (in_word(*s)) {
            while (s + word < end && in_word(s[word]))
                word++;
            put_word(&out, s, word, triple);
            s += word;
        } else {
            str_addch(&out, *s == '\t' ? ' ' : *s);
            s++;
        }
    }
    return is_x86(triple) ? usual_x86(str_detach(&out)) : str_detach(&out);
}
