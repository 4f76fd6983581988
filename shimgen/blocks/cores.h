/* cores.h - the cores of a SHIM file that blocks are estimated for. Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_CORES_H
#define SHIMGEN_BLOCKS_CORES_H

#include "base/error.h"
#include "shimgen/estimate/costs.h"

struct blocks_cores {
    struct costs *at; /* owned */
    size_t n;
};
/* names: names or ids with commas between; "all": every core with an instruction set; NULL: the first. method: whose
 * values are taken; NULL: the file's. ERR_INPUT: no such core, two cores with that name, no instruction set.
 * blocks_cores_release. */
enum status blocks_cores_read(struct blocks_cores *out, const char *path, const char *names, const char *method,
                              struct error *e) MUST_CHECK;
/* The core of a board with timing data, for a method that needs no values. */
enum status blocks_cores_of_board(struct blocks_cores *out, const char *board, struct error *e) MUST_CHECK;
void blocks_cores_release(struct blocks_cores *c);

#endif
