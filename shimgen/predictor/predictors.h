/*
 * predictors.h - which predictor of branches a board has, as far as its counter of mispredictions tells: candidates are
 * simulated side by side on some of the training samples, and the one nearest to the measured mispredictions is
 * taken. docs/method/caches-and-branches.md has the candidates and the measure.
 */
#ifndef SHIMGEN_PREDICTOR_PREDICTORS_H
#define SHIMGEN_PREDICTOR_PREDICTORS_H

#include "base/error.h"
#include "boards/boards.h"
#include "boards/run/run.h"
#include "shimgen/units/losses.h"
#include "shimgen/units/outputs.h"
#include "samples/manifest.h"

struct predictors_how {
    struct runner *place; /* an open connection to the board, or NULL */
    const struct findings *findings;
    struct losses *losses; /* samples that fail are left out, and named here; so is a choice that cannot be made */
    uint64_t tools;        /* unit_tools_hash */
    long jobs;
    bool again;
};
enum predictors_choice {
    PREDICTORS_GIVEN, /* what `simulate` says stays */
    PREDICTORS_KEPT,  /* what an earlier build chose, as long as it holds; none is chosen */
    PREDICTORS_AGAIN  /* the same, else one is chosen */
};
/* Puts the predictor that fits best in the place of that in `simulate` (options of irprof instrument), and after it the
 * one that was there, or PREDICTOR_DEFAULT, to compare with. Where the board does not measure mispredictions, or of too
 * few regions, it stays. Writes o->predictor, which says why. A choice that stands there holds as long as nothing it
 * depends on has changed. */
enum status predictors_choose(struct board_args *simulate, enum predictors_choice choice, const struct board *b,
                              const struct outputs *o, const struct samples *samples, const struct predictors_how *how,
                              struct error *e) MUST_CHECK;

#endif
