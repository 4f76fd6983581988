/* core_portme.c - CoreMark's timed part as a region of the measuring runtime. It has the seeds of CoreMark's
 * performance run and few iterations: each takes the same. Its own check of at least ten seconds is not met by a
 * simulation; that of the results is. */
#include "coremark.h"
#include <shim_region.h>

#ifndef ITERATIONS
#define ITERATIONS 4
#endif

volatile ee_s32 seed1_volatile = 0, seed2_volatile = 0, seed3_volatile = 0x66, seed4_volatile = ITERATIONS,
                seed5_volatile = 0;
ee_u32 default_num_contexts = 1;

void start_time(void)
{
    shim_region_begin("coremark");
}
void stop_time(void)
{
    shim_region_end("coremark");
}
CORE_TICKS get_time(void)
{
    return ITERATIONS;
}
secs_ret time_in_secs(CORE_TICKS ticks)
{
    return ticks;
}
void portable_init(core_portable *p, int *argc, char *argv[])
{
    (void)argc, (void)argv;
    p->portable_id = 1;
}
void portable_fini(core_portable *p)
{
    p->portable_id = 0;
}
