/* publish.h - what a build gives to others: the SHIM file, and the last words on the terminal. The report: report_data/report_data.h. */
#ifndef SHIMGEN_BUILD_PUBLISH_H
#define SHIMGEN_BUILD_PUBLISH_H

#include "base/error.h"
#include "boards/boards.h"
#include "regress/regress.h"
#include "shimgen/estimate/tune/schedule_model.h"
#include "shimgen/values/evaluate.h"
#include "shimgen/values/evidence.h"
#include "shimgen/units/losses.h"
#include "shimgen/units/outputs.h"

/* o->merged: model.json merged into the board's skeleton (this machine: detected), and checked. The clock is that in
 * which the cycles were counted, so that cycles / clock is a time. Instructions that no program showed have the values of the
 * microbenchmarks, where there are some. Values and costs of memory that cannot be merged are losses. A file that does
 * not pass its own check is an error. */
enum status publish_merged(const struct board *b, const struct outputs *o, const struct evidence *evidence,
                           struct losses *losses, struct error *e) MUST_CHECK;
/* <board>.shim.xml: times of single instructions, and beside them what estimates need (docs/formats/shim-file.md); the same
 * once more as <board>.schedule.shim.xml; and schedule.json. Nothing is done when all they depend on is as it was. Where
 * times cannot be had (no microbenchmarks, no profiles, no program to fit on) that is a loss, <board>.shim.xml is o->merged,
 * the other two are removed and *out is NULL. schedule_model_free. */
enum status publish_schedule(struct schedule_model **out, const struct board *b, const struct outputs *o,
                             const struct regress_data *d, const struct evidence *evidence, struct losses *losses,
                             struct error *e) MUST_CHECK;
/* Annotations of o->shim: the target; and how many times the estimate the board takes, of programs that are estimated by
 * `compiled` with a core made of the file's values. Where no core can be made of them there is no such interval. */
enum status publish_compiled(const struct board *b, const struct outputs *o, struct error *e) MUST_CHECK;
/* How far to trust what there is, which files there are and which to use for what, on standard output. */
void publish_summary(const struct outputs *o, const struct evaluation *v, const struct evidence *evidence,
                     const struct schedule_model *schedule);

#endif
