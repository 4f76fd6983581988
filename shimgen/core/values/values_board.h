/* values_board.h - for `compiled` with a SHIM file alone: a core's model file made of the file's values. */
#ifndef SHIMGEN_CORE_VALUES_BOARD_H
#define SHIMGEN_CORE_VALUES_BOARD_H

#include "base/error.h"

/* Writes what `shimgen core SHIM` does to a file that goes when the program ends: a board's description that is only a
 * core. The caller frees *path. core: by name or id; NULL: the first with an instruction set. ERR_INPUT: the file does not
 * say what its programs were compiled for; as values_core_text. */
enum status values_board(char **path, const char *shim, const char *core, struct error *e) MUST_CHECK;

#endif
