/* link.h - what a counted program is compiled and linked with. Internal to irprof. */
#ifndef IRPROF_CC_LINK_H
#define IRPROF_CC_LINK_H

#include <stddef.h>

enum { LINK_WORDS = 16 };

/* Command-line words, of which *owned (the path in it) is to be freed by the caller; returns how many. */
size_t link_flags(const char *words[LINK_WORDS], char **owned);
size_t stamp_link_flags(const char *words[LINK_WORDS], char **owned); /* of a program with stamps */
size_t compile_flags(const char *words[LINK_WORDS], char **owned);

#endif
