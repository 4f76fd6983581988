/* inclusive.h - what blocks cost with all that stands in them and all that they call, and each of their instances.
 * Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_INCLUSIVE_H
#define SHIMGEN_BLOCKS_INCLUSIVE_H

#include "shimgen/blocks/assign.h"

/* Fills the inclusive cycles of rows[] (one for each block of the tree) and the instances: of the run and, if there are
 * any, of the steps. */
enum status inclusive_measure(struct blocks *b, struct blocks_row *rows, const struct assignment *parts,
                              struct error *e) MUST_CHECK;
void instances_release(struct blocks_instances *i);

#endif
