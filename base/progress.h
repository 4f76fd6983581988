/*
 * progress.h - what a command is at, on stderr. On a terminal: one line, redrawn in place
 * each second, with the time left. In a pipe or a file: a line when a step begins, and one
 * at least every ten seconds, also while nothing calls here (a thread does that).
 * Messages that must stay go through progress_note, so that the line is not torn.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stddef.h>

/* A step of a long command begins; `what` says it in a few words and is copied. It lasts until the next one. */
void progress_begin(const char *what);
/* The last step is over: nothing more is shown. */
void progress_end(void);
/* Within a step or without one: "label 12/50, about 40 s left: name". done == total ends the line. total 0: how many
 * there will be is not known. */
void progress_show(const char *label, size_t done, size_t total, const char *name);
/* A whole line on stderr, also in a pipe. */
void progress_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_clear(void);

/* "40 s", "3 min 20 s", "1 h 5 min"; the caller frees. */
char *progress_duration(double seconds);

#endif
