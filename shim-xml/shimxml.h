/*
 * shimxml.h - operations on SHIM documents (shim.h): check, create a skeleton for a machine, merge a fitted model,
 * compare, show, convert.
 *
 *     struct shimxml_doc *d;
 *     shimxml_read(&d, "board.shim.xml", e)             any SHIM file, 1.0 or 2.0; keeps line numbers
 *     shimxml_check(d, &findings)                       everything that is wrong with it, as data
 *     shimxml_system(&s, d, e)                          cores, their instructions, caches, memories
 *     shimxml_merge(d, "model.json", NULL, e)           values into cores
 *     shimxml_write(d, "out.xml", e)
 *
 * A status that is not OK has filled *e; then *out holds nothing to free. Every document that a function makes is freed
 * with shimxml_free. Lists that a function appends to (findings, verdicts, what is left out) begin as {0}. A document
 * belongs to one thread at a time, also for reading. The program ends if memory runs out.
 *
 * Units: latency and pitch [cycles of the core's clock], clocks [Hz], sizes [bytes].
 * The rules come from the official schema (github.com/openshim/shim, schema/shim/shim.xsd) and its samples;
 * docs/formats/shim.md explains them.
 */
#ifndef SHIMXML_H
#define SHIMXML_H

#include "shim-xml/shim.h"

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* g++: a struct and the function that makes it have the same name */
#endif

/* ---- content of a document ---- */

struct shimxml_range {
    double best, typical, worst; /* cycles; NAN: not given */
};
/* Bits of an instruction's operand and result, all lanes together; number of lanes of a vector, 0: not a vector. */
struct shimxml_widths {
    int input, output, lanes;
};
struct shimxml_instruction {
    char *name;
    struct shimxml_range pitch, latency;
    struct shimxml_widths widths; /* SHIM 2.0, where several instructions may have one name; 0: not given */
};
struct shimxml_cache {
    char *name, *id;
    char *type;      /* DATA, INSTRUCTION, UNIFIED */
    double bytes;    /* size of one cache; 0: not given */
    long ways, line; /* 0: not given */
    /* index of the core that contains it (SHIM 2.0: the only core that refers to it); SHIMXML_SHARED: none */
    size_t core;
    /* 1 for a cache that refers to no other cache; otherwise one more than the highest that it refers to */
    int level;
    size_t serves; /* number of cores that reach it through their caches; 1 for a cache inside a core */
    size_t *inner; /* indices of the caches that its cacheRefs name, in order, without dangling references */
    size_t n_inner;
};
#define SHIMXML_SHARED ((size_t)-1)
struct shimxml_memory {
    char *name, *id;
    double bytes;
};
/* The cost of one kind of access by a core when a given level of the memory hierarchy answers. */
struct shimxml_access {
    size_t core, memory; /* indices */
    size_t cache;        /* index of the cache that answers; SHIMXML_MEMORY: the memory itself */
    char rw[4];          /* R, W, RW ...; "": not given */
    long bytes;          /* 0: not given */
    struct shimxml_range pitch, latency;
};
#define SHIMXML_MEMORY ((size_t)-1)
/* Without a checksum of its values, with the right one, with a wrong one. */
enum shimxml_seal { SHIMXML_UNSEALED, SHIMXML_SEALED, SHIMXML_CHANGED };
struct shimxml_core {
    char *name, *id;
    char *arch;
    char *type;                               /* PU, TU, OTHER */
    long pid;                                 /* the core's number in the operating system; -1: not given */
    double clock_hz;                          /* the core's clock, otherwise the system's; 0: unknown */
    struct shimxml_instruction *instructions; /* without annotations, which are Instructions, too */
    size_t n_instructions;
    enum shimxml_seal seal; /* whether its instruction values are those that shimgen wrote */
    /* The reference tool that has rewritten them since, and how that shows; NULL: none that is known */
    char *rewritten;
};
struct shimxml_system {
    char *name;
    double clock_hz;
    /* the method that its values are for, see shimxml_method; NULL: an unknown method. Static */
    const char *method;
    char *interval;             /* text of the intervals of estimates, see shimxml_intervals_read; NULL: not given */
    char *fitted_interval;      /* the same for estimates by the costs named "fitted." */
    struct shimxml_core *cores; /* MasterComponents, in order */
    size_t n_cores;
    struct shimxml_cache *caches;
    size_t n_caches;
    struct shimxml_memory *memories;
    size_t n_memories;
    struct shimxml_access *accesses; /* accesses of cores to memories; empty: not given */
    size_t n_accesses;
};
/* Reads the system that a SHIM 1.0 or 2.0 document describes. ERR_INPUT: it describes no system, or a number cannot be
 * read. Free *out with shimxml_system_free. */
enum status shimxml_system(struct shimxml_system **out, const struct shimxml_doc *d, struct error *e) MUST_CHECK;
void shimxml_system_free(struct shimxml_system *s);
/* The widths of the instructions that a key counts ("mul.i64", "fadd.v4f32"; docs/formats/profile.md). A pointer has 64
 * bits. Typical widths are assumed for what the key does not tell. False: its type has no width. */
bool shimxml_widths_of(struct shimxml_widths *out, const char *key);
/* Iterates over the data caches that a core's accesses go through: first (before NULL) the core's level 1 cache, then
 * each cache that refers to the previous one. NULL: no further cache. Borrowed from the system. */
const struct shimxml_cache *shimxml_next_cache(const struct shimxml_system *s, size_t core,
                                               const struct shimxml_cache *before);
/* True: cores a and b have the same architecture, clock and private caches. */
bool shimxml_same_kind(const struct shimxml_system *s, size_t a, size_t b);

/* ---- check ---- */

enum shimxml_severity { SHIMXML_HINT, SHIMXML_WARNING, SHIMXML_ERROR };
struct shimxml_finding {
    enum shimxml_severity severity;
    const char *rule; /* "dangling-reference"; stable, scripts may rely on it; static */
    unsigned long line;
    char *path;          /* "/SystemConfiguration/ComponentSet[2]/Cache[1]"; owned */
    char *text;          /* what was found, on one printable line; owned */
    const char *meaning; /* what it means for a tool that reads the file; static */
    const char *remedy;  /* static */
};
struct shimxml_findings {
    struct shimxml_finding *at;
    size_t n;
    size_t errors, warnings, hints; /* number of all findings */
    size_t omitted;                 /* findings that are not listed: beyond the first SHIMXML_LISTED of each rule */
    size_t *of_rule;                /* number of findings of each rule; owned */
};
/* limit per rule, so that a list stays readable and a hostile file cannot fill memory */
enum { SHIMXML_LISTED = 1000 };
/* Checks the document; appends findings in the order of its lines. Release them with shimxml_findings_release. */
void shimxml_check(const struct shimxml_doc *d, struct shimxml_findings *out);
/* Appends the finding of the rule "unreadable": why shimxml_read refused a file. */
void shimxml_unreadable(struct shimxml_findings *f, const struct error *e);
void shimxml_findings_release(struct shimxml_findings *f);
const char *shimxml_severity_name(enum shimxml_severity s); /* "hint", "warning", "error"; static */
/* The name of rule i, for lists; NULL after the last. */
const char *shimxml_rule(size_t i, enum shimxml_severity *severity, const char **meaning, const char **remedy);

/* Whether a file meets one requirement of the SHIM reference tools (readers.def). */
struct shimxml_verdict {
    const char *rule;               /* "access-types"; stable; static */
    enum shimxml_severity severity; /* error: the tools cannot use the file; hint: they lose something */
    const char *wants, *otherwise;  /* the requirement, and what happens otherwise; static */
    size_t n;                       /* number of places that violate it; 0: it is met */
    unsigned long line;             /* line of the first such place */
    char *text;                     /* text about the first such place, on one printable line; NULL: it is met */
};
struct shimxml_verdicts {
    struct shimxml_verdict *at;
    size_t n;
    size_t broken; /* violated requirements whose severity is error */
};
/* *out, which must be {0}: a verdict on each requirement of the tools for the document's version. Free with
 * shimxml_verdicts_release. */
void shimxml_check_readers(const struct shimxml_doc *d, struct shimxml_verdicts *out);
void shimxml_verdicts_release(struct shimxml_verdicts *v);

/* ---- new documents ---- */

struct shimxml_machine {
    const char *name; /* name of the system; NULL: "host" */
    double clock_hz;  /* clock of the cores; 0: taken from cpufreq, or unknown */
    /* for hwloc: an XML file, or a synthetic description ("pack:1 core:4 pu:1"); NULL: this machine */
    const char *topology;
};
/* Makes the skeleton of a machine: cores, caches with inward cacheRefs, memories, clocks, access types, and one address
 * space that binds every memory to every core. It has no values of instructions or memories, because none were
 * measured. */
enum status shimxml_new(struct shimxml_doc **out, const struct shimxml_machine *m, struct error *e) MUST_CHECK;

/* The same for a machine that a file describes (docs/formats/machine.md). ERR_INPUT with file and line: an error in the
 * file. */
enum status shimxml_describe(struct shimxml_doc **out, const char *path, struct error *e) MUST_CHECK;

/* ---- operating points and power (SHIM 2.0) ---- */

/* Writes the operating points of a description (docs/formats/power.md) into a SHIM 2.0 document; points that no
 * component uses any more are removed. *power: the power at these points, as a document of its own, which names the file
 * `system`; NULL: the description has none. ERR_INPUT with file and line: an error in the description, or it does not
 * fit the document, which is then unusable. */
enum status shimxml_power(struct shimxml_doc *d, struct shimxml_doc **power, const char *description,
                          const char *system, struct error *e) MUST_CHECK;
/* The operating points and the power of a document in words, one per line; "": it has none. The caller frees. Names come from
 * the file of the system that a power configuration names, if it can be read. */
char *shimxml_power_text(const struct shimxml_doc *d);

/* ---- annotations: data that SHIM has no place for ---- */

/* Annotations are named values without a place in the schemas: the method that instruction values are for, the
 * intervals of estimates, the branch predictor that fits the core. Each is an Instruction "shimgen:NAME=VALUE" of every
 * core that has instructions (docs/formats/shim-file.md); where none has, they are in a processing instruction before the
 * root, as in older files. Returns the value, which the caller frees; NULL: the document has no annotation of this
 * name. */
char *shimxml_annotation(const struct shimxml_doc *d, const char *name);
/* The same for one core, given by name or id, because two kinds of cores have two predictors. NULL: no such annotation. */
char *shimxml_core_annotation(const struct shimxml_doc *d, const char *core, const char *name);
/* Sets an annotation; NULL removes it. A value must not contain '"' or "?>". */
void shimxml_annotate(struct shimxml_doc *d, const char *name, const char *value);
/* Removes all instructions; annotations stay. */
void shimxml_drop_instructions(struct shimxml_doc *d);
/* Writes a checksum of the instruction values of each core, from which a reader sees whether another tool has changed them
 * (shimxml_core.seal). To be called when all values are written. */
void shimxml_seal(struct shimxml_doc *d);
/* Names of Instructions that only 'shimgen estimate' uses begin so: costs to be multiplied by counts, and factors of the
 * times of single instructions (docs/formats/shim-file.md). */
#define SHIMXML_FITTED "fitted."
#define SHIMXML_FACTOR "factor."

/* ---- the method that the values are for ---- */

/* The method of 'shimgen estimate' that the instruction values are for: "operand", "schedule" or "sum". It comes from
 * the annotation "method"; without one it is "operand". Static text. ERR_INPUT: another value, annotations that contradict
 * each other, or factors without a method. */
enum status shimxml_method(const char **method, const struct shimxml_doc *d, struct error *e) MUST_CHECK;
bool shimxml_says_method(const struct shimxml_doc *d);
/* Sets the method: one of the three. */
void shimxml_set_method(struct shimxml_doc *d, const char *method);

/* ---- intervals of estimates ---- */

/* The kinds of code that an interval may be for. The interval: with probability `level` the board takes between `low`
 * and `high` times the estimated cycles, if the estimate uses the file's values and method. */
enum shimxml_code { SHIMXML_ANY_CODE, SHIMXML_UNOPTIMISED, SHIMXML_OPTIMISED };
struct shimxml_interval {
    enum shimxml_code code;
    /* true: for estimates with simulated misses and mispredictions; false: without. SHIMXML_ANY_CODE: for both */
    bool events;
    double below;     /* for estimates below this many cycles; INFINITY: for all */
    double level;     /* between 0 and 1 */
    double low, high; /* 0 and INFINITY: no bound */
};
/* Sets the annotation "interval" (docs/formats/shim.md); n 0 removes it. */
void shimxml_set_intervals(struct shimxml_doc *d, const struct shimxml_interval *list, size_t n);
/* The annotation's text; the caller frees it. */
char *shimxml_intervals_text(const struct shimxml_interval *list, size_t n);
/* Parses the annotation's text into at least one interval; free(*list). False: not such a text, or of a later
 * version. */
bool shimxml_intervals_read(struct shimxml_interval **list, size_t *n, const char *text);
/* The interval for such an estimate; NULL: there is none. */
const struct shimxml_interval *shimxml_interval_of(const struct shimxml_interval *list, size_t n,
                                                   enum shimxml_code code, bool with_events, double cycles);
/* The widest interval for such code, with or without events; NULL: there is none. */
const struct shimxml_interval *shimxml_interval_widest(const struct shimxml_interval *list, size_t n,
                                                       enum shimxml_code code, double cycles);

/* ---- merge ---- */

/* Selects processing units whose name, arch and id match the globs (NULL: any), and what to merge. */
struct shimxml_units {
    const char *name, *arch, *id;
    /* "Pitch" or "Latency"; NULL: both. New entries always get both, because the schema requires both */
    const char *only;
    unsigned what; /* for shimxml_merge_shim: SHIMXML_OF_... flags; 0: all */
};
enum { SHIMXML_OF_INSTRUCTIONS = 1, SHIMXML_OF_ACCESSES = 2, SHIMXML_OF_CONNECTIONS = 4 };
/* Writes the instruction values of a model (docs/formats/model.md) into processing units (which NULL: all). Latency
 * comes from keys ending in _d, Pitch from the others, weighted by their counts. An instruction without evidence gets,
 * in this order: the value that the classification gives to its most common key (instructions.def), the value of its
 * twin, the mean of all. A comment in the instruction set tells which. The file's method becomes "operand". Everything
 * else stays. ERR_INPUT: not a model; a negative value, which SHIM tools cannot use; no unit matches; other units have
 * values for another method. */
enum status shimxml_merge(struct shimxml_doc *d, const char *model_path, const struct shimxml_units *which,
                          struct error *e) MUST_CHECK;
/* The same, but an instruction for which the model has no evidence takes its value from a table if the table has it
 * (docs/formats/shim.md); the comment tells so. values_path NULL: no table. */
enum status shimxml_merge_values(struct shimxml_doc *d, const char *model_path, const char *values_path,
                                 const struct shimxml_units *which, struct error *e) MUST_CHECK;

/* Copies values from another file into processing units (which NULL: all). Units correspond by "name", "arch" (the
 * first one with values) or "id". Copied are:
 *  - instruction values, with the method they are for;
 *  - costs of accesses to the memory of the same name (by "id": the same id), for AccessTypes with the same rwType and
 *    accessByteSize, level by level;
 *  - costs of connections between the same units; connections that are missing here are added, except by "arch".
 * best and worst are copied if present. Everything else stays. ERR_INPUT: no unit matches, the files have nothing in
 * common, or other units have values for another method. */
enum status shimxml_merge_shim(struct shimxml_doc *d, const struct shimxml_doc *from, const char *by,
                               const struct shimxml_units *which, struct error *e) MUST_CHECK;

/* ---- memory ---- */

/* Writes costs of memory accesses into processing units, and costs of messages into pairs of them, from a table
 * (docs/formats/memory.md). Earlier values of an Accessor or Connection are removed if the table has new ones.
 * ERR_INPUT: not such a table, a value that SHIM cannot represent, or nothing in it fits the document. */
enum status shimxml_memory(struct shimxml_doc *d, const char *table_path, struct error *e) MUST_CHECK;

/* Sets the clock [Hz] of the system and of every processing unit that has its own: the clock that cycles are measured
 * in. */
void shimxml_set_clock(struct shimxml_doc *d, double hz);

/* ---- diff ---- */

/* One difference in meaning. Ids and the order of attributes do not count. */
struct shimxml_difference {
    char *what;      /* "Core_0/fadd Latency typical"; owned */
    char *a, *b;     /* the two values as text; NULL: absent in that document; owned */
    double relative; /* |a - b| / max(|a|, |b|) for numbers, otherwise NAN */
};
struct shimxml_comparison {
    struct shimxml_difference *at;
    size_t n;
    size_t compared; /* numbers compared */
    size_t typical;  /* of these: typical values of Pitch and Latency, the ones that a measurement gives */
    double median_relative, worst_relative; /* over all typical values, equal ones included; NAN: there are none */
};
/* Compares two documents. Numbers whose relative difference is at most `tolerance` (0.05: 5 %) are not listed. ERR_INPUT:
 * the tolerance is negative, or the paths of a document are too long. Free with shimxml_comparison_release. */
enum status shimxml_diff(struct shimxml_comparison *out, const struct shimxml_doc *a, const struct shimxml_doc *b,
                         double tolerance, struct error *e) MUST_CHECK;
void shimxml_comparison_release(struct shimxml_comparison *c);

/* ---- show ---- */

/* Prints the elements as a tree, with a line for each but the values. path NULL or "-": standard output. */
enum status shimxml_tree(const struct shimxml_doc *d, const char *path, struct error *e) MUST_CHECK;
/* A table of all elements of a kind. Columns are attributes, and "in", "line", "clock", "pitch.best" ...
 * "latency.worst". */
struct shimxml_table {
    const char *kind;    /* "Cache"; NULL: four tables: masters, caches, memories, ranges */
    const char *columns; /* separated by commas; NULL: the usual columns */
    const char *format;  /* "text": numbers with units; "csv", "json": numbers in bytes and Hz */
    const char *core;    /* glob: only masters with this name and what they contain; NULL: all */
};
/* ERR_INPUT: no element of this kind, or no such column. */
enum status shimxml_table(const struct shimxml_doc *d, const struct shimxml_table *t, const char *path,
                          struct error *e) MUST_CHECK;
enum shimxml_fold { SHIMXML_FOLD_MANY, SHIMXML_FOLD, SHIMXML_FOLD_NONE };
struct shimxml_drawing {
    /* when to draw equal cores, sets and memories as one block: if there are many, always, never */
    enum shimxml_fold fold;
    const char *marked; /* name of a core to highlight; NULL: none */
    const char *mark;   /* a word to write into that core; NULL: none */
    bool in_page;       /* true: for an HTML page, where <svg> needs no namespace; false: for a file of its own */
};
/* Draws the hardware as a block diagram (how NULL: with defaults). *svg is one self-contained <svg> element, whose
 * title and description tell the same in words. The caller frees it. ERR_INPUT: as for shimxml_system, or there is
 * nothing to draw. */
enum status shimxml_draw(char **svg, const struct shimxml_doc *d, const struct shimxml_drawing *how,
                         struct error *e) MUST_CHECK;

/* ---- conversion between SHIM versions ---- */

/* An element or attribute that the other version cannot represent: "Cache/@prefetch", "CustomInstruction". */
struct shimxml_left {
    char *what; /* owned */
    size_t n;   /* number of occurrences */
};
struct shimxml_left_out {
    struct shimxml_left *at;
    size_t n;
};
void shimxml_left_out_release(struct shimxml_left_out *left);

/* Converts a SHIM 1.0 document to "2.0" (IEEE 2804), or a 2.0 document to "1.0". The result is valid if d is valid and
 * its sizes are not negative. With a model (docs/formats/model.md; NULL: none), SHIM 2.0 gets an Instruction for each
 * width that the model has values of, and a FunctionalUnit for each of its variables. What is lost is appended to
 * `left` (may be NULL). ERR_INPUT: d does not have the other version or describes no system; not a model. */
enum status shimxml_convert(struct shimxml_doc **out, const struct shimxml_doc *d, const char *version,
                            const char *model_path, struct shimxml_left_out *left, struct error *e) MUST_CHECK;
/* SHIM 2.0 is written in two forms (docs/formats/shim.md): that of its schema, which the published readers want, and that
 * of the SHIM Editor. */
enum shimxml_form { SHIMXML_SCHEMA_FORM, SHIMXML_EDITORS_FORM };
bool shimxml_is_editors(const struct shimxml_doc *d);
/* Converts a SHIM 2.0 document of either form to `form`. `left`: as for shimxml_convert. ERR_INPUT: it is not SHIM 2.0. */
enum status shimxml_convert_form(struct shimxml_doc **out, const struct shimxml_doc *d, enum shimxml_form form,
                                 struct shimxml_left_out *left, struct error *e) MUST_CHECK;

/* ---- export, import ---- */

/* Exports a document. path NULL or "-": standard output. format:
 *  - "json": all elements with their attributes, numbers as numbers;
 *  - "csv": a row for each value;
 *  - "latency-csv": the instruction values of the first matching unit, as the SHIM 2.0 tools read them;
 *  - "latency-groups": the same, with instructions of equal cost as one variable. */
enum status shimxml_export(const struct shimxml_doc *d, const char *format, const struct shimxml_units *which,
                           const char *path, struct error *e) MUST_CHECK;
/* Reads a latency CSV into processing units (which NULL: all). Values that the table does not name stay. ERR_INPUT: not
 * such a table, a value that is negative or not a number, a new instruction without both values, or no unit matches. */
enum status shimxml_import(struct shimxml_doc *d, const char *path, const struct shimxml_units *which,
                           struct error *e) MUST_CHECK;
/* The architectures of the processing units that an import is for, "cortex-a53, u74", which the caller frees; NULL: all
 * have the same. One table has the values of one kind of core. */
char *shimxml_import_doubts(const struct shimxml_doc *d, const struct shimxml_units *which);
/* Writes a comment on the source of the instruction values at the head of the instruction sets of processing units
 * (which NULL: all). `text` may have several lines and must not contain "--". A merge replaces the comment. */
void shimxml_say_source(struct shimxml_doc *d, const char *text, const struct shimxml_units *which);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif

#endif
