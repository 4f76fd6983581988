/* commands.h - the commands of the program regress, and what several of them share. */
#ifndef REGRESS_COMMANDS_H
#define REGRESS_COMMANDS_H

#include <stdio.h>

#include "base/cli.h"
#include "base/file.h"
#include "regress/regress.h"

extern const struct cli_command cmd_classes, cmd_compare, cmd_counters, cmd_crossval, cmd_diagnose, cmd_fit, cmd_import,
    cmd_join, cmd_predict;

/* Options that say what is fitted; a member of each command's options. */
struct fit_options {
    const char *target, *target_from, *scale, *rows, *domains;
    long seed, jobs;
};
#define FIT_OPTIONS(type)                                                                                              \
    {CLI_TEXT, "target", 't', "COLUMN", "cycles", "the column that is estimated", offsetof(type, fit.target)},         \
        {CLI_TEXT,                                                                                                     \
         "target-from",                                                                                                \
         0,                                                                                                            \
         "FILE",                                                                                                       \
         0,                                                                                                            \
         "take the target's values from this table, by program and region: counters of one device, time on another",   \
         offsetof(type, fit.target_from)},                                                                             \
        {CLI_TEXT,                                                                                                     \
         "rows",                                                                                                       \
         'r',                                                                                                          \
         "GLOB,...",                                                                                                   \
         0,                                                                                                            \
         "only rows whose program matches, or domain:GLOB, role:GLOB",                                                 \
         offsetof(type, fit.rows)},                                                                                    \
        {CLI_TEXT,                                                                                                     \
         "domains",                                                                                                    \
         0,                                                                                                            \
         "FILE,...",                                                                                                   \
         0,                                                                                                            \
         "tables with the domain and role of programs, such as the samples' manifests",                                \
         offsetof(type, fit.domains)},                                                                                 \
        {CLI_CHOICE,                                                                                                   \
         "scale",                                                                                                      \
         0,                                                                                                            \
         "relative|none",                                                                                              \
         "relative",                                                                                                   \
         "relative: divide each row by its target, so that relative errors are minimised",                             \
         offsetof(type, fit.scale)},                                                                                   \
        {CLI_INTEGER, "seed", 0, "N", "1", "seed of random choices: bootstrap, folds", offsetof(type, fit.seed)},      \
    {                                                                                                                  \
        CLI_INTEGER, "jobs", 'j', "N", "0", "threads; 0: one per processor. The result does not depend on it",         \
            offsetof(type, fit.jobs)                                                                                   \
    }
/* ERR_USAGE for a negative seed. */
/* The table, with the domains and the other table's target that the options name. */
enum status fit_data(struct regress_data **out, const char *path, const struct fit_options *options,
                     struct error *e) MUST_CHECK;
enum status fit_settings(struct regress_settings *out, const struct fit_options *options, struct error *e) MUST_CHECK;

/* Values with intervals and errors, as a table; the errors alone. */
enum status write_fit(const struct regress_model *m, const char *path, struct error *e) MUST_CHECK;
void print_fit_summary(const struct regress_model *m, FILE *f);

/* As text or json. */
enum status write_diagnosis(const struct regress_diagnosis *g, const char *format, const char *path,
                            struct error *e) MUST_CHECK;

/* "+12.3 %" right-aligned in `width`; "-" for NAN. */
void put_percent(FILE *f, double fraction, int width, bool sign);
/* A number as CSV has it; nothing for NAN. */
void put_number(FILE *f, double value);
/* The width in columns that texts need, at least `least`. */
int text_width(const char *const *texts, size_t n, int least);
/* Text as JSON has it, with its quotes. */
void put_json_text(FILE *f, const char *text);
void put_json_number(FILE *f, double value); /* null for NAN and infinities */

#endif
