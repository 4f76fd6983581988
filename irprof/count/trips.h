/*
 * trips.h - counted loops: the exit test compares a variable that changes by a constant step with a bound that does not
 * change. This proves that the loop ends, and often gives its trip count. Internal to irprof.
 */
#ifndef IRPROF_COUNT_TRIPS_H
#define IRPROF_COUNT_TRIPS_H

#include "irprof/count/cfg.h"

struct trip {
    bool ends;                 /* the test is met in every iteration and must fail once */
    bool computable;           /* and it is the only way out, at the end of the iteration: trip_build works */
    LLVMValueRef start, bound; /* integers of at most 64 bits, or pointers */
    LLVMIntPredicate stays;    /* the loop goes on while `variable stays bound` */
    long long step;
    bool tests_next; /* what is compared is the variable of the next iteration */
};

struct trip trip_find(const struct cfg *g, size_t loop);
/* How often the loop jumps back to its header when it is entered with `start` (i64): code at the builder's place,
 * which is on the one edge into the loop. */
LLVMValueRef trip_build(const struct trip *t, LLVMBuilderRef b, LLVMModuleRef module);

#endif
