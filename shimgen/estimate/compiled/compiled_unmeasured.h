/*
 * compiled_unmeasured.h - instructions of a program that the core's model has no figures of its own for, by name, with
 * what of the estimate rests on the figures that they have instead. Internal to the method compiled.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_UNMEASURED_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_UNMEASURED_H

#include "shimgen/estimate/compiled/compiled_paths.h"
#include "shimgen/estimate/estimate.h"

/* One kind: a mnemonic of a class, which has no figures of its own. */
struct unmeasured_kind {
    char *word;             /* "fmadd"; what LLVM does not know either: its bytes, "0x1f420820". Owned */
    enum iss_class op;      /* its own class; ISS_UNKNOWN: the decoder does not know it */
    enum iss_class lacking; /* the class without figures: of an operation on memory that may be the load's */
    double executed;        /* times */
    double cycles;          /* of all these */
};
struct unmeasured_list {
    VEC(struct unmeasured_kind) kinds; /* each once */
    double executed;                   /* times, of all instructions that were looked at */
};
void unmeasured_release(struct unmeasured_list *l);
/* Adds another list's, so many times. */
void unmeasured_join(struct unmeasured_list *to, const struct unmeasured_list *from, double times);

/* Adds a function's instructions: executed as often as `flow` says, with these cycles. `triple`: of its code, "": by the
 * model's architecture. */
void unmeasured_add(struct unmeasured_list *to, const struct machine_function *f, const struct flow *flow,
                    const struct step_costs *costs, const struct elf *elf, const struct iss_model *model,
                    const char *triple);

/* Into out->unmeasured, the greatest sum of both shares first, as shares of all instructions and of `total` cycles; and a note that names
 * them. The list may be empty. */
void unmeasured_tell(struct estimate *out, const struct unmeasured_list *l, const struct iss_model *model,
                     double total);

#endif
