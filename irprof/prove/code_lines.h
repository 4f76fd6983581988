/*
 * code_lines.h - the machine code of a module, line by line, each with the number of the instruction of the IR that it was
 * made of. Internal to irprof/prove.
 */
#ifndef IRPROF_PROVE_CODE_LINES_H
#define IRPROF_PROVE_CODE_LINES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/str.h"

/* In place of the number: the code generator's own (spills, copies, waits, prologues), and stamps. */
#define CODE_NONE  0
#define CODE_STAMP ((unsigned)1 << 20)

struct code_line {
    unsigned number; /* of the IR's instruction in its function, from 1, stamps not counted; or as above */
    bool at_branch;  /* that instruction is a jump */
    bool is_long;    /* code_is_long */
    char *text;      /* owned; the instruction without the numbers of its registers, labels and places on the stack */
};
/* What a function needs, as the target's code generator says; -1: it does not say. */
struct code_needs {
    long scalar_registers, vector_registers; /* of a work-item, AMDGPU's SGPRs and VGPRs */
    long registers;                          /* of a work-item, NVIDIA's */
    long spills;        /* registers that are spilled; on CPUs: loads and stores of spilled values */
    long shared_memory; /* bytes of a work-group */
    long occupancy;     /* waves that one SIMD unit can have at once */
};
struct code_function {
    char *name; /* owned */
    VEC(struct code_line) lines;
    struct code_needs needs;
};
struct code_lines {
    VEC(struct code_function) functions; /* in the order of the code */
    char *assembler; /* owned; which of NVIDIA's has said what is needed, or why not; NULL: none was run */
};

/* Compiles the module for its own target, or for this machine if it names none, and reads the code. The module is changed: its debug information becomes the
 * numbers. ERR_INPUT: it cannot be compiled; `path` stands in the message. ERR_UNSUPPORTED: this LLVM has no code generator
 * for it. code_lines_release frees, also after an error. */
enum status code_lines_make(struct code_lines *m, LLVMModuleRef module, const char *path, struct error *e) MUST_CHECK;
/* Reads assembly that LLVM wrote for `triple`. */
void code_lines_read(struct code_lines *m, const char *assembly, const char *triple);
void code_lines_release(struct code_lines *m);
/* The processor that a module's functions were compiled for; "": the target's usual one. The caller frees. */
char *code_processor(LLVMModuleRef module);
/* NULL: there is none. */
const struct code_function *code_lines_find(const struct code_lines *m, const char *name);

/* ptxas.c: what ptxas says of the kernels of this PTX, where it is in PATH, for `processor` or sm_90. */
enum status code_ptxas(struct code_lines *m, const char *processor, const struct str *ptx, struct error *e) MUST_CHECK;
void code_ptxas_read(struct code_lines *m, const char *said); /* what it has printed with -v */

/* code_text.c: an instruction without what may differ from run to run of the code generator; the caller frees. */
char *code_text(const char *line, size_t n, const char *triple);
/* A copy of a register: what "up to renaming of registers" leaves out. On x86 a copy of 32 bits may be a zero extension. */
bool code_is_copy(const char *text);
/* AMD's: in the encoding of 64 bits, where that of 32 bits may exist. code_text says the same of both. */
bool code_is_long(const char *line, size_t n, const char *triple);
/* The characters that begin a comment in a target's assembly. */
const char *code_comment(const char *triple);

#endif
