/* split.h - a function taken apart: what its parts share, and one part as a function. Internal to irprof/depend. */
#ifndef IRPROF_DEPEND_SPLIT_H
#define IRPROF_DEPEND_SPLIT_H

#include "irprof/depend/looking.h"

struct splitting {
    struct looking *x;
    LLVMModuleRef module;
    LLVMContextRef context;
    struct graph back; /* the flow backwards */
    LLVMBasicBlockRef *blocks;
    LLVMValueRef *cells;     /* of each spot: the variable in which other parts find its value; NULL */
    LLVMValueRef *arguments; /* of each argument: its variable */
    struct map locals;       /* allocas: address -> number in `variables` */
    VEC(LLVMValueRef) variables;
};
/* Adds "void map_unit_N(void)". ERR_INPUT: the part cannot be a function. */
enum status depend_split_part(struct splitting *s, size_t part, struct error *e) MUST_CHECK;
/* A function of the module without arguments, and a builder in its only block. */
LLVMValueRef depend_split_function(const struct splitting *s, const char *name, LLVMBuilderRef *b);
/* The value of an operand where a part does not make it: a constant, or loaded from its variable. */
LLVMValueRef depend_split_value(const struct splitting *s, LLVMBuilderRef b, LLVMValueRef operand);

#endif
