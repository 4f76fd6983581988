/* classes.h - classifications: functions for the other files of regress. */
#ifndef REGRESS_DATA_CLASSES_H
#define REGRESS_DATA_CLASSES_H

#include "regress/regress.h"

/* From text; `path` stands in messages, `name` becomes the classification's. */
enum status classes_parse(struct regress_classes **out, const char *text, const char *name, const char *path,
                          struct error *e) MUST_CHECK;
/* Whether a pattern of c matches a column of this name, as regress_classes_rule says. */
bool classes_match(const struct regress_classes *c, const char *glob, const char *name);
/* Whether c's rules apply to a column: keys always, events where c sees all, flow also where a rule names it. */
bool classes_see(const struct regress_classes *c, const char *name);
/* Twins found, formulas checked; to be called after the arrays are filled. */
enum status classes_finish(struct regress_classes *c, struct error *e) MUST_CHECK;
/* An empty one, to fill. */
struct regress_classes *classes_new(const char *name, const char *path);
size_t classes_add_variable(struct regress_classes *c, const char *name, unsigned long line); /* or the one there is */
size_t classes_find_variable(const struct regress_classes *c, const char *name);              /* REGRESS_NONE */
/* The variable that v's value is at least as large as, by an order or as X of X_d; REGRESS_NONE. No chain of these
 * comes back to where it began. */
size_t classes_base(const struct regress_variable *all, size_t v);
void classes_add_rule(struct regress_classes *c, const char *glob, size_t variable, bool each, unsigned long line);
void classes_add_let(struct regress_classes *c, const char *name, const char *formula, unsigned long line);
/* A copy in which each rule `each` is replaced by one rule and variable per key of the data it decides; `use[j]` says
 * whether column j is a key here. */
struct regress_classes *classes_expand(const struct regress_classes *c, const struct regress_data *d, const bool *use);
/* One variable that counts every key: cycles = k x executed instructions. */
struct regress_classes *classes_baseline(void);

#endif
