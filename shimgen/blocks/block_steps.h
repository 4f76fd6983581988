/* block_steps.h - what rows cost in each step. Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_BLOCK_STEPS_H
#define SHIMGEN_BLOCKS_BLOCK_STEPS_H

#include "shimgen/blocks/assign.h"

/* One estimate of one region on one core. */
enum status blocks_estimate(struct estimate **out, const struct blocks_request *q, size_t region, size_t core,
                            struct error *e) MUST_CHECK;
/* Fills b->steps and what belongs to it, and the steps of rows[] (one for each block of the tree), if the profile has
 * steps. ERR_INPUT: it has none of the function that is asked for. */
enum status steps_measure(struct blocks *b, struct blocks_row *rows, const struct assignment *parts,
                          struct error *e) MUST_CHECK;

#endif
