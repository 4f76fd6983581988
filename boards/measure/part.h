/* part.h - measuring on a part without an operating system, by the text that its image prints. */
#ifndef BOARDS_MEASURE_PART_H
#define BOARDS_MEASURE_PART_H

#include "boards/boards.h"
#include "boards/run/run.h"

/* board_measure_at for how = command: one launch has all runs. A launch whose text does not come whole is made again
 * (board_part.retries), with the text so far kept. */
enum status part_measure(struct runner *place, const struct board *b, const char *image, const char *program,
                         struct measurements *into, struct error *e) MUST_CHECK;

#endif
