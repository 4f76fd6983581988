/*
 * paper.h - included before a sample of samples/paper/, so that it is measured the way the paper's programs were: caches
 * invalidated, the events' counters read into a buffer on the stack of main, then the cycle counter, in main itself; a
 * hundred times in one process (here: a few), so that branch predictors and TLBs know the program. paper.c has the rest.
 *
 * What lies between the invalidation and the first reading brings the lines of code and stack back that it needs, and a
 * program of some 50 cycles has hardly more. The regions of the measuring runtime start colder.
 */
#include <shim_region.h>

#define main paper_program
#define shim_region_begin(name)                                                                                        \
    unsigned paper_before[10], paper_after[10];                                                                        \
    paper_invalidate();                                                                                                \
    paper_events(paper_before);                                                                                        \
    paper_start()
#define shim_region_end(name)                                                                                          \
    paper_stop();                                                                                                      \
    paper_events(paper_after)

void paper_invalidate(void);
void paper_events(unsigned *counters);
void paper_start(void);
void paper_stop(void);
