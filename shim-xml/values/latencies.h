/* latencies.h - the instruction values of a core as the CSV of the published SHIM 2.0 tools. Private to shim-xml. */
#ifndef SHIMXML_VALUES_LATENCIES_H
#define SHIMXML_VALUES_LATENCIES_H

#include <stdio.h>

#include "shim-xml/values/units.h"

/* After a line `# performance` two rows for each instruction, in SHIM 2.0 for each of its widths: its Pitch, and with
 * _d its Latency. With `groups`, instructions of the same values and widths are one variable, which `# grouping` lists.
 * Instructions on vectors (SIMDWidth) are left out: the table has no lanes. ERR_INPUT: no unit that is wanted has
 * values, or one of them is not finite. */
enum status latencies_put(const struct shimxml_doc *d, const struct shimxml_units *which, bool groups, FILE *f,
                          struct error *e);

#endif
