/* rt_prove.c - runs known work under the group that is measured with, and keeps the counts: in a launch that only
 * checks the counters, and as a short check at the start and the end of any other. */
#include "rt_known.h"
#include "rt.h"

#include <stdlib.h>
#include <string.h>

/* One reading before, one after. */
static void run_once(int kind)
{
    struct rt_sample before, after;
    if (rt.n_known == RT_KNOWN_RUNS)
        return;
    rt_known_prepare(kind);
    rt_read_group(&before);
    rt_known_run(kind);
    rt_read_group(&after);
    struct rt_known_run *k = &rt.known[rt.n_known++];
    k->kind = kind;
    for (size_t i = 0; i < rt.n_events; i++)
        k->value[i] = after.value[i] - before.value[i];
}

/* The first iteration brings code, page tables and the kernel's part of a reading into the caches, and does not
 * count. */
void rt_prove(void)
{
    if (!rt.pmu || !rt_known_open(0))
        return;
    for (int pass = 0; pass <= RT_PROOF_PASSES; pass++)
        for (int kind = 0; kind < RT_KNOWN_KINDS; kind++) {
            run_once(kind);
            if (pass == 0)
                rt.n_known = 0;
        }
    rt_known_close();
}

void rt_sentinel(void)
{
    if (!rt.pmu || !rt_known_open(1))
        return;
    run_once(RT_KNOWN_SENTINEL);
    rt_known_close();
}
