/* assumed.h - what an estimate rests on that the SHIM file does not say. */
#ifndef SHIMGEN_ESTIMATE_ASSUMED_H
#define SHIMGEN_ESTIMATE_ASSUMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "irprof/irprof.h"
#include "shimgen/estimate/costs.h"

/* An instruction without a value, or a function of a library without a cost, and what the estimate uses for it
 * (docs/formats/estimate.md). */
struct assumption {
    char *instruction; /* owned; "fptoui", "call.library.sin" */
    char *as;          /* owned; whose value is used: "fptosi", "call", "the mean of all" */
    uint64_t count;    /* number of executions */
    double cycles;     /* typical cycles in the estimate */
};
struct assumed {
    struct assumption *at; /* owned */
    size_t n;
};

/* Adds to the assumption about this instruction, or makes one. */
void assumed_add(struct assumed *list, const char *instruction, const char *as, uint64_t count, double cycles);
/* Adds the keys of the region that were executed and have no value of their own. Then sorts the list: the most cycles
 * first. */
void assumed_find(struct assumed *list, const struct key_costs *keys, const struct irprof_profile *p, size_t region);
/* Is a function of a library among them? */
bool assumed_of_library(const struct assumed *list);
void assumed_release(struct assumed *list);

/* One for each instruction without a value, then one for all functions of libraries. */
struct assumption_words {
    char *what;  /* "'icmp' has no value: the value of add is used; executed 10 times" */
    char *share; /* "18 % of the estimate" */
};
/* `total`: the typical cycles of the whole estimate. */
struct assumption_words *assumed_words(size_t *n, const struct assumed *list, double total);
void assumed_words_free(struct assumption_words *w, size_t n);

#endif
