/* board_options.h - the options by which commands change a board's description for this time. */
#ifndef SHIMGEN_BOARD_BOARD_OPTIONS_H
#define SHIMGEN_BOARD_BOARD_OPTIONS_H

#include "base/cli.h"
#include "boards/boards.h"

struct board_choice {
    long runs;
    const char *precision;
    const char *levels, *cache, *core, *source, *ssh, *measurements;
};

/* Rows for a command's option table; `member` is its struct board_choice. */
#define BOARD_OPTIONS(type, member)                                                                                    \
    {CLI_INTEGER,                                                                                                      \
     "runs",                                                                                                           \
     0,                                                                                                                \
     "N",                                                                                                              \
     "0",                                                                                                              \
     "number of program launches that count (0: as the board says)",                                                   \
     offsetof(type, member.runs)},                                                                                     \
        {CLI_TEXT,                                                                                                     \
         "precision",                                                                                                  \
         0,                                                                                                            \
         "PERCENT",                                                                                                    \
         0,                                                                                                            \
         "launch until cycles are known to this precision, at most --runs times",                                      \
         offsetof(type, member.precision)},                                                                            \
        {CLI_TEXT, "levels", 0, "LIST", 0, "optimisation levels, such as O0,O2", offsetof(type, member.levels)},       \
        {CLI_TEXT, "cache", 0, "STATE", 0, "caches before each run: cold or warm", offsetof(type, member.cache)},      \
        {CLI_TEXT, "core", 0, "N", 0, "core to run on, or auto", offsetof(type, member.core)},                         \
        {CLI_TEXT, "source", 0, "KIND", 0, "source of cycles: auto, pmu or constant", offsetof(type, member.source)},  \
        {CLI_TEXT, "ssh", 0, "USER@HOST", 0, "run the programs on this machine over ssh", offsetof(type, member.ssh)}, \
    {                                                                                                                  \
        CLI_TEXT, "measurements", 0, "FILE", 0, "table to import, for boards that are measured elsewhere",             \
            offsetof(type, member.measurements)                                                                        \
    }

/* Operand `i`, the name of a board: "host" where there is none. */
const char *board_operand(const struct cli_args *args, int i);

/* What the options say, for board_override; the texts are the options'. */
enum status board_changes(struct board_overrides *to, const struct board_choice *c, struct error *e) MUST_CHECK;

/* Loads the board and applies the options. The caller frees *out (board_free). */
enum status board_choose(struct board **out, const char *name, const struct board_choice *c,
                         struct error *e) MUST_CHECK;

#endif
