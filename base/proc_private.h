/* proc_private.h - between proc.c and cleanup.c only. */
#ifndef BASE_PROC_PRIVATE_H
#define BASE_PROC_PRIVATE_H

/* Sends `number` to the process group of the child that proc_run is waiting for, if any. Async-signal-safe. */
void proc_end_child(int number);

/* Waits until that group is gone, and kills what does not end; the result is lost. For a program that is ending. */
void proc_await_end(void);

#endif
