/* model.h - a fitted model (model.json, docs/formats/model.md) as merge needs it. Private to shim-xml. */
#ifndef SHIMXML_MODEL_H
#define SHIMXML_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "shim-xml/shimxml.h"

struct model_variable {
    char *name;
    struct shimxml_range value; /* low, value, high */
    double count;
    size_t rows; /* 0: no evidence */
};
struct model_key {
    char *instruction; /* "fadd" of "fadd.double_d" */
    bool dependent;
    double count;
    struct shimxml_range value;
};
struct model_rule {
    char *glob;
    size_t variable; /* MODEL_NONE: ignored */
};
#define MODEL_NONE ((size_t)-1)
struct model {
    char *classes, *solver, *data_hash, *made_by;
    double training, held_out; /* mean absolute errors; NAN: not known */
    struct model_variable *variables;
    size_t n_variables;
    struct model_key *keys;
    size_t n_keys;
    struct model_rule *rules;
    size_t n_rules;
};
/* Refuses what model.md says a reader refuses, and negative values. model_free. */
enum status model_read(struct model **out, const char *path, struct error *e) MUST_CHECK;
void model_free(struct model *m);

/* Where an instruction's value comes from. */
enum model_source {
    MODEL_MEASURED, /* keys of this instruction, so dependent */
    MODEL_TWIN,     /* only keys of the other kind of dependence: the class's own variable had no evidence */
    MODEL_CLASS,    /* no key: the variable that its classification gives it */
    MODEL_ALL       /* not even that: the mean over all executed instructions */
};
/* The value of an instruction; *variable is the class it is taken from (MODEL_NONE where there is none). */
enum model_source model_value(struct shimxml_range *out, size_t *variable, const struct model *m,
                              const char *instruction, bool dependent);

#endif
