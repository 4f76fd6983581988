/*
 * instrument.h - the instrumenter: adds to a module counters, simulators of caches and branches if requested, the
 * module's description, and a constructor that passes all of it to the runtime. Internal to irprof.
 */
#ifndef IRPROF_INSTRUMENT_INSTRUMENT_H
#define IRPROF_INSTRUMENT_INSTRUMENT_H

#include "base/error.h"
#include "irprof/module/llvm.h"
#include "irprof/module/options.h"

/* Instruments m in place. ERR_INPUT: it has been before (`path` stands in the message). */
enum status instrument(struct llvm_module *m, const char *path, const struct instrument_options *o,
                       struct error *e) MUST_CHECK;
/* Load, instrument, store. `compiled`: the compiler has just made `in` of a source, so it is not verified before, only after. */
enum status instrument_file(const char *in, const char *out, bool compiled, const struct instrument_options *o,
                            struct error *e) MUST_CHECK;

/* What a program is linked from that has no counters: an object, a member of an archive. */
struct instrument_missing {
    const char *name, *why; /* borrowed */
};
/* Writes a module that counts nothing, and whose description names these as functions that are not counted: linked
 * with the program they stand in its profile. No two have one name. */
enum status instrument_missing(const char *out, const struct instrument_missing *list, size_t n,
                               const struct instrument_options *o, struct error *e) MUST_CHECK;

#endif
