/* caches.h - what check knows of caches: which are named, and which core reaches which; and of accesses. Private to shim-xml. */
#ifndef SHIMXML_CHECK_CACHES_H
#define SHIMXML_CHECK_CACHES_H

#include "shim-xml/check/findings.h"

struct caches {
    VEC(const struct shimxml_node *) all;
    bool of_cores;       /* a core has a cache, or names one */
    struct map named;    /* caches that a core or another cache names, by address */
    struct map reached;  /* "CACHE CORE", by address -> whether the core reaches the cache */
    unsigned long steps; /* gone from caches to cores */
};

/* Take a Cache, and a reference to one: the element with text. The rest is asked when all were taken. */
void caches_add(struct caches *c, const struct shimxml_node *cache);
void caches_find(struct caches *c, const struct shimxml_node *reference);
/* Stands in a core, or is joined with another cache or a core? */
bool caches_are_connected(const struct caches *c, const struct shimxml_node *cache);
/* Do the core's accesses go through the cache? */
bool caches_reach(struct caches *c, const struct shimxml_node *cache, const struct shimxml_node *core);
/* 1: it refers to no cache; otherwise one more than the first that it refers to. */
int caches_level(const struct shimxml_node *cache);

/* A Cache, or in SHIM 2.0 a MasterComponent, beside the caches that it names. */
void caches_check_references(const struct shimxml_node *n, struct shimxml_findings *f);
/* Caches that are joined with nothing, where there is something to join them with. */
void caches_check_alone(const struct caches *c, struct shimxml_findings *f);
void caches_release(struct caches *c);

/* ---- accesses (check_accesses.c) ---- */

struct accesses {
    struct caches *caches;
    size_t all, zeros;                     /* Performances of Accessors; those of 0 cycles in Pitch and Latency */
    VEC(const struct shimxml_node *) free; /* those of 0 cycles in one of the two */
    struct map judged;                     /* cores by address whose load was judged */
    struct map cores;                      /* ids of those that are Accessors */
};
void accesses_check_binding(struct accesses *a, const struct shimxml_node *binding, struct shimxml_findings *f);
void accesses_check_accessor(struct accesses *a, const struct shimxml_node *accessor, struct shimxml_findings *f);
void accesses_check_whole(const struct accesses *a, const struct shimxml_node *root, struct shimxml_findings *f);
void accesses_release(struct accesses *a);

#endif
