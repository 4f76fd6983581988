/* lock.h - one command at a time writes into a folder of outputs. Commands that only read need none. */
#ifndef SHIMGEN_UNITS_LOCK_H
#define SHIMGEN_UNITS_LOCK_H

#include "base/error.h"

/* Held from lock_take to lock_release, or to the end of this process: the kernel releases it, whatever that dies of.
 * The file .lock in the folder stays, with who held it last. */
struct lock {
    int fd; /* -1: none */
};
/* Makes the folder if need be, and removes what a killed holder left half-written in it: temporaries of files.
 * ERR_SYSTEM: another process holds the lock; the message says which, what it runs and since when. A file system that
 * knows no locks is no error. lock_release in any case. */
enum status lock_take(struct lock *l, const char *folder, struct error *e) MUST_CHECK;
void lock_release(struct lock *l);

#endif
