/*
 * boards.h - targets: what a board is, whether it can be measured now, measuring a
 * program on it, the table of measurements. Knows nothing of IR or regression.
 *
 *     board_load(&b, "host", &e);             the description, boards/host/board.ini
 *     board_override(b, &o, &e);              what the caller wants otherwise
 *     board_doctor(b, NULL, &findings);       what will go wrong, and its cure
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

enum board_cache { BOARD_COLD, BOARD_WARM }; /* the caches before a region is entered for the first time */
enum board_source {
    BOARD_SOURCE_AUTO,    /* the PMU where there is one, else the constant-rate counter */
    BOARD_SOURCE_PMU,     /* the PMU or an error */
    BOARD_SOURCE_CONSTANT /* the architecture's constant-rate counter */
};
/* How an event is asked from Linux: perf_event_attr.type and .config. */
struct board_event {
    char *name; /* "CPU_CYCLES" */
    char *spec; /* as it is written: "raw:0x11" */
    uint32_t type;
    uint64_t config;
};
struct board_level {
    char *name;   /* "O2" */
    char **flags; /* NULL-terminated; the common flags and the level's own, "-O2" first */
};
/* How its programs get to run. */
enum board_how {
    BOARD_NATIVE,    /* here: the board is the machine at hand */
    BOARD_SSH,       /* copied to it and run there */
    BOARD_SIMULATOR, /* here, under an emulator with the simulator's plugin */
    BOARD_IMPORT     /* not by us: the user brings the table of measurements */
};
struct board {
    char *path;     /* of board.ini, for messages */
    char *folder;   /* that it is in; "." at least */
    char *name;     /* "host": the folder's name */
    char *title;    /* "The machine at hand" */
    char *target;   /* target triple; "" native */
    char *cpu;      /* processor's name, when the description fixes it; "" ask the machine */
    char *compiler; /* "clang-19" */
    struct board_level *levels;
    size_t n_levels;
    char **link_flags;   /* NULL-terminated */
    unsigned runs;       /* program launches that count, per program; with a precision: at most */
    unsigned least_runs; /* that count before a precision can be reached */
    double precision; /* share of a region's cycles to which they shall be known, then it is done; 0: `runs` always */
    unsigned extra_runs; /* further launches at most, to replace disturbed ones */
    double timeout_s;    /* of one launch */
    double budget_s;     /* for one program; 0 none. When it is used up, what is there counts, if at least 10 runs */
    enum board_cache cache;
    int core;            /* to pin; -1: the highest-numbered core we may use that is not core 0, if there is one */
    bool raise_priority; /* SCHED_FIFO, else nice -20, as far as the rights go */
    double clock_hz;     /* core clock; 0: detect */
    enum board_source source;
    struct board_event *events; /* in order of importance; empty: the architecture's default list */
    size_t n_events;
    enum board_how how;
    char *ssh;            /* "user@host"; "" where how is not BOARD_SSH */
    char **ssh_options;   /* words for ssh before the destination; NULL-terminated */
    char *remote_folder;  /* below which programs are put there: "/tmp" */
    char *emulator;       /* "qemu-aarch64"; "" where how is not BOARD_SIMULATOR, like the next two */
    char *emulator_cpu;   /* its -cpu; "" its default */
    char *model;          /* path of the simulator's data file */
    char **count_command; /* what a counted program runs under here, "qemu-aarch64"; NULL-terminated, empty: nothing */
    char *count_target; /* target that programs are compiled for instead of `target`, how = import only; "" no other */
    char **count_flags; /* added to every level's when a program is compiled to be counted; how = import only */
    char **count_simulate; /* what is simulated while programs are counted, options of irprof instrument; likewise */
    char *measurements;    /* BOARD_IMPORT: the user's table as written, see board_measurements_path; "" otherwise */
    char *skeleton;        /* path of skeleton.shim.xml beside board.ini; "" there is none: the machine is asked */
    char *packages;        /* path of packages.txt there, Debian packages one a line; "" none */
    struct board_origin *origins; /* of the values that are not the default; see board_settings */
    size_t n_origins;
};

/* name_or_path: "host" -> share/shimgen/boards/host/board.ini; something with a '/' is a board folder or an .ini file.
 * An unknown board lists those there are; an unknown key, section or value is refused with file:line. *out: board_free.
 */
enum status board_load(struct board **out, const char *name_or_path, struct error *e) MUST_CHECK;
void board_free(struct board *b);
/* Names of the boards there are (folders with a board.ini), sorted; free each and the array. */
enum status board_list(char ***names, size_t *n, struct error *e) MUST_CHECK;

/* What a caller changes for this time; BOARD_OVERRIDES_NONE leaves all as described. */
struct board_overrides {
    long runs;          /* 0: keep. Then so many, whatever precision the board asks for, unless it is given too */
    double precision;   /* as a share; 0: keep */
    const char *levels; /* "O0,O2" or "O0 O2"; NULL keep. A level the file does not describe gets the common flags */
    const char *cache;  /* "cold", "warm"; NULL keep */
    const char *core;   /* "3", "auto"; NULL keep */
    double timeout_s;   /* 0 keep */
    const char *source; /* "auto", "pmu", "constant"; NULL keep */
    const char *ssh;    /* "user@host": run there, how = ssh; NULL keep. Only for boards that are native or ssh */
    const char *measurements; /* path of the table to import; NULL keep. Only for boards that import */
};
#define BOARD_OVERRIDES_NONE                                                                                           \
    {                                                                                                                  \
        0, 0, 0, 0, 0, 0, 0, 0, 0                                                                                      \
    }
/* ERR_USAGE for a value that cannot be; then b is unchanged. */
enum status board_override(struct board *b, const struct board_overrides *o, struct error *e) MUST_CHECK;

/* What a board's programs are compiled for: count_target where there is one, else target; "" native. Borrowed. */
const char *board_target(const struct board *b);
const char *board_how_name(enum board_how how); /* "native", "ssh", "simulator", "import" */
/* Where the imported table is: `measurements` as it is when absolute or there from the current folder, else below the
 * board's folder if it is there, else as it is. The caller frees. */
char *board_measurements_path(const struct board *b);

/* Every key with the value that holds, in the order of docs/formats/board.md. */
struct board_setting {
    const char *section; /* static */
    char *key, *value;
    char *from; /* "default", "board.ini:12", "--ssh" */
};
struct board_settings {
    struct board_setting *at;
    size_t n;
};
void board_settings(const struct board *b, struct board_settings *out); /* release: board_settings_release */
void board_settings_release(struct board_settings *s);

/* ---- Building a program for it ---- */

/* An argument list in the making: NULL-terminated after every call, texts owned. */
struct board_args {
    char **at;
    size_t n;
};
void board_args_add(struct board_args *a, const char *text);
void board_args_release(struct board_args *a);

const struct board_level *board_find_level(const struct board *b, const char *level); /* NULL: not there; borrowed */
/* Appends what compiles C for the level: "--target=..." where not native, "-O2", the common flags, "-I<include>".
 * The level must be one of b->levels. */
void board_compile_flags(const struct board *b, const char *level, struct board_args *args);
/* Appends what links objects of the plain program so that it is measured: the runtime, --wrap=main, the link flags. Put
 * them after the program's objects. For another machine's target the runtime is compiled first, unless it is there: its
 * objects are kept below `work` (a board's work folder). ERR_SYSTEM when the runtime, its sources, the compiler or the
 * target's C library are not installed. */
enum status board_link_flags(const struct board *b, const char *work, struct board_args *args,
                             struct error *e) MUST_CHECK;
/* Are the board's programs for another machine's target? */
bool board_is_foreign(const struct board *b);
/* The compiler and the target's C library are there; else what to install. Asks the compiler, some 50 ms. */
enum status board_check_target(const struct board *b, struct error *e) MUST_CHECK;
/* Appends the objects of a runtime for a foreign target: all sources in these folders below share/shimgen/runtime
 * (NULL-terminated), compiled by the board's compiler into <work>/runtime/<name> unless they are there and fresh. Not
 * to be called by two processes at once while they are not. */
enum status board_foreign_runtime(const struct board *b, const char *name, const char *const *folders, const char *work,
                                  struct board_args *args, struct error *e) MUST_CHECK;

/* ---- The machine ---- */

/* Everything owned, "" or 0 where unknown. */
struct board_machine {
    char *architecture;       /* "x86_64" */
    char *cpu;                /* "AMD EPYC 9R14" */
    char *kernel;             /* "6.1.0-18-amd64" */
    char *hypervisor;         /* "KVM", "a hypervisor", "" on bare metal */
    char *governor;           /* of the core that is measured on */
    char *pmu;                /* "armv8_cortex_a53", "" no PMU */
    int cores;                /* that this process may run on */
    double clock_hz;          /* core clock */
    const char *clock_source; /* "measured", "cpufreq", "cpuinfo", "board.ini", ""; static text */
    const char
        *counter; /* the constant-rate counter's event: "TSC_CYCLES", "CNTVCT_CYCLES", "RDTIME_CYCLES", ""; static */
    double counter_hz;   /* its frequency */
    bool counter_steady; /* runs at a constant rate and does not stop in idle states */
};
/* root: "" the running system; else a folder holding fake proc/ and sys/ trees (then nothing is measured, only read).
 * core -1: any. Measuring the clocks takes about 20 ms. board_machine_release. */
void board_detect(struct board_machine *m, const struct board *b, const char *root);
void board_machine_release(struct board_machine *m);

/* ---- What can go wrong ---- */

enum finding_severity { FINDING_NOTE, FINDING_WARNING, FINDING_ERROR };
const char *finding_severity_name(enum finding_severity s); /* "note", "warning", "error" */
struct finding {
    enum finding_severity severity;
    const char *id;    /* "pmu-absent": stable, static */
    char *what;        /* "this machine has no performance counters (it is a virtual machine)" */
    char *consequence; /* "cycles come from the constant-rate counter TSC_CYCLES" */
    char *remedy;      /* "measure on bare metal, or have the host pass the PMU through"; "" none */
};
struct findings {
    struct finding *at;
    size_t n;
};
/* Checks beforehand. Appends; the order is that of the checks. An error means that board_measure cannot succeed. The
 * same sentences appear in the errors and in the conditions of a measurement. root as for board_detect; when it is ""
 * and the board is not this machine, only what is needed here is checked: see runner_consult (run.h). */
void board_doctor(const struct board *b, const char *root, struct findings *out);
size_t findings_errors(const struct findings *f); /* how many are errors */
void findings_release(struct findings *f);

/* ---- Measurements ---- */

/* One line of measurements.csv, and beyond it what is only in the conditions file. */
struct measurement {
    char *program, *region, *event; /* owned */
    double value;                   /* centre: Huber's, over the runs that count, overhead taken off [events per run] */
    double stddev;                  /* spread of one run: 1.4826 * median absolute deviation [events] */
    unsigned runs;                  /* that count */
    /* The following are NaN or 0 after measurements_read without its conditions. */
    double half_width; /* of the 95 % confidence interval of `value` [events]; see measure/run_stats.c */
    double minimum, mean, mean_stddev; /* of the runs that count */
    unsigned dropped;                  /* runs left out as disturbed */
    double entries;                    /* of the region, per run */
    double overhead;                   /* taken off, per run [events] */
};
/* What happened while one program was measured. */
struct measured_program {
    char *program;
    unsigned launches;                                                  /* in all */
    unsigned disturbed;                                                 /* launches of which some region was left out */
    unsigned by_switch, by_interrupt, by_fault, by_sharing, by_outlier; /* why: regions left out, over all launches */
    double wall_s;                                                      /* all launches */
    double core_per_tick; /* median: core cycles per tick of the constant counter around its regions; 0 unknown */
};
/* Under which conditions the whole set was measured. Texts owned, "" unknown. */
struct conditions {
    char *board, *cpu, *architecture, *kernel, *hypervisor;
    char *cycle_event;  /* "CPU_CYCLES", "TSC_CYCLES" ...: what the cycles of this set are */
    char *cycle_nature; /* "core cycles, from the PMU" / "ticks of a constant-rate counter: time, not core cycles" */
    double cycle_hz;    /* its frequency; 0: the core clock */
    double clock_hz;    /* core clock */
    char *clock_source;
    char *cache;        /* "cold", "warm" */
    char *cache_method; /* "clflushopt over 1.9 MB", ... */
    char *priority;     /* "fifo", "nice -20", "normal" */
    char *memory;       /* "locked", "touched" */
    int core;
    unsigned runs;     /* asked for, per program; with a precision: at most */
    double precision;  /* asked for, share of the cycles; 0: none */
    double core_width; /* additions per core cycle while the core was ours alone: the measure of sharing; 0 unknown */
    double overhead_cycles; /* of one region entry, median over the runs; taken off */
    char *date;             /* given by the caller */
    char **events_left_out; /* "L2D_CACHE: the kernel has no such event", NULL-terminated */
    char **notes;           /* sentences: doctor's warnings, large spreads; NULL-terminated */
};
struct measurements {
    VEC(struct measurement) rows; /* program by program, region by region, event by event */
    VEC(struct measured_program) programs;
    struct conditions conditions;
    struct counting *counting; /* what is known of the board's counters, for the next program; NULL: nothing yet */
};
struct measurements *measurements_new(void);
void measurements_free(struct measurements *m);
/* Borrowed, or NULL. */
const struct measurement *measurements_find(const struct measurements *m, const char *program, const char *region,
                                            const char *event);
/* The event that gives the cycles: CPU_CYCLES where it is, else the constant-rate counter's; NULL when there is none.
 */
const char *measurements_cycle_event(const struct measurements *m);
/* Beside ticks of a constant-rate counter each region has this event: each run's ticks times the core cycles per tick
 * that were measured right before and after it. An estimate of core cycles, from which a drifting core clock drops out.
 */
#define BOARD_CORE_ESTIMATE "CORE_CYCLES_EST"
/* True for CPU_CYCLES and the constant-rate counters' events. */
bool board_is_cycle_event(const char *event);

/* Runs `executable` (built with board_link_flags) b->runs times and appends its regions to `into` as `program`. Nothing
 * is appended on an error. args: NULL-terminated arguments of the program, or NULL. Errors, each with what to do: the
 * self-check fails (exit code), the program crashes, hangs, writes no or a cut result, opens a region and does not
 * close it, runs threads; the PMU is wanted and absent; the events were multiplexed. ERR_CANCELLED after a signal. */
enum status board_measure(const struct board *b, const char *executable, const char *program, const char *const *args,
                          struct measurements *into, struct error *e) MUST_CHECK;
/* The same by a runner (run.h) that is open already: one connection for many programs. */
struct runner;
enum status board_measure_at(struct runner *place, const struct board *b, const char *executable, const char *program,
                             const char *const *args, struct measurements *into, struct error *e) MUST_CHECK;

/* Fills the conditions that do not come from the runs: board, machine, date (copied; NULL ""), doctor's warnings. */
void measurements_describe(struct measurements *m, const struct board *b, const struct board_machine *machine,
                           const struct findings *f, const char *date);

/* measurements.csv, and beside it the conditions as JSON; conditions_path NULL: none. Each file atomically. */
enum status measurements_write(const struct measurements *m, const char *csv_path, const char *conditions_path,
                               struct error *e) MUST_CHECK;
/* Reads a table, ours or one brought by the user; refused with file:line: a missing column, an empty name, text or NaN
 * in a number's place, a negative stddev or runs, a row given twice. conditions_path NULL or absent file: conditions
 * empty. */
enum status measurements_read(struct measurements **out, const char *csv_path, const char *conditions_path,
                              struct error *e) MUST_CHECK;
/* The same of a run that may have been killed between the two files, of which measurements_write writes the conditions
 * first: what they say of rows that the table has not is passed over. */
enum status measurements_resume(struct measurements **out, const char *csv_path, const char *conditions_path,
                                struct error *e) MUST_CHECK;

#endif
