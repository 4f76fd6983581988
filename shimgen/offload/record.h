/* record.h - runs a program under perf as often as its events need counters, for offload_read_perf. */
#ifndef SHIMGEN_OFFLOAD_RECORD_H
#define SHIMGEN_OFFLOAD_RECORD_H

#include "base/error.h"
#include "shimgen/offload/event_weights.h"

enum { OFFLOAD_COUNTERS_MOST = 64 };
struct offload_recording {
    const struct event_weights *weights;
    const char *folder;         /* is made; 1.txt, 2.txt ... are written there */
    size_t counters;            /* events at once, beside time and instructions; 1 to OFFLOAD_COUNTERS_MOST */
    const char *const *command; /* NULL-terminated; argv[0] is looked up in PATH */
};
/* Each set of events runs the command twice: counted as a whole (perf stat), which shows counters that do not work, are
 * shared or do not agree with the first run's; then sampled (perf record). What is left out is said on standard error.
 * *files: how many samples' files there are. ERR_UNSUPPORTED: perf is not here, or counts nothing here. ERR_SYSTEM: the
 * command fails. */
enum status offload_record(size_t *files, const struct offload_recording *r, struct error *e) MUST_CHECK;

#endif
