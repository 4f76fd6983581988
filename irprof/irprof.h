/*
 * irprof.h - reading what an instrumented program has counted: profiles, and the
 * counts summed by key, function, line, block and region. Nothing here needs LLVM:
 * who only reads profiles links only this part of the library.
 *
 * In the order of use:
 *     struct irprof_profile *p;
 *     irprof_read(&p, "fir.prof", e)                        read and check a file
 *     irprof_region(&r, p, "filter", e)                     a region by its name
 *     irprof_group(&t, p, r, IRPROF_BY_FUNCTION_LINE, e)    (function, file, line) -> keys and counts
 *     irprof_groups_free(t), irprof_free(p)
 *
 * A SEGMENT is a run of instructions of one basic block that are always executed
 * together: a block, cut after each call that might not return. The counts of a
 * region are how often each segment was entered, hence how often each of its
 * instructions was executed. Counts are instructions executed (exact integers).
 *
 * Beside instructions a profile may have EVENTS (cache misses, mispredicted branches,
 * spills: what --memory, --branches and --spills record), and it always has the flow:
 * how often each EDGE between blocks was taken, each LOOP entered and iterated, and
 * each CALL made. And it has the data flow: the INSTRUCTIONS of each segment in their
 * order, and for each OPERAND which instruction made it.
 */
#ifndef IRPROF_H
#define IRPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* "No such file": the place of instructions without debug information. */
#define IRPROF_NONE UINT32_MAX

/* The total over the whole run, whatever regions the program marks. It is the last region of every profile. A program
 * that marks no region has this one alone, and there it is called IRPROF_REGION_MAIN. */
#define IRPROF_REGION_TOTAL "(program)"
#define IRPROF_REGION_MAIN  "main"

/* How the program ended. */
enum irprof_end {
    IRPROF_END_EXIT,   /* main returned, exit() */
    IRPROF_END_QUICK,  /* _exit(), _Exit(), quick_exit() */
    IRPROF_END_SIGNAL, /* killed by `end_signal` */
    IRPROF_END_N
};

/* Why the counts of a region cannot be used; bits. */
enum irprof_flaw {
    IRPROF_FLAW_END_ALONE = 1, /* shim_region_end without a begin */
    IRPROF_FLAW_CROSSED = 2,   /* ended while a region begun inside it was still open, or the other way round */
    IRPROF_FLAW_OPEN = 4,      /* never ended: the program ended inside it */
    IRPROF_FLAW_MEMORY = 8,    /* the program had no memory left to count it */
    IRPROF_FLAW_ALL = 15
};

/* How a module's counters are kept. */
enum irprof_counters {
    IRPROF_COUNTERS_THREAD, /* each thread its own: exact in threads */
    IRPROF_COUNTERS_ATOMIC, /* one set, incremented atomically: exact in threads */
    IRPROF_COUNTERS_PLAIN,  /* one set: exact in one thread */
    IRPROF_COUNTERS_N
};

struct irprof_module {
    char *name;        /* owned; the IR's source_filename */
    char *target;      /* owned; target triple, may be empty */
    uint64_t build_id; /* hash of the module's description: equal for equal builds */
    enum irprof_counters counters;
    char *
        settings; /* owned; what events were recorded by ("l1d=32768:4:64:lru l2=... branches=gshare:12:8"), or empty */
};
struct irprof_function {
    char *name;        /* owned; as in the IR */
    uint32_t module;   /* index */
    uint32_t file;     /* index into `files` of its definition, or IRPROF_NONE */
    uint32_t line;     /* of its definition; 0: unknown */
    char *not_counted; /* owned; NULL: counted. Else why it could not be instrumented ("naked") */
    bool local;        /* has internal linkage: its name is its module's alone */
};
/* `times` instructions with key `key` (index into `keys`). */
struct irprof_item {
    uint32_t key;
    uint32_t times;
};
/* The instructions of a segment that come from one source line: items[first_item] ... (n_items of them).
 * Code inlined from elsewhere has the file and line it was written at. */
struct irprof_part {
    uint32_t file; /* index, or IRPROF_NONE */
    uint32_t line; /* 0: unknown */
    uint32_t first_item, n_items;
    uint32_t first_happening, n_happenings; /* in `happenings` */
};
/* That event `event` (index into `events`) happens in a part; how often, a region says. */
struct irprof_happening {
    uint32_t event;
};
/* An edge of a function's control-flow graph that a terminator's operand names. Exceptional edges (unwinding, computed
 * jumps) are not among them. */
enum irprof_edge_kind {
    IRPROF_EDGE_JUMP,  /* br without a condition, the normal way out of an invoke */
    IRPROF_EDGE_TRUE,  /* br, the condition held: taken */
    IRPROF_EDGE_FALSE, /* br, it did not */
    IRPROF_EDGE_CASE,  /* switch: some of its cases go here */
    IRPROF_EDGE_DEFAULT,
    IRPROF_EDGE_N
};
struct irprof_edge {
    uint32_t function;
    uint32_t from, to;   /* blocks, by their numbers in the function */
    uint32_t file, line; /* of the terminator; IRPROF_NONE, 0 where unknown */
    enum irprof_edge_kind kind;
};
/* A natural loop: its header dominates the blocks that jump back to it. */
struct irprof_loop {
    uint32_t function;
    uint32_t header;     /* block */
    uint32_t depth;      /* 1: outermost */
    uint32_t parent;     /* index of the loop around it, or IRPROF_NONE */
    uint32_t file, line; /* where it begins; IRPROF_NONE, 0 where unknown */
};
/* A call: executed once whenever its segment is (it ends the segment, or it is sure to return). */
struct irprof_call {
    uint32_t segment;
    uint32_t callee;     /* function, or IRPROF_NONE: not in the profile, or called through a pointer */
    const char *name;    /* of the function called, borrowed from the profile; NULL: through a pointer */
    uint32_t file, line; /* IRPROF_NONE, 0 where unknown */
};
struct irprof_segment {
    uint32_t function;            /* index */
    uint32_t block;               /* number of the basic block in its function, from 0 */
    uint32_t number;              /* number of the segment in its block, from 0 */
    uint32_t loop;                /* the innermost that its block is in, index, or IRPROF_NONE */
    uint32_t first_part, n_parts; /* in `parts`; none if nothing is counted in it but the entries of its block */
    uint32_t first_instruction, n_instructions; /* in `instructions`, in the order of the IR */
};
/* What of an instruction's operands no instruction made; bits. */
enum irprof_constant {
    IRPROF_CONSTANT = 1, /* a constant number; of a getelementptr: all its indices */
    /* The constant makes it simpler: 0 in a comparison, 0 or a power of two elsewhere; a getelementptr has one index
     * that is no constant, in steps of 1, 2, 4, 8 or 16 bytes, and no offset besides */
    IRPROF_CONSTANT_EASY = 2,
    IRPROF_CONSTANT_GLOBAL = 4, /* the address of a variable or function, but for the one that a call calls */
};
/* A counted instruction. */
struct irprof_instruction {
    uint32_t key;
    uint32_t part; /* in `parts` */
    uint32_t first_operand, n_operands;
    unsigned constants; /* irprof_constant bits */
};
/* An operand that another instruction, or an argument, made; constants are not among them. */
struct irprof_operand {
    /* Index in `instructions` of the same function, IRPROF_NONE: an argument, or what is not counted. It stands before
     * the instruction, but for those of a phi: there, a producer within the phi's loop is what the round before made.
     * In code that nothing leads to, LLVM allows that an instruction uses its own result; readers do not check it. */
    uint32_t producer;
    bool address; /* it says where a load, a store or an atomic operation goes, what a getelementptr begins at, or whom
                     a call calls */
};
struct irprof_region {
    char *name;           /* owned */
    uint64_t entries;     /* times begun (outermost begins only); the total: number of runs */
    unsigned flaws;       /* irprof_flaw bits; 0: usable */
    uint64_t *executions; /* owned; of each segment (n_segments) */
    uint64_t *taken;      /* owned; of each edge (n_edges) */
    uint64_t *happened;   /* owned; of each happening (n_happenings) */
    uint64_t *iterations; /* owned; of each loop (n_loops): executions of its header */
    uint64_t *repeats;    /* owned; of each loop: jumps back to its header. Entries are iterations - repeats */
    /* Values that follow from counters and came out below zero; they are taken as 0. Not 0 only where a thread was
     * stopped in the middle of a function when the counters were read: by a signal, or by another thread's exit. */
    uint64_t clamped;
};
/* Mispredictions of the simulated predictor; of further ones that saw the same run: "BR_MIS_PRED:gshare:12:8". */
#define IRPROF_MISPREDICTED "BR_MIS_PRED"

struct irprof_profile {
    char *path;          /* owned; for messages */
    char *program;       /* owned; name of the program that was run */
    enum irprof_end end; /* of merged runs: the worst */
    unsigned end_signal; /* when end is IRPROF_END_SIGNAL */
    /* Why main ran once, though it was to run twice for warm caches: "it ends the program". What was simulated began
     * empty then. Borrowed for ever; NULL: it ran as often as it should. Of merged runs one of theirs. */
    const char *once;
    uint64_t runs; /* 1, or how many were merged */
    char **keys;   /* owned; every key that occurs in the program, executed or not; sorted */
    size_t n_keys;
    char **files; /* owned; source files as the debug information names them, directory joined */
    size_t n_files;
    /* Owned; of each file the MD5 of its bytes when it was compiled, 32 hexadecimal digits; NULL: not known (compiled
     * without DWARF 5, or by an older irprof); "": modules were compiled from different states of it. */
    char **checksums;
    struct irprof_module *modules;
    size_t n_modules;
    struct irprof_function *functions; /* those not counted too */
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
    char **events; /* owned; sorted. PMU names where there is one: L1D_CACHE_REFILL, BR_MIS_PRED */
    size_t n_events;
    struct irprof_happening *happenings;
    size_t n_happenings;
    struct irprof_edge *edges; /* by function, from */
    size_t n_edges;
    struct irprof_loop *loops; /* by function; a loop stands behind the one around it */
    size_t n_loops;
    struct irprof_call *calls; /* by segment */
    size_t n_calls;
    char **callees; /* owned; names of functions that are called and defined in another module, or nowhere */
    size_t n_callees;
    struct irprof_region *regions; /* in the order of their first begin; the last is the total */
    size_t n_regions;              /* >= 1 */
};

/* Reads and checks the profile `path`. ERR_INPUT: not a profile, another version, cut short, changed, inconsistent.
 * No content of the file can crash the caller or exhaust memory beyond a multiple of its size. irprof_free *out. */
enum status irprof_read(struct irprof_profile **out, const char *path, struct error *e) MUST_CHECK;
/* The same from memory; `name` stands in messages. */
enum status irprof_parse(struct irprof_profile **out, const void *bytes, size_t n, const char *name,
                         struct error *e) MUST_CHECK;
void irprof_free(struct irprof_profile *p); /* NULL is fine */

/* The index of a region by name; "main" and "(program)" both name the total unless the program marks a region so
 * called. ERR_INPUT: there is none (the message lists those there are), or its begins and ends do not match. */
enum status irprof_region(size_t *index, const struct irprof_profile *p, const char *name, struct error *e) MUST_CHECK;
/* ERR_INPUT with the reason when the counts of regions[index] cannot be used. */
enum status irprof_region_usable(const struct irprof_profile *p, size_t index, struct error *e) MUST_CHECK;

/* What a group of counts is about. */
enum irprof_by {
    IRPROF_BY_KEY, /* one group for the region: the counts of the keys */
    IRPROF_BY_FUNCTION,
    IRPROF_BY_LINE,         /* (file, line), whatever function the code ended up in */
    IRPROF_BY_BLOCK,        /* (function, block): file and line are those of its first instruction that has them */
    IRPROF_BY_FUNCTION_LINE /* (function, file, line) */
};
struct irprof_count {
    uint32_t key;
    uint64_t count; /* > 0 */
};
struct irprof_row {
    uint32_t function;   /* index, or IRPROF_NONE where the grouping has none */
    uint32_t file, line; /* IRPROF_NONE, 0 where unknown */
    uint32_t block;      /* IRPROF_BY_BLOCK, else IRPROF_NONE */
    uint64_t entries;    /* IRPROF_BY_BLOCK: times the block was entered; IRPROF_BY_FUNCTION: times called; else 0 */
    uint64_t total;      /* instructions, the sum of the counts */
    struct irprof_count *counts; /* by key, ascending; owned by the groups */
    size_t n_counts;
    uint64_t *events; /* how often each event happened, n_events; owned by the groups; NULL: the profile has none */
};
struct irprof_groups {
    struct irprof_row *rows; /* those executed; ordered by function, file, line, block in the order of the profile */
    size_t n_rows;
};
/* Sums the counts of regions[region]. ERR_INPUT if irprof_region_usable refuses it. irprof_groups_free *out. */
enum status irprof_group(struct irprof_groups **out, const struct irprof_profile *p, size_t region, enum irprof_by by,
                         struct error *e) MUST_CHECK;
void irprof_groups_free(struct irprof_groups *g); /* NULL is fine */

/* What an instruction becomes in the code of a usual machine, as far as the IR tells (docs/method/dataflow.md). */
enum irprof_fold {
    IRPROF_FOLD_NOT,     /* code of its own */
    IRPROF_FOLD_ADDRESS, /* computed by the loads and stores it is the address of */
    IRPROF_FOLD_COMPARE, /* one with the branch or the selection that alone uses it */
    IRPROF_FOLD_EXTEND,  /* a conversion that the load or the operation before it does, or that is nothing */
    IRPROF_FOLD_NOTHING, /* phi, alloca, freeze ...: a name for what is there */
    IRPROF_FOLD_N
};
/* Into folds[p->n_instructions]. */
void irprof_folds(const struct irprof_profile *p, unsigned char *folds);

/* What carries the result of one round of a loop into the next, in the loop's own blocks (those of inner loops are
 * theirs): the longest way from a value that the round before made, a phi or a variable in memory that an alloca made,
 * to the value that the next one takes. */
struct irprof_chain {
    double length;          /* the weights of its instructions; 0: there is none */
    uint32_t *instructions; /* owned; from the last to the first */
    size_t n;
};
/* Into chains[p->n_loops], for instructions of these weights (p->n_instructions, none negative). */
void irprof_chains(const struct irprof_profile *p, const double *weights, struct irprof_chain *chains);
void irprof_chains_release(const struct irprof_profile *p, struct irprof_chain *chains);

/* The counts of all keys of a region, into counts[p->n_keys]; of all events, into counts[p->n_events]. They do not look
 * at flaws. */
void irprof_key_counts(const struct irprof_profile *p, size_t region, uint64_t *counts);
void irprof_event_counts(const struct irprof_profile *p, size_t region, uint64_t *counts);

#endif
