/*
 * rt.h - the measuring runtime, between its files. It is linked into the measured
 * program: it needs the C library alone, never ends the program, never writes to
 * standard output. Everything it has to say goes into the file $SHIM_MEASURE_OUT;
 * without that variable it does nothing. docs/method/measuring.md says what it does
 * and why; result.c in the library reads the file.
 *
 * Environment: SHIM_MEASURE_OUT       the result file (appears whole or not at all)
 *              SHIM_MEASURE_CACHE     cold | warm
 *              SHIM_MEASURE_SOURCE    auto | pmu | constant | simulator
 *              SHIM_MEASURE_EVENTS    NAME=type:config,... for perf_event_open
 *              SHIM_MEASURE_PRIORITY  1: raise it
 *              SHIM_MEASURE_MAIN      0: the program has regions, main as a whole need not be one
 *              SHIM_MEASURE_SPIN_US   time to bring the core to speed
 *              SHIM_MEASURE_CALIBRATE full | short: what a region costs is measured, or only looked at
 *              SHIM_MEASURE_PROVE     1: the counters count known work; the program is not run
 */
#ifndef BOARDS_RUNTIME_RT_H
#define BOARDS_RUNTIME_RT_H

#include <stddef.h>
#include <stdint.h>

#define RT_EVENTS         16 /* in a group; more are left out and named */
#define RT_THOROUGH_READS 16 /* of the slow facts, of one region in one run */
#define RT_NAME           32 /* longest name of an event, with its NUL */
#define RT_PROOF_PASSES   5  /* of each known work, in a launch that proves */
#define RT_KNOWN_RUNS     (5 * RT_PROOF_PASSES)

enum rt_state { RT_OFF, RT_WARMING, RT_MEASURING, RT_DONE };

struct rt_sample {
    uint64_t enabled, running; /* of the perf group [ns]; 0 with the constant counter */
    uint64_t value[RT_EVENTS];
};
/* What the kernel did to us, as running totals. */
struct rt_noise {
    long voluntary, involuntary; /* context switches */
    long minor, major;           /* page faults */
    long long interrupts;        /* on this core; -1 unknown */
    int cpu;
    uint64_t width; /* additions a core cycle carries just now, in thousandths; 0 unknown */
    uint64_t clock; /* core cycles per million ticks of the constant counter just now; 0 unknown */
};
struct rt_region {
    const char *name; /* borrowed from the program */
    uint64_t entries;
    uint64_t pairs;         /* begin/end pairs that ran inside it, at any depth */
    struct rt_sample total; /* sum over the entries, nothing taken off */
    size_t outer;           /* the outermost region at its first entry; itself when it is that */
    int open;               /* activations: a region inside itself counts once */
    struct rt_noise noise;  /* sums over the entries, outermost regions only */
    int moved;              /* changed the core in the middle */
    int noise_reads;        /* of the interrupt table and the width: limited, they are slow */
};
struct rt_frame {
    size_t region;
    uint64_t pairs;
    struct rt_noise noise;
    struct rt_sample start;
};
/* Numbers in thousandths of an event. */
struct rt_overhead {
    uint64_t inside[RT_EVENTS]; /* what an empty region measures */
    uint64_t pair[RT_EVENTS];   /* what begin and end add to a region around them */
};
struct rt_known_run {
    int kind; /* of rt_known.h */
    uint64_t value[RT_EVENTS];
};
struct rt_left_out {
    char name[RT_NAME];
    int reason; /* errno; 0: it does not fit in the group */
};
struct rt {
    enum rt_state state;
    int pid;
    /* counters */
    int pmu;           /* a perf group is open; else the constant counter, or */
    int simulated;     /* the simulated board is asked (rt_iss.c); -1: it is wanted, and not there */
    int fd[RT_EVENTS]; /* fd[0] leads */
    size_t n_events;
    char names[RT_EVENTS][RT_NAME];
    struct rt_left_out left_out[RT_EVENTS];
    size_t n_left_out;
    uint64_t reads; /* of the group, so far */
    struct rt_known_run known[RT_KNOWN_RUNS];
    size_t n_known;
    int full;                    /* the overhead is calibrated in full */
    uint64_t clock_hz, core_ppm; /* the constant counter; core cycles per million of its ticks, 0 unknown */
    struct rt_overhead overhead;
    /* regions */
    struct rt_region *regions;
    size_t n_regions, cap_regions;
    struct rt_frame *frames;
    size_t depth, cap_frames;
    size_t floor; /* depth of an outermost region: 1 inside the implicit region main */
    int quiet;    /* calibrating: no preparation, no noise */
    /* circumstances */
    int cold;
    int new_place; /* branch predictors know nothing of earlier launches by themselves */
    const char *priority, *memory, *flush_method;
    uint64_t flush_bytes, flush_skipped, flush_limit, flushes;
    const char *problem;    /* the first; NULL none */
    char problem_name[128]; /* the region it is about */
};
extern struct rt rt;

/* rt_event.c: opens the group, or leaves the constant counter. Spec as in SHIM_MEASURE_EVENTS. */
void rt_events_open(const char *source, const char *spec);
void rt_read_group(struct rt_sample *s);
void rt_leave_out(const char *name, size_t n, int reason);

/* rt_prove.c: the group counts known work, into rt.known; nothing where there is no group. */
void rt_prove(void);    /* each kind RT_PROOF_PASSES times */
void rt_sentinel(void); /* a little of all, once: two readings */

/* rt_pmu.c: what the kernel says of this core's PMU. */
void rt_pmu_open(void);
long rt_pmu_type(void);           /* for raw events; -1: PERF_TYPE_RAW will do */
int rt_pmu_lacks(uint64_t event); /* a raw number of which it is known that this PMU does not count it */

/* rt_region.c; the first two are what base/shim_region.h declares. */
void shim_region_begin(const char *name);
void shim_region_end(const char *name);
extern const char rt_name_main[], rt_name_empty[];
void rt_problem(const char *what, const char *name);
void *rt_grow(void *at, size_t *cap, size_t need,
              size_t size); /* mmap: the program's heap is left alone; NULL none left */
void rt_regions_reset(void);

/* rt_calibrate.c: brings the core to speed, measures the clocks and what a region costs. */
void rt_calibrate(long spin_us, int full);

/* rt_maps.c: each readable mapping in turn; -1: not to be found out. */
typedef void rt_mapping(char *from, char *to, int writable);
int rt_each_mapping(rt_mapping *take);

/* rt_flush.c */
void rt_flush_open(void);
void rt_flush_range(char *from, char *to); /* from all caches, where there is an instruction for it */
void rt_flush(void);
void rt_untrain(void); /* branch predictors; rt_flush does it too */

/* rt_places.c: this launch stands at addresses of the kernel's choice, and what branch predictors learn at one place
 * does not help at another; found out again each time, in 0.2 ms. 0: it does not, or this cannot be told. */
int rt_unknown_place(void);

/* rt_noise.c: priority, memory (pages present before they are needed), what disturbs. */
void rt_raise_priority(int wanted);
void rt_hold_memory(void);
void rt_noise_open(void);
void rt_noise_read(struct rt_noise *n, int thorough); /* 0: interrupts and width stay unknown */
void rt_probe(struct rt_noise *n);                    /* the width and the clock */

/* rt_report.c */
void rt_report(const char *path);

#endif
