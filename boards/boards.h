/*
 * boards.h - boards: the machines that programs are measured on. What a board is, whether it can be measured now,
 * measuring a program on it, the table of measurements. Knows nothing of IR or regression.
 *
 *     board_load(&b, "host", &e);             the description, boards/host/board.ini
 *     board_override(b, &o, &e);              changes that the caller wants
 *     board_doctor(b, NULL, &findings);       what will go wrong, and the remedy
 *     board_compile_flags(b, "O2", ...);      how the plain program is compiled
 *     board_link_flags(b, work, ...);         and linked with the measuring runtime
 *     measurements_new(); board_measure(b, "fir", "suite/fir@O2", ..., set, &e);
 *     measurements_write(set, "measurements.csv", ..., &e);
 *
 * Units: times [s], clocks and frequencies [Hz], sizes [bytes], values [events per run].
 * Formats: docs/formats/board.md, docs/formats/measurements.md. Method: docs/method/measuring.md.
 */
#ifndef BOARDS_BOARDS_H
#define BOARDS_BOARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"

/* ---- The description of a board ---- */

/* How certain estimates by a simulator's timing data are (method compiled): with probability `level` the board takes
 * `low` to `high` times the estimate. level 0: not known. */
struct board_interval {
    double level, low, high;
};

enum board_cache { BOARD_COLD, BOARD_WARM }; /* state of the caches when a region is first entered */
enum board_source {
    BOARD_SOURCE_AUTO,    /* the PMU if there is one, otherwise the constant-rate counter */
    BOARD_SOURCE_PMU,     /* the PMU; without one, an error */
    BOARD_SOURCE_CONSTANT /* the architecture's constant-rate counter */
};
/* How Linux is asked for an event: perf_event_attr.type and .config. */
struct board_event {
    char *name; /* "CPU_CYCLES" */
    char *spec; /* as written: "raw:0x11" */
    uint32_t type;
    uint64_t config;
};
struct board_level {
    char *name;   /* "O2" */
    char **flags; /* NULL-terminated; the common flags and the level's own, "-O2" first */
};
/* How the board's programs are run. */
enum board_how {
    BOARD_NATIVE,    /* here: the board is this machine */
    BOARD_SSH,       /* copied to the board and run there */
    BOARD_SIMULATOR, /* here, in an emulator with the simulator's plugin */
    BOARD_IMPORT,    /* not at all: the user brings the table of measurements */
    BOARD_COMMAND /* an image on a part without an operating system: a command flashes and runs it, a text comes out */
};
/* Where the text of an image comes out. */
enum board_text { BOARD_TEXT_STDOUT, BOARD_TEXT_FILE, BOARD_TEXT_DEVICE };
/* How an image is made and run; only for how = command. */
struct board_part {
    char **command; /* words; {image} and {text} in them are paths; NULL-terminated, as all lists here */
    char **reset;   /* words of the command that is run before an image is tried again; empty: none */
    enum board_text text;
    char *device;                                       /* of BOARD_TEXT_DEVICE: "/dev/ttyACM0" */
    unsigned baud;                                      /* of the device */
    unsigned retries;                                   /* after a run whose text did not come whole */
    uint64_t flash, flash_start, ram, ram_start, stack; /* [bytes] */
    char *start;                                        /* start-up code of the kit: "cortex_m", "riscv", "none" */
    bool library;  /* the link flags bring a C library and the compiler's own; else the kit's few functions */
    char *port;    /* path of shim_port.h */
    char *script;  /* path of the linker script; "": the kit's */
    char **linker; /* words: "ld.lld-19" */
};
struct board {
    char *path;     /* path of board.ini, for messages */
    char *folder;   /* folder that contains it; at least "." */
    char *name;     /* "host": the folder's name */
    char *title;    /* "This machine" */
    char *target;   /* target triple; "": this machine */
    char *cpu;      /* the processor's name if the description fixes it; "": ask the machine */
    char *compiler; /* "clang-19" */
    struct board_level *levels;
    size_t n_levels;
    char **link_flags;   /* NULL-terminated */
    unsigned runs;       /* launches of each program that count; with a precision: at most */
    unsigned least_runs; /* least launches that count before a precision can be reached */
    /* Measuring ends when the cycles of each region are known to this share of them. 0: always measure `runs` times. */
    double precision;
    unsigned extra_runs; /* most additional launches, to replace disturbed ones */
    double timeout_s;    /* time limit of one launch */
    /* Time limit for one program; 0: none. When it has passed, the runs so far count if there are at least 10. */
    double budget_s;
    enum board_cache cache;
    /* Core to pin to. -1: the highest-numbered core that may be used, other than core 0 if possible. */
    int core;
    bool raise_priority; /* SCHED_FIFO, otherwise nice -20, as far as permissions allow */
    double clock_hz;     /* clock of the core; 0: detect */
    enum board_source source;
    struct board_event *events; /* in order of importance; empty: the architecture's default list */
    size_t n_events;
    enum board_how how;
    char *ssh;           /* "user@host"; "" unless how is BOARD_SSH */
    char **ssh_options;  /* options of ssh before the destination; NULL-terminated */
    char *remote_folder; /* folder on the board that programs are copied into: "/tmp" */
    char *emulator;      /* "qemu-aarch64"; "" unless how is BOARD_SIMULATOR, as for the next two */
    char *emulator_cpu;  /* its option -cpu; "": its default */
    char *model;         /* path of the simulator's timing data */
    struct board_interval compiled_intervals[2]; /* of code that is not optimised; that is */
    char **count_command;   /* command that runs counted programs here, "qemu-aarch64"; NULL-terminated; empty: none */
    char *count_target;     /* target of counted programs instead of `target`, only for how = import; "": the same */
    char **count_flags;     /* added to the flags of every level for counted programs; only for how = import */
    char **left_out;        /* samples that the board has no room for, "suite/shell_sort"; NULL-terminated */
    char **count_simulate;  /* options of irprof instrument: what is simulated during counting; only for how = import */
    struct board_part part; /* only for how = command */
    char *measurements;     /* BOARD_IMPORT: the user's table as written, see board_measurements_path; otherwise "" */
    char *skeleton;         /* path of skeleton.shim.xml beside board.ini; "": none, the machine is asked */
    char *packages;         /* path of packages.txt beside board.ini, one Debian package per line; "": none */
    struct board_origin *origins; /* where the values that are not defaults come from; see board_settings */
    size_t n_origins;
};

/* Loads a board. name_or_path "host" means share/shimgen/boards/host/board.ini. A text with a '/' is a board folder or
 * an .ini file. Such a file describes a board, or is a core's model with [origin] target and cpu. ERR_INPUT: an unknown
 * board (the message lists all); an unknown section, key or value, with file and line. Free *out with board_free. */
enum status board_load(struct board **out, const char *name_or_path, struct error *e) MUST_CHECK;
void board_free(struct board *b);
/* The names of all boards (folders with a board.ini), sorted. Free each name and the array. */
enum status board_list(char ***names, size_t *n, struct error *e) MUST_CHECK;

/* Changes to a board's description for one command. BOARD_OVERRIDES_NONE changes nothing. */
struct board_overrides {
    /* Number of runs; 0: as described. It also turns off the board's precision, unless `precision` is given too. */
    long runs;
    double precision; /* as a share of the cycles; 0: as described */
    /* "O0,O2" or "O0 O2"; NULL: as described. A level that is not described gets the common flags */
    const char *levels;
    const char *cache;  /* "cold", "warm"; NULL: as described */
    const char *core;   /* "3", "auto"; NULL: as described */
    double timeout_s;   /* 0: as described */
    const char *source; /* "auto", "pmu", "constant"; NULL: as described */
    /* "user@host": run there (how = ssh); NULL: as described. Only for boards that are native or ssh */
    const char *ssh;
    /* path of the table to import; NULL: as described. Only for boards that import, and for those with a command, which
     * are not run then */
    const char *measurements;
};
#define BOARD_OVERRIDES_NONE                                                                                           \
    {                                                                                                                  \
        0, 0, 0, 0, 0, 0, 0, 0, 0                                                                                      \
    }
/* ERR_USAGE: a value is not possible; then b is unchanged. */
enum status board_override(struct board *b, const struct board_overrides *o, struct error *e) MUST_CHECK;

/* The target that counted programs are compiled for: count_target if given, otherwise target; "": this machine.
 * Borrowed. */
const char *board_target(const struct board *b);
const char *board_how_name(enum board_how how); /* "native", "ssh", "simulator", "import", "command" */
/* Described by a core's model file alone: made of a SHIM file, measured, or LLVM's. */
bool board_is_core(const struct board *b);
/* A part without an operating system ([part] in board.ini) that LLVM makes code for: its programs are compiled for
 * `target` with the kit's headers, and the same IR is counted as `count_target`. Measured by a command, or imported. */
bool board_is_bare(const struct board *b);
/* The path of the imported table: `measurements` itself if it is absolute or exists in the current folder; otherwise in
 * the board's folder if it exists there; otherwise `measurements`. The caller frees it. */
char *board_measurements_path(const struct board *b);

/* Every setting with the value that applies, in the order of docs/formats/board.md. */
struct board_setting {
    const char *section; /* static */
    char *key, *value;
    char *from; /* "default", "board.ini:12", "--ssh" */
};
struct board_settings {
    struct board_setting *at;
    size_t n;
};
void board_settings(const struct board *b, struct board_settings *out); /* free with board_settings_release */
void board_settings_release(struct board_settings *s);

/* ---- Building a program for a board ---- */

/* A growing list of arguments: NULL-terminated after every call, texts owned. */
struct board_args {
    char **at;
    size_t n;
};
void board_args_add(struct board_args *a, const char *text);
void board_args_release(struct board_args *a);

/* NULL: no such level; borrowed */
const struct board_level *board_find_level(const struct board *b, const char *level);
/* The same for what is counted: the IR is that of board_compile_flags, the machine code may be of another target. */
void board_counted_flags(const struct board *b, const char *level, struct board_args *args);
/* Appends the compiler's flags for C at a level: "--target=..." if not native, "-O2", the common flags, "-I<include>".
 * The level must be one of b->levels. */
void board_compile_flags(const struct board *b, const char *level, struct board_args *args);
/* Appends the flags and objects that make a program measurable: the runtime, --wrap=main, the link flags. They must
 * follow the program's own objects. For a foreign target the runtime is compiled first, unless that was done before;
 * its objects are kept below `work` (the board's work folder). ERR_SYSTEM: the runtime, its sources, the compiler or
 * the target's C library are not installed. */
enum status board_link_flags(const struct board *b, const char *work, struct board_args *args,
                             struct error *e) MUST_CHECK;
/* True: the board's programs are for another target than this machine. */
bool board_is_foreign(const struct board *b);
/* Checks that the compiler and the target's C library are installed; the error says what to install. Runs the compiler,
 * which takes some 50 ms. */
enum status board_check_target(const struct board *b, struct error *e) MUST_CHECK;
/* An image: compiles the kit's files for the board below `work` and writes the linker script there, unless that is done;
 * appends the objects. *script: its path; the caller frees. Only for how = command. */
enum status board_image_parts(const struct board *b, const char *work, struct board_args *objects, char **script,
                              struct error *e) MUST_CHECK;
/* Appends the compiler and the flags for files of the kit: C89, without a C library. */
void board_kit_flags(const struct board *b, struct board_args *args);
/* Appends the objects of a runtime for a foreign target. Its sources are all those in `folders` (NULL-terminated) below
 * share/shimgen/runtime. The board's compiler compiles them into <work>/runtime/<name>, unless they are there and up to
 * date. Two processes must not do this at the same time. */
enum status board_foreign_runtime(const struct board *b, const char *name, const char *const *folders, const char *work,
                                  struct board_args *args, struct error *e) MUST_CHECK;

/* ---- The machine ---- */

/* What is known of the machine. Texts are owned; "" and 0: unknown. */
struct board_machine {
    char *architecture;       /* "x86_64" */
    char *cpu;                /* "AMD EPYC 9R14" */
    char *kernel;             /* "6.1.0-18-amd64" */
    char *hypervisor;         /* "KVM", "a hypervisor"; "": bare metal */
    char *governor;           /* frequency governor of the measured core */
    char *pmu;                /* "armv8_cortex_a53"; "": no PMU */
    int cores;                /* cores that this process may use */
    double clock_hz;          /* core clock */
    const char *clock_source; /* "measured", "cpufreq", "cpuinfo", "board.ini", ""; static text */
    const char
        *counter; /* Event of the constant-rate counter: "TSC_CYCLES", "CNTVCT_CYCLES", "RDTIME_CYCLES", ""; static. */
    double counter_hz;   /* its frequency */
    bool counter_steady; /* it runs at a constant rate and does not stop in idle states */
};
/* Detects the machine. root "": the running system; otherwise a folder with fake proc/ and sys/ trees, which are read
 * while nothing is measured. core -1: any. Measuring the clocks takes about 20 ms. Free with board_machine_release. */
void board_detect(struct board_machine *m, const struct board *b, const char *root);
void board_machine_release(struct board_machine *m);

/* ---- What can go wrong ---- */

enum finding_severity { FINDING_NOTE, FINDING_WARNING, FINDING_ERROR };
const char *finding_severity_name(enum finding_severity s); /* "note", "warning", "error" */
struct finding {
    enum finding_severity severity;
    const char *id;    /* "pmu-absent"; stable, scripts may rely on it; static */
    char *what;        /* "this machine has no performance counters (it is a virtual machine)" */
    char *consequence; /* "cycles come from the constant-rate counter TSC_CYCLES" */
    char *remedy;      /* "measure on bare metal, or have the host pass the PMU through"; "": none */
};
struct findings {
    struct finding *at;
    size_t n;
};
/* Checks what could go wrong before anything is measured. Appends findings in the order of the checks. An error means
 * that board_measure cannot succeed. Errors and conditions of a measurement use the same sentences. root: as for
 * board_detect. If it is "" and the board is another machine, only what is needed on this machine is checked: see
 * runner_consult (run.h). */
void board_doctor(const struct board *b, const char *root, struct findings *out);
size_t findings_errors(const struct findings *f); /* number of errors */
void findings_release(struct findings *f);

/* ---- Measurements ---- */

/* One line of measurements.csv. The members after `runs` are only in the conditions file. */
struct measurement {
    char *program, *region, *event; /* owned */
    /* Huber's robust centre of the runs that count, without overhead [events per run]. */
    double value;
    double stddev; /* spread of single runs: 1.4826 * median absolute deviation [events] */
    unsigned runs; /* number of runs that count */
    /* NaN or 0 after measurements_read without a conditions file: */
    double half_width;                 /* half the 95 % confidence interval of `value` [events]; see run_stats.c */
    double minimum, mean, mean_stddev; /* of the runs that count */
    unsigned dropped;                  /* runs left out as disturbed */
    double entries;                    /* entries of the region per run */
    double overhead;                   /* subtracted per run [events] */
};
/* How the measurement of one program went. */
struct measured_program {
    char *program;
    unsigned launches; /* number of launches */
    /* launches with at least one region left out as disturbed */
    unsigned disturbed;
    /* regions left out, over all launches, by reason */
    unsigned by_switch, by_interrupt, by_fault, by_sharing, by_outlier;
    double wall_s; /* time of all launches */
    /* median of core cycles per tick of the constant-rate counter around the regions; 0: unknown */
    double core_per_tick;
};
/* The conditions of all measurements. Texts are owned; "": unknown. */
struct conditions {
    char *board, *cpu, *architecture, *kernel, *hypervisor;
    char *cycle_event;  /* event that gives the cycles: "CPU_CYCLES", "TSC_CYCLES" ... */
    char *cycle_nature; /* "core cycles, from the PMU" / "ticks of a constant-rate counter: time, not core cycles" */
    double cycle_hz;    /* frequency of that event; 0: the core's clock */
    double clock_hz;    /* core clock */
    char *clock_source;
    char *cache;        /* "cold", "warm" */
    char *cache_method; /* "clflushopt over 1.9 MB", ... */
    char *priority;     /* "fifo", "nice -20", "normal" */
    char *memory;       /* "locked", "touched" */
    int core;
    unsigned runs;     /* requested runs per program; with a precision: at most */
    double precision;  /* requested precision, as a share of the cycles; 0: none */
    double core_width; /* Additions per core cycle while nothing else used the core, to detect sharing; 0: unknown. */
    double overhead_cycles; /* cycles of one region entry, median over the runs; they are subtracted */
    char *date;             /* from the caller */
    char **events_left_out; /* "L2D_CACHE: the kernel has no such event", NULL-terminated */
    char **notes;           /* sentences: doctor's warnings, large spreads; NULL-terminated */
};
struct measurements {
    VEC(struct measurement) rows; /* by program, region, event */
    VEC(struct measured_program) programs;
    struct conditions conditions;
    struct counting *counting; /* what is known of the board's counters, for the next program; NULL: nothing yet */
};
struct measurements *measurements_new(void);
void measurements_free(struct measurements *m);
/* The measurement of an event in a region; borrowed, NULL: none. */
const struct measurement *measurements_find(const struct measurements *m, const char *program, const char *region,
                                            const char *event);
/* The event that gives the cycles: CPU_CYCLES if measured, otherwise the constant-rate counter's. NULL: there is
 * none. */
const char *measurements_cycle_event(const struct measurements *m);
/* An estimate of core cycles for each region that was measured in ticks of a constant-rate counter. Each run's ticks
 * are multiplied by the core cycles per tick measured right before and after it, so that a changing core clock cancels
 * out. */
#define BOARD_CORE_ESTIMATE "CORE_CYCLES_EST"
/* True for CPU_CYCLES and the constant-rate counters' events. */
bool board_is_cycle_event(const char *event);

/* Runs `executable` (built with board_link_flags) b->runs times and appends its regions to `into` under the name
 * `program`. On an error nothing is appended. args: NULL-terminated arguments of the program, or NULL. Errors, each
 * with a remedy: the self-check fails (exit code); the program crashes, hangs, writes no result or a truncated one,
 * opens a region without closing it, or runs threads; the PMU is required but absent; the events were multiplexed.
 * ERR_CANCELLED after a signal. */
enum status board_measure(const struct board *b, const char *executable, const char *program, const char *const *args,
                          struct measurements *into, struct error *e) MUST_CHECK;
/* The same through an open runner (run.h): one connection for many programs. */
struct runner;
enum status board_measure_at(struct runner *place, const struct board *b, const char *executable, const char *program,
                             const char *const *args, struct measurements *into, struct error *e) MUST_CHECK;

/* Fills in the conditions that do not come from runs: board, machine, date (copied; NULL: ""), doctor's warnings. */
void measurements_describe(struct measurements *m, const struct board *b, const struct board_machine *machine,
                           const struct findings *f, const char *date);

/* Writes measurements.csv and the conditions as JSON (conditions_path NULL: not). Each file is written as a whole or
 * not at all. */
enum status measurements_write(const struct measurements *m, const char *csv_path, const char *conditions_path,
                               struct error *e) MUST_CHECK;
/* Reads a table of measurements, from shimgen or from the user. ERR_INPUT with file and line: a missing column, an
 * empty name, text or NaN instead of a number, a negative stddev or runs, a row given twice, events
 * that no run can have together (base/events/event_limits.h). If conditions_path is NULL
 * or there is no such file, the conditions stay empty. */
enum status measurements_read(struct measurements **out, const char *csv_path, const char *conditions_path,
                              struct error *e) MUST_CHECK;
/* The same after a run that may have been killed between the two files (measurements_write writes the conditions
 * first). Conditions of rows that the table does not have are ignored. */
enum status measurements_resume(struct measurements **out, const char *csv_path, const char *conditions_path,
                                struct error *e) MUST_CHECK;

#endif
