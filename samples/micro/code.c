/* code.c - what the back end made of each case: disassembles an object file and compares functions. */
#include <elf.h>
#include <llvm-c/Object.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "irprof/codegen/mnemonic.h"
#include "samples/micro/private.h"
#include "samples/micro/target.h"

/* A call whose target the linker fills in. */
struct relocation {
    uint64_t offset;
    char *section, *symbol; /* the section that contains it; the function that it calls */
};
struct reader {
    const struct target *target;
    struct mnemonics *mnemonics;
    LLVMBinaryRef binary;
    VEC(struct relocation) relocations;
    struct map functions;  /* by name: index of the function's words */
    VEC(struct map) words; /* of each function: how often each mnemonic, and "call NAME", occurs */
};

/* ---- Relocations ---- */

static bool is_call(const struct target *target, uint64_t type)
{
    for (size_t i = 0; i < TARGET_CALL_RELOCATIONS; i++)
        if (target->calls[i] && type == target->calls[i])
            return true;
    return false;
}

static void add_relocation(struct reader *r, LLVMRelocationIteratorRef at, const char *section)
{
    LLVMSymbolIteratorRef symbol = LLVMGetRelocationSymbol(at);
    const char *name = LLVMGetSymbolName(symbol);
    struct relocation new = {LLVMGetRelocationOffset(at), xstrdup(section), xstrdup(name ? name : "")};
    vec_push(&r->relocations, new);
    LLVMDisposeSymbolIterator(symbol);
}

/* The name ".text" in ".rela.text" and ".rel.text"; NULL: another section. */
static const char *text_of(const char *name)
{
    static const char *const kinds[] = {".rela.text", ".rel.text"};
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
            return name + strlen(kinds[i]) - strlen(".text");
    return NULL;
}

/* Only calls matter; other relocations may have no symbol. */
static void read_relocations(struct reader *r)
{
    LLVMSectionIteratorRef s = LLVMObjectFileCopySectionIterator(r->binary);
    for (; !LLVMObjectFileIsSectionIteratorAtEnd(r->binary, s); LLVMMoveToNextSection(s)) {
        const char *text = text_of(LLVMGetSectionName(s));
        if (!text)
            continue;
        LLVMRelocationIteratorRef at = LLVMGetRelocations(s);
        for (; !LLVMIsRelocationIteratorAtEnd(s, at); LLVMMoveToNextRelocation(at))
            if (is_call(r->target, LLVMGetRelocationType(at)))
                add_relocation(r, at, text);
        LLVMDisposeRelocationIterator(at);
    }
    LLVMDisposeSectionIterator(s);
}

/* ---- Instructions ---- */

/* Thumb has instructions of two bytes and of four, depending on registers. Those of two bytes may set the flags. Here
 * they count as the same: "adds" and "add.w" become "add". */
static void drop_width(char *word)
{
    static const char *const narrow[] = {"adcs", "adds", "ands", "asrs", "bics", "eors", "lsls", "lsrs",
                                         "movs", "muls", "mvns", "orrs", "rors", "rsbs", "sbcs", "subs"};
    size_t n = strlen(word);
    if (n > 2 && (strcmp(word + n - 2, ".w") == 0 || strcmp(word + n - 2, ".n") == 0))
        word[n - 2] = 0;
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        if (strcmp(word, narrow[i]) == 0)
            word[strlen(word) - 1] = 0;
}

static void count(struct map *words, const char *word)
{
    size_t n = 0;
    map_get(words, word, &n);
    map_put(words, word, n + 1);
}

static void disassemble(struct reader *r, struct map *words, const uint8_t *bytes, uint64_t n, uint64_t address)
{
    for (uint64_t at = 0; at < n;) {
        char *word;
        size_t size = mnemonics_read(r->mnemonics, bytes + at, n - at, address + at, &word);
        word = size ? word : xstrdup("(unknown)");
        if (r->target->elf_machine == EM_ARM)
            drop_width(word);
        count(words, word);
        free(word);
        at += size ? size : r->target->code_unit;
    }
}

static void read_function(struct reader *r, LLVMSymbolIteratorRef symbol, LLVMSectionIteratorRef section,
                          const char *name)
{
    uint64_t address = LLVMGetSymbolAddress(symbol), size = LLVMGetSymbolSize(symbol);
    uint64_t start = address - LLVMGetSectionAddress(section);
    const char *section_name = LLVMGetSectionName(section);
    if (!section_name || start > LLVMGetSectionSize(section) || size > LLVMGetSectionSize(section) - start)
        return;
    struct map words = {0};
    disassemble(r, &words, (const uint8_t *)LLVMGetSectionContents(section) + start, size, address);
    for (size_t i = 0; i < r->relocations.n; i++) {
        const struct relocation *l = &r->relocations.at[i];
        if (l->offset < start || l->offset >= start + size || strcmp(l->section, section_name) != 0 || !*l->symbol)
            continue;
        char *call = xasprintf("call %s", l->symbol);
        count(&words, call);
        free(call);
    }
    map_put(&r->functions, name, r->words.n);
    vec_push(&r->words, words);
}

/* Reads the functions of cases, which have a '/' in their names. */
static void read_functions(struct reader *r)
{
    LLVMSymbolIteratorRef s = LLVMObjectFileCopySymbolIterator(r->binary);
    for (; !LLVMObjectFileIsSymbolIteratorAtEnd(r->binary, s); LLVMMoveToNextSymbol(s)) {
        const char *name = LLVMGetSymbolName(s);
        if (!name || !strchr(name, '/') || !LLVMGetSymbolSize(s))
            continue;
        LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(r->binary);
        LLVMMoveToContainingSection(section, s);
        if (!LLVMObjectFileIsSectionIteratorAtEnd(r->binary, section))
            read_function(r, s, section, name);
        LLVMDisposeSectionIterator(section);
    }
    LLVMDisposeSymbolIterator(s);
}

/* ---- the difference between two numbers of copies ---- */

static const struct map *encodings_of(const struct reader *r, const struct micro_case *c, unsigned copies)
{
    size_t i;
    const char *code = c->recipe->shape->code;
    char *name = code ? xasprintf("%s/%u", code, copies) : micro_region(c, copies);
    bool there = map_get(&r->functions, name, &i);
    free(name);
    return there ? &r->words.at[i] : NULL;
}

/* Tolerated difference in a copy's instructions: one more saved register at the beginning, or a block that stands
 * elsewhere, is not part of the copies. */
static double slack(unsigned copies)
{
    enum { FEW = 16 }; /* with so many, two instructions are tolerated */
    return copies > FEW ? 0.1 : 0.15;
}

static double per_copy(const struct map *less, const struct map *more, const char *word, unsigned copies)
{
    size_t a = 0, b = 0;
    map_get(less, word, &a);
    map_get(more, word, &b);
    double d = ((double)b - (double)a) / copies;
    return fabs(d - round(d)) < slack(copies) ? round(d) : d;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_word(struct str *text, const char *word, double n)
{
    if (text->len)
        str_addch(text, ' ');
    str_add(text, word);
    if (n == 1)
        return;
    char *number = format_double(n);
    str_addf(text, "*%s", number);
    free(number);
}

static void compare(struct micro_code *out, const struct map *const *at, const unsigned *copies)
{
    const struct map *less = at[1], *more = at[2];
    unsigned n = copies[2] - copies[1];
    struct str mnemonics = STR_INIT, calls = STR_INIT;
    char **sorted = xmemdup(more->keys, more->n * sizeof *sorted);
    qsort(sorted, more->n, sizeof *sorted, by_text);
    out->folded = out->even = true;
    for (size_t i = 0; i < more->n; i++) {
        double d = per_copy(less, more, sorted[i], n);
        bool call = strncmp(sorted[i], "call ", 5) == 0;
        out->even &= fabs(d - per_copy(at[0], less, sorted[i], copies[1] - copies[0])) < slack(copies[1] - copies[0]);
        if (d == 0)
            continue;
        out->folded = false;
        if (call)
            add_word(&calls, sorted[i] + 5, 1);
        else
            add_word(&mnemonics, sorted[i], d);
        out->instructions += call ? 0 : d;
    }
    free(sorted);
    str_add(&mnemonics, "");
    str_add(&calls, "");
    out->mnemonics = str_detach(&mnemonics);
    out->calls = str_detach(&calls);
}

static void describe(const struct reader *r, const struct micro_case *c, struct micro_code *out)
{
    const struct map *at[MICRO_COPIES - 1];
    *out = (struct micro_code){.found = true};
    if (c->recipe->shape->code && !*c->recipe->shape->code) {
        out->even = true;
        out->mnemonics = xstrdup("");
        out->calls = xstrdup("");
        return;
    }
    for (unsigned i = 0; i < MICRO_COPIES - 1; i++)
        out->found &= (at[i] = encodings_of(r, c, c->copies[i + 1])) != NULL;
    if (out->found) {
        compare(out, at, c->copies + 1);
        return;
    }
    out->mnemonics = xstrdup("");
    out->calls = xstrdup("");
}

/* ---- the file ---- */

static bool is_of_target(const struct reader *r, LLVMMemoryBufferRef file)
{
    Elf32_Ehdr header; /* the machine is at the same place in 64-bit files */
    LLVMBinaryType type = r->target->pointer == 4 ? LLVMBinaryTypeELF32L : LLVMBinaryTypeELF64L;
    if (LLVMBinaryGetType(r->binary) != type || LLVMGetBufferSize(file) < sizeof header)
        return false;
    memcpy(&header, LLVMGetBufferStart(file), sizeof header);
    return header.e_machine == r->target->elf_machine;
}

static enum status open_object(struct reader *r, const struct micro_set *set, const char *object,
                               LLVMMemoryBufferRef *b, struct error *e)
{
    struct str bytes = STR_INIT;
    char *message = NULL;
    enum status s = file_read(&bytes, object, FILE_LIMIT, e);
    if (s)
        return s;
    *b = LLVMCreateMemoryBufferWithMemoryRangeCopy(str_text(&bytes), bytes.len, object);
    str_release(&bytes);
    r->binary = LLVMCreateBinary(*b, NULL, &message);
    if (!r->binary) {
        s = error_set(e, ERR_INPUT, AT_FILE(object), "not an object file: %s", message);
        LLVMDisposeMessage(message);
        return s;
    }
    if (!is_of_target(r, *b))
        return error_set(e, ERR_INPUT, AT_FILE(object), "not an object file for '%s'", set->triple);
    r->mnemonics = mnemonics_new(set->triple, set->cpu, set->features);
    if (!r->mnemonics)
        return error_set(e, ERR_UNSUPPORTED, NOWHERE, "LLVM cannot read code for '%s'", set->triple);
    return OK;
}

static void close_object(struct reader *r, LLVMMemoryBufferRef buffer)
{
    for (size_t i = 0; i < r->relocations.n; i++) {
        free(r->relocations.at[i].section);
        free(r->relocations.at[i].symbol);
    }
    vec_release(&r->relocations);
    for (size_t i = 0; i < r->words.n; i++)
        map_release(&r->words.at[i]);
    vec_release(&r->words);
    map_release(&r->functions);
    mnemonics_free(r->mnemonics);
    if (r->binary)
        LLVMDisposeBinary(r->binary);
    if (buffer)
        LLVMDisposeMemoryBuffer(buffer);
}

enum status micro_read_code(const struct micro_set *set, const size_t *which, size_t n, const char *object,
                            struct micro_code *out, struct error *e)
{
    struct reader r = {0};
    LLVMMemoryBufferRef buffer = NULL;
    LLVMTargetMachineRef machine;
    enum status s = micro_target(&r.target, set->triple, e);
    if (!s)
        s = target_machine(&machine, set, e); /* makes LLVM know the target */
    if (s)
        return s;
    LLVMDisposeTargetMachine(machine);
    s = open_object(&r, set, object, &buffer, e);
    if (!s) {
        read_relocations(&r);
        read_functions(&r);
        for (size_t i = 0; i < (which ? n : set->n); i++)
            describe(&r, &set->at[which ? which[i] : i], &out[i]);
    }
    close_object(&r, buffer);
    return s;
}

void micro_code_release(struct micro_code *c)
{
    free(c->mnemonics);
    free(c->calls);
    *c = (struct micro_code){0};
}
