/*
 * decode_x86.h - what the two halves of the decoder for x86-64 share: the rows by mnemonic (x86_table.c), and what an
 * instruction reads and writes by its operands (decode_x86.c). Internal to the decoder.
 *
 * Registers: 0 to 15 in the order of their encoding, rax rcx rdx rbx rsp rbp rsi rdi r8 ...; the carry flag by itself,
 * because some instructions leave it alone (inc) and others read it only (adc); all x87 registers as one; masks; vector
 * registers from ISS_REG_FP on.
 */
#ifndef SIM_CORE_X86_DECODE_X86_H
#define SIM_CORE_X86_DECODE_X86_H

#include "sim/core/op.h"

enum { X86_RAX, X86_RCX, X86_RDX, X86_RBX, X86_RSP, X86_RBP, X86_CARRY = 16, X86_X87 = 17, X86_MASK = 18 };

/* How the operands of a row are used. Bits. */
enum {
    X86_VECTOR = 1 << 0,  /* of vector registers: needs are those of floating point */
    X86_SINGLE = 1 << 1,  /* on elements of 32 bits: the class's figures for 32 bits */
    X86_MERGES = 1 << 2,  /* its SSE form keeps the upper part of what it writes, so it waits for that */
    X86_IDIOM = 1 << 3,   /* of a register with itself it is zero whatever that holds */
    X86_MOVES = 1 << 4,   /* copies; its class follows from what it copies where */
    X86_FACTORS = 1 << 5, /* sources are factors or dividends */
    X86_X87_STACK = 1 << 6,
    X86_CARRIES = 1 << 7,  /* of the flags it reads the carry alone */
    X86_FLAGS = 1 << 8,    /* sets all flags: capstone does not say it */
    X86_NO_RESULT = 1 << 9 /* of vectors, but its first operand is read alone */
};
struct x86_row {
    const char *pattern; /* of mnemonics without an AVX form's 'v': fnmatch */
    uint8_t class;       /* of 64 bits */
    uint8_t narrow;      /* of 32 bits and fewer, where that is another class; else 0 */
    uint16_t how;
    uint8_t value; /* enum iss_value of its plain form */
};
/* Bytes of an instruction with a VEX or EVEX prefix, of which `size` are there; 0: it has none, or is cut. */
size_t x86_vector_length(const uint8_t *code, size_t size);
/* The first row that a mnemonic fits; NULL: none. */
const struct x86_row *x86_row_of(const char *mnemonic);

#endif
