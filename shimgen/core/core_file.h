/* core_file.h - a core's timing as a model file (docs/formats/iss-model.md): what was found, and what stays unknown. */
#ifndef SHIMGEN_CORE_CORE_FILE_H
#define SHIMGEN_CORE_CORE_FILE_H

#include "shimgen/core/timing.h"

/* A figure that kernels do not show, from elsewhere. All owned. */
struct core_figure {
    char *section, *key, *value;
    bool set; /* by core_figures_set: it stays, whatever else is known */
};
struct core_figures {
    struct core_figure *at;
    size_t n;
    char *from; /* "[fetch] [l1d] from raspberrypi3-sim"; NULL: none */
};
/* Those of a board's model file. ERR_INPUT: no such board, or it has none, or of another architecture. */
enum status core_figures_like(struct core_figures *f, const char *board, const char *architecture,
                              struct error *e) MUST_CHECK;
/* One figure, in place of one that is there and was not set. */
void core_figures_put(struct core_figures *f, const char *section, const char *key, const char *value);
/* "fetch.taken=1 l1d.size=32K", which go before those that are there, and before what is measured. ERR_USAGE: no such
 * figure. */
enum status core_figures_set(struct core_figures *f, const char *text, struct error *e) MUST_CHECK;
bool core_figures_is_set(const struct core_figures *f, const char *section, const char *key);
void core_figures_release(struct core_figures *f);

/* Classes that no kernel runs cost what a similar class costs; ended by one that is like itself. */
struct core_likeness {
    unsigned class, like;
};
extern const struct core_likeness core_likenesses[];

struct core_file {
    const char *name, *source, *version, *shared, *target, *cpu; /* struct iss_origin; NULL: not said */
    const char *measured_on;                                     /* likewise: instead of a source */
    const char *intervals;                                       /* lines of [interval]; NULL: none */
    const struct core_timing *timing;
    const struct core_measured *measured;
    const struct core_figures *figures;
};
/* Written, then read back: what the simulator's reader refuses is an error. */
enum status core_file_write(const struct core_file *f, const char *path, struct error *e) MUST_CHECK;
/* The same of a text that is a model file. */
enum status core_text_write(const struct str *text, const char *path, struct error *e) MUST_CHECK;
/* [units] and [need] of a model file: copies of each unit, and cycles by which results are there sooner for some uses. */
void core_units_add(struct str *to, const int units[ISS_UNIT_N], const int need[ISS_NEED_N]);

#endif
