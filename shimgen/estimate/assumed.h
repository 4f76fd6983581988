/* assumed.h - what an estimate rests on that the SHIM file does not say. */
#ifndef SHIMGEN_ESTIMATE_ASSUMED_H
#define SHIMGEN_ESTIMATE_ASSUMED_H

#include "base/alloc.h"
#include "shimgen/estimate/estimate.h"

/* For estimate.c: into est->assumed; calls of functions that nobody counted get what the file has for them. */
void library_calls_add(struct estimate *est);
void assumed_find(struct estimate *est); /* after it: sorts them all, what is most of the estimate first */
void assumed_release(struct estimate *est);

/* One for each instruction without a value, then one for all functions of libraries. */
struct assumption_words {
    char *what;  /* "'icmp' has no value: add stands for it; executed 10 times" */
    char *share; /* "18 % of the estimate" */
};
struct assumption_words *assumed_words(size_t *n, const struct estimate *est);
void assumed_words_free(struct assumption_words *w, size_t n);

#endif
