/* measured.h - the cycles of blocks that a simulated board measured, instruction by instruction ('shimgen measure
 * --lines', docs/formats/lines.md). Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_MEASURED_H
#define SHIMGEN_BLOCKS_MEASURED_H

#include "shimgen/blocks/assign.h"

/* Adds to cycles[i] those of block i of the tree; *elsewhere: those of functions that the profile does not have.
 *
 * An instruction belongs to the row of the profile's code with its function, file and line. One without a line, or with
 * one that the IR's function has not, belongs to the next that has one in its straight run, since it mostly makes a
 * constant for it; at the run's end to the last before it; in a run without any to what stands after it in its function. ERR_INPUT: not such a table; nothing in it of
 * this program and region. */
enum status measured_read(uint64_t *cycles, uint64_t *elsewhere, const struct blocks *b, const struct assignment *parts,
                          const char *path, struct error *e) MUST_CHECK;

#endif
