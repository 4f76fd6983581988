/* simulated.h - what is simulated while a board's samples are counted, when nothing is asked for. */
#ifndef SHIMGEN_BUILD_SIMULATED_H
#define SHIMGEN_BUILD_SIMULATED_H

#include "base/error.h"
#include "boards/boards.h"

/* Adds options of irprof instrument: the code of the board's target (--spills; not of one that irprof cannot compile
 * for, or for which another stands in when counting); caches, prefetcher and predictor as board.ini says ([count]
 * simulate), else of a simulated board as its model has them, of this machine as the system says, of others as the
 * skeleton does, with irprof's own for what is not known. ERR_INPUT: the model's file is wrong. */
enum status simulated_defaults(struct board_args *simulate, const struct board *b, struct error *e) MUST_CHECK;

#endif
