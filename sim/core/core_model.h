/*
 * core_model.h - the timing model's parameters, read from an INI file (boards/<board>/<model>.ini,
 * docs/formats/iss-model.md). All times in core cycles unless said otherwise. A key that is not known is refused, with
 * file and line; so is a key that is missing, since no number of a core stands in the program.
 */
#ifndef SIM_CORE_CORE_MODEL_H
#define SIM_CORE_CORE_MODEL_H

#include "base/error.h"
#include "sim/core/op.h"
#include "sim/branch/branch.h"
#include "sim/cache/cache.h"

/* X(enumerator, name): what an instruction occupies. The model says how many of each there are; a unit that it does not
 * name has none, and no class may need it. */
#define ISS_UNITS(X)                                                                                                   \
    X(ALU, "alu")                                                                                                      \
    X(MEMORY, "memory")                                                                                                \
    X(MULTIPLY, "multiply")                                                                                            \
    X(DIVIDE, "divide")                                                                                                \
    X(FP, "fp")                                                                                                        \
    X(FP_DIVIDE, "fp_divide")                                                                                          \
    X(BRANCH, "branch")                                                                                                \
    X(FLAGS, "flags")

enum iss_unit {
    ISS_UNIT_NONE,
#define X(id, name) ISS_UNIT_##id,
    ISS_UNITS(X)
#undef X
        ISS_UNIT_N
};
extern const char *const iss_unit_names[ISS_UNIT_N]; /* as the file has them; "none" first */
enum { ISS_UNIT_COPIES = 8, ISS_FLASH_LINES = 1024 /* at most */ };
/* Of a core that issues out of order, at most. */
enum { ISS_PORTS = 64, ISS_USES = 4, ISS_REORDER = 1024, ISS_QUEUED = 512 };

extern const char *const iss_issue_names[]; /* by enum iss_issue, as the file has them; NULL ends */
enum iss_issue {
    ISS_ISSUE_ANY,
    ISS_ISSUE_FIRST, /* the first of its cycle; another may follow */
    ISS_ISSUE_LAST,  /* nothing follows in its cycle */
    ISS_ISSUE_ALONE
};

/* Which of the holds of the instruction before it a class waits for. LOAD_ALONE: of the plain one and that of loads the
 * later. */
enum iss_chain { ISS_CHAIN_NONE, ISS_CHAIN_LOAD, ISS_CHAIN_STORE, ISS_CHAIN_LOAD_ALONE };
enum { ISS_HOLDS = ISS_CHAIN_STORE + 1 };

/* How a class behaves. `after[need]`: cycles from its issue until its result can be used as this. */
struct iss_timing {
    int16_t after[ISS_NEED_N];
    int16_t after2[ISS_NEED_N];    /* of the second register that it loads */
    int16_t latency;               /* after[ISS_NEED_OPERAND] */
    int16_t latency2;              /* likewise of the second register */
    uint8_t unit, take;            /* enum iss_unit; how many of its copies */
    uint8_t second_unit;           /* needed beside it, one copy */
    int16_t busy;                  /* cycles until they can take another */
    int16_t repeat;                /* of a class with steps: more cycles of both for each step after the first */
    uint8_t issue;                 /* enum iss_issue */
    int16_t late;                  /* it may issue this long before its operands are there (executed in a late stage) */
    int16_t hold;                  /* nothing issues for so many cycles after it */
    int16_t hold_load, hold_store; /* the same for classes that `chain` as loads, as stores */
    uint8_t chain;                 /* enum iss_chain */
    bool folds;                    /* takes no cycle after an instruction of half the length that does not branch */
    int16_t divide_base, divide_bits,
        divide_max;  /* by operands: base + quotient bits / divide_bits; bits 0: not known */
    bool drains;     /* waits until all before it is done */
    bool predicated; /* a conditional branch across just this instruction is executed as one with it */
    /* Of a core that issues out of order, instead of units: an operation for each of these on one of the ports (a bit
     * each), which it occupies for `busy` cycles; and places among the `width` of a cycle. */
    uint8_t n_uses, slots;
    struct iss_use {
        uint64_t ports;
        int64_t busy;
    } use[ISS_USES];
};

struct iss_cache_model {
    struct sim_cache geometry;
    int64_t latency; /* more cycles than a hit in the level above, until the data is there */
    int64_t pitch;   /* cycles between two lines that it delivers */
};

/* Where the figures come from, if not from measurements of this core. All texts owned; NULL: not said. */
struct iss_origin {
    char *source;   /* "llvm:cortex-a72" */
    char *version;  /* of that: "LLVM 19.1.7" */
    char *values;   /* instead: the SHIM file whose instruction values they are made of */
    char *measured; /* instead: on which board, and how much of that the figures explain */
    char *shared;   /* the core whose model it really is: "A57" */
    char *order;    /* "out": the core issues out of order; without [window] the model does not */
    char *filled;   /* what of it comes from elsewhere: "[fetch] [l1d] from raspberrypi3-sim" */
    char *target;   /* triple and processor that programs are compiled for */
    char *cpu;
    /* of code that is not optimised, that is: "0.9 0.95 1.2", as in a board's description (docs/formats/board.md) */
    char *interval_unoptimised, *interval_optimised;
};

/* What measurements tell of a figure: "alu.to_address", "fetch.taken". */
struct iss_interval {
    char *key;         /* owned */
    bool observable;   /* else no measurement tells it */
    int64_t low, high; /* all of these explain what was measured */
};

struct iss_model {
    char *name, *architecture; /* owned */
    uint64_t clock_hz;         /* 0: unknown */
    struct iss_origin origin;
    char **unknown; /* the keys that the file says are unknown, as "[fetch] taken"; they cost nothing. Owned */
    size_t n_unknown;
    struct iss_interval *intervals; /* in the order of the file; owned */
    size_t n_intervals;

    struct iss_timing timing[ISS_CLASS_N], timing32[ISS_CLASS_N]; /* of 64-bit (or no) width; of 32-bit */
    /* 1 + the class all of whose figures the file gives to this one, ISS_UNKNOWN if it has no section; 0: its own */
    uint8_t like[ISS_CLASS_N];
    bool assumed[ISS_CLASS_N];      /* its own, but the file says that nobody measured them */
    int16_t need[ISS_NEED_N];       /* earlier than an operand of an addition by this */
    int16_t write_back[ISS_NEED_N]; /* after[] of an address written back */
    int64_t write_back_latency;
    int64_t units[ISS_UNIT_N];
    int64_t width; /* instructions issued in a cycle */

    struct {
        int64_t bytes; /* fetched in a cycle, an aligned group */
        int64_t queue; /* instructions fetched ahead of issue */
        int64_t taken; /* from the group of a predicted taken branch to that of its target */
        int64_t jump_register, call_register, back; /* the same for indirect jumps and calls, and returns */
        int64_t mispredicted;                       /* from the branch's execution to the target's first issue */
        int64_t same_taken;                         /* the same taken branch again, none between: from group to group */
        int64_t next_line;                          /* cycles saved of a miss on the line after the last one missed */
        int64_t whole; /* 1: an instruction that reaches into the next group waits for that too */
    } fetch;
    struct {
        struct sim_predictor_kind kind;
        int64_t entries; /* of the table that are used */
        int64_t address; /* low bits of a branch's number that index the table, beside the history */
        int64_t targets; /* of indirect branches remembered, by address */
        int64_t returns; /* depth of the return stack */
        int64_t unseen;  /* 0 not taken, 1 taken, 2 backwards taken */
        bool none;       /* nothing is predicted: what is after a branch is fetched until it is taken */
    } predictor;

    /* Of a core that issues out of order (sim/core/wide.h); reorder 0: it issues in order. */
    struct {
        int64_t reorder;       /* instructions underway */
        int64_t scheduler;     /* operations that wait for operands or a port */
        int64_t loads, stores; /* underway */
        int64_t retire;        /* instructions that leave in a cycle, in order */
        int64_t fuses;         /* 1: a comparison and the conditional branch after it are one operation */
        int64_t forward;       /* cycles from when a stored value is there until a load of the same bytes has it */
    } window;

    struct iss_cache_model l1i, l1d, l2;
    struct {
        int64_t latency_ps, pitch_ps; /* picoseconds, beyond the last cache */
    } memory;
    int64_t memory_latency, memory_pitch; /* in cycles, from the above */
    struct {
        int64_t outstanding;                       /* lines underway to L1 at a time */
        int64_t granule;                           /* bytes: an access within one costs nothing more */
        int64_t load_split;                        /* more cycles until the data is there, when it crosses one */
        int64_t load_split_most;                   /* latency that this reaches at most */
        int64_t load_split_busy, store_split_busy; /* more cycles of the unit: load over a granule; store over a line */
        int64_t forward;                   /* from a store's issue to that of a load of the same bytes, at least */
        int64_t forward_wide;              /* the same, of a store of more than 8 bytes */
        int64_t forward_split;             /* more of these when the load crosses a granule within a line */
        int64_t store_buffer;              /* stores that wait for their line */
        struct sim_prefetch_kind prefetch; /* streams 0: none */
        int64_t no_allocate;               /* lines written in full in a row after which writes go past L1; 0: never */
        int64_t
            pieces; /* 1: an access that is not aligned is made of aligned ones, load_split for each after the first */
    } data;
    bool predicates; /* a class is predicated */
    bool no_caches;  /* nor TLBs: what is not flash answers at once */
    struct {
        int64_t wait_states; /* cycles that a read takes more than one; 0: none */
        int64_t bytes;       /* read at a time, aligned */
        int64_t prefetch;    /* 1: while instructions of a line are executed the next line is read */
        int64_t lines;       /* remembered of instructions, those used last */
        int64_t data_lines;  /* of constants */
    } flash;
    struct {
        int64_t micro, micro_miss;   /* entries of the first level, cycles of a miss */
        int64_t entries, ways, walk; /* second level; cycles of a walk beyond its accesses of memory */
    } tlb;
};

enum status iss_model_read(struct iss_model **out, const char *path, struct error *e) MUST_CHECK;
void iss_model_free(struct iss_model *m);
/* What may not be used with unknown figures: a simulation. ERR_INPUT names them. `path`: of the file, for the message. */
enum status iss_model_complete(const struct iss_model *m, const char *path, struct error *e) MUST_CHECK;
/* May a file say that this figure is unknown? */
bool iss_model_may_lack(const char *section, const char *key);
/* Those of them that every file has, in the order of the format: all but the window. Figures that need more than single
 * instructions to be known. */
size_t iss_model_figures(void);
const char *iss_model_figure(size_t i, const char **section);
/* "[model] clock_hz, [fetch] taken same_taken, [l1d]"; a section alone: all of it; "": nothing is unknown. The caller frees. */
char *iss_model_unknown(const struct iss_model *m);
/* What a user must know of figures that were not measured, in a sentence; NULL: they were, or the file does not say. The
 * caller frees. */
char *iss_model_origin(const struct iss_model *m);
/* A figure by its name: "fetch.taken", "alu.busy"; "alu.to_address": cycles until a result can be an address;
 * "load_pair.latency2": how much later the second register is there; "alu.stream": hundredths of a cycle that an instruction takes
 * in a stream, by its ports alone. Divisions: with a quotient of 0. False: there is no
 * such figure. */
bool iss_model_value(const struct iss_model *m, const char *name, int64_t *value);

static inline const struct iss_timing *iss_model_timing(const struct iss_model *m, const struct iss_op *op)
{
    return op->width == 32 ? &m->timing32[op->class] : &m->timing[op->class];
}

#endif
