/* check_readers.h - what the rules for the readers of both versions share. Private to shim-xml. */
#ifndef SHIMXML_CHECK_CHECK_READERS_H
#define SHIMXML_CHECK_CHECK_READERS_H

#include "shim-xml/check/findings.h"

/* What a schema says. */
#define SCHEMA_RULES                                                                                                   \
    ("root namespace editor-form unknown-element unknown-attribute missing-element missing-attribute order too-many "  \
     "value text "                                                                                                     \
     "doubled-id")

void readers_break(struct shimxml_verdict *v, unsigned long line, const char *text);
/* Breaks rule i where check has findings of one of the rules that known[i] lists, with spaces between; NULL: none. */
void readers_take_findings(struct shimxml_verdict *v, size_t n, const char *const *known, const struct shimxml_doc *d);
/* The rules for SHIM 2.0. */
void readers_check_two(const struct shimxml_doc *d, struct shimxml_verdicts *out);

#endif
