/* clocks.h - the clock of a core, however a version of SHIM says it. Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_CLOCKS_H
#define SHIMXML_DOCUMENT_CLOCKS_H

#include "shim-xml/shim.h"

/* Of a MasterComponent, an OperatingPoint, or of the whole (the root) [Hz]; 0: it says none. SHIM 1.0: its
 * ClockFrequency. SHIM 2.0: the OperatingPoint that its operatingPointRef names, by id or name (of an OperatingPointSet
 * the first), or that of the nearest ComponentSet round it; of the whole the first OperatingPoint. A frequency without
 * a unit is one in Hz. */
double clock_of(const struct shimxml_node *n);

#endif
