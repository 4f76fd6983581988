/*
 * familiar.h - how many of the programs that values were fitted on had each kind of instruction. A program that consists
 * of what hardly any of them had is estimated worse ('shimgen crossval --trust' counts how much).
 */
#ifndef SHIMGEN_ESTIMATE_INTERVALS_FAMILIAR_H
#define SHIMGEN_ESTIMATE_INTERVALS_FAMILIAR_H

#include "base/map.h"
#include "regress/regress.h"

/* Fewer programs than this have not shown what a kind of instruction costs. */
enum { FAMILIAR_PROGRAMS = 3 };
/* Instructions that so few programs had are worth a word from this share of what is executed. */
#define FAMILIAR_SHARE 0.1

/* Zero-initialised: nothing is known. */
struct familiar {
    struct map keys;  /* -> index into */
    size_t *programs; /* how many had it */
};
void familiar_of_model(struct familiar *f, const struct regress_model *m);
/* rows NULL: all that are not of test programs. */
void familiar_of_rows(struct familiar *f, const struct regress_data *d, const struct regress_rows *rows);
void familiar_release(struct familiar *f);

/* Had at least FAMILIAR_PROGRAMS the key? */
bool familiar_with(const struct familiar *f, const char *key);
/* The share of a row's instructions that are not familiar. */
double familiar_rare(const struct familiar *f, const struct regress_data *d, size_t row);

#endif
