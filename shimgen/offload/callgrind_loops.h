/*
 * callgrind_loops.h - loops of machine code, from the jumps back that callgrind counted (--collect-jumps=yes). A loop
 * begins where jumps back lead. It was repeated as often as these were taken, and entered as often as its first
 * instruction was executed without that.
 */
#ifndef SHIMGEN_OFFLOAD_CALLGRIND_LOOPS_H
#define SHIMGEN_OFFLOAD_CALLGRIND_LOOPS_H

#include "base/map.h"
#include "shimgen/offload/offload.h"

struct loop_place {
    uint32_t function;
    uint64_t address;
};
struct loop_code {
    struct loop_place at;
    double times;
    uint32_t file, line; /* file: number in `files` */
};
struct loop_jump {
    struct loop_place to;
    uint64_t from; /* address */
    double taken;
};
struct callgrind_loops {
    VEC(struct loop_code) code;  /* costs as they stand in the file */
    VEC(struct loop_jump) jumps; /* back, within a function */
    struct map files;
};
/* Adds the loops to the functions of the table, in each by address. */
void callgrind_loops_finish(struct callgrind_loops *l, struct offload_table *t);
void callgrind_loops_release(struct callgrind_loops *l);

#endif
