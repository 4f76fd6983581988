/* units_file.h - reading of the file that a FunctionalUnitSetFile (SHIM 2.0) names. Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_UNITS_FILE_H
#define SHIMXML_DOCUMENT_UNITS_FILE_H

#include "shim-xml/document/private.h"

/* Larger files of instructions are refused [bytes]. */
#define UNITS_FILE_LIMIT ((size_t)64 << 20)

/* Reads the file that the element names: a regular file in the folder of the element's document or below, reached
 * without links, not the document itself, with a FunctionalUnitSet in shim:Shim. ERR_INPUT: it is no such file; the
 * message has no place. Free *out with shimxml_free. */
enum status units_file_read(struct shimxml_doc **out, const struct shimxml_node *file, struct error *e) MUST_CHECK;

#endif
