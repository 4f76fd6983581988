/* kit_rows.h - rows of measurements from the log of a kit. */
#ifndef BOARDS_MEASURE_KIT_ROWS_H
#define BOARDS_MEASURE_KIT_ROWS_H

#include "boards/boards.h"
#include "boards/kit/kit.h"

/* Appends the rows of a program of a judged log, under this name. ERR_INPUT: its runs differ in their regions. */
enum status kit_rows_add(const struct kit_log *log, const struct kit_program *p, const char *name,
                         struct measurements *into, struct error *e) MUST_CHECK;
/* The conditions that the log tells. */
void kit_rows_describe(const struct kit_log *log, struct measurements *into);
/* How many of its programs were compiled from C by the vendor's compiler, not made from the counted IR. */
size_t kit_rows_from_c(const struct kit_log *log);

#endif
