/* mnemonic.c - mnemonics of machine code, from the text that LLVM's disassembler prints. */
#include "irprof/codegen/mnemonic.h"

#include <llvm-c/Disassembler.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "base/target.h"
#include "irprof/module/llvm.h"

struct mnemonics {
    LLVMDisasmContextRef disassembler;
};

struct mnemonics *mnemonics_new(const char *triple, const char *cpu, const char *features)
{
    llvm_know_targets();
    const char *all = target_find(triple)->all_features;
    char *both = xasprintf("%s%s%s", all ? all : "", *features && all && *all ? "," : "", features);
    LLVMDisasmContextRef d = LLVMCreateDisasmCPUFeatures(triple, cpu, both, NULL, 0, NULL, NULL);
    free(both);
    if (!d)
        return NULL;
    struct mnemonics *m = xcalloc(1, sizeof *m);
    m->disassembler = d;
    return m;
}

void mnemonics_free(struct mnemonics *m)
{
    if (!m)
        return;
    LLVMDisasmDispose(m->disassembler);
    free(m);
}

/* The first word of "\tadd\tw8, w8, w9". If that is a prefix, the second one. */
static char *word_of(const char *text)
{
    static const char *const prefixes[] = {"lock", "rep", "repne"};
    const char *spaces = " \t";
    text += strspn(text, spaces);
    char *word = xstrndup(text, strcspn(text, spaces));
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strcmp(word, prefixes[i]) == 0) {
            free(word);
            text += strlen(prefixes[i]);
            return word_of(text);
        }
    return word;
}

size_t mnemonics_read(struct mnemonics *m, const uint8_t *bytes, size_t n, uint64_t address, char **word)
{
    char text[256];
    size_t size = LLVMDisasmInstruction(m->disassembler, (uint8_t *)bytes, n, address, text, sizeof text);
    *word = size ? word_of(text) : NULL;
    return size;
}
