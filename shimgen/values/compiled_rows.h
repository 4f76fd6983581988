/* compiled_rows.h - estimates of a build's programs by `shimgen estimate --method compiled`: nothing is fitted. */
#ifndef SHIMGEN_VALUES_COMPILED_ROWS_H
#define SHIMGEN_VALUES_COMPILED_ROWS_H

#include "base/error.h"
#include "boards/boards.h"
#include "regress/regress.h"

struct compiled_rows { /* all borrowed */
    const struct board *board;
    const char *timing; /* a core's model file instead of the board's own timing; NULL: the board's, if it has any */
    const char *shim;   /* with timing: the SHIM file with what library functions cost; NULL: that is guessed */
    const char *work;   /* the build's folder of programs: profiles and IR; results are kept there */
    const struct regress_data *data;
};
/* cycles[row] of each row of the data; NAN: it cannot be estimated, as all rows of a board without timing. */
enum status compiled_rows_estimate(double *cycles, const struct compiled_rows *r, struct error *e) MUST_CHECK;

#endif
