/* map_show.h - a mapping for people and for other tools (docs/formats/map.md). */
#ifndef SHIMGEN_MAP_SHOW_MAP_SHOW_H
#define SHIMGEN_MAP_SHOW_MAP_SHOW_H

#include <stdio.h>

#include "base/str.h"
#include "shimgen/map/search/curve.h"
#include "shimgen/map/search/draws.h"
#include "shimgen/map/search/first_moves.h"
#include "shimgen/map/search/steps_pipeline.h"

/* All borrowed; NULL: not asked for. */
struct map_report {
    const struct map_graph *graph;
    const struct map_machine *machine;
    const struct map_curve *curve;
    const struct map_point *point; /* what is shown: the user's mapping, or the best */
    const struct map_point *best;  /* beside the user's */
    const char *mapping;           /* file of the user's mapping */
    const struct map_moves *moves;
    const struct map_draws *draws;
    const struct map_pipeline *pipeline;
    double period; /* 0: none */
    bool fewest;   /* the fewest cores for the period */
};
void map_text(const struct map_report *r, FILE *f);
void map_dot(const struct map_report *r, FILE *f);
void map_svg(const struct map_report *r, FILE *f);
void map_html(const struct map_report *r, FILE *f);
void map_amalthea(const struct map_report *r, FILE *f);
enum status map_json(const struct map_report *r, const char *path, struct error *e) MUST_CHECK;

/* ---- shared by them ---- */

/* The core of a block, its name; of the pipeline if there is one. Borrowed. */
const char *map_core_of(const struct map_report *r, size_t block);
size_t map_core_index(const struct map_report *r, size_t block); /* in the point's problem */
/* Part of the step, or of the period, that a core works. */
double map_busy(const struct map_report *r, size_t core);
/* How far the step may be from the best, 0 ... ; 0: it is the best. */
double map_gap(const struct map_point *point);
double map_speedup(const struct map_report *r, double time); /* of all on the fastest core */
/* "critical path, most of it 'PID' (34 %)"; the caller frees. */
char *map_limit_text(const struct map_point *point);
/* All that the JSON has; the caller owns it. */
json_t *map_data(const struct map_report *r);
/* The Gantt chart as an <svg>: of its own, or within a page. */
void map_gantt(struct str *out, const struct map_report *r, bool in_page);

#endif
