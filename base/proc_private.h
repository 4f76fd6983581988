/* proc_private.h - functions that proc.c and cleanup.c share. */
#ifndef BASE_PROC_PRIVATE_H
#define BASE_PROC_PRIVATE_H

/* Sends `number` to the process group of the child that proc_run is waiting for, if any. Async-signal-safe. */
void proc_end_child(int number);

/* Waits until that process group has ended, and kills what does not end. Its result is lost. For a program that is
 * ending. */
void proc_await_end(void);

#endif
