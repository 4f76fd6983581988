/* line.h - a build under way; between build.c and build_publish.c only. */
#ifndef SHIMGEN_BUILD_LINE_H
#define SHIMGEN_BUILD_LINE_H

#include "boards/run/run.h"
#include "shimgen/units/losses.h"
#include "samples/manifest.h"
#include "shimgen/build/build_steps.h"
#include "shimgen/units/unit.h"

struct pipeline_options; /* build.h */
struct line {
    const struct board *board;
    const struct outputs *o;
    const struct pipeline_options *opt;
    struct losses losses;
    struct steps steps;
    struct runner *place; /* a connection to the board, or NULL */
    struct findings findings;
    struct samples samples; /* all there are */
    struct units units;
    struct board_args simulate;
    uint64_t tools;
    bool measures; /* the whole line, not its second half alone */
};
/* From dataset and measurements to SHIM files, report and the last words; the losses are written, too. With
 * opt->strict a loss is ERR_FOUND once all is there. */
enum status publish(struct line *l, struct error *e) MUST_CHECK;
/* Where no program is to be fitted on: says so, in losses.csv, too; dataset and measurements are the result. */
enum status publish_unfitted(struct line *l, struct error *e) MUST_CHECK;

#endif
