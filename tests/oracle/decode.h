/* decode.h - between decode.c (control, arithmetic), decode_memory.c (vectors, aggregates, memory) and decode_call.c.
 */
#ifndef ORACLE_DECODE_H
#define ORACLE_DECODE_H

#include "oracle.h"
#include "refs.h"

struct decoder {
    struct function *function;
    struct refs offsets;      /* value -> offset in the frame */
    struct refs blocks;       /* basic block -> index of its first op */
    VEC(struct edge *) edges; /* their targets are numbers of blocks until all blocks are decoded */
    VEC(LLVMBasicBlockRef) targets;
    unsigned key; /* counter of the instruction at hand */
};

/* Appends the one operation that stands for the instruction at hand. Valid until the next. */
struct op *emit(struct decoder *d, enum op_code code);
/* The same for `code` on scalars of type t, or on each lane of vectors of them. */
struct op *emit_lanes(struct decoder *d, enum op_code code, LLVMTypeRef t);
/* Decoded as: refuse when reached. */
void emit_refusal(struct decoder *d, LLVMValueRef v, const char *what);
/* Where operand i, or any value, stands in the frame. */
uint32_t operand_at(struct decoder *d, LLVMValueRef instruction, unsigned i);
uint32_t offset_of(struct decoder *d, LLVMValueRef v);

/* decode_memory.c */
void decode_shuffle(struct decoder *d, LLVMValueRef v);
void decode_element(struct decoder *d, LLVMValueRef v, bool inserts);
void decode_extract_value(struct decoder *d, LLVMValueRef v);
void decode_insert_value(struct decoder *d, LLVMValueRef v);
void decode_access(struct decoder *d, LLVMValueRef v, bool stores);
void decode_gep(struct decoder *d, LLVMValueRef v);
void decode_alloca(struct decoder *d, LLVMValueRef v);
void decode_atomic(struct decoder *d, LLVMValueRef v, bool exchanges);

/* decode_call.c */
void decode_call(struct decoder *d, LLVMValueRef v);
void decode_intrinsic(struct decoder *d, LLVMValueRef v, const char *name);

#endif
