/* core_board.h - a core's model file (docs/formats/iss-model.md) used as a board. */
#ifndef BOARDS_DESCRIPTION_CORE_BOARD_H
#define BOARDS_DESCRIPTION_CORE_BOARD_H

#include <stdbool.h>

#include "base/ini.h"

/* Is it one, and no description of a board? */
bool core_board_is(const struct ini *file);
/* The description of a board with this core, as board.ini would have it. ERR_INPUT: the file does not say what programs
 * for it are compiled for. ini_free. */
enum status core_board_describe(struct ini **out, const struct ini *core, struct error *e) MUST_CHECK;

#endif
