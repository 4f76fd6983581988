/* llvm_core.h - the kernels of a target run through LLVM's scheduling model of one of its processors. */
#ifndef SHIMGEN_CORE_LLVM_CORE_H
#define SHIMGEN_CORE_LLVM_CORE_H

#include "shimgen/core/timing.h"

struct llvm_core {
    struct core_measured measured;
    char *version; /* "LLVM 19.1.7" */
    char *shared;  /* the model's own name, if it is that of another core: "A57"; NULL */
};
/* ERR_INPUT: no table of kernels for the target; also as mca_run. llvm_core_release, also after an error. */
enum status llvm_core_measure(struct llvm_core *out, const char *triple, const char *cpu, struct error *e) MUST_CHECK;
void llvm_core_release(struct llvm_core *c);

#endif
