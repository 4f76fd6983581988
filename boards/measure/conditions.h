/* conditions.h - measurement-conditions.json: under which conditions a set was measured, and what measurements.csv has
 * no column for. */
#ifndef BOARDS_MEASURE_CONDITIONS_H
#define BOARDS_MEASURE_CONDITIONS_H

#include "boards/boards.h"

void conditions_init(struct conditions *c);
void conditions_release(struct conditions *c);
enum status conditions_write(const struct measurements *m, const char *path, struct error *e) MUST_CHECK;
/* Into a set whose rows have been read. What the file says of rows that the table has not is refused, or passed over
 * (more). A file that was changed since it was written is refused: it has a checksum. */
enum status conditions_read(struct measurements *m, const char *path, bool more, struct error *e) MUST_CHECK;

/* ---- rows of a set (measurements.c) ---- */

/* What events of one program and region cannot be, looking at the rows from `from` on, and one of its rows; NULL: all
 * can be. The caller frees. */
char *measurements_impossible(const struct measurements *m, size_t from, size_t *row);
/* Removes the rows and programs after the first ones. */
void measurements_cut(struct measurements *m, size_t rows, size_t programs);

#endif
