/*
 * hierarchy_figures.h - what accesses that miss, split or follow stores tell of a core: figures in closed form from
 * trials (trials.h), from memory.csv's probes, and from the board's SHIM skeleton.
 */
#ifndef SHIMGEN_CORE_HIERARCHY_FIGURES_H
#define SHIMGEN_CORE_HIERARCHY_FIGURES_H

#include "shimgen/core/core_fit.h"

struct hierarchy_figure {
    const char *section, *key; /* static */
    char *value;               /* owned */
    bool measured;             /* with an interval; else the skeleton says so */
    double low, high;
    char *evidence; /* owned */
};
struct hierarchy_figures {
    VEC(struct hierarchy_figure) list;
};
/* `folder`: where the probes' files go; it is made. */
enum status hierarchy_figures_find(struct hierarchy_figures *h, const struct board *b, const struct core_fit *f,
                                   const char *folder, struct error *e) MUST_CHECK;
/* The levels and the sizes alone. `load`: cycles of a load that another one waits for: what the probes measured in ticks is
 * made cycles by it. NAN: they are cycles. */
enum status hierarchy_levels_find(struct hierarchy_figures *h, const struct board *b, double load, const char *folder,
                                  struct error *e) MUST_CHECK;
void hierarchy_figures_release(struct hierarchy_figures *h);
/* NULL: nothing tells it; borrowed. */
const struct hierarchy_figure *hierarchy_figures_of(const struct hierarchy_figures *h, const char *section,
                                                    const char *key);

#endif
