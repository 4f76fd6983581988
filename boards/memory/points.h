/*
 * points.h - what the probes of memory measure, and what its regions are called: between
 * the probes (access.c, pair.c; they run on the board) and the evaluation (probe_table.c).
 * docs/method/memory.md says what is done and why.
 *
 * A region does POINT_ACCESSES accesses, or PAIR_MESSAGES messages, so that its value divided by that is one. Regions:
 *
 *     "L2 near latency R 4"   place, order, quantity, access, bytes; places L1 L2 ... and memory
 *     "L1 near chain R 4"     the latency in L1 with as little as can be between two loads: an address and an offset
 *     "L1 near pointer R 8"   the same with nothing: the value is the address
 *     "L1 near fence W 0"     what the fence of a store's latency costs alone
 *     "others"                entered once for each other core that was kept busy
 *     "core 2 latency"        round trips of a message to core 2 and back
 *     "core 2 pitch"          messages to core 2, one after the other
 *     "alone"                 there is no other core that may be used
 */
#ifndef BOARDS_MEMORY_POINTS_H
#define BOARDS_MEMORY_POINTS_H

enum {
    POINT_ACCESSES = 4096,
    POINT_SLOTS = 256,   /* of an island: lines that are visited in random order before the next island */
    POINT_SLOTS_L1 = 32, /* at least, for tiny caches */
    POINT_LINE = 32,     /* at least: what an element holds, and what is written */
    PAIR_MESSAGES = 1000,
    POINT_NAME = 48
};
#define POINT_OTHERS "others"
#define POINT_ALONE  "alone"
#define POINT_MEMORY "memory"

/* Orders: `near` visits the lines of a few pages before it goes on, `far` another page with each access. */

#endif
