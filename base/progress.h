/*
 * progress.h - progress of a command on stderr. On a terminal: one line with the time left, redrawn every second. In a
 * pipe or a file: a line when a step begins and at least every ten seconds; a thread does this.
 * Print messages that must stay visible with progress_note, so that the progress line does not break them.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stddef.h>

/* A step begins and lasts until the next one. `what` describes it in a few words; it is copied. */
void progress_begin(const char *what);
/* Ends the last step; nothing more is shown. */
void progress_end(void);
/* Shows "label 12/50, about 40 s left: name". done == total ends the line. total 0: the total is not known. Works
 * inside and outside of steps. */
void progress_show(const char *label, size_t done, size_t total, const char *name);
/* Prints a whole line on stderr, also in a pipe. */
void progress_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_clear(void);

/* "40 s", "3 min 20 s", "1 h 5 min"; the caller frees. */
char *progress_duration(double seconds);

#endif
