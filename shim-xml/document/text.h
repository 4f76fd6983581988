/* text.h - text of unknown origin made fit to be printed. Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_TEXT_H
#define SHIMXML_DOCUMENT_TEXT_H

#include <stddef.h>

/* `text` as UTF-8 on one line: control characters, broken sequences and code points that neither XML nor JSON may hold
 * become '?'; more than `limit` bytes are cut between characters, with "..." in their place. The caller frees. */
char *text_printable(const char *text, size_t limit);
#define TEXT_LIMIT 400 /* for a message */

struct str;
void text_bytes(struct str *out, double bytes); /* "512 KiB" */
void text_hertz(struct str *out, double hz);    /* "1.4 GHz"; 0: "clock unknown" */

#endif
