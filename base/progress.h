/*
 * progress.h - one status line on a terminal (stderr), nothing in a pipe. Messages
 * that must stay go through progress_note, so that the line is not torn.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stddef.h>

/* "label  12/50  name" redrawn in place; done == total ends the line. */
void progress_show(const char *label, size_t done, size_t total, const char *name);
/* A whole line on stderr, also in a pipe. */
void progress_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_clear(void);

#endif
