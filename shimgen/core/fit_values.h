/* fit_values.h - a core's figures while they are fitted: which there are, and where they stand in its model. */
#ifndef SHIMGEN_CORE_FIT_VALUES_H
#define SHIMGEN_CORE_FIT_VALUES_H

#include <math.h>

#include "shimgen/core/core_predict.h"

enum { CORE_LATEST = 4 }; /* stages that late execution is tried for */
enum core_figure_kind {
    CORE_AFTER,  /* cycles until a need of a result */
    CORE_SECOND, /* how much later the second register of a load is there */
    CORE_BUSY,
    CORE_TAKE,
    CORE_UNIT,
    CORE_SECOND_UNIT,
    CORE_LATE,
    CORE_ISSUE,  /* enum iss_issue */
    CORE_HOLD,   /* cycles in which nothing else issues after it */
    CORE_DRAINS, /* 1: it waits for all before it */
    CORE_GLOBAL  /* a figure of the whole core */
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
/* In whole cycles; 0: it was not measured, or takes no time. */
static inline int core_whole_cycles(double cycles)
{
    return isfinite(cycles) && cycles > 0 ? (int)lround(cycles) : 0;
}
int64_t core_fit_get(const struct core_fit *f, const struct core_found *v);
/* With what follows from it. */
void core_fit_put(struct core_fit *f, const struct core_found *v, int64_t value);
/* Can the pipeline be asked about this value? */
bool core_fit_possible(const struct core_fit *f, const struct core_found *v, int64_t value);
/* Of a kernel's class, in which the 32-bit form may be another one. */
unsigned core_fit_class(const struct core_fit *f, size_t kernel);
struct iss_timing *core_fit_timing(struct iss_model *m, unsigned class);
/* Each of a stream waits for the flags of the one before: it says how long that takes, and nothing of the unit. */
bool core_chains_flags(const struct core_kernel *k);
/* The need by which a result's latency is told: floating-point results by what floating point needs of them. */
int core_main_need(const struct core_kernel *k);
/* What follows from the figures of a kernel's class, after they were changed. */
void core_fit_settle(struct core_fit *f, size_t kernel);

#endif
