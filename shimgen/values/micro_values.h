/*
 * micro_values.h - from the table of the microbenchmarks to best, typical and worst of
 * SHIM's instructions, and the table of them for `shim-xml merge --values`.
 * docs/method/micro.md.
 */
#ifndef SHIMGEN_VALUES_MICRO_VALUES_H
#define SHIMGEN_VALUES_MICRO_VALUES_H

#include "regress/regress.h"
#include "shimgen/estimate/tune/micro_table.h"

enum micro_evidence {
    MICRO_MEASURED, /* by cases of this instruction and quantity */
    MICRO_OTHER,    /* there are cases of the other of pitch and latency only */
    MICRO_NO_CODE,  /* its ordinary case makes no machine instruction, as was seen in the code */
    MICRO_INHERITED /* taken over from `like` */
};
struct micro_value {
    const char *instruction; /* as SHIM names it; static */
    enum micro_quantity quantity;
    enum micro_evidence evidence;
    double best, typical, worst;                             /* [cycles]; NAN when inherited */
    const struct micro_row *best_of, *typical_of, *worst_of; /* where they stand, in the table; NULL when inherited */
    const char *like;                                        /* when inherited; static */
};
struct micro_values {
    VEC(struct micro_value) at;
};
/* Typical: the typical case of the instruction's commonest type in C (base/instructions.def); best and worst: least
 * and greatest of all its cases of types that C has, unless they say nothing of the instruction alone. Instructions
 * that have no case inherit by the same table (LIKE), if no microbenchmark measures them; others have no value. The rows are
 * borrowed from the table. */
void micro_values_find(struct micro_values *out, const struct micro_table *t, const char *event);
void micro_values_release(struct micro_values *v);
/* NULL: none. */
const struct micro_value *micro_values_of(const struct micro_values *v, const char *instruction,
                                          enum micro_quantity quantity);
enum status micro_values_write(const struct micro_values *v, const char *path, struct error *e) MUST_CHECK;
/* "Measured by microbenchmarks", "Taken over from call"; the caller frees. */
char *micro_value_source(const struct micro_value *v);

#endif
