/*
 * arithmetic.h - how much an instruction calculates: floating-point operations by width and lanes, operations on
 * integers. Addition, subtraction, multiplication, division, square root, minimum and maximum are one operation a lane, a
 * fused multiply-add two. Conversions, comparisons of floating-point numbers and moves are none; nor is what clears a
 * register or moves the stack pointer.
 */
#ifndef SIM_CORE_ARITHMETIC_H
#define SIM_CORE_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arithmetic {
    unsigned bits;    /* of a floating-point lane; 0: none is calculated */
    unsigned lanes;   /* at least 1 */
    unsigned each;    /* floating-point operations a lane */
    unsigned integer; /* operations on integers: a lane each */
};

/* An instruction of x86-64 in Intel's syntax: its mnemonic ("vaddpd") and its operands ("ymm0, ymm1, ymm2"). */
struct arithmetic arithmetic_of_x86(const char *mnemonic, const char *operands);

/* A disassembler of x86-64 machine code. NULL: there is none in this build of capstone. */
struct arithmetic_decoder *arithmetic_decoder_new(void);
void arithmetic_decoder_free(struct arithmetic_decoder *d); /* NULL is allowed */
/* The instruction at the start of `size` bytes, which stand at `address`. False: it is none that is known. */
bool arithmetic_decode(struct arithmetic *out, struct arithmetic_decoder *d, const uint8_t *code, size_t size,
                       uint64_t address);

#endif
