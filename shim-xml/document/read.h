/* read.h - the border to libxml2. Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_READ_H
#define SHIMXML_DOCUMENT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "shim-xml/shim.h"

/* As shimxml_read, from an open file of at most `limit` bytes; `path` is the document's. */
enum status read_stream(struct shimxml_doc **out, FILE *f, const char *path, size_t limit, struct error *e) MUST_CHECK;

#endif
