/*
 * estimate.h - cycles of a program from its executed instructions and a SHIM file's
 * values alone.
 *
 *     cycles = sum over keys  count * (Latency if the key ends in _d, else Pitch)
 *
 * which is equation (3) of Torigoe and Edahiro with their `operand` distinction: an instruction whose operand is the
 * result of the one before pays the latency, any other the pitch. best, typical and worst are summed apart.
 */
#ifndef SHIMGEN_ESTIMATE_H
#define SHIMGEN_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "irprof/irprof.h"

/* [cycles of the core's clock] */
struct cycles {
    double best, typical, worst;
};

/* What each instruction costs on one core. */
struct costs {
    struct map names; /* LLVM instruction -> index into pitch and latency */
    struct cycles *pitch, *latency;
    double clock_hz; /* 0: the SHIM file does not say */
    char *core;      /* name of the MasterComponent */
};
/* Adds an instruction; best and worst NAN: not given, then typical is taken. A name given twice keeps the first. */
void costs_add(struct costs *c, const char *instruction, struct cycles pitch, struct cycles latency);
void costs_release(struct costs *c);

/* The instruction a key counts: "fadd.double_d" -> "fadd", "call.llvm.memcpy" -> "call". The caller frees.
 * *dependent: the key ends in _d. */
char *key_instruction(const char *key, bool *dependent);

/* The costs of a profile's keys, looked up once. */
struct key_costs {
    struct cycles *at;   /* per key of the profile */
    bool *known;         /* the SHIM file has the instruction */
    char **instructions; /* per key; owned */
    size_t n;
};
void key_costs_init(struct key_costs *k, const struct irprof_profile *p, const struct costs *c);
void key_costs_release(struct key_costs *k);

/* Adds what a group of counts costs. Keys without a value cost nothing here: see estimate_missing. */
struct cycles estimate_row(const struct irprof_row *row, const struct key_costs *k);

/* An instruction that was executed but has no value. */
struct missing {
    const char *instruction; /* borrowed from the key_costs */
    uint64_t count;
};
/* Of a whole region (one group by key); sorted by count, free(*out). */
void estimate_missing(struct missing **out, size_t *n, const struct irprof_row *total, const struct key_costs *k);

#endif
