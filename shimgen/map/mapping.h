/*
 * mapping.h - blocks on cores: a graph of blocks, the cores of a SHIM file with what data costs between them, what the user
 * demands of a mapping, and the best mapping found.
 *
 *     map_graph_read(&g, "model.graph.json", e)       or made from a program
 *     map_machine_read(&m, "board.shim.xml", names, &assumed, e)
 *     map_rules_read(&r, "rules.json", e)             optional
 *     map_search.h, map_curve.h ...                   what the mapping is
 *     map_show.h                                      what is printed
 *
 * Times are microseconds where every core has a clock, else cycles (map_machine.unit).
 */
#ifndef SHIMGEN_MAP_MAPPING_H
#define SHIMGEN_MAP_MAPPING_H

#include <jansson.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"

#define MAP_NONE ((size_t)-1)

/* ---- the graph (docs/formats/map.md) ---- */

struct map_cycles {
    char *kind; /* owned; name of a core, its architecture, or "*": every other core */
    double cycles;
};
struct map_block {
    char *name; /* owned; unique */
    VEC(struct map_cycles) cycles;
    double low, high; /* its cycles lie between low and high times these; 0: not known */
    char *why;        /* owned; it is several blocks: which, and why they are not apart; NULL */
    long every;       /* it runs in each n-th step; 1: in all */
};
struct map_edge {
    size_t from, to;
    double bytes; /* handed on in a step; 0: order only */
    long delay;   /* steps later that they are used; 0: in the same step */
    char *why;    /* owned; what it comes from; NULL */
};
/* Blocks that must be on one core. */
struct map_group {
    VEC(size_t) blocks;
    char *reason; /* owned; NULL */
};
struct map_graph {
    char *name, *path; /* owned */
    VEC(struct map_block) blocks;
    struct map numbers; /* names -> index in blocks */
    VEC(struct map_edge) edges;
    VEC(struct map_group) groups;
    double level;      /* probability of the blocks' low and high; 0: they have none */
    VEC(char *) notes; /* owned; what a user must know */
};
/* ERR_INPUT: not such a file; blocks of one name; an edge without its block; a cycle without a delay. map_graph_release
 * in any case. */
enum status map_graph_read(struct map_graph *out, const char *path, struct error *e) MUST_CHECK;
/* ERR_INPUT: a cycle without a delay; the message names its blocks. */
enum status map_graph_check(const struct map_graph *g, struct error *e) MUST_CHECK;
enum status map_graph_write(const struct map_graph *g, const char *path, struct error *e) MUST_CHECK;
/* The new block, until the next one is added; the name is copied. The caller makes sure that there is none of the name. */
struct map_block *map_graph_add(struct map_graph *g, const char *name);
void map_block_costs(struct map_block *b, const char *kind, double cycles);
void map_graph_release(struct map_graph *g);
/* The block of this name; ERR_INPUT: there is none (the message has the nearest). `what` begins the message. */
enum status map_graph_find(size_t *block, const struct map_graph *g, const char *name, const char *path,
                           const char *what, struct error *e) MUST_CHECK;

/* ---- the cores ---- */

/* One way for data from a core to another. A transfer of n bytes takes latency, and the first and each further of the
 * pieces that n bytes are. */
struct map_link {
    double latency, first, each; /* [unit] */
    double piece;                /* [bytes] */
};
struct map_way {
    VEC(struct map_link) links; /* the cheapest is taken; of one core: none */
};
struct map_core {
    char *name, *arch; /* owned */
    double clock_hz;   /* 0: unknown */
};
struct map_machine {
    char *path; /* owned */
    VEC(struct map_core) cores;
    struct map_way *ways; /* owned; from * cores.n + to */
    bool clocks;          /* times are microseconds */
    const char *unit;     /* "us" or "cycles"; static */
    VEC(char *) notes;    /* owned; assumptions */
};
/* Where the SHIM file has no values. */
struct map_assumed {
    double message; /* [cycles] until the other core knows, and for the first line of data */
    double line;    /* [cycles] of each further line of 64 bytes */
};
enum { MAP_LINE = 64 };
/* names: cores by name or id, with commas; NULL: all processing units; "all": those with an instruction set.
 * ERR_INPUT: no such core. map_machine_release in
 * any case. */
enum status map_machine_read(struct map_machine *out, const char *path, const char *names,
                             const struct map_assumed *assumed, struct error *e) MUST_CHECK;
void map_machine_release(struct map_machine *m);
/* The core of this name; MAP_NONE. */
size_t map_machine_core(const struct map_machine *m, const char *name);
/* Of n bytes; 0 on one core. */
double map_transfer(const struct map_machine *m, size_t from, size_t to, double bytes);
/* Cycles on a core as time. */
double map_time(const struct map_machine *m, size_t core, double cycles);

/* ---- what the user demands (docs/formats/map.md) ---- */

struct map_pin {
    size_t block, core;
};
struct map_pair {
    size_t a, b;
};
struct map_rules {
    VEC(struct map_pin) on;
    VEC(struct map_group) together;
    VEC(struct map_pair) apart;
    VEC(size_t) free; /* cores left free */
    double load;      /* of a period that a core may be used; 0: no limit */
};
enum status map_rules_read(struct map_rules *out, const char *path, const struct map_graph *g,
                           const struct map_machine *m, struct error *e) MUST_CHECK;
/* A mapping that the user has made: each block on its core, in *core (MAP_NONE: none is said; owned). */
enum status map_mapping_read(size_t **core, const char *path, const struct map_graph *g, const struct map_machine *m,
                             struct error *e) MUST_CHECK;
void map_rules_release(struct map_rules *r);

#endif
