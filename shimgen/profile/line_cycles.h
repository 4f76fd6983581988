/*
 * line_cycles.h - the cycles of each machine instruction of a program on a simulated board, with its function and source
 * line: what 'shimgen measure --lines' writes (docs/formats/lines.md).
 *
 *     line_cycles_open(&l, place, "fir", e)       the next run of fir notes them
 *     board_measure_at(place, ...)
 *     line_cycles_add(l, "fir", out, e)           a row for each region and instruction
 *     line_cycles_close(l)
 */
#ifndef SHIMGEN_PROFILE_LINE_CYCLES_H
#define SHIMGEN_PROFILE_LINE_CYCLES_H

#include <stdio.h>

#include "boards/run/run.h"

struct line_cycles;
/* ERR_UNSUPPORTED: not a simulated board. ERR_INPUT: not an executable of it, or one without source lines. */
enum status line_cycles_open(struct line_cycles **out, struct runner *place, const char *program,
                             struct error *e) MUST_CHECK;
void line_cycles_header(FILE *f);
enum status line_cycles_add(const struct line_cycles *l, const char *name, FILE *f, struct error *e) MUST_CHECK;
void line_cycles_close(struct line_cycles *l); /* NULL is fine */

#endif
