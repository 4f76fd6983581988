/* read.h - the border to libxml2. Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_READ_H
#define SHIMXML_DOCUMENT_READ_H

#include <stdbool.h>

/* A name that may be an id: an NCName, letters of any script. */
bool xml_is_name(const char *text);

#endif
