/* board_check.h - a board's folder, checked as far as that goes without measuring. */
#ifndef SHIMGEN_BOARD_BOARD_CHECK_H
#define SHIMGEN_BOARD_BOARD_CHECK_H

#include "boards/boards.h"

/* Appends what is wrong with the board, its skeleton, its tools here, and its way to run. An error among them: it
 * cannot be built now. */
void board_check(const struct board *b, struct findings *out);

#endif
