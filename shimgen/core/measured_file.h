/* measured_file.h - a core's figures as measured on a board, as a model file (docs/formats/iss-model.md). */
#ifndef SHIMGEN_CORE_MEASURED_FILE_H
#define SHIMGEN_CORE_MEASURED_FILE_H

#include "shimgen/core/core_file.h"
#include "shimgen/core/core_fit.h"
#include "shimgen/core/hierarchy_figures.h"

struct measured_file {
    const struct board *board;
    const struct core_fit *fit;
    const struct hierarchy_figures *hierarchy;
    const struct core_figures *figures; /* from elsewhere, where nothing is measured */
};
/* Written, then read back: what the simulator's reader refuses is an error. */
enum status measured_file_write(const struct measured_file *m, const char *path, struct error *e) MUST_CHECK;
/* core_run_write, of a fit. */
enum status measured_trials_write(struct core_fit *f, const char *folder, struct error *e) MUST_CHECK;

#endif
