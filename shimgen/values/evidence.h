/*
 * evidence.h - where the instruction values of a SHIM file come from: the microbenchmarks; else the fit, where programs
 * showed the instruction; else another instruction. Where no times were measured, the fit comes first.
 */
#ifndef SHIMGEN_VALUES_EVIDENCE_H
#define SHIMGEN_VALUES_EVIDENCE_H

#include "regress/regress.h"
#include "shimgen/values/micro_values.h"
#include "shimgen/units/outputs.h"

enum evidence_kind {
    EVIDENCE_FIT,       /* programs that were fitted on executed it, so dependent or not */
    EVIDENCE_MICRO,     /* measured by microbenchmarks */
    EVIDENCE_OTHER,     /* the other of pitch and latency was measured by microbenchmarks */
    EVIDENCE_NO_CODE,   /* microbenchmarks show that it makes no code */
    EVIDENCE_INHERITED, /* taken over from another instruction, by the stand-ins of base/instructions.def */
    EVIDENCE_CLASS,     /* the value of its class */
    N_EVIDENCE
};
struct evidence {
    struct micro_table table; /* empty: there is no micro.csv, or not in these cycles */
    struct micro_values values;
    bool times; /* the SHIM file has the microbenchmarks' values wherever there are some; else the fit's come first */
};
/* Reads o->micro, where there is one. `event`: the cycles of the model. evidence_release. */
enum status evidence_read(struct evidence *out, const struct outputs *o, const char *event, struct error *e) MUST_CHECK;
void evidence_release(struct evidence *v);
/* The table for `shim-xml merge --values`; nothing is written when there are no values. */
enum status evidence_write(const struct evidence *v, const char *path, struct error *e) MUST_CHECK;

enum evidence_kind evidence_of(const struct evidence *v, const struct regress_model *m, const char *instruction,
                               enum micro_quantity quantity);
/* How often the rows that were fitted executed it; latency: depending on the one before. */
double evidence_count(const struct regress_model *m, const char *instruction, enum micro_quantity quantity);
/* "132 instruction values: 70 fitted, 41 measured by microbenchmarks, ..."; the caller frees. */
char *evidence_sentence(const struct evidence *v, const struct regress_model *m);
/* "60 occurrences", "microbenchmark udiv.i32, chain; worst: udiv.i64, chain,large"; the caller frees. */
char *evidence_text(const struct evidence *v, const struct regress_model *m, const char *instruction,
                    enum micro_quantity quantity);

#endif
