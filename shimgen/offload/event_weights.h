/* event_weights.h - what events of a processor's counters stand for: operations, bytes, time (docs/formats/events.md). */
#ifndef SHIMGEN_OFFLOAD_EVENT_WEIGHTS_H
#define SHIMGEN_OFFLOAD_EVENT_WEIGHTS_H

#include "base/alloc.h"
#include "base/error.h"

enum event_meaning { EVENT_CYCLES, EVENT_SECONDS, EVENT_OPERATIONS, EVENT_BYTES, EVENT_INSTRUCTIONS, EVENT_MEANINGS };
struct event_weight {
    char *event; /* owned; as perf prints it, without modifiers */
    enum event_meaning meaning;
    double weight; /* of one event */
};
struct event_weights {
    char *path, *name; /* owned; name NULL: not given */
    VEC(struct event_weight) events;
};
/* `name` is a file, or the name of an installed one ("haswell"). event_weights_release, also after an error. */
enum status event_weights_read(struct event_weights *out, const char *name, struct error *e) MUST_CHECK;
void event_weights_release(struct event_weights *w);

#endif
