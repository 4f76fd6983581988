/* report_data.h - the report page of a build, made of its files and its evaluation. */
#ifndef SHIMGEN_REPORT_DATA_REPORT_DATA_H
#define SHIMGEN_REPORT_DATA_REPORT_DATA_H

#include "boards/boards.h"
#include "samples/manifest.h"
#include "shimgen/estimate/tune/schedule_model.h"
#include "shimgen/units/losses.h"
#include "shimgen/units/outputs.h"
#include "shimgen/values/evaluate.h"
#include "shimgen/values/evidence.h"

/* report.html from the files of the build and the evaluation. A section that cannot be filled stays empty and is a
 * loss; the page names all losses. quick: a sentence of what a quick build is worth; NULL: it is none. */
enum status publish_report(const struct board *b, const struct outputs *o, const struct regress_data *d,
                           const struct samples *s, const struct evaluation *v, const struct evidence *evidence,
                           const struct schedule_model *schedule, const char *quick, struct losses *losses,
                           struct error *e) MUST_CHECK;

#endif
