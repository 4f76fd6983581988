/*
 * emit.h - a mapping as a program: the model's modules with each block as a function, what runs on which core as C, and
 * a Makefile (docs/formats/map.md).
 */
#ifndef SHIMGEN_MAP_EMIT_EMIT_H
#define SHIMGEN_MAP_EMIT_EMIT_H

#include "irprof/depend/depend.h"
#include "shimgen/map/show/map_show.h"

/* What the cores wait for in a step: no more than the order needs. */
struct emit_wait {
    size_t block;  /* that waits */
    size_t before; /* that it waits for, on another core */
    size_t arc;    /* of the problem: why */
};
struct emit_waits {
    VEC(struct emit_wait) at; /* in the order of the plan's sequence */
};
/* The sequence of the plan must be one that its arcs allow. */
void emit_waits_find(struct emit_waits *out, const struct map_problem *p, const struct map_plan *plan);

/* Writes mapping.c, map_run.c, map_run.h and Makefile into the folder, beside the modules that `split` names. */
enum status map_emit(const struct map_report *r, const struct depend_split *split, const char *folder,
                     struct error *e) MUST_CHECK;

#endif
