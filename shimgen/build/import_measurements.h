/* import_measurements.h - measurements that were made elsewhere, of the programs that were counted here. */
#ifndef SHIMGEN_BUILD_IMPORT_MEASUREMENTS_H
#define SHIMGEN_BUILD_IMPORT_MEASUREMENTS_H

#include "boards/boards.h"
#include "shimgen/units/outputs.h"

/* Takes the board's table ([import] measurements) for the regions in o->counts: writes o->measurements and
 * o->conditions. Regions without cycles are written to o->wanted, a table to be filled in; *missing is their number,
 * and an error unless keep_going. So is a table that is not there, is wrong, or has nothing that was counted. */
enum status import_measurements(const struct board *b, const struct outputs *o, bool keep_going, size_t *missing,
                                struct error *e) MUST_CHECK;
/* Nothing but the samples is measured on such a board: its table is imported, or it is a part without an operating system. */
bool import_only(const struct board *b);
/* What to do, as an error, where somebody wants to measure programs of their own on such a board. */
enum status import_refuse(const struct board *b, struct error *e);

#endif
