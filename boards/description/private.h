/* private.h - between the files of boards/ only. */
#ifndef BOARDS_DESCRIPTION_PRIVATE_H
#define BOARDS_DESCRIPTION_PRIVATE_H

#include "base/str.h"
#include "boards/boards.h"

/* ---- doctor/system_files.c: the small files of /proc and /sys, below `root` ("" or NULL: the running system) ---- */

/* The text of root/path without the last line break; NULL when it cannot be read; the caller frees. */
char *sys_text(const char *root, const char *path);
bool sys_number(const char *root, const char *path, double *value); /* of a file that holds one number */
bool sys_exists(const char *root, const char *path);
/* The value after "key" in a text of lines "key : value" (any spaces); NULL none; the caller frees. */
char *line_value(const char *text, const char *key);
/* True when `word` is one of the space-separated words of `text`; NULL text: false. */
bool has_word(const char *text, const char *word);
/* Is n in a list like "0-3,8"? */
bool in_cpu_list(const char *list, int n);
int cpu_list_count(const char *list, int *highest); /* how many; highest may be NULL */
static inline bool is_live(const char *root)
{
    return !root || !*root;
}

/* ---- machine.c ---- */

/* The cores this process may run on, as the kernel writes them ("0-3"); the caller frees; never NULL. */
char *allowed_cores(const char *root);
/* The core that b->core means here. */
int choose_core(const struct board *b, const char *root);
char *machine_architecture(const char *root); /* "x86_64"; NULL unknown; the caller frees */
bool target_is_here(const char *target);      /* "" is */
/* The name in sysfs of the core's PMU: "cpu" (x86, RISC-V), "cpu_core" (hybrid x86), "armv8_cortex_a53"; NULL none; the
 * caller frees. */
char *find_pmu(const char *root, int core);

/* ---- description/left_out.c ---- */

/* b->left_out from left_out.txt in the board's folder, if it is there. */
enum status left_out_read(struct board *b, struct error *e) MUST_CHECK;

/* ---- measure/event_names.c ---- */

/* "hw:cycles", "cache:l1d.read.miss", "raw:0x11", "sw:task-clock", "pfm:skl::INST_RETIRED" into type and config. Else
 * *why says what to write; the caller frees. */
bool event_parse(const char *spec, uint32_t *type, uint64_t *config, char **why);
bool pfm_parse(const char *name, uint32_t *type, uint64_t *config, char **why); /* pfm.c: what follows "pfm:" */
/* SHIM_MEASURE_EVENTS for the board: its own list, or the default of the architecture and vendor ("" unknown). */
void events_spec(struct str *out, const struct board *b, const char *architecture, const char *vendor);

/* ---- causes.c: everything that goes wrong has its words here, for the doctor and for the errors of a run ---- */

struct cause {
    const char *id;
    enum finding_severity severity;
    const char *what, *consequence, *remedy; /* "{}" is the detail */
};
const struct cause *cause_find(const char *id); /* NULL: no such */
void cause_add(struct findings *f, const char *id, const char *detail);
void cause_add_as(struct findings *f, enum finding_severity s, const char *id, const char *detail);
/* "what: consequence; remedy" as an error about a program. */
enum status cause_error(struct error *e, enum status s, const char *program, const char *id, const char *detail);
char *cause_sentence(const char *id, const char *detail); /* the caller frees */

/* ---- doctor_arm.c ---- */

struct doctor_visit {
    const struct board *b;
    const char *root;
    struct board_machine machine;
    char *status; /* /proc/self/status, "" when absent */
    int core;
    struct findings *out;
};
void doctor_arm(struct doctor_visit *v); /* events that the PMU lacks, kinds of cores, what the Pi's firmware does */

/* ---- doctor_place.c ---- */

/* What must be there on this machine to build and run the board's programs: compilers, runtimes, emulators, ssh. */
void doctor_place(const struct board *b, struct findings *out);

/* ---- measure/run_stats.c ---- */

double median_of(const double *x, size_t n);               /* n > 0; x is left alone */
double quantile_of(const double *x, size_t n, double q);   /* the value below which q of the n > 0 values lie */
double mad_of(const double *x, size_t n, double median);   /* median absolute deviation, not scaled */
double mean_of(const double *x, size_t n, double *stddev); /* stddev of one value (n - 1); 0 for n == 1 */
/* Huber's M-estimator of location: the mean of what lies within 1.5 sigma of the centre, beyond it only the sign
 * counts. sigma from the MAD, but at least `step`, the counter's: values on a coarse grid average out between its
 * lines, where the median would jump from line to line. */
double centre_of(const double *x, size_t n, double step);
/* Half of the 95 % confidence interval of that centre, of n >= 1 values; infinite for one. */
double half_width_of(const double *x, size_t n, double centre, double step);
double step_of(const double *x,
               size_t n);   /* the smallest difference between two different values; 0: all are the same */
#define MAD_TO_SIGMA 1.4826 /* 1 / Phi^-1(3/4): for a normal distribution MAD * this estimates sigma */
/* Above this a value is an outlier: median + 5 sigma, sigma from the MAD, at least 0.1 % of the median and 1 count. */
double outlier_limit(const double *x, size_t n);

#endif
