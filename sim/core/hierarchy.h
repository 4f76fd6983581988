/*
 * hierarchy.h - what the memory of the simulated core costs: pages, TLBs, two first-level caches, one second level after
 * both, main memory, lines in flight, the prefetcher, the store buffer. Knows no architecture and no pipeline: it is
 * asked at a cycle and answers with a cycle.
 */
#ifndef SIM_CORE_HIERARCHY_H
#define SIM_CORE_HIERARCHY_H

#include "sim/core/core_model.h"

/* Totals since the beginning. */
struct iss_memory_counts {
    uint64_t l1d, l1d_refills, l1d_written_back, l1i, l1i_refills, l2, l2_refills, l2_written_back, l1d_tlb_refills,
        l1i_tlb_refills, walks, unaligned;
    uint64_t l1d_prefetched, l2_prefetched; /* lines that nobody had asked for yet: they are in no other of refills */
};

struct iss_memory;
struct iss_memory *iss_memory_new(const struct iss_model *m);
void iss_memory_free(struct iss_memory *m);
/* All caches, and with `tlbs` the TLBs, are empty, nothing underway. Pages keep their places. */
void iss_memory_flush(struct iss_memory *m, bool tlbs);
const struct iss_memory_counts *iss_memory_counts(const struct iss_memory *m);

/* A load issued at cycle `now` (which never falls): cycles beyond those of a hit. */
int64_t iss_memory_load(struct iss_memory *m, uint64_t address, unsigned bytes, int64_t now);
/* A store: cycles that the pipeline has to wait, because the store buffer is full. */
int64_t iss_memory_store(struct iss_memory *m, uint64_t address, unsigned bytes, int64_t now);
/* The line of instructions at `address` is fetched: cycles beyond those of a hit. */
int64_t iss_memory_fetch(struct iss_memory *m, uint64_t address, int64_t now);
/* The cycle at which every load and store so far is done; at least `now`. */
int64_t iss_memory_done(const struct iss_memory *m, int64_t now);

#endif
