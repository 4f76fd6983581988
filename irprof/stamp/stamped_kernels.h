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
    unsigned point_bits;      /* so many of the highest bits of a 32-bit stamp are the number of its point */
    unsigned room;            /* stamps that a work-item can keep */
    unsigned
        group; /* work-items of a work-group, whose stamps stand together; 1: stamps are in the order of the grid */
    enum stamp_clock clock;
};
struct stamped_kernels {
    VEC(struct stamped_kernel) all;
    /* Owned; the text of all points of the module (docs/formats/stamps.md, "module text"); NULL: there are no kernels. */
    char *text;
    size_t n_points; /* that the text lists */
};
/* Reads the module's kernels; `all` is empty if there are none. ERR_INPUT: stamping did not write what the module says;
 * `path` names the module in the message. Free with stamped_kernels_release, also after an error. */
enum status stamped_kernels_read(struct stamped_kernels *k, LLVMModuleRef module, const char *path,
                                 struct error *e) MUST_CHECK;
void stamped_kernels_release(struct stamped_kernels *k);
/* NULL: there is none of this name. */
const struct stamped_kernel *stamped_kernels_find(const struct stamped_kernels *k, const char *name);

#endif
