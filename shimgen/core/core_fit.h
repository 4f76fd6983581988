/*
 * core_fit.h - the figures of a core that explain what its trials took: values are tried one after the other, and each is
 * kept if the pipeline with it comes closer to what was measured. A figure's interval is all values that explain the
 * trials as well; a figure that no trial depends on is not observable.
 */
#ifndef SHIMGEN_CORE_CORE_FIT_H
#define SHIMGEN_CORE_CORE_FIT_H

#include "shimgen/core/core_predict.h"

enum core_figure_kind {
    CORE_AFTER,  /* cycles until a need of a result */
    CORE_SECOND, /* how much later the second register of a load is there */
    CORE_BUSY,
    CORE_TAKE,
    CORE_UNIT,
    CORE_SECOND_UNIT,
    CORE_LATE,
    CORE_GLOBAL /* a figure of the whole core */
};
struct core_found {
    enum core_figure_kind kind;
    size_t kernel;             /* index of the class in the table of kernels; CORE_GLOBAL: not used */
    int need;                  /* CORE_AFTER */
    const char *section, *key; /* CORE_GLOBAL; static */
    int64_t *global;           /* CORE_GLOBAL: in the model */
    int64_t value, low, high;
    bool observable;
    size_t *trials, n_trials; /* that depend on it; owned */
};
struct core_fit {
    const struct core_run *run;
    struct iss_model *model; /* owned */
    struct core_predict predict;
    int second[256]; /* latency2 - latency, by index of kernel */
    VEC(struct core_found) found;
    size_t explained, tried; /* trials that the model explains, of those that ran */
};
enum status core_fit_make(struct core_fit *f, const struct core_run *run, struct error *e) MUST_CHECK;
void core_fit_release(struct core_fit *f);
/* How far the model is from a trial, in units of what can be told; NAN: it did not run. */
double core_fit_error(struct core_fit *f, size_t trial);
/* NULL: the class was not measured, or has no such figure. */
const struct core_found *core_fit_of(const struct core_fit *f, enum core_figure_kind kind, size_t kernel, int need);

#endif
