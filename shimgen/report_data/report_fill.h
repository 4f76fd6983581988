/* report_fill.h - between the report_*.c only. */
#ifndef SHIMGEN_REPORT_DATA_REPORT_FILL_H
#define SHIMGEN_REPORT_DATA_REPORT_FILL_H

#include "base/alloc.h"
#include "base/error.h"
#include "boards/boards.h"
#include "samples/manifest.h"
#include "shimgen/estimate/tune/schedule_model.h"
#include "shimgen/report/report.h"
#include "shimgen/units/losses.h"
#include "shimgen/units/outputs.h"
#include "shimgen/values/evaluate.h"
#include "shimgen/values/evidence.h"

struct fill {
    struct report report;
    VEC(char *) texts; /* owned texts and arrays that the report borrows */
    VEC(struct report_evaluation) evaluations;
    VEC(struct report_estimator) estimators;
    const char *commands[2];
};
enum status report_fill(struct fill *f, const struct board *b, const struct outputs *o, const struct regress_data *d,
                        const struct measurements *m, const struct samples *s, const struct evaluation *v,
                        struct error *e) MUST_CHECK;
/* The block diagram and the instruction values, from the SHIM file, and where each comes from. */
enum status report_fill_machine(struct fill *f, const char *shim, int measured_core, const struct regress_model *m,
                                const struct evidence *v, struct error *e) MUST_CHECK;
/* What memory and messages cost, from memory.csv; nothing when it is not there. */
enum status report_fill_memory(struct fill *f, const char *table, struct error *e) MUST_CHECK;
/* How far the programs determine the values; `folder` has micro.csv, or has not. */
enum status report_fill_coverage(struct fill *f, const char *folder, const struct regress_data *d,
                                 const struct samples *samples, const struct regress_model *m,
                                 struct error *e) MUST_CHECK;
/* What `shimgen estimate` says of the programs, by method: as far as profiles, schedule.json (NULL: there is none) and
 * timing data are there. */
enum status report_fill_estimators(struct fill *f, const struct board *b, const struct outputs *o,
                                   const struct regress_data *d, const struct schedule_model *schedule,
                                   struct error *e) MUST_CHECK;
/* What each program's cycles went to, by the model of whole programs if there is one. */
enum status report_fill_accounting(struct fill *f, const struct regress_data *d, const struct evaluation *v,
                                   struct error *e) MUST_CHECK;
/* What the microbenchmarks found, case by case, in the cycles of the SHIM file. */
void report_fill_micro(struct fill *f, const struct micro_table *t);
/* What was left out, as warnings among the findings. */
void report_fill_losses(struct fill *f, const char *quick, const struct losses *l);
/* What was simulated against what was measured, where both are; why this predictor of branches. */
enum status report_fill_simulated(struct fill *f, const struct outputs *o, struct error *e) MUST_CHECK;
void fill_release(struct fill *f);

#endif
