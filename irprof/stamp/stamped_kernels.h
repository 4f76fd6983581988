/*
 * stamped_kernels.h - what stamping says in a module of its kernels: how their stamps are to be read. Internal to irprof.
 */
#ifndef IRPROF_STAMP_STAMPED_KERNELS_H
#define IRPROF_STAMP_STAMPED_KERNELS_H

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "base/error.h"
#include "irprof/profile/stamp_format.h"

struct stamped_kernel {
    char *name;               /* owned */
    unsigned first, n_points; /* in the module's points: the kernel's */
    unsigned point_bits;      /* of a stamp of 32 bits the highest: which of the kernel's points */
    unsigned room;            /* stamps of a work-item */
    unsigned group; /* work-items of a work-group, one group after the other; 1: in the order of the whole grid */
    enum stamp_clock clock;
};
struct stamped_kernels {
    VEC(struct stamped_kernel) all;
    char *
        text; /* owned; of all points of the module (docs/formats/stamps.md, "module text"); NULL: there are no kernels */
    size_t n_points; /* that it lists */
};
/* None: `all` is empty. ERR_INPUT: what the module says is not what stamping writes; `path` stands in the message.
 * stamped_kernels_release frees, also after an error. */
enum status stamped_kernels_read(struct stamped_kernels *k, LLVMModuleRef module, const char *path,
                                 struct error *e) MUST_CHECK;
void stamped_kernels_release(struct stamped_kernels *k);
/* NULL: there is none of this name. */
const struct stamped_kernel *stamped_kernels_find(const struct stamped_kernels *k, const char *name);

#endif
