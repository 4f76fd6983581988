/*
 * values.h - inside shimgen/core/values: what the instruction values of a SHIM file tell of a core that issues in order.
 */
#ifndef SHIMGEN_CORE_VALUES_H
#define SHIMGEN_CORE_VALUES_H

#include "base/target.h"
#include "shimgen/core/core_file.h"
#include "shimgen/estimate/costs.h"
#include "sim/core/core_model.h"

/* Cycles of one kind of instruction: in a stream of independent ones, and in a chain. */
struct value {
    double pitch, latency;
};

/* Which value of the SHIM file a class of machine instructions has: the first of these names that is there. */
struct value_source {
    uint8_t class, unit; /* enum iss_class, enum iss_unit */
    const char *values;
    const char *narrow; /* the same in single precision, where that can differ; NULL: it cannot */
};
extern const struct value_source core_value_sources[];
extern const size_t core_value_sources_n;
/* Vectors of 64 bits, each with its class of 128 bits: half of that. */
enum { VALUE_HALVES = 5 };
extern const struct core_likeness core_value_halves[VALUE_HALVES];

struct values {
    struct costs costs; /* of the core, as measured */
    struct shimxml_system *system;
    size_t core;                  /* of the system's */
    double issue;                 /* cycles from one simple instruction to the next */
    int width;                    /* instructions that issue in a cycle */
    struct value of[ISS_CLASS_N]; /* NAN: no value */
    int copies[ISS_UNIT_N];
    int need[ISS_NEED_N];              /* as the model file's */
    int late, branch_late;             /* cycles that an addition, a branch may issue before its operands are there */
    int load_to_data, fp_load_to_data; /* from a load's issue to that of a store of its value */
    int to_address[ISS_CLASS_N];       /* from the issue of a load to an address; 0: no load */
    bool predicated;                   /* a branch across one instruction is executed as one with it */
};
/* ERR_INPUT: as values_core_text. core_values_release, also after an error. */
enum status core_values_read(struct values *v, const char *shim, const char *core, const struct target *target,
                             struct error *e) MUST_CHECK;
void core_values_release(struct values *v);
/* The first of these names that the file has, spaces between. Returns false if it has none. */
bool value_named(struct value *out, const struct values *v, const char *names);
bool value_known(const struct values *v, unsigned class);

/* A figure of the model file that belongs to no class: fetch.taken, l2.latency. NAN: the file does not say. */
double core_values_figure(const struct values *v, const char *section, const char *key);

#endif
