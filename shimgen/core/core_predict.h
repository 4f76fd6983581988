/*
 * core_predict.h - what trials take by a model of the core: their machine code followed once, then timed by the pipeline of
 * the model as often as the model is changed.
 */
#ifndef SHIMGEN_CORE_CORE_PREDICT_H
#define SHIMGEN_CORE_CORE_PREDICT_H

#include "shimgen/core/board_core.h"
#include "sim/core/code_schedule.h"

/* A function's way: what comes before its loop, and a pass of that. */
struct core_way {
    struct iss_step *before, *pass; /* owned */
    size_t n_before, n_pass;
    uint64_t loop; /* the first instruction of the pass */
};
struct core_predict {
    const struct core_run *run;
    struct core_way (*ways)[2]; /* of each trial; owned */
    struct iss_schedule *schedule;
};
/* `model` must outlive it, and stay where it is; its figures may change. */
enum status core_predict_new(struct core_predict *p, const struct core_run *run, const struct iss_model *model,
                             struct error *e) MUST_CHECK;
void core_predict_release(struct core_predict *p);
/* Cycles of a unit of a trial; NAN: its code cannot be followed. */
double core_predict_unit(struct core_predict *p, size_t trial);
/* Of a pass of its short (0) or long (1) form: cycles, and the mispredictions that these contain: those that were counted; if
 * none were, half of the branches that depend on data. NAN likewise. */
double core_predict_pass(struct core_predict *p, size_t trial, int form);
double core_predict_missed(const struct core_predict *p, size_t trial, int form);

#endif
