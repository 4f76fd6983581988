/*
 * instrument.h - the instrumenter: a module gets a counter per segment, its own
 * description and a constructor that hands both to the runtime. Internal to irprof.
 */
#ifndef IRPROF_INSTRUMENT_H
#define IRPROF_INSTRUMENT_H

#include <stdbool.h>

#include "base/error.h"
#include "irprof/llvm.h"
#include "irprof/plan.h"

enum instrument_counters {
    INSTRUMENT_AUTO, /* atomic where 64-bit atomics are at hand (64-bit targets), else plain */
    INSTRUMENT_ATOMIC,
    INSTRUMENT_PLAIN
};

/* "auto", "atomic", "plain"; false: none of these. */
bool instrument_kind(enum instrument_counters *kind, const char *word);

/* Instruments m in place. ERR_INPUT: it has been before (`path` stands in the message). */
enum status instrument(struct llvm_module *m, const char *path, enum instrument_counters kind,
                       struct error *e) MUST_CHECK;
/* Load, instrument, store. */
enum status instrument_file(const char *in, const char *out, enum instrument_counters kind, struct error *e) MUST_CHECK;

#endif
