/* result.h - what one launch of a measured program wrote, read and checked. */
#ifndef BOARDS_MEASURE_RESULT_H
#define BOARDS_MEASURE_RESULT_H

#include "boards/boards.h"
#include "boards/measure/run_stats.h"

/* How the reason begins for which an event was not opened where the kernel keeps them from us. */
#define WHY_REFUSED "the kernel does not permit it"

struct run_region {
    char *name, *outer;                        /* outer: the outermost region around it, itself when it is that */
    double entries, pairs;                     /* pairs: of begin and end inside it */
    long voluntary, involuntary, minor, major; /* of the outermost regions only */
    long long interrupts;                      /* -1 unknown */
    bool moved;
    double width;              /* additions a core cycle carried, the least of those seen; 0 unknown */
    double clock;              /* core cycles per tick of the constant counter around it; 0 unknown */
    uint64_t enabled, running; /* [ns], of the perf group */
    double *raw;               /* one for each event: nothing taken off */
};
struct run_event {
    char *name;
    double inside, pair; /* overhead: of an empty region; of begin and end in a region around them */
};
/* Known work (runtime/rt_known.h) and what the events showed of it. Each figure is a lower limit of the truth. */
struct run_known {
    char *name; /* "chain", "loads", "misses", "branches", "sentinel" */
    double instructions, adds, loads, near, far, branches;
    double *counted; /* one for each event */
};
struct run_result {
    bool pmu, cold;
    bool calibrated; /* the overhead of the events is measured in full; else `inside` is a glance, and `pair` is 0 */
    double reads;    /* of the group of counters */
    VEC(struct run_known) known;
    bool new_place;       /* where predictors knew nothing: they were not untrained */
    bool own_regions;     /* the program enters regions; else its whole main is one */
    char *clock;          /* the constant counter's event */
    double clock_hz;      /* 0 unknown */
    double core_per_tick; /* 0 unknown */
    char *priority, *memory;
    char *flush_method;
    double flushes, flush_bytes, flush_skipped;
    double other_threads_ns;
    VEC(char *) left_out; /* "NAME: reason" */
    VEC(struct run_event) events;
    VEC(struct run_region) regions;
    char *problem, *problem_name; /* NULL none */
};
/* Refuses a file that is cut, or is not of this runtime. run_result_free the result. */
enum status run_result_read(struct run_result **out, const char *path, struct error *e) MUST_CHECK;
void run_result_free(struct run_result *r);
/* Was the group on the PMU all the time it was enabled? What was not is refused, never scaled. */
bool group_complete(uint64_t enabled, uint64_t running);
/* What the run itself found wrong, as an error; OK none. */
enum status run_result_check(const struct run_result *r, const char *program, struct error *e) MUST_CHECK;
/* raw less overhead, not below 0. */
double net_value(double raw, double entries, double pairs, double inside, double pair);

#endif
