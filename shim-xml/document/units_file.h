/* units_file.h - reading of the files that a FunctionalUnitSetFile and a PowerConfiguration (SHIM 2.0) name. Private to
 * shim-xml. */
#ifndef SHIMXML_DOCUMENT_UNITS_FILE_H
#define SHIMXML_DOCUMENT_UNITS_FILE_H

#include "shim-xml/document/doc.h"

/* Larger files are refused [bytes]. */
#define UNITS_FILE_LIMIT ((size_t)64 << 20)

/* Reads the file that the element names: a regular file in the folder of the element's document or below, reached
 * without links, not the document itself, with a FunctionalUnitSet in shim:Shim. ERR_INPUT: it is no such file; the
 * message has no place. Free *out with shimxml_free. */
enum status units_file_read(struct shimxml_doc **out, const struct shimxml_node *file, struct error *e) MUST_CHECK;
/* The same of the file that a PowerConfiguration is for, with a SystemConfiguration in shim:Shim. */
enum status system_file_read(struct shimxml_doc **out, const struct shimxml_node *configuration,
                             struct error *e) MUST_CHECK;

#endif
