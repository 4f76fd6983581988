/*
 * tune_files.h - what `shimgen tune` does, from files to files: for builds, too.
 */
#ifndef SHIMGEN_ESTIMATE_TUNE_TUNE_FILES_H
#define SHIMGEN_ESTIMATE_TUNE_TUNE_FILES_H

#include "shimgen/estimate/tune/schedule_model.h"

struct tune_files {        /* all borrowed; NULL: that of the build's folder */
    const char *folder;    /* out/BOARD; needed */
    const char *shim;      /* to begin with: FOLDER/BOARD.shim.xml */
    const char *core;      /* NULL: the first with an instruction set */
    const char *values;    /* measured instructions: FOLDER/work/values.csv */
    const char *micro;     /* by type and function: FOLDER/micro.csv where it is there */
    const char *dataset;   /* measured programs: FOLDER/dataset.csv */
    const char *profiles;  /* their profiles: FOLDER/work */
    const char *samples;   /* sets of samples, for the roles of programs: roles.h */
    long passes;           /* that the profiles are of, one after the other; >= 1 */
    bool as_measured;      /* nothing is fitted, and there is no model */
    const char *shim_out;  /* the SHIM file that is written; needed */
    const char *model_out; /* schedule.json; NULL: none is written */
};
/* Reads, fits and writes; *out (NULL with as_measured) is freed by schedule_model_free. ERR_INPUT: a file is not what
 * it is to be, no program to fit on. */
enum status tune_files(struct schedule_model **out, const struct tune_files *f, struct error *e) MUST_CHECK;

#endif
