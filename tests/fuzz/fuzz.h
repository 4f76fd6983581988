/* fuzz.h - what libFuzzer asks a fuzz target for, and what it offers; replay.c stands in for it in make check. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The target (profile.c): reads the bytes as a profile, and uses all that came out. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The mutator (mutate.c): changes a profile, and mends lengths and checksums so that it is looked into. Returns the new
 * size, at most max. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/* libFuzzer's own changes of bytes that mean nothing to it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

#endif
