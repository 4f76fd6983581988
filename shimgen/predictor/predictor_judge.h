/*
 * predictor_judge.h - compares simulated predictors with measured mispredictions (docs/method/caches-and-branches.md,
 * "Which predictor a board has"). A predictor's loss is the mean over regions of |simulated - measured| mispredictions
 * per 1000 measured cycles; a region contributes at most PREDICTOR_MOST_APART.
 */
#ifndef SHIMGEN_PREDICTOR_PREDICTOR_JUDGE_H
#define SHIMGEN_PREDICTOR_PREDICTOR_JUDGE_H

#include <stddef.h>

#include "base/error.h"
#include "base/map.h"
#include "boards/boards.h"

enum { PREDICTORS_MOST = 24 }; /* that are simulated side by side (irprof/runtime/rt_events.h) */
/* So far a region is from its measurement at most, in mispredictions per 1000 cycles: none decides alone. */
#define PREDICTOR_MOST_APART 20.0
/* The board's own predictor is kept unless another one is better by more than this share; a smaller difference is
 * chance. */
#define PREDICTOR_MARGIN 0.1

struct predictor_judged {
    struct map names;             /* of predictors; the first is the board's own */
    double loss[PREDICTORS_MOST]; /* of each; 0 where nothing was judged */
    size_t regions;               /* that were judged */
    size_t nearest;               /* by its loss */
    size_t best;                  /* that one, or the board's own if the difference is too small */
    struct map programs;          /* of the regions: "paper/sum" */
};

/* Judges j->names, all that is not their names empty, by the columns BR_MIS_PRED (the first's) and BR_MIS_PRED:NAME of
 * a table of counts, and by what was measured. Regions without measured mispredictions or cycles have no part. */
enum status predictor_judge(struct predictor_judged *j, const char *table, const struct measurements *m,
                            struct error *e) MUST_CHECK;
void predictor_judged_release(struct predictor_judged *j);

#endif
