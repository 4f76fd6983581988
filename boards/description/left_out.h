/* left_out.h - the programs that a board leaves out. Private to boards. */
#ifndef BOARDS_DESCRIPTION_LEFT_OUT_H
#define BOARDS_DESCRIPTION_LEFT_OUT_H

#include "base/error.h"
#include "boards/boards.h"

/* b->left_out from left_out.txt in the board's folder, if it is there. */
enum status left_out_read(struct board *b, struct error *e) MUST_CHECK;

#endif
