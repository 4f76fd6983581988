/*
 * irprof.h - reads profiles: the files that instrumented programs write. Sums their counts by key, function,
 * line, block and region. Needs no LLVM: a program that only reads profiles links only this part of the library.
 *
 * In the order of use:
 *     struct irprof_profile *p;
 *     irprof_read(&p, "fir.prof", e)                        read and check a file
 *     irprof_region(&r, p, "filter", e)                     find a region by its name
 *     irprof_group(&t, p, r, IRPROF_BY_FUNCTION_LINE, e)    (function, file, line) -> keys and counts
 *     irprof_groups_free(t), irprof_free(p)
 *
 * A SEGMENT is a run of instructions of one basic block that are always executed together: a block is cut after
 * each call that might not return. The counts of a region say how often each segment was entered. That is how often
 * each of its instructions was executed. Counts are exact integers: executed instructions.
 *
 * A profile also has:
 *  - EVENTS, if they were recorded: cache misses (--memory), mispredicted branches (--branches), spills (--spills), sizes (--sizes);
 *  - control flow: how often each EDGE between blocks was taken, each LOOP entered and iterated, each CALL made;
 *  - data flow: the INSTRUCTIONS of each segment in order, and for each OPERAND the instruction that produced it.
 */
#ifndef IRPROF_H
#define IRPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* No index. As a file: the instruction has no debug information. */
#define IRPROF_NONE UINT32_MAX

/* The total over the whole run, whatever regions the program marks. It is the last region of every profile. In a
 * program that marks no region it is the only one and is called IRPROF_REGION_MAIN. */
#define IRPROF_REGION_TOTAL "(program)"
#define IRPROF_REGION_MAIN  "main"

/* How the program ended. */
enum irprof_end {
    IRPROF_END_EXIT,   /* main returned, exit() */
    IRPROF_END_QUICK,  /* _exit(), _Exit(), quick_exit() */
    IRPROF_END_SIGNAL, /* killed by `end_signal` */
    IRPROF_END_N
};

/* Why the counts of a region cannot be used (bit flags). */
enum irprof_flaw {
    IRPROF_FLAW_END_ALONE = 1, /* shim_region_end without a begin */
    IRPROF_FLAW_CROSSED = 2,   /* regions overlap: one ended while a region begun inside it was open */
    IRPROF_FLAW_OPEN = 4,      /* never ended before the program did */
    IRPROF_FLAW_MEMORY = 8,    /* the program had no memory left to count the region */
    IRPROF_FLAW_ALL = 15
};

/* How a module's counters are kept. */
enum irprof_counters {
    IRPROF_COUNTERS_THREAD, /* a set for each thread: exact with threads */
    IRPROF_COUNTERS_ATOMIC, /* one set, incremented atomically: exact with threads */
    IRPROF_COUNTERS_PLAIN,  /* one set: exact with one thread only */
    IRPROF_COUNTERS_N
};

struct irprof_module {
    char *name;        /* owned; the IR's source_filename */
    char *target;      /* owned; target triple, may be empty */
    uint64_t build_id; /* hash of the module's description: equal for equal builds */
    enum irprof_counters counters;
    /* Owned; how events were simulated ("l1d=32768:4:64:lru l2=... branches=gshare:12:8"). Empty: they were not. */
    char *settings;
};
struct irprof_function {
    char *name;        /* owned; as in the IR */
    uint32_t module;   /* index */
    uint32_t file;     /* index into `files` of its definition, or IRPROF_NONE */
    uint32_t line;     /* of the definition; 0: unknown */
    char *not_counted; /* owned; NULL: counted. Otherwise why it could not be instrumented ("naked") */
    bool local;        /* internal linkage: the name is unique in its module only */
};
/* The part has `times` instructions of key `key` (index into `keys`). */
struct irprof_item {
    uint32_t key;
    uint32_t times;
};
/* The instructions of a segment that come from one source line: n_items entries of `items`, from items[first_item] on.
 * Inlined code has the file and line where it was written. */
struct irprof_part {
    uint32_t file; /* index, or IRPROF_NONE */
    uint32_t line; /* 0: unknown */
    uint32_t first_item, n_items;
    uint32_t first_event_site, n_event_sites; /* range in `event_sites`: event counts of the part */
};
/* Event `event` (index into `events`) can occur in a part. Each region has the number of times that it did. */
struct irprof_event_site {
    uint32_t event;
    bool constant; /* each execution of the segment counts the same; else a counter was recorded */
};
/* An edge of a function's control-flow graph that an operand of the terminator names. Exceptional edges (unwinding,
 * computed jumps) are not listed. */
enum irprof_edge_kind {
    IRPROF_EDGE_JUMP,  /* unconditional br, or the normal exit of an invoke */
    IRPROF_EDGE_TRUE,  /* br whose condition was true: taken */
    IRPROF_EDGE_FALSE, /* br whose condition was false */
    IRPROF_EDGE_CASE,  /* switch: one or more of its cases */
    IRPROF_EDGE_DEFAULT,
    IRPROF_EDGE_N
};
struct irprof_edge {
    uint32_t function;
    uint32_t from, to;   /* blocks, by their numbers in the function */
    uint32_t file, line; /* of the terminator; IRPROF_NONE and 0: unknown */
    enum irprof_edge_kind kind;
};
/* A natural loop: its header dominates the blocks that jump back to it. */
struct irprof_loop {
    uint32_t function;
    uint32_t header;     /* block */
    uint32_t depth;      /* 1: outermost */
    uint32_t parent;     /* index of the enclosing loop, or IRPROF_NONE */
    uint32_t file, line; /* where it begins; IRPROF_NONE and 0: unknown */
};
/* A call. It is executed once for each execution of its segment: it ends the segment, or is sure to return. */
struct irprof_call {
    uint32_t segment;
    uint32_t callee;     /* function; IRPROF_NONE: not in the profile, or called through a pointer */
    const char *name;    /* name of the called function, borrowed; NULL: called through a pointer */
    uint32_t file, line; /* IRPROF_NONE and 0: unknown */
};
struct irprof_segment {
    uint32_t function;            /* index */
    uint32_t block;               /* number of the basic block in its function, from 0 */
    uint32_t number;              /* number of the segment in its block, from 0 */
    uint32_t loop;                /* index of the innermost loop around its block, or IRPROF_NONE */
    uint32_t first_part, n_parts; /* range in `parts`; empty: only the entries of the block are counted here */
    uint32_t first_instruction, n_instructions; /* range in `instructions`, in the order of the IR */
};
/* Which operands of an instruction are constants (bit flags). */
enum irprof_constant {
    IRPROF_CONSTANT = 1, /* an operand is a constant; getelementptr: all indices are; division: the divisor is */
    /* The constant makes the instruction cheaper. It is 0 in a comparison; 0 or a power of two elsewhere. A
     * getelementptr has one variable index, with steps of 1, 2, 4, 8 or 16 bytes, and no other offset. */
    IRPROF_CONSTANT_EASY = 2,
    IRPROF_CONSTANT_GLOBAL = 4, /* an operand is the address of a variable or function, other than the callee */
};
/* A counted instruction. */
struct irprof_instruction {
    uint32_t key;
    uint32_t part; /* in `parts` */
    uint32_t first_operand, n_operands;
    unsigned constants; /* irprof_constant bits */
};
/* An operand that is an argument or the result of another instruction. Constants are not listed. */
struct irprof_operand {
    /* Index in `instructions`, of the same function. IRPROF_NONE: an argument, or the result of an instruction that is
     * not counted. The producer precedes the instruction, except for operands of a phi: a producer within the phi's
     * loop is from the previous iteration. In unreachable code LLVM allows an instruction to use its own result;
     * readers do not check for this. */
    uint32_t producer;
    /* The operand is the address of a load, store or atomic operation, the base of a getelementptr, or the callee. */
    bool address;
};
/* The kind of object that an access reads or writes. */
enum irprof_object {
    IRPROF_OBJECT_UNKNOWN,  /* any pointer */
    IRPROF_OBJECT_VARIABLE, /* a variable of the function: an alloca */
    IRPROF_OBJECT_GLOBAL,   /* a global variable */
    IRPROF_OBJECT_ARGUMENT, /* the object that an argument points to */
    IRPROF_OBJECT_OWN,      /* the same, if no other pointer leads to it: noalias, byval */
    IRPROF_OBJECT_N
};
/* A base address of accesses in one function: the start of an object, or a variable index into one. */
struct irprof_base {
    enum irprof_object kind;
    uint32_t object; /* index of the function's first base in the same object; its own index if it is the first */
    uint64_t size;   /* of the object [bytes]; 0: unknown */
    bool indexed;    /* offsets do not start at the object's beginning */
};
/* The nearest write that an access may depend on, as LLVM's alias analysis (MemorySSA) says. */
enum irprof_write {
    IRPROF_WRITE_UNKNOWN, /* nothing is known: any write */
    IRPROF_WRITE_ENTRY,   /* none in the function */
    IRPROF_WRITE_BLOCK,   /* one in a block of the function, perhaps its own, where it comes before */
    IRPROF_WRITE_PHI, /* it depends on the path into a block; at a loop's header: perhaps one in an earlier iteration */
    IRPROF_WRITE_N
};
/* A load or store. */
struct irprof_access {
    uint32_t instruction; /* index */
    uint32_t
        base; /* index, or IRPROF_NONE: unknown. Same base: the offsets tell how far two are apart in an iteration */
    int64_t offset; /* [bytes] */
    uint32_t size;  /* [bytes]; 0: unknown */
    enum irprof_write write;
    uint32_t write_block; /* with IRPROF_WRITE_BLOCK and IRPROF_WRITE_PHI: number of the block */
    /* Number of loads and stores right before it in its block that do not write the bytes it accesses. */
    uint32_t clear;
};
/* Which calls of a step function (irprof instrument --steps) a region holds. */
enum irprof_step {
    IRPROF_STEP_NOT,  /* none: it is not about steps */
    IRPROF_STEP_ALL,  /* "NAME#": all of them */
    IRPROF_STEP_PATH, /* "NAME#12": those that took one path */
    IRPROF_STEP_MORE  /* "NAME#more": those of all further paths */
};
struct irprof_region {
    char *name;            /* owned */
    enum irprof_step step; /* a step of the function named by the first n_function characters of `name` */
    size_t n_function;
    uint64_t entries;       /* times begun (outermost begins only). For the total: number of runs */
    unsigned flaws;         /* irprof_flaw bits; 0: usable */
    uint64_t *executions;   /* owned; of each segment (n_segments) */
    uint64_t *taken;        /* owned; of each edge (n_edges) */
    uint64_t *event_counts; /* owned; of each entry of `event_sites` */
    uint64_t *iterations;   /* owned; of each loop (n_loops): executions of its header */
    /* owned; of each loop: jumps back to its header. The loop was entered iterations - repeats times */
    uint64_t *repeats;
    /* Number of derived counts that came out negative and were set to 0. Not 0 only if a thread was in the middle of a
     * function when the counters were read, because a signal or another thread's exit stopped it. */
    uint64_t clamped;
    uint64_t missing; /* how far the lowest of them was below zero */
};
/* Whether two regions are steps of the same function. */
bool irprof_same_steps(const struct irprof_region *a, const struct irprof_region *b);
/* The event for mispredictions of the simulated predictor. Further predictors that were simulated in the same run have
 * "BR_MIS_PRED:gshare:12:8". */
#define IRPROF_MISPREDICTED "BR_MIS_PRED"
/* Before the name of a function of the C library: the event for what its calls have to do (--sizes), summed up. Of
 * "SIZE_memcpy" bytes, of "SIZE_strlen" letters, of "SIZE_qsort" elements. */
#define IRPROF_SIZE "SIZE_"
/* The event for divisions of integers of up to 64 bits by a variable (--sizes): the significant bits of the magnitudes
 * of their quotients, summed up. Remainders have quotients, too. Dividers take longer for longer ones. */
#define IRPROF_QUOTIENT "QUOTIENT_BITS"
/* The same of divisions by constants, in functions that are not optimised and for targets where these divide: others
 * multiply. */
#define IRPROF_QUOTIENT_CONSTANT "QUOTIENT_BITS_CONSTANT"
enum { IRPROF_QUOTIENT_MOST = 64 }; /* widest divisions of these sums; wider ones are calls or several instructions */

/* Why the traffic of a run is not known (bit flags). */
enum irprof_traffic_flaw {
    IRPROF_TRAFFIC_THREADS = 1, /* several threads took part in it */
    IRPROF_TRAFFIC_FULL = 2,    /* there was more than the runtime can record */
    IRPROF_TRAFFIC_ALL = 3
};
/* A source line, with the chain of calls that leads to it from a step function. */
struct irprof_place {
    uint32_t
        parent; /* place of the call that contains it, at a lower index; IRPROF_NONE: it is in the step function itself */
    uint32_t line; /* 0: unknown */
    char *file;    /* owned; may be empty */
};
struct irprof_reader {
    uint32_t place;
    bool later; /* it read in a later call of a step function than the writer's */
};
/* Bytes that `writer` wrote in a step. Each of the readers read them at least once before they were written again. */
struct irprof_traffic_row {
    uint32_t writer; /* place */
    uint32_t first_reader, n_readers;
    uint64_t bytes;
};
/* The bytes that places passed to each other through memory (irprof instrument --traffic). Each byte written is in at
 * most one row. */
struct irprof_traffic {
    unsigned flaws; /* irprof_traffic_flaw bits; 0: usable */
    struct irprof_place *places;
    size_t n_places;
    struct irprof_traffic_row *rows;
    size_t n_rows;
    struct irprof_reader *readers;
    size_t n_readers;
};

/* Why the footprint of a run is not known (bit flags). */
enum irprof_footprint_flaw {
    IRPROF_FOOTPRINT_THREADS = 1, /* several threads took part in it */
    IRPROF_FOOTPRINT_FULL = 2,    /* there was more than the runtime can record */
    IRPROF_FOOTPRINT_ALL = 3
};
/* Bytes of a function with all that it calls, over the whole run; its own variables, and those of its callees, are left
 * out. */
struct irprof_foot_row {
    uint32_t function;
    uint64_t touched, written; /* different bytes */
    uint64_t needed;           /* it reads what was written elsewhere: once for each time that it was */
    uint64_t left;             /* what it wrote is read elsewhere: once for each time that it was written */
};
/* Which bytes functions touch (irprof instrument --footprint). */
struct irprof_footprint {
    unsigned flaws; /* irprof_footprint_flaw bits; 0: usable */
    struct irprof_foot_row *rows;
    size_t n_rows;
};

/* Why the windows of a run cannot be used (bit flags). */
enum irprof_window_flaw {
    IRPROF_WINDOWS_THREADS = 1, /* several threads took part in them */
    IRPROF_WINDOWS_FULL = 2,    /* there were more than the runtime can keep */
    IRPROF_WINDOWS_MIXED = 4,   /* modules were instrumented for windows of different sizes */
    IRPROF_WINDOWS_ALL = 7
};
/* The run, one window after the other (irprof instrument --windows). Together they have the counts of the total. */
struct irprof_windows {
    unsigned flaws;    /* irprof_window_flaw bits; 0: usable */
    uint64_t accesses; /* loads, stores and the like in a window, at most; the last one of a run has what was left */
    size_t n;
    struct irprof_window_source *source; /* internal */
};

struct irprof_profile {
    char *path;          /* owned; used in messages */
    char *program;       /* owned; name of the program that was run */
    enum irprof_end end; /* of merged runs: the worst of them */
    unsigned end_signal; /* when end is IRPROF_END_SIGNAL */
    /* Why main ran only once, although it should have run twice to warm the caches: "it ends the program". Simulated
     * caches were empty at the start then. NULL: it ran as often as it should. Of merged runs: one run's reason. Static
     * text. */
    const char *once;
    uint64_t runs; /* 1, or how many were merged */
    char **keys;   /* owned; all keys in the program, executed or not; sorted */
    size_t n_keys;
    char **files; /* owned; names of source files from the debug information, with the directory */
    size_t n_files;
    /* Owned; MD5 of each file's bytes when it was compiled, 32 hexadecimal digits. NULL: not known (compiled without
     * DWARF 5, or by an older irprof). "": the modules were compiled from different versions of the file. */
    char **checksums;
    struct irprof_module *modules;
    size_t n_modules;
    struct irprof_function *functions; /* including those that are not counted */
    size_t n_functions;
    struct irprof_segment *segments; /* by function, block, number */
    size_t n_segments;
    struct irprof_part *parts;
    size_t n_parts;
    struct irprof_item *items;
    size_t n_items;
    struct irprof_instruction *instructions; /* by segment */
    size_t n_instructions;
    struct irprof_operand *operands; /* by instruction, in the order of the IR */
    size_t n_operands;
    /* By instruction; of a function all loads and stores, or none. None at all: an older irprof instrumented it. */
    struct irprof_access *accesses;
    size_t n_accesses;
    struct irprof_base *bases;
    size_t n_bases;
    char **events; /* owned; sorted. The PMU's name where it has the event: L1D_CACHE_REFILL, BR_MIS_PRED */
    size_t n_events;
    struct irprof_event_site *event_sites;
    size_t n_event_sites;
    struct irprof_edge *edges; /* by function, from */
    size_t n_edges;
    struct irprof_loop *loops; /* by function; a loop follows the loop around it */
    size_t n_loops;
    struct irprof_call *calls; /* by segment */
    size_t n_calls;
    char **callees; /* owned; names of called functions that are defined in another module, or nowhere */
    size_t n_callees;
    struct irprof_region *regions;      /* in the order of their first begin; the last is the total */
    size_t n_regions;                   /* >= 1 */
    struct irprof_traffic *traffic;     /* owned; NULL: it was not recorded */
    struct irprof_footprint *footprint; /* owned; NULL: it was not recorded */
    struct irprof_windows *windows;     /* owned; NULL: they were not counted */
};
/* The number of an event of this name; n_events: the profile has none. */
size_t irprof_event(const struct irprof_profile *p, const char *name);
/* False only where the two cannot touch the same bytes, if both are executed in one iteration. */
bool irprof_may_overlap(const struct irprof_profile *p, const struct irprof_access *a, const struct irprof_access *b);

/* Reads and checks the profile `path`. ERR_INPUT: not a profile, another version, truncated, changed, or inconsistent.
 * No file can crash the caller; memory is bounded by a multiple of the file's size. Free *out with irprof_free. */
enum status irprof_read(struct irprof_profile **out, const char *path, struct error *e) MUST_CHECK;
/* The same from n bytes in memory; messages use `name`. */
enum status irprof_parse(struct irprof_profile **out, const void *bytes, size_t n, const char *name,
                         struct error *e) MUST_CHECK;
void irprof_free(struct irprof_profile *p); /* NULL is allowed */

/* The index of a region by name. "main" and "(program)" both name the total, unless the program marks a region of that
 * name. ERR_INPUT: no such region (the message lists the regions), or its begins and ends do not match. */
enum status irprof_region(size_t *index, const struct irprof_profile *p, const char *name, struct error *e) MUST_CHECK;
/* Windows first ... first + n - 1 together, as a region; irprof_region_release frees it. The counts are exact; an access
 * whose segment began in one window may miss in the next. */
void irprof_window(const struct irprof_profile *p, size_t first, size_t n, struct irprof_region *out);
void irprof_region_release(struct irprof_region *r);
/* ERR_INPUT if the counts of regions[index] cannot be used; the message says why. */
enum status irprof_region_usable(const struct irprof_profile *p, size_t index, struct error *e) MUST_CHECK;

/* How counts are grouped. */
enum irprof_by {
    IRPROF_BY_KEY, /* one group for the whole region */
    IRPROF_BY_FUNCTION,
    IRPROF_BY_LINE,         /* (file, line), in whatever function the code ended up */
    IRPROF_BY_BLOCK,        /* (function, block); file and line are those of its first instruction that has them */
    IRPROF_BY_FUNCTION_LINE /* (function, file, line) */
};
struct irprof_count {
    uint32_t key;
    uint64_t count; /* > 0 */
};
struct irprof_row {
    uint32_t function;           /* index, or IRPROF_NONE if the grouping has no function */
    uint32_t file, line;         /* IRPROF_NONE and 0: unknown */
    uint32_t block;              /* only with IRPROF_BY_BLOCK, otherwise IRPROF_NONE */
    uint64_t entries;            /* IRPROF_BY_BLOCK: times entered; IRPROF_BY_FUNCTION: times called; otherwise 0 */
    uint64_t total;              /* executed instructions: the sum of the counts */
    struct irprof_count *counts; /* by key, ascending; owned by the groups */
    size_t n_counts;
    uint64_t *events; /* Count of each event (n_events); owned by the groups; NULL: the profile has no events. */
};
struct irprof_groups {
    struct irprof_row *rows; /* executed ones only; ordered by function, file, line and block of the profile */
    size_t n_rows;
};
/* Sums the counts of regions[region]. ERR_INPUT if irprof_region_usable refuses the region. Free *out with
 * irprof_groups_free. */
enum status irprof_group(struct irprof_groups **out, const struct irprof_profile *p, size_t region, enum irprof_by by,
                         struct error *e) MUST_CHECK;
void irprof_groups_free(struct irprof_groups *g); /* NULL is allowed */

/* How the machine code of a typical target contains an instruction, as far as the IR shows
 * (docs/method/dataflow.md). */
enum irprof_fold {
    IRPROF_FOLD_NOT,     /* an instruction of its own */
    IRPROF_FOLD_ADDRESS, /* part of the loads and stores that it is the address of */
    IRPROF_FOLD_COMPARE, /* one instruction with the branch or select that alone uses it */
    IRPROF_FOLD_EXTEND,  /* a conversion that the load or the preceding operation does, or that needs no code */
    IRPROF_FOLD_NOTHING, /* no code: phi, alloca, freeze ... */
    IRPROF_FOLD_N
};
/* Writes an enum irprof_fold for each instruction into folds[p->n_instructions]. */
void irprof_folds(const struct irprof_profile *p, unsigned char *folds);

/* How long the quotients of divisions were: IRPROF_QUOTIENT and IRPROF_QUOTIENT_CONSTANT. */
enum irprof_divisor { IRPROF_DIVISOR_VARIABLE, IRPROF_DIVISOR_CONSTANT, IRPROF_DIVISORS };
struct ir_key;
/* Whether an instruction is a division, or a remainder, whose quotient is in that sum; `key`: the instruction's. */
bool irprof_quotient_counts(const struct irprof_instruction *in, const struct ir_key *key, enum irprof_divisor by);
/* The mean number of significant bits of the quotients of each part; NAN: none was made, or the profile does not tell.
 * n_parts; free(). */
double *irprof_quotient_bits(const struct irprof_profile *p, const struct irprof_region *region,
                             enum irprof_divisor by);

/* The longest loop-carried dependency chain of a loop, in its own blocks (blocks of inner loops belong to those). It
 * leads from a value of the previous iteration - a phi, or a local variable in memory - to the value that the next
 * iteration uses. */
struct irprof_chain {
    double length;          /* sum of the weights of its instructions; 0: there is no chain */
    uint32_t *instructions; /* owned; from the last to the first */
    size_t n;
};
/* Finds the chain of each loop for the given weights of the instructions (p->n_instructions, none negative). Writes
 * chains[p->n_loops]; free with irprof_chains_release. */
void irprof_chains(const struct irprof_profile *p, const double *weights, struct irprof_chain *chains);
void irprof_chains_release(const struct irprof_profile *p, struct irprof_chain *chains);

/* The counts of all keys of a region into counts[p->n_keys], or of all events into counts[p->n_events]. The region's
 * flaws are ignored. */
void irprof_key_counts(const struct irprof_profile *p, size_t region, uint64_t *counts);
void irprof_event_counts(const struct irprof_profile *p, size_t region, uint64_t *counts);

#endif
