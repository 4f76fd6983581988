/* merge_model.h - a fitted model (model.json, docs/formats/model.md) as merge needs it. Private to shim-xml. */
#ifndef SHIMXML_VALUES_MERGE_MODEL_H
#define SHIMXML_VALUES_MERGE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/key.h"
#include "shim-xml/shimxml.h"

struct model_variable {
    char *name;
    struct shimxml_range value; /* low, value, high */
    double count;
    bool evidence; /* it occurred in the data; else the value is the solver's, not measured */
};
struct model_key {
    char *text; /* "fadd.double_d" */
    struct ir_key key;
    double count;
    size_t variable; /* MODEL_NONE: it says none */
    struct shimxml_range value;
};
#define MODEL_NONE ((size_t)-1)
struct model_rule {
    char *glob;
    size_t variable; /* MODEL_NONE: ignored, which costs nothing */
};
struct model {
    char *classes, *solver, *data_hash;
    struct shimxml_interval intervals[4]; /* of estimates, counts times values */
    size_t n_intervals;
    double training, held_out; /* mean absolute errors; NAN: not known */
    struct model_variable *variables;
    size_t n_variables;
    struct model_key *keys;
    size_t n_keys;
    struct model_rule *rules;
    size_t n_rules;
};
/* Refuses what model.md says a reader refuses, and what SHIM cannot hold: values that are negative or beyond single
 * precision. model_free. */
enum status model_read(struct model **out, const char *path, struct error *e) MUST_CHECK;
void model_free(struct model *m);

/* Where an instruction's value comes from. */
enum model_source {
    MODEL_MEASURED, /* keys of this instruction, so dependent */
    MODEL_CLASS,    /* no such key: what the classification gives to its commonest key, where that has evidence */
    MODEL_TWIN,     /* neither: keys or class of the other kind of dependence */
    MODEL_ALL       /* not even that: the mean over all executed instructions */
};
enum model_source model_value(struct shimxml_range *out, const struct model *m, enum ir_opcode opcode, bool dependent);

#endif
