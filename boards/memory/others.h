/*
 * others.h - processes on the other cores of a board: to keep them busy, or to answer.
 * Processes, not threads: the measuring runtime refuses programs that run threads, since
 * their work would be counted; children are not counted.
 */
#ifndef BOARDS_MEMORY_OTHERS_H
#define BOARDS_MEMORY_OTHERS_H

#include <stddef.h>

enum { OTHERS_MOST = 256 };

struct others {
    int core[OTHERS_MOST]; /* where they run */
    int process[OTHERS_MOST];
    int n;
};

/* What a child does with what it shares with us; it is killed in the middle of it. */
typedef void others_work(void *shared);

/* Memory that children share with us, touched; NULL: none left. Never freed: it is there until the process ends. */
void *others_shared(size_t bytes);
/* Starts `work` on `core`; -1: there is no such core, we may not use it, or it is our own. */
int others_start_on(struct others *o, int core, others_work *work, void *shared);
/* Keeps every core busy that we may use, except our own and `spare` (-1: no other): a process on each reads through `bytes`
 * of its own memory again and again. */
void others_keep_busy(struct others *o, size_t bytes, int spare);
int others_cores(void); /* one more than the highest core number that is possible */
void others_stop(struct others *o);

#endif
