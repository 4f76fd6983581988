/* print_crossval.h - the table of `regress crossval` in its formats. */
#ifndef REGRESS_PRINT_CROSSVAL_H
#define REGRESS_PRINT_CROSSVAL_H

#include "regress/regress.h"

/* format: text, csv, json or markdown. */
enum status write_crossval(const struct regress_crossval *c, const char *scheme, const char *format, const char *path,
                           struct error *e) MUST_CHECK;
/* CSV: classes,solver,program,region,predicted,measured,error. `d` is what the predictions' rows are of. */
enum status write_crossval_predictions(const struct regress_crossval *c, const struct regress_data *d, const char *path,
                                       struct error *e) MUST_CHECK;

#endif
