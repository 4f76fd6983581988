/* arithmetic_x86.c - how much instructions of x86-64 calculate, by their names in Intel's manual. */
#include "base/str.h"
#include "sim/core/arithmetic.h"

#include <capstone/capstone.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Width in bytes of the widest vector register among the operands. */
static unsigned vector_bytes(const char *operands)
{
    return strstr(operands, "zmm") ? 64 : strstr(operands, "ymm") ? 32 : strstr(operands, "xmm") ? 16 : 8;
}

static bool ends(const char *text, size_t n, const char *with)
{
    size_t m = strlen(with);
    return n >= m && memcmp(text + n - m, with, m) == 0;
}

/* ---- SSE, AVX ---- */

/* Operations per lane by the part of the mnemonic before "ps", "sd" ...; 0: not an arithmetic instruction. */
static unsigned each_of(const char *stem, size_t n)
{
    static const struct {
        const char *stem;
        unsigned each;
    } list[] = {{"add", 1},   {"sub", 1},    {"mul", 1},     {"div", 1},   {"sqrt", 1},   {"min", 1},
                {"max", 1},   {"addsub", 1}, {"hadd", 1},    {"hsub", 1},  {"dp", 2},     {"rcp", 1},
                {"rsqrt", 1}, {"rcp14", 1},  {"rsqrt14", 1}, {"rcp28", 1}, {"rsqrt28", 1}};
    static const char *const fused[] = {"fmadd", "fmsub", "fnmadd", "fnmsub", "fmaddsub", "fmsubadd"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strlen(list[i].stem) == n && memcmp(list[i].stem, stem, n) == 0)
            return list[i].each;
    for (size_t i = 0; i < sizeof fused / sizeof *fused; i++) {
        size_t m = strlen(fused[i]);
        const char *order = stem + m; /* "132", "213" or "231"; FMA4 has none */
        if (n >= m && memcmp(stem, fused[i], m) == 0 && (n == m || (n == m + 3 && strspn(order, "123") >= 3)))
            return 2;
    }
    return 0;
}

static bool fp_vector(struct arithmetic *o, const char *mnemonic, const char *operands)
{
    size_t n = strlen(mnemonic);
    bool avx = mnemonic[0] == 'v';
    const char *stem = mnemonic + avx;
    bool single = ends(mnemonic, n, "ss") || ends(mnemonic, n, "ps");
    bool packed = ends(mnemonic, n, "ps") || ends(mnemonic, n, "pd");
    if (!single && !packed && !ends(mnemonic, n, "sd"))
        return false;
    if (n < (size_t)avx + 3)
        return false;
    unsigned each = each_of(stem, n - avx - 2);
    if (!each)
        return false;
    o->bits = single ? 32 : 64;
    o->each = each;
    o->lanes = packed ? vector_bytes(operands) / (o->bits / 8) : 1;
    return true;
}

/* Bytes of a lane by the last letter of the mnemonic; 4 if it has none (pand, por). */
static unsigned lane_bytes(const char *mnemonic)
{
    size_t n = strlen(mnemonic);
    switch (mnemonic[n - 1]) {
    case 'b':
        return 1;
    case 'w':
        return 2;
    case 'q':
        return 8;
    default:
        return 4;
    }
}

/* Are the last two operands the same register, as in "xmm0, xmm0"? */
static bool same_operands(const char *operands)
{
    const char *last = strrchr(operands, ',');
    if (!last)
        return false;
    size_t n = (size_t)(last - operands);
    size_t first = n;
    while (first > 0 && operands[first - 1] != ',' && operands[first - 1] != ' ')
        first--;
    last += 1 + (last[1] == ' ');
    return strlen(last) == n - first && memcmp(last, operands + first, n - first) == 0;
}

static bool integer_vector(struct arithmetic *o, const char *mnemonic, const char *operands)
{
    static const char *const stems[] = {"padd",  "psub",  "pmul",  "pmadd",    "pand",  "por",  "pxor", "psll",
                                        "psrl",  "psra",  "pcmp",  "pmin",     "pmax",  "pabs", "pavg", "psad",
                                        "phadd", "phsub", "psign", "pternlog", "pandn", "prol", "pror", "popcnt"};
    const char *stem = mnemonic + (mnemonic[0] == 'v');
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (stem[0] == 'p' && text_begins(stem, stems[i]) && strcmp(stem, "popcnt") != 0) {
            bool clears = (text_begins(stem, "pxor") || text_begins(stem, "psub")) && same_operands(operands);
            o->integer = clears ? 0 : vector_bytes(operands) / lane_bytes(mnemonic);
            return true;
        }
    return false;
}

/* ---- x87 and general registers ---- */

static bool listed(const char *const *list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], word) == 0)
            return true;
    return false;
}

static bool x87(const char *m)
{
    static const char *const list[] = {"fadd",   "faddp",  "fiadd",  "fsub",   "fsubp", "fisub", "fsubr",
                                       "fsubrp", "fisubr", "fmul",   "fmulp",  "fimul", "fdiv",  "fdivp",
                                       "fidiv",  "fdivr",  "fdivrp", "fidivr", "fsqrt"};
    return listed(list, sizeof list / sizeof *list, m);
}

static bool general(const char *m)
{
    static const char *const list[] = {"add",  "adc",   "sub",  "sbb",  "mul",    "imul", "div",   "idiv",  "inc",
                                       "dec",  "neg",   "and",  "or",   "xor",    "not",  "shl",   "sal",   "shr",
                                       "sar",  "rol",   "ror",  "rcl",  "rcr",    "shld", "shrd",  "cmp",   "test",
                                       "bt",   "bts",   "btr",  "btc",  "bsf",    "bsr",  "tzcnt", "lzcnt", "popcnt",
                                       "andn", "bextr", "blsi", "blsr", "blsmsk", "bzhi", "mulx",  "rorx",  "sarx",
                                       "shlx", "shrx",  "adcx", "adox", "pdep",   "pext", "crc32", "bswap", "xadd"};
    return listed(list, sizeof list / sizeof *list, m);
}

struct arithmetic arithmetic_of_x86(const char *mnemonic, const char *operands)
{
    struct arithmetic o = {.lanes = 1};
    if (text_begins(mnemonic, "lock "))
        mnemonic += strlen("lock ");
    if (fp_vector(&o, mnemonic, operands) || integer_vector(&o, mnemonic, operands))
        return o;
    if (x87(mnemonic)) {
        o.bits = 80;
        o.each = 1;
    } else if (general(mnemonic)) {
        bool clears = (strcmp(mnemonic, "xor") == 0 || strcmp(mnemonic, "sub") == 0) && same_operands(operands);
        bool stack = text_begins(operands, "rsp,");
        o.integer = !clears && !stack;
    }
    return o;
}

/* ---- machine code ---- */

struct arithmetic_decoder {
    csh capstone;
    cs_insn *insn;
};

struct arithmetic_decoder *arithmetic_decoder_new(void)
{
    struct arithmetic_decoder *d = xcalloc(1, sizeof *d);
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &d->capstone) != CS_ERR_OK) {
        free(d);
        return NULL;
    }
    d->insn = cs_malloc(d->capstone);
    return d;
}

void arithmetic_decoder_free(struct arithmetic_decoder *d)
{
    if (!d)
        return;
    cs_free(d->insn, 1);
    cs_close(&d->capstone);
    free(d);
}

bool arithmetic_decode(struct arithmetic *out, struct arithmetic_decoder *d, const uint8_t *code, size_t size,
                       uint64_t address)
{
    *out = (struct arithmetic){.lanes = 1};
    if (!cs_disasm_iter(d->capstone, &code, &size, &address, d->insn))
        return false;
    *out = arithmetic_of_x86(d->insn->mnemonic, d->insn->op_str);
    return true;
}
