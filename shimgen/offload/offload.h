/*
 * offload.h - what of a program is worth an accelerator: a first, rough look before somebody builds one. In the order of use:
 *
 *     accelerator_read(&a, "pcie3-x8", e)                  what the accelerator and its host can do
 *     offload_read_profile(&t, "irprof.out", &a, ..., e)   an irprof profile as a table of functions and calls
 *     offload_read_callgrind(&t, "callgrind.out.1", &a, e) or a callgrind file
 *     offload_judge(&j, &t, &a, 0.01, false)               the indexes, verdict and bound of each offload root
 *     offload_judgement_release(&j), offload_table_release(&t), accelerator_release(&a)
 *
 * An OFFLOAD ROOT is a function with all that it calls. A function that several roots call counts in each with the part
 * of its work that it does for it.
 *
 * Source of the indexes: Tamiya et al., "Extraction of FPGA Offloading Portions based on CPU Profiling".
 */
#ifndef SHIMGEN_OFFLOAD_H
#define SHIMGEN_OFFLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"
#include "shimgen/offload/operations.h"

/* ---- the accelerator and its host ---- */

struct offload_cache {
    uint64_t size; /* [bytes]; 0: not given */
    unsigned ways, line;
};
/* A threshold and where it is from. */
struct offload_threshold {
    double value;
    char *source; /* owned; NULL: the file does not say */
};
/* A number of the file is NAN if it is not given. Rates are per second. */
struct accelerator {
    char *path, *name;          /* owned */
    struct offload_cache local; /* its own memory, as a cache */
    double flops, integers;     /* single-precision operations; integer operations */
    double memory;              /* bytes, of its own memory beyond the local one */
    char *link_name;            /* owned */
    double link, latency;       /* bytes in one direction; seconds a call */
    char *host_name;            /* owned */
    double host_clock;          /* [Hz] */
    struct offload_cache host_l2;
    struct offload_threshold intensity, integer_intensity; /* operations a byte */
    struct offload_threshold rate;                         /* bytes */
    struct offload_threshold functions, share;
};
/* `name` is a file, or the name of one of those that are installed ("pcie3-x8"). ERR_INPUT: there is none, or a key is
 * unknown, missing or no number. Free with accelerator_release, also after an error. */
enum status accelerator_read(struct accelerator *out, const char *name, struct error *e) MUST_CHECK;
void accelerator_release(struct accelerator *a);

/* ---- the program: functions, and calls between them ---- */

enum offload_cost {
    OFFLOAD_INSTRUCTIONS,
    OFFLOAD_FLOPS,    /* W: in single-precision operations */
    OFFLOAD_INTEGERS, /* operations on integers */
    OFFLOAD_BYTES,    /* D: demanded from beyond the accelerator's local memory */
    OFFLOAD_BYTES_L2, /* the same beyond the host's second-level cache */
    OFFLOAD_TIME,     /* [s] */
    OFFLOAD_TIME_LOW, /* by the SHIM file's best values */
    OFFLOAD_TIME_HIGH,
    OFFLOAD_COSTS
};
/* What makes a function hard to offload (bit flags). */
enum offload_obstacle {
    OFFLOAD_RECURSION = 1,
    OFFLOAD_IO = 2,        /* input or output */
    OFFLOAD_SYSTEM = 4,    /* other system calls, threads */
    OFFLOAD_ALLOCATE = 8,  /* memory allocation */
    OFFLOAD_INDIRECT = 16, /* calls through a pointer */
    OFFLOAD_CHASE = 32,    /* a loop loads an address that it loaded in the iteration before */
    OFFLOAD_MATHS = 64,    /* calls mathematical functions whose operations are not counted */
    OFFLOAD_OBSTACLES = 7  /* how many there are */
};
/* "recursion" for bit i; static. */
const char *offload_obstacle_name(unsigned bit);
/* What a function of a library does, by its name: bits. 0: nothing that is known. */
unsigned offload_library_obstacles(const char *name);

struct offload_loop {
    char *file; /* owned; NULL: unknown */
    unsigned long line;
    double entered, iterations;
    unsigned depth;
};
/* Bytes of a function with all that it calls, over the whole run (struct irprof_foot_row). NAN: not known. */
enum offload_bytes { OFFLOAD_TOUCHED, OFFLOAD_WRITTEN, OFFLOAD_NEEDED, OFFLOAD_LEFT, OFFLOAD_FOOTPRINT };
const char *offload_bytes_name(enum offload_bytes b); /* "touched"; static */
struct offload_function {
    char *name, *file; /* owned; file NULL: unknown */
    unsigned long line;
    double calls;
    double self[OFFLOAD_COSTS];
    struct operations operations;
    double footprint[OFFLOAD_FOOTPRINT];
    unsigned obstacles; /* of its own */
    VEC(struct offload_loop) loops;
};
struct offload_arc {
    uint32_t caller, callee;
    double calls;
    double instructions; /* executed in the callee and all that it calls, for this caller; NAN: unknown */
};
/* What a function did by itself in a window of the run. */
struct offload_spent {
    uint32_t function;
    double costs[OFFLOAD_COSTS];
};
/* A window of the run; windows are in the order of time. */
struct offload_window {
    double begin, seconds; /* [s]; NAN: the time is not known */
    size_t first, n;       /* range in `spent` */
};
struct offload_table {
    char *path, *program, *kind; /* owned; kind: "irprof profile" */
    VEC(struct offload_function) functions;
    VEC(struct offload_arc) arcs;       /* one for a pair of caller and callee */
    unsigned known;                     /* bits 1 << enum offload_cost: costs that the input has */
    VEC(struct offload_window) windows; /* empty: what happened when is not known */
    VEC(struct offload_spent) spent;
    char *window_size; /* owned; "10 ms", "100000 accesses" */
    VEC(char *) notes; /* owned; sentences that the user must know */
};
void offload_table_release(struct offload_table *t);
/* One more function; its footprint is not known. */
uint32_t offload_add_function(struct offload_table *t, struct offload_function f);
void offload_note(struct offload_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline bool offload_knows(const struct offload_table *t, enum offload_cost cost)
{
    return t->known >> cost & 1;
}

/* How the time of a profile is estimated; shim NULL: it is not. */
struct offload_timing {
    const char *shim, *core, *method;
};
/* What a file is, by its first bytes. */
enum offload_kind { OFFLOAD_PROFILE, OFFLOAD_CALLGRIND, OFFLOAD_UNKNOWN };
enum status offload_kind_of(enum offload_kind *kind, const char *path, struct error *e) MUST_CHECK;
/* Free *out with offload_table_release, also after an error. */
enum status offload_read_profile(struct offload_table *out, const char *path, const struct accelerator *a,
                                 const struct offload_timing *timing, struct error *e) MUST_CHECK;
/* Of valgrind --tool=callgrind --dump-instr=yes --cache-sim=yes. Reads line by line. ERR_INPUT: no callgrind file, cut
 * off, or inconsistent. */
enum status offload_read_callgrind(struct offload_table *out, const char *path, const struct accelerator *a,
                                   struct error *e) MUST_CHECK;

/* Samples of `perf script`: files of runs of one program with several sets of events. */
struct event_weights;
struct offload_samples {
    const char *const *paths; /* n >= 1 */
    size_t n;
    const struct event_weights *weights; /* what the events stand for */
    double window;                       /* [s] over which the data rate is taken */
};
enum status offload_read_perf(struct offload_table *out, const struct offload_samples *samples,
                              const struct accelerator *a, struct error *e) MUST_CHECK;

/* ---- the result ---- */

enum offload_state { OFFLOAD_PASS, OFFLOAD_FAIL, OFFLOAD_NOT_KNOWN };
const char *offload_state_name(enum offload_state s);
enum offload_verdict { OFFLOAD_YES, OFFLOAD_MAYBE, OFFLOAD_NO, OFFLOAD_UNDECIDED };
const char *offload_verdict_name(enum offload_verdict v);
/* The rule that gives the verdict; static. */
const char *offload_rule(void);

/* Operations over bytes. */
struct offload_ratio {
    double value; /* NAN: not known; INFINITY: no data demanded */
    bool no_data; /* D is 0, and there are operations */
    enum offload_state state;
};
struct offload_inside {
    uint32_t function;
    double share; /* of the root's work */
};
struct offload_candidate {
    uint32_t function; /* OFFLOAD_WHOLE: the whole program */
    double costs[OFFLOAD_COSTS], calls;
    double footprint[OFFLOAD_FOOTPRINT];
    double share, self_share; /* of the program's time; of its instructions, if the time is not known */
    struct offload_ratio intensity, integer_intensity;
    bool on_integers; /* the verdict rests on the intensity of integer operations */
    double rate;      /* bytes a second: the peak, or what it is at least; NAN: unknown */
    size_t peak;      /* window of the peak; SIZE_MAX: `rate` is what the peak is at least */
    enum offload_state rate_state;
    size_t working; /* functions that work for it, itself included */
    size_t needed;  /* of these, how many do the threshold's share of its work */
    enum offload_state needed_state;
    enum offload_verdict verdict;
    unsigned obstacles;
    double bound, bound_low, bound_high; /* upper bound of the program's speed-up; NAN: unknown */
    size_t rank_from, rank_to;           /* by the bound, from 1: it is surely not better, not worse than these */
    VEC(struct offload_inside) inside;   /* functions that work for it, the largest share first; at most 20 */
};
#define OFFLOAD_WHOLE UINT32_MAX
struct offload_judgement {
    struct offload_candidate whole;
    VEC(struct offload_candidate) roots; /* by their bound, then their share, the largest first */
    uint32_t smallest; /* index in roots: covers the threshold's share with the fewest functions; OFFLOAD_WHOLE: none */
};
/* Judges the whole program and each function whose share is at least `least` (0 to 1): with its callees, or alone. */
void offload_judge(struct offload_judgement *out, const struct offload_table *t, const struct accelerator *a,
                   double least, bool alone);
void offload_judgement_release(struct offload_judgement *j);

/* ---- output ---- */

struct offload_report {
    const struct offload_table *table;
    const struct offload_judgement *judgement;
};
struct offload_print {
    const struct accelerator *accelerator;
    const struct offload_report *reports;
    size_t n;
    bool alone;   /* rows are functions without their callees */
    bool by_time; /* rows of text and CSV are windows of the run: each table must have some */
};
/* format: "text", "csv", "json" or "html". output NULL or "-": standard output. */
enum status offload_print(const struct offload_print *p, const char *format, const char *output,
                          struct error *e) MUST_CHECK;

#endif
