/*
 * port_sets.h - which ports each kind of instruction can use, from how long two kinds take side by side.
 *
 * A kind alone takes busy / ports cycles. Of na and nb instructions of two kinds, those that only a set S of ports can
 * take need (their number * busy) / |S| cycles; they take as long as the worst of the sets A, B and A + B, as in Palmed
 * (Derumigny et al., CGO 2022) and PMEvo (Ritter and Hack, PLDI 2020). So the number of ports that two kinds share
 * follows from their cycles; sets with these numbers are searched.
 *
 * An instruction may be several operations, each with ports of its own: a store an address and data. The least cycles are
 * those of the worst union of their sets. The first operation is the one that a stream shows. A kind gets others, or more
 * ports, each of which it keeps for longer, if that explains its pairs much better.
 */
#ifndef SHIMGEN_CORE_WIDE_PORT_SETS_H
#define SHIMGEN_CORE_WIDE_PORT_SETS_H

#include <stddef.h>
#include <stdint.h>

enum { PORT_SETS_PORTS = 20, PORT_SETS_MORE = 2 };
struct port_use {
    uint32_t set; /* a bit for each port */
    unsigned busy;
};
struct port_kind {
    unsigned ports, busy; /* how many, and for how long an instruction keeps one */
    double slots;         /* at dispatch */
    double chained;       /* cycles of an instruction because registers are few: latency / registers; 0: no limit */
    double stream;        /* cycles of an instruction in a stream; 0: not known */
    const char *unit;     /* kinds of one unit share ports if nothing tells, others do not; borrowed */
    /* Results: a bit for each port; the first kind that has the same ones by what both take side by side. */
    uint32_t set;
    size_t group;
    struct port_use more[PORT_SETS_MORE]; /* further operations */
    unsigned n_more;
};
struct port_pair {
    size_t a, b;
    unsigned na, nb;
    double cycles; /* of na and nb instructions; NAN: not known */
};
struct port_sets {
    struct port_kind *kinds;
    size_t n;
    const struct port_pair *pairs;
    size_t n_pairs;
    double width, seen; /* slots of a cycle, and as many as were seen at most */
};
/* Ports and cycles of each (busy) from the cycles of an instruction in a stream. `slower`: chains make it slower than the ports. */
void port_kind_of(struct port_kind *k, double stream, int slower);
/* How many of each kind stand side by side, so that both take about as long. */
void port_pair_counts(double stream_a, double stream_b, unsigned *na, unsigned *nb);
void port_sets_find(const struct port_sets *p);
/* The least and the most cycles that a pair takes by the sets. */
void port_sets_cycles(const struct port_sets *p, const struct port_pair *pair, double *least, double *most);

#endif
