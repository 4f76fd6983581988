/* kernel.h - what the files that stamp kernels share. Internal to irprof/stamp. */
#ifndef IRPROF_STAMP_KERNEL_H
#define IRPROF_STAMP_KERNEL_H

#include <limits.h>

#include "irprof/stamp/work.h"

struct kernel {
    struct work *w;
    LLVMValueRef function;
    bool in_shared;                               /* stamps are in shared memory, else in the work-item's own */
    unsigned group[3], items;                     /* of a work-group */
    unsigned room;                                /* stamps of a work-item */
    unsigned point_bits;                          /* of a stamp: which of the kernel's points */
    unsigned point;                               /* that marks what is being inserted */
    LLVMValueRef stamps_argument, never_argument; /* kernel_arguments; the first in mode add alone */
    LLVMValueRef memory, count, written, local, item;
};

LLVMValueRef kernel_marked(const struct kernel *k, LLVMValueRef v); /* v, marked */

/* kernel_ids.c: the work-item's number in the whole grid; *local (may be NULL): in its work-group. At the builder's place. */
LLVMValueRef kernel_ids(struct kernel *k, LLVMValueRef *local);

/* kernel_shared.c: memory for the stamps of a work-group: k->memory. ERR_INPUT: there is no room for them. */
enum status kernel_shared(struct kernel *k, const char *name, struct error *e) MUST_CHECK;

/* kernel_function.c: a function with the new arguments in the place of k->function, which it becomes. ERR_INPUT: other code calls
 * the kernel. */
enum status kernel_arguments(struct kernel *k, struct error *e) MUST_CHECK;

#endif
