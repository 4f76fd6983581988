/*
 * costs.h - what each instruction costs on a core, from a SHIM file. Instructions that the file does not have get
 * assumed costs, so that every key of a profile has its costs here.
 */
#ifndef SHIMGEN_COSTS_H
#define SHIMGEN_COSTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/key.h"
#include "base/map.h"
#include "irprof/irprof.h"
#include "shim-xml/shimxml.h"

/* [cycles of the core's clock] */
struct cycles {
    double best, typical, worst;
};
enum bound { BOUND_BEST, BOUND_TYPICAL, BOUND_WORST, BOUNDS };
double cycles_pick(const struct cycles *c, enum bound bound);
struct cycles cycles_completed(struct cycles c); /* best and worst NAN: not given, then typical is taken */
void cycles_charge(struct cycles *c, enum bound bound, double cycles); /* adds to this one of them */
/* sum += times * c; times >= 0. */
void cycles_add(struct cycles *sum, const struct cycles *c, double times);

/* What each instruction costs on one core. */
struct costs {
    struct map names; /* instruction -> index into pitch and latency */
    struct cycles *pitch, *latency;
    double clock_hz;    /* the core's own, else the system's; 0: the SHIM file does not say */
    char *core;         /* name of the MasterComponent; "NAME (ID)" where several have it */
    const char *method; /* of estimating, that the values are for, as the file says; NULL: of no file. Static */
    char *interval;     /* how sure estimates are, by shimxml_intervals_read; NULL: the file does not say. Owned */
    const char *interval_for; /* the method that this is for; NULL: unknown. Static */
    bool has_fitted;          /* the file has costs to be multiplied by counts under names of their own */
    char *warning; /* what the user is to know of the values: another tool has changed them; NULL: nothing. Owned */
    /* What a miss of the first level costs, and what one of the second level costs in addition. refills: for an address
     * that itself was loaded from memory (Latency). streams: for other addresses, so that later instructions can start
     * before the line arrives (Pitch). n_refills 0: the file does not say. */
    struct cycles refills[2], streams[2];
    size_t n_refills;
    /* A core in order needs addresses sooner than what it computes with. load_use: multiplies a load's Latency where
     * no address waits for it; address_use: an addition's, where an address waits for what was not loaded. 0: as 1. */
    double load_use, address_use;
    size_t alike; /* costs_list: number of later cores with the same values and clock; they are left out */
};
/* Adds an instruction; best and worst NAN: not given, then typical is taken. A name given twice keeps the first. */
void costs_add(struct costs *c, const char *instruction, struct cycles pitch, struct cycles latency);
/* What a form of an instruction by its widths is called among the names, no instruction's: "mul:64>64*0". The caller
 * frees it. */
char *costs_form(const char *instruction, const struct shimxml_widths *w);
void costs_copy(struct costs *to, const struct costs *from); /* costs_release */
void costs_release(struct costs *c);
/* Has the file this instruction, by its name or another spelling of it? *i: its index; NULL is fine. */
bool costs_has(const struct costs *c, enum ir_opcode opcode, size_t *i);
/* The values of an instruction. Returns what stands for it where the file does not have it: as key_cost.assumed. */
const char *costs_of_instruction(struct cycles *pitch, struct cycles *latency, const struct costs *c,
                                 enum ir_opcode opcode);
/* The same on a type ("i64"), where the file has it by type; else as above. */
void costs_of_typed(struct cycles *pitch, struct cycles *latency, const struct costs *c, enum ir_opcode opcode,
                    const char *type);

/* Cycles per instruction where nothing waits: the least Pitch of an addition's kind. */
double costs_issue(const struct costs *c);
/* A core that issues three or more simple instructions a cycle is taken as out-of-order. */
bool costs_out_of_order(const struct costs *c);

/* In place of a method: times as the file has them, without the factors of `schedule`. */
#define COSTS_AS_MEASURED "as measured"
/* Reads one core of a SHIM file, by name or id; NULL: the first processing unit with an instruction set. The values are
 * those that this method takes; NULL: the file's. ERR_INPUT: no such core, it has no instruction set, or a reference tool
 * has spoilt its values. Free with costs_release. */
enum status costs_from_shim(struct costs *out, const char *path, const char *core, const char *method,
                            struct error *e) MUST_CHECK;
/* All processing units with an instruction set, those that are alike once. costs_list_free. */
enum status costs_list(struct costs **out, size_t *n, const char *path, const char *method, struct error *e) MUST_CHECK;
void costs_list_free(struct costs *list, size_t n);

/* The costs of one key. */
struct key_cost {
    struct ir_key key; /* borrows the profile's text */
    char *instruction; /* owned; what the value is of: "fadd", "call.library.sin" */
    bool own;          /* the file has the key itself: "mul.i64" */
    struct cycles pitch, latency;
    /* NULL: the file has the instruction; else what stands for it: "add", "nothing", "the mean of all". Static. */
    const char *assumed;
};
/* The costs of a profile's keys, looked up once. */
struct key_costs {
    struct key_cost *at; /* of each key of the profile */
    size_t n;
};
void key_costs_init(struct key_costs *k, const struct irprof_profile *p, const struct costs *c);
void key_costs_release(struct key_costs *k);

#endif
