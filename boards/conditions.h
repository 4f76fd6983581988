/* conditions.h - measurement-conditions.json: under which conditions a set was measured, and what measurements.csv has
 * no column for. */
#ifndef BOARDS_CONDITIONS_H
#define BOARDS_CONDITIONS_H

#include "boards/boards.h"

void conditions_init(struct conditions *c);
void conditions_release(struct conditions *c);
enum status conditions_write(const struct measurements *m, const char *path, struct error *e) MUST_CHECK;
/* Into a set whose rows have been read; a row the file has and the table has not is refused. */
enum status conditions_read(struct measurements *m, const char *path, struct error *e) MUST_CHECK;

#endif
