/* board_show.h - boards, printed. */
#ifndef SHIMGEN_BOARD_BOARD_SHOW_H
#define SHIMGEN_BOARD_BOARD_SHOW_H

#include "boards/boards.h"

/* Every board with its way to run, target, title, and the packages that it needs here. */
enum status board_print_list(bool json, struct error *e) MUST_CHECK;
/* The description as it holds: a board.ini, or JSON. */
enum status board_print(const struct board *b, bool json, struct error *e) MUST_CHECK;

#endif
