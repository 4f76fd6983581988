/* mnemonic.h - what machine code is called, by LLVM's disassembler: for people, beside decoders that need not know it all. */
#ifndef IRPROF_CODEGEN_MNEMONIC_H
#define IRPROF_CODEGEN_MNEMONIC_H

#include <stddef.h>
#include <stdint.h>

struct mnemonics;
/* Code of a triple, for a processor ("": any) with these features of LLVM beside all that the target has ("": none). NULL:
 * LLVM cannot read such code. mnemonics_free. */
struct mnemonics *mnemonics_new(const char *triple, const char *cpu, const char *features);
void mnemonics_free(struct mnemonics *m); /* NULL is fine */
/* The instruction that begins at `bytes`: how many of these `n` it has, and its word, without prefixes: "fmadd"; the caller
 * frees. 0 and NULL: LLVM does not know it. A prefix that LLVM reads as an instruction of its own (lock) has the word "". */
size_t mnemonics_read(struct mnemonics *m, const uint8_t *bytes, size_t n, uint64_t address, char **word);

#endif
