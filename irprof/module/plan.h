/*
 * plan.h - the plan of what is counted in a module, made before any instruction is added: its functions are cut into
 * segments, and each segment has its keys. Internal to irprof.
 *
 * Order of the steps (instrument.c): plan_make -> place_values -> spill_plan -> access_plan -> describe -> place_insert.
 */
#ifndef IRPROF_MODULE_PLAN_H
#define IRPROF_MODULE_PLAN_H

#include <llvm-c/Core.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"
#include "irprof/irprof.h"
#include "irprof/module/options.h"

/* "As often as the segment": in place of the number of a value. */
#define PLAN_SEGMENT SIZE_MAX

struct plan_item {
    size_t key; /* number in plan.keys */
    size_t times;
};
/* `times` times the value: how often an event happens in a part. */
struct plan_event {
    size_t event; /* number in plan.events */
    size_t value; /* a counter of its own (plan_add_counter), an edge's value, or PLAN_SEGMENT */
    size_t times;
};
/* The instructions of a segment that were written on one source line. */
struct plan_part {
    size_t file; /* number in plan.files plus 1; 0: unknown */
    unsigned line;
    VEC(struct plan_item) items;
    VEC(struct plan_event) events;
};
/* A counted instruction of a segment. */
struct plan_instruction {
    LLVMValueRef value;
    size_t part, item; /* its part in the segment, its item in the part */
};
struct plan_call {
    size_t callee; /* number in plan.callees plus 1; 0: through a pointer */
    size_t file;   /* as in plan_part */
    unsigned line;
};
struct plan_segment {
    LLVMValueRef at;      /* the first instruction of the segment before which code can be inserted */
    size_t block, number; /* number of the block in its function, of the segment in its block */
    size_t value;         /* which value counts it: set by place_values */
    size_t loop;          /* innermost around its block: number in plan_function.loops plus 1; 0: none. Likewise */
    bool stays;           /* ends in a call that does not return: nothing of its block follows */
    VEC(struct plan_part) parts;
    VEC(struct plan_call) calls;
    VEC(struct plan_instruction) instructions; /* in the order of the IR */
};
/* An edge between blocks, as irprof_edge of irprof.h. */
struct plan_edge {
    LLVMValueRef terminator;
    size_t from, to; /* numbers of blocks */
    unsigned kind;   /* enum irprof_edge_kind */
    size_t value;    /* set by place_values */
};
struct plan_loop {
    size_t header; /* number of its block */
    size_t parent; /* number in plan_function.loops plus 1; 0: none. A parent comes first */
    size_t file;   /* as in plan_part */
    unsigned line;
    size_t iterations, repeats; /* values, as in irprof_region; set by place_values */
};
/* What precedes an access, by LLVM's alias analysis. */
struct access_order {
    enum irprof_write write;
    size_t clear; /* so many accesses of its block right before it write nothing that it touches */
    size_t block; /* of the write, as irprof_access.write_block; where `write` has one */
};
/* What an access is relative to: an object, perhaps with a variable index. */
struct access_base {
    LLVMValueRef root;   /* an alloca, a global variable, an argument or any other pointer */
    LLVMValueRef index;  /* NULL: none */
    LLVMValueRef object; /* that root is in, as far as it is known */
    unsigned extended;   /* how the index is extended: 0 not, 1 with its sign, 2 with zeros */
    long long step;      /* of the index [bytes] */
};
/* A load or store; access_plan sets them. */
struct plan_access {
    size_t instruction; /* number among the counted instructions of the function */
    size_t base;        /* number in plan_function.bases plus 1; 0: unknown */
    long long offset;
    uint64_t size;
    bool fixed; /* volatile or atomic */
    struct access_order order;
};
struct plan_base {
    struct access_base base;
    size_t object; /* the first base in the same object */
};
struct plan_function {
    LLVMValueRef function;
    const char *not_counted; /* why; NULL: it is counted. A literal */
    size_t file;             /* of its definition, as in plan_part */
    unsigned line;
    VEC(struct plan_segment) segments; /* by block and number */
    VEC(struct plan_edge) edges;       /* by `from`: set by place_values */
    VEC(struct plan_loop) loops;       /* set by place_values */
    VEC(struct plan_access) accesses;  /* set by access_plan; a base stands before what is relative to it */
    VEC(struct plan_base) bases;
    struct flow *flow; /* owned; place_values to place_insert */
};
/* The branches that the target's code has in the place of one of the IR (branch_code.c). Where the code is not known it is
 * one that is taken if the condition holds. */
struct plan_branches {
    unsigned n;        /* 0: none; 1: of the whole condition; else of each of its leaves */
    unsigned depth;    /* of its leaves (condition_read) */
    uint32_t inverted; /* bit i: branch i is taken if what it is of does not hold */
};
/* The branches that the target's code passes on its way from a switch to one of its successors. */
enum { PLAN_ROUTE_MAX = 16, PLAN_ROUTE_TAKEN = 0x80 };
struct plan_route {
    uint8_t
        branches[PLAN_ROUTE_MAX]; /* numbers within the switch, in their order; with PLAN_ROUTE_TAKEN: it is taken */
    unsigned n;
    bool table; /* the last is a jump through a register */
};
/* What no case is for leaves the comparisons in several places: by the value, from this one on. */
struct plan_other {
    int64_t from; /* the first's counts for what is less, too */
    struct plan_route route;
};
struct plan_switch {
    struct plan_route *routes;     /* owned; by the numbers of the successors; NULL: not known */
    VEC(struct plan_other) others; /* by `from`, signed; empty: routes[0] is the only one */
};
/* An instruction before which events are recorded (memory_events.c, branch_events.c): a load, a store, a conditional
 * branch ... */
struct plan_site {
    LLVMValueRef at;
    size_t value;              /* the first of its part's counters for what it does */
    size_t lines;              /* accesses: the counter of lines that does not follow from executions */
    struct plan_branches code; /* of a conditional branch */
    struct plan_switch ways;   /* of a switch */
};
/* Functions, each followed by what of it is reported as it is executed (memory_reports_plan). */
struct plan_reported {
    LLVMValueRef *at;
    size_t n, cap;
};
/* A value that is not counted but follows from others: the sum of its terms. */
struct plan_term {
    size_t value; /* an earlier one */
    int sign;     /* +1, -1 */
};
struct plan_value {
    VEC(struct plan_term) terms;
};
struct plan {
    const struct instrument_options *options; /* borrowed */
    struct map keys, files, events, callees;
    VEC(char *) checksums; /* owned; of each file: MD5 in hexadecimal, NULL unknown */
    struct str settings;   /* irprof_module.settings of irprof.h */
    VEC(struct plan_function) functions;
    VEC(struct plan_site) accesses, branches, switches, jumps, sizes, quotients;
    struct plan_reported traffic;   /* set by traffic_plan */
    struct plan_reported footprint; /* set by footprint_plan */
    bool windows;                   /* a segment accesses memory, and windows are counted (window_insert) */
    size_t n_counters;              /* values 0 ... n_counters - 1 are counters */
    size_t n_simulated;             /* the first of them count what is simulated */
    VEC(struct plan_value) derived; /* values n_counters ... */
};

/* Cuts all functions that are defined in `module` into segments, with sites and counters for the events that are
 * asked for. plan_release frees. */
void plan_make(struct plan *plan, LLVMModuleRef module, const struct instrument_options *options);
void plan_release(struct plan *plan);
/* Source position of an instruction, of a function's definition: number of the file plus 1, or 0, as in plan_part. */
size_t plan_instruction_place(struct plan *plan, LLVMValueRef instruction, unsigned *line);
size_t plan_function_place(struct plan *plan, LLVMValueRef function, unsigned *line);
/* One more counter; before place_values. */
size_t plan_add_counter(struct plan *plan);
/* That `event` happens in a part, `times` times the value (a counter, or PLAN_SEGMENT). */
void plan_add_event(struct plan *plan, struct plan_part *part, const char *event, size_t value, size_t times);
/* That it happens `times` times more in each execution of the part's segment. */
void plan_event_times(struct plan *plan, struct plan_part *part, const char *event, size_t times);
/* The counter of `event` in the part: the one it has, or a new one. */
size_t plan_event_counter(struct plan *plan, struct plan_part *part, const char *event);

/* ---- place.c: which edges get a counter, and what follows from those ---- */

/* Where the counters are: `array`, a global of plan->n_counters 64-bit integers. Counters of a thread: in the array
 * that `mine` points to, a thread-local variable; `array` then is what they are in as long as there is no runtime. */
struct place_target {
    LLVMModuleRef module;
    LLVMValueRef array;
    LLVMValueRef mine;         /* counter_add_mine's; NULL if `kind` is not IRPROF_COUNTERS_THREAD */
    enum irprof_counters kind; /* how they are incremented */
};
/* The address of a counter, at the builder's place. */
LLVMValueRef place_counter(const struct place_target *t, LLVMBuilderRef b, size_t counter);
/* Adds a 64-bit integer to a counter, in the way that `kind` says. */
void place_add(const struct place_target *t, LLVMBuilderRef b, size_t counter, LLVMValueRef amount);
/* counter.c: adds that variable; when all code is inserted that uses place_counter, makes every function in which it
 * was used find its thread's array. `data` is what the runtime knows the module by. Blocks in front of a function's
 * come. */
LLVMValueRef counter_add_mine(LLVMModuleRef module, LLVMValueRef array);
extern const char counter_mine_name[]; /* of that variable */
void counter_finish(const struct place_target *t, LLVMValueRef data);

/* Gives every segment, edge and loop its value; sets n_counters and derived. The module is as plan_make left it. */
void place_values(struct plan *plan, enum place_scheme scheme);
/* Inserts the increments. Sites stay where they are. */
void place_insert(struct plan *plan, const struct place_target *t);
/* The last step of all: LLVM makes registers of the counters in loops. Instructions in the plan may be gone after it.
 */
void place_finish(LLVMModuleRef module);

/* ---- access_plan.c: what is known of loads and stores. The module is as plan_make left it, and stays so ---- */

void access_plan(struct plan *plan, LLVMModuleRef module);

/* ---- describe.c: the plan as bytes (docs/formats/profile.md, "module description") ---- */

void describe(struct str *out, const struct plan *plan, LLVMModuleRef module, enum irprof_counters kind);

#endif
