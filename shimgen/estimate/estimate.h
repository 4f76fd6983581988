/*
 * estimate.h - estimates the cycles of a program from its profile and a SHIM file's values, without the board. In the
 * order of use:
 *
 *     costs_from_shim(&costs, "board.shim.xml", core, 0, e)  a core's values
 *     estimate_run(&est, &request, e)                        cycles of every part of the profile, by a method
 *     estimate_sum(est, part) ...                            cycles of a function, a line, a block: sums of parts
 *     estimate_free(est)
 *
 * A PART is defined in irprof.h: the instructions of a segment that come from one source line. Every result (functions,
 * lines, loops, regions, model blocks) is a sum of parts. The cycles of a part are multiples of a power of two, chosen
 * so that sums are exact in any order. Therefore sums over blocks, functions and lines agree to the last bit.
 */
#ifndef SHIMGEN_ESTIMATE_H
#define SHIMGEN_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "irprof/profile/callgraph.h"
#include "irprof/irprof.h"
#include "shimgen/estimate/assumed.h"
#include "shimgen/estimate/estimate_causes.h"
#include "shimgen/estimate/costs.h"

/* The input of an estimate. Everything is borrowed. */
struct estimate_request {
    const struct irprof_profile *profile;
    size_t region; /* index of a usable region */
    const struct costs *costs;
    const char *const *programs; /* for method compiled: the counted IR (.bc, .ll); NULL-terminated, or NULL */
    const char *board;           /* for method compiled: the board whose timing data are used; or NULL */
    const char *core;            /* with board: a core's model file, used instead of the board's own timing; or NULL */
    bool without_events;         /* for method schedule: ignore the profile's misses and mispredictions */
};

/* Why an estimate may be worse than others. Each is said in a sentence where it stands. */
enum estimate_doubt {
    DOUBT_LIBRARY, /* functions of libraries have no cost: their calls alone are in the estimate */
    DOUBT_GUESSED, /* method compiled: a part of the estimate is the guessed cost of library functions */
    DOUBT_CODE,    /* method compiled: transitions or instructions that were not found in the machine code */
    DOUBT_RARE,    /* instructions that hardly any of the programs fitted on had */
    DOUBTS
};

/* The cycles of all executions of the region. */
struct estimate {
    const struct estimator *method;
    const struct irprof_profile *profile; /* borrowed */
    const struct costs *costs;            /* borrowed */
    size_t region;
    struct cycles *parts; /* owned; of each of profile->parts */
    /* What the typical cycles of each part are spent on, multiples of `step` that add up to them; owned. And bits 1 <<
     * enum estimate_cause: which causes this estimate tells; 0: none, the method knows only sums */
    struct causes *causes;
    unsigned known_causes;
    double step;         /* the cycles of all parts are multiples of it */
    struct cycles total; /* the sum of all parts */
    struct key_costs keys;
    struct assumed assumed; /* instructions without a value, and the assumption about each */
    /* Method compiled: instructions of the target that the core's model has no figures for; owned */
    struct unmeasured *unmeasured;
    size_t n_unmeasured;
    unsigned doubts; /* bits 1 << enum estimate_doubt */
    char **notes;    /* owned; sentences a user must know ("misses are not in the profile: ..."); n_notes */
    size_t n_notes;
};

struct unmeasured {
    char *instruction; /* owned; "fmadd (fp_fma)", "fjcvtzs (not decoded)" */
    char *as;          /* owned; the class whose figures it takes; "assumed": its own, which nobody measured */
    double executed;   /* share of the machine's instructions executed, 0 to 1 */
    double cycles;     /* share of the typical cycles */
};

/* A method of estimating. `run` fills parts[profile->n_parts] and, if it knows them, causes, which are zero before; it may
 * add notes. */
struct estimator {
    const char *name;    /* "sum" */
    const char *summary; /* one line for --help and tables */
    enum status (*run)(struct estimate *out, const struct estimate_request *q, struct error *e);
};
/* The methods in the order of help and messages; the only list. FIRST and OTHER are macros of a name. */
#define ESTIMATORS(FIRST, OTHER) FIRST(sum) OTHER(operand) OTHER(schedule) OTHER(compiled)
#define ESTIMATOR_DECLARE(name)  extern const struct estimator estimator_##name;
ESTIMATORS(ESTIMATOR_DECLARE, ESTIMATOR_DECLARE)
/* The method by name, NULL: no such method; or by index, NULL after the last. */
const struct estimator *estimator_find(const char *name);
const struct estimator *estimator_at(size_t i);
#define ESTIMATOR_NAME(name)       #name
#define ESTIMATOR_OR_NAME(name)    "|" #name
#define ESTIMATOR_COMMA_NAME(name) ", " #name
#define ESTIMATOR_NAMES            ESTIMATORS(ESTIMATOR_NAME, ESTIMATOR_OR_NAME)    /* "sum|operand|...", for options */
#define ESTIMATOR_LIST             ESTIMATORS(ESTIMATOR_NAME, ESTIMATOR_COMMA_NAME) /* "sum, operand, ...", for messages */
/* The method by name. name NULL: the method that the SHIM file's values are for; "operand" if it does not say. */
const struct estimator *estimator_choose(const char *name, const struct costs *c);

/* True: the method uses a board and programs, and no values of a SHIM file. */
bool estimator_from_board(const struct estimator *method);
/* For such a method without a SHIM file: core and clock of the board's model, without instructions. ERR_UNSUPPORTED:
 * the board has no timing data. `core`: a model file in place of the board's own timing, or NULL. */
enum status costs_from_board(struct costs *c, const char *board, const char *core, struct error *e) MUST_CHECK;

enum status estimate_run(struct estimate **out, const struct estimator *method, const struct estimate_request *q,
                         struct error *e) MUST_CHECK;
void estimate_free(struct estimate *est);                   /* NULL is fine */
const char *estimate_doubt_name(enum estimate_doubt doubt); /* for tables: "library functions without a cost" */
void estimate_note(struct estimate *est, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a line of a result stands for. */
enum estimate_by {
    ESTIMATE_BY_PROGRAM,
    ESTIMATE_BY_FUNCTION,
    ESTIMATE_BY_LINE,
    ESTIMATE_BY_LOOP,
    ESTIMATE_BY_BLOCK, /* basic block of the IR */
};
struct estimate_row {
    uint32_t function, file, line; /* IRPROF_NONE, IRPROF_NONE and 0 if this kind of row has none */
    uint32_t loop, block;          /* likewise IRPROF_NONE */
    uint64_t instructions;         /* executed, of those counted */
    struct cycles cycles;          /* cycles of its own code */
    struct causes causes;          /* of cycles.typical */
    /* Functions: including callees in the profile; loops: including inner loops; otherwise the same as cycles. */
    struct cycles with_callees;
};
/* The executed rows, the largest first. free(*rows). */
void estimate_rows(struct estimate_row **rows, size_t *n, const struct estimate *est, enum estimate_by by);

/* Who calls whom, and what that costs. Costs are whole steps (est->step), three of each function and circle: by best,
 * typical and worst values. The graph refers to the other members: do not copy the struct. */
#define ESTIMATE_CALLS_COSTS 3
struct estimate_calls {
    uint64_t *entries, *self; /* owned; of each function */
    struct callgraph_input input;
    struct callgraph graph;
};
void estimate_calls_make(struct estimate_calls *c, const struct estimate *est);
void estimate_calls_release(struct estimate_calls *c);

#endif
