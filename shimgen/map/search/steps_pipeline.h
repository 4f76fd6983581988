/*
 * steps_pipeline.h - several steps at once: each core works on its blocks of another step. In each period every core does its
 * blocks once. What a block hands to another core is used there in a later period: the next one, or as many more as the
 * transfer takes. Blocks of a loop with the state of one step (delay 1) share a core. The throughput is a step a period;
 * a step takes as many periods as there are stages.
 */
#ifndef SHIMGEN_MAP_SEARCH_STEPS_PIPELINE_H
#define SHIMGEN_MAP_SEARCH_STEPS_PIPELINE_H

#include "shimgen/map/search/search.h"

struct map_pipeline {
    size_t *core;  /* owned; of each block, in the problem's cores */
    size_t *stage; /* owned; of each block, from 0 */
    size_t stages;
    double period, latency;
    double bound; /* no mapping has a shorter period */
    size_t loops; /* groups of blocks that a state keeps on one core */
};
/* ERR_INPUT: no pipeline meets the demands. map_pipeline_release in any case. */
enum status map_pipeline_make(struct map_pipeline *out, const struct map_problem *p, const struct map_effort *effort,
                              struct error *e) MUST_CHECK;
void map_pipeline_release(struct map_pipeline *p);

#endif
