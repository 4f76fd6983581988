/*
 * code_arithmetic.h - what the instructions at addresses of executables and libraries calculate. Each is decoded once.
 */
#ifndef SHIMGEN_OFFLOAD_CODE_ARITHMETIC_H
#define SHIMGEN_OFFLOAD_CODE_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "sim/core/arithmetic.h"

/* Objects that changed after `ran` are not what was executed: nothing of them is known. */
struct code_arithmetic *code_arithmetic_new(time_t ran);
void code_arithmetic_free(struct code_arithmetic *c); /* NULL is allowed */
/* The number of an object file; the same path has the same number. A file that cannot be read has nothing known. */
uint32_t code_arithmetic_object(struct code_arithmetic *c, const char *path);
/* The instruction at an address as the object file has it. False: unknown. */
bool code_arithmetic_at(struct arithmetic *out, struct code_arithmetic *c, uint32_t object, uint64_t address);

#endif
