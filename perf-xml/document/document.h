/* document.h - the reader of performance XML. */
#ifndef PERFXML_DOCUMENT_H
#define PERFXML_DOCUMENT_H

#include <zlib.h>

#include "perf-xml/perfxml.h"

/* Streams a document to a sink. ERR_INPUT with the line: anything that docs/formats/perf-xml.md does not allow. */
enum status document_read(gzFile f, const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;

#endif
