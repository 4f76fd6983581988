/* data.h - how tables of counts come to be; between the files that make them. */
#ifndef REGRESS_DATA_DATA_H
#define REGRESS_DATA_DATA_H

#include "regress/regress.h"

/* Cycle events, best first, ending in NULL. */
const char *const *data_cycle_events(void);
enum regress_column data_column_kind(const char *name);
/* "branch." or "loop." if that is how the text begins, else NULL. */
const char *data_flow_prefix(const char *text);
char *data_label(const char *program, const char *region); /* the caller frees */
bool data_has_keys(const struct regress_data *d);

/* A table with empty names and zeros: fill programs, regions, labels, lines, names, kinds, values; then data_finish
 * sets groups and hash. */
struct regress_data *data_new(const char *path, size_t n, size_t cols);
void data_finish(struct regress_data *d);
/* ERR_INPUT when a program and region stand there twice. */
enum status data_refuse_doubles(const struct regress_data *d, struct error *e) MUST_CHECK;
/* ERR_INPUT when a row has counts that no run can have; with the row's line (possible.c). */
enum status data_refuse_impossible(const struct regress_data *d, struct error *e) MUST_CHECK;

#endif
