/* document.h - the reader of performance XML, and which texts the formats can hold. */
#ifndef PERFXML_DOCUMENT_H
#define PERFXML_DOCUMENT_H

#include <zlib.h>

#include "base/str.h"
#include "perf-xml/perfxml.h"

/* Streams a document to a sink. ERR_INPUT with the line: anything that docs/formats/perf-xml.md does not allow. */
enum status document_read(gzFile f, const char *path, struct perf_sink *to, struct error *e) MUST_CHECK;

/* Is the character at `p` one that every format can hold? *n: its bytes, at least one. */
bool text_character(const char *p, size_t *n);
/* Can every format hold this text as it is? */
bool text_fits(const char *text);
/* Appends a text as the content, or as an attribute's value, of XML; what XML cannot hold becomes '?'. NULL is nothing. */
void text_as_xml(struct str *out, const char *text);
void text_as_attribute(struct str *out, const char *text);
/* Appends a text as a string of JSON, with its quotes. */
void text_as_json(struct str *out, const char *text);
/* The text as one word of a place: spaces, and what no format can hold, become '_'. The caller frees. */
char *text_word(const char *text);

#endif
