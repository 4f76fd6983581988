/*
 * rt_known.h - work whose counts are known by construction: what a counter must show of
 * it if it counts at all. boards/measure/known_work.c says what is concluded.
 */
#ifndef BOARDS_RUNTIME_RT_KNOWN_H
#define BOARDS_RUNTIME_RT_KNOWN_H

#include <stdint.h>

/* What a piece of work does, each figure a lower limit of the truth. */
struct rt_known {
    const char *name;
    uint64_t instructions;
    uint64_t adds;     /* of a chain: each takes a core cycle */
    uint64_t loads;    /* from memory, whatever cache has it */
    uint64_t near;     /* of the loads: lines that cannot be in the L1 data cache */
    uint64_t far;      /* of the loads: lines that were flushed from all caches */
    uint64_t branches; /* conditional, taken or not by random bits that never repeat */
};

enum { RT_KNOWN_CHAIN, RT_KNOWN_LOADS, RT_KNOWN_MISSES, RT_KNOWN_BRANCHES, RT_KNOWN_SENTINEL, RT_KNOWN_KINDS };

/* Makes the buffer, a small one if the sentinel alone shall be run; 0: no memory for it. Then each kind can be run as
 * often as is wanted. */
int rt_known_open(int sentinel);
void rt_known_close(void);
const struct rt_known *rt_known_of(int kind);
void rt_known_prepare(int kind); /* before the counters are read: flushes the lines that the work will miss */
void rt_known_run(int kind);

#endif
