/*
 * shimxml.h - what is done with SHIM documents (shim.h): check, make a skeleton of a machine, merge a fitted model
 * into it, compare.
 *
 *     struct shimxml_doc *d;
 *     shimxml_read(&d, "board.shim.xml", e)             any SHIM file, 1.0 or 2.0; line numbers are kept
 *     shimxml_check(d, &findings)                       all that is wrong with it, as data
 *     shimxml_system(&s, d, e)                          cores, their instructions, caches, memories
 *     shimxml_merge(d, "model.json", NULL, e)           values into cores
 *     shimxml_write(d, "out.xml", e)
 *
 * Units: latency and pitch [cycles of the core's clock], clocks [Hz], sizes [bytes].
 * Source of all rules: the official schema (github.com/openshim/shim, schema/shim/shim.xsd) and its samples;
 * docs/formats/shim.md says what each means.
 */
#ifndef SHIMXML_H
#define SHIMXML_H

#include "shim-xml/shim.h"

/* ---- what a document says ---- */

struct shimxml_range {
    double best, typical, worst; /* [cycles]; NAN: not given */
};
/* Bits of an instruction's operand and of its result, all lanes together; lanes of a vector, 0: it is none. */
struct shimxml_widths {
    int input, output, lanes;
};
struct shimxml_instruction {
    char *name;
    struct shimxml_range pitch, latency;
    struct shimxml_widths widths; /* SHIM 2.0, in which one name may stand there for several; 0: not given */
};
struct shimxml_cache {
    char *name, *id;
    char *type;      /* DATA, INSTRUCTION, UNIFIED */
    double bytes;    /* of one; 0: not given */
    long ways, line; /* 0: not given */
    size_t core;     /* the core it stands in, in SHIM 2.0 the only one that names it; SHIMXML_SHARED: none */
    int level;       /* 1 for a cache that refers to no other, else one more than the highest it refers to */
    size_t serves;   /* cores whose caches lead to it, itself in a core: 1 */
    size_t *inner;   /* caches that its cacheRefs name, by index, in order; dangling references are left out */
    size_t n_inner;
};
#define SHIMXML_SHARED ((size_t)-1)
struct shimxml_memory {
    char *name, *id;
    double bytes;
};
/* What one kind of access of a core costs when a level of the memory hierarchy answers it. */
struct shimxml_access {
    size_t core, memory; /* by index */
    size_t cache;        /* the one that answers; SHIMXML_MEMORY: the memory itself */
    char rw[4];          /* R, W, RW ...; "": not given */
    long bytes;          /* 0: not given */
    struct shimxml_range pitch, latency;
};
#define SHIMXML_MEMORY ((size_t)-1)
struct shimxml_core {
    char *name, *id;
    char *arch;
    char *type;      /* PU, TU, OTHER */
    long pid;        /* the operating system's number of it; -1: not given */
    double clock_hz; /* its own, else the system's; 0: unknown */
    struct shimxml_instruction *instructions;
    size_t n_instructions;
};
struct shimxml_system {
    char *name;
    double clock_hz;
    const char *method;         /* that its values are for, as shimxml_method; NULL: an unknown one. Static */
    char *interval;             /* how sure estimates are, as shimxml_intervals_read takes it; NULL: it does not say */
    struct shimxml_core *cores; /* MasterComponents, in order */
    size_t n_cores;
    struct shimxml_cache *caches;
    size_t n_caches;
    struct shimxml_memory *memories;
    size_t n_memories;
    struct shimxml_access *accesses; /* of cores to memories; empty: the file does not say */
    size_t n_accesses;
};
/* Reads what can be read, of SHIM 1.0 and 2.0; ERR_INPUT: it describes no system, or a number in it is none.
 * shimxml_system_free. */
enum status shimxml_system(struct shimxml_system **out, const struct shimxml_doc *d, struct error *e) MUST_CHECK;
void shimxml_system_free(struct shimxml_system *s);
/* The widths of an instruction on this type of docs/formats/profile.md ("i64", "double", "v4i32", "ptr": 64); what the
 * type does not say is taken as usual. False: the type has no width. */
bool shimxml_widths_of(struct shimxml_widths *out, const char *instruction, const char *type);
/* The data caches that a core's accesses meet, one by one: first (before NULL) the one of level 1 in it, then the one
 * that refers to the one before. NULL: there is none. Borrowed from the system. */
const struct shimxml_cache *shimxml_next_cache(const struct shimxml_system *s, size_t core,
                                               const struct shimxml_cache *before);
/* The cores `a` and `b` are of the same architecture, clock and caches of their own. */
bool shimxml_same_kind(const struct shimxml_system *s, size_t a, size_t b);

/* ---- check ---- */

enum shimxml_severity { SHIMXML_HINT, SHIMXML_WARNING, SHIMXML_ERROR };
struct shimxml_finding {
    enum shimxml_severity severity;
    const char *rule; /* "dangling-reference": stable; static */
    unsigned long line;
    char *path;          /* "/SystemConfiguration/ComponentSet[2]/Cache[1]"; owned */
    char *text;          /* what was found, one printable line; owned */
    const char *meaning; /* what it does to a consumer; static */
    const char *remedy;  /* static */
};
struct shimxml_findings {
    struct shimxml_finding *at;
    size_t n;
    size_t errors, warnings, hints; /* all that were found */
    size_t omitted;                 /* of them not listed: those of a rule beyond its SHIMXML_LISTED-th */
    size_t *of_rule;                /* found, by rule; owned */
};
enum { SHIMXML_LISTED = 1000 }; /* of each rule, so that a list stays readable and a hostile file cannot fill memory */
/* Appends the findings, in the order of the document's lines. */
void shimxml_check(const struct shimxml_doc *d, struct shimxml_findings *out);
void shimxml_findings_release(struct shimxml_findings *f);
const char *shimxml_severity_name(enum shimxml_severity s); /* "hint", "warning", "error"; static */
/* The rules, for lists: NULL when i is past the last. */
const char *shimxml_rule(size_t i, enum shimxml_severity *severity, const char **meaning, const char **remedy);

/* What the reference tools want of a file (readers.def), rule by rule. */
struct shimxml_verdict {
    const char *rule;               /* "access-types": stable; static */
    enum shimxml_severity severity; /* error: they cannot work with it; hint: they lose something */
    const char *wants, *otherwise;  /* what it wants, what happens else; static */
    size_t n;                       /* places where it is broken; 0: it is met */
    unsigned long line;             /* of the first */
    char *text;                     /* of the first, one printable line; NULL: it is met */
};
struct shimxml_verdicts {
    struct shimxml_verdict *at;
    size_t n;
    size_t broken; /* errors */
};
/* shimxml_verdicts_release. */
void shimxml_check_readers(const struct shimxml_doc *d, struct shimxml_verdicts *out);
void shimxml_verdicts_release(struct shimxml_verdicts *v);

/* ---- new ---- */

struct shimxml_machine {
    const char *name; /* of the system; NULL: "host" */
    double clock_hz;  /* of the cores; 0: from cpufreq, else 0 (unknown) */
    const char
        *topology; /* hwloc: an XML file, or a synthetic description ("pack:1 core:4 pu:1"); NULL: this machine */
};
/* Skeleton of a machine: cores, caches with inward cacheRefs, memories, clocks, access types, one address space that
 * binds every memory to every core; no instruction values and no memory values: none were measured. */
enum status shimxml_new(struct shimxml_doc **out, const struct shimxml_machine *m, struct error *e) MUST_CHECK;

/* The same of a machine that a file describes (docs/formats/machine.md). ERR_INPUT, with file and line: not such a
 * file. */
enum status shimxml_describe(struct shimxml_doc **out, const char *path, struct error *e) MUST_CHECK;

/* ---- what SHIM has no place for ---- */

/* Annotations are named values that the schemas have no place for: what method the values are for, how sure estimates
 * are, which branch predictor fits the core. They stand in a processing instruction before the root. The caller frees
 * the value; NULL: the document has none of this name. */
char *shimxml_annotation(const struct shimxml_doc *d, const char *name);
/* Writes it, in place of an earlier value; NULL takes it away. A value holds neither '"' nor "?>". */
void shimxml_annotate(struct shimxml_doc *d, const char *name, const char *value);

/* ---- what the values are for ---- */

/* The method of 'shimgen estimate' that the instruction values are for, as <?shimgen method="schedule"?> before the
 * root says: "operand", "schedule" or "sum"; "operand" where nothing does. Static. ERR_INPUT: it says something else.
 */
enum status shimxml_method(const char **method, const struct shimxml_doc *d, struct error *e) MUST_CHECK;
bool shimxml_says_method(const struct shimxml_doc *d);
/* Writes it; one of the three. */
void shimxml_set_method(struct shimxml_doc *d, const char *method);

/* ---- how sure estimates are ---- */

/* Of estimates of such code, by the file's values and method: with probability `level` the board takes from low to high
 * times as many cycles. */
enum shimxml_code { SHIMXML_ANY_CODE, SHIMXML_UNOPTIMISED, SHIMXML_OPTIMISED };
struct shimxml_interval {
    enum shimxml_code code;
    bool events;  /* of estimates with simulated misses and mispredictions, else without; of SHIMXML_ANY_CODE: both */
    double below; /* of estimates below so many cycles; INFINITY: of all */
    double level; /* between 0 and 1 */
    double low, high; /* 0, INFINITY: no bound */
};
/* Writes them as the annotation "interval" (docs/formats/shim.md); n 0: takes it away. */
void shimxml_set_intervals(struct shimxml_doc *d, const struct shimxml_interval *list, size_t n);
/* The annotation's text as intervals, at least one; free(*list). False: it is not such a text, or of a later version.
 */
bool shimxml_intervals_read(struct shimxml_interval **list, size_t *n, const char *text);
/* The one that was found for such an estimate; NULL: none was. */
const struct shimxml_interval *shimxml_interval_of(const struct shimxml_interval *list, size_t n,
                                                   enum shimxml_code code, bool with_events, double cycles);
/* The widest that is for such code, with events or without; NULL: there is none. */
const struct shimxml_interval *shimxml_interval_widest(const struct shimxml_interval *list, size_t n,
                                                       enum shimxml_code code, double cycles);

/* ---- merge ---- */

/* Which processing units: those whose name, arch and id match the globs; NULL: any. And what of them. */
struct shimxml_units {
    const char *name, *arch, *id;
    const char *only; /* "Pitch" or "Latency"; NULL: both. Entries that are new get both, since the schema wants both */
    unsigned what;    /* shimxml_merge_shim: of SHIMXML_OF_..., 0: all */
};
enum { SHIMXML_OF_INSTRUCTIONS = 1, SHIMXML_OF_ACCESSES = 2, SHIMXML_OF_CONNECTIONS = 4 };
/* Gives processing units (which NULL: all) the instruction values of a model (docs/formats/model.md): Latency from keys
 * ending in _d, Pitch from the others, weighted by their counts. An instruction without evidence takes the value that
 * the classification gives to its commonest key (instructions.def), else that of its twin, else the mean of all; a
 * comment in its set says which. The values are for the method "operand", which the file says then. What merge does not
 * touch stays as it is. ERR_INPUT: not a model, a negative value (SHIM consumers cannot use it), no unit matches, other
 * units have values for another method. */
enum status shimxml_merge(struct shimxml_doc *d, const char *model_path, const struct shimxml_units *which,
                          struct error *e) MUST_CHECK;
/* The same, and an instruction for which the model has no evidence of its own takes its value from a table, where that
 * has it (docs/formats/shim.md); the comment says so. values_path NULL: none. */
enum status shimxml_merge_values(struct shimxml_doc *d, const char *model_path, const char *values_path,
                                 const struct shimxml_units *which, struct error *e) MUST_CHECK;

/* Gives processing units (which NULL: all) the instruction values that another file has for the same unit: by "name",
 * "arch" (the first of it that has values) or "id"; their accesses what the same unit's accesses to the memory of the
 * same name (by "id": the same id) cost there, for AccessTypes of the same rwType and accessByteSize, level by level;
 * connections what those between the same units cost, and, but for "arch", connections that are not here. Of the values
 * best and worst are there if they are there; with the instructions comes what method they are for; all else stays.
 * ERR_INPUT: no unit matches, or nothing is in both, other units have values for another method. */
enum status shimxml_merge_shim(struct shimxml_doc *d, const struct shimxml_doc *from, const char *by,
                               const struct shimxml_units *which, struct error *e) MUST_CHECK;

/* ---- memory ---- */

/* Gives processing units what their accesses to memory cost, and pairs of them what messages cost, from a table
 * (docs/formats/memory.md). What an Accessor or Connection had before goes, once there is something for it. ERR_INPUT:
 * not such a table, a value that SHIM cannot hold, nothing of it fits the document. */
enum status shimxml_memory(struct shimxml_doc *d, const char *table_path, struct error *e) MUST_CHECK;

/* Gives the system and every processing unit that has one of its own this clock [Hz]: what a cycle of the values that
 * are merged is. */
void shimxml_set_clock(struct shimxml_doc *d, double hz);

/* ---- diff ---- */

/* One difference by meaning: ids and the order of attributes are none. */
struct shimxml_difference {
    char *what;      /* "Core_0/fadd Latency typical"; owned */
    char *a, *b;     /* as text; NULL: absent there; owned */
    double relative; /* |a - b| / max(|a|, |b|) for numbers, else NAN */
};
struct shimxml_comparison {
    struct shimxml_difference *at;
    size_t n;
    size_t compared; /* numbers compared */
    size_t typical;  /* of them, the typical values of Pitch and Latency: what a measurement gives */
    double median_relative, worst_relative; /* over the typical values, equal ones too; NAN: none */
};
/* Numbers whose relative difference is at most `tolerance` are not listed. */
enum status shimxml_diff(struct shimxml_comparison *out, const struct shimxml_doc *a, const struct shimxml_doc *b,
                         double tolerance, struct error *e) MUST_CHECK;
void shimxml_comparison_release(struct shimxml_comparison *c);

/* ---- show ---- */

/* A tree of names with what each is, a line for each element but values. path NULL or "-": standard output. */
enum status shimxml_tree(const struct shimxml_doc *d, const char *path, struct error *e) MUST_CHECK;
/* All elements of a kind; columns are attributes, and "in", "line", "clock", "pitch.best" ... "latency.worst". */
struct shimxml_table {
    const char *kind;    /* "Cache"; NULL: masters, caches, memories, ranges, one after the other */
    const char *columns; /* separated by commas; NULL: what is usually wanted */
    const char *format;  /* "text": units as people read them; "csv", "json": numbers in bytes and Hz */
    const char *core;    /* glob: only what is, or stands in, a master so called; NULL: all */
};
/* ERR_INPUT: there is none of this kind, no such column. */
enum status shimxml_table(const struct shimxml_doc *d, const struct shimxml_table *t, const char *path,
                          struct error *e) MUST_CHECK;
enum shimxml_fold { SHIMXML_FOLD_MANY, SHIMXML_FOLD, SHIMXML_FOLD_NONE };
struct shimxml_drawing {
    enum shimxml_fold fold; /* equal cores, sets and memories as one block: where there are many, always, never */
    const char *marked;     /* the name of a core that is to stand out; NULL: none does */
    const char *mark;       /* a word that stands in it; NULL: none */
    bool in_page;           /* for an HTML page, where <svg> needs no namespace; else for a file of its own */
};
/* The hardware as a block diagram (how NULL: as is usual): one <svg> element that needs nothing beside it and can stand
 * in a page; its title and description say it in words. The caller frees. ERR_INPUT: as shimxml_system, or nothing is
 * there to draw. */
enum status shimxml_draw(char **svg, const struct shimxml_doc *d, const struct shimxml_drawing *how,
                         struct error *e) MUST_CHECK;

/* ---- from one version to the other ---- */

/* Of what a document had and the other version cannot hold: "Cache/@prefetch", "CustomInstruction". */
struct shimxml_left {
    char *what; /* owned */
    size_t n;   /* how many */
};
struct shimxml_left_out {
    struct shimxml_left *at;
    size_t n;
};
void shimxml_left_out_release(struct shimxml_left_out *left);

/* A new document of SHIM "2.0" (IEEE 2804) of one of SHIM 1.0, or of "1.0" of one of SHIM 2.0: valid if that is, and
 * its sizes are not negative. With a model (docs/formats/model.md; NULL: none) SHIM 2.0 gets an Instruction for each
 * width that it has values of, and a FunctionalUnit for each of its variables. `left` (NULL: nobody asks) is appended
 * to. ERR_INPUT: not a document of the other version, or one of no system; not a model. */
enum status shimxml_convert(struct shimxml_doc **out, const struct shimxml_doc *d, const char *version,
                            const char *model_path, struct shimxml_left_out *left, struct error *e) MUST_CHECK;

/* ---- export, import ---- */

/* format "json": all elements with their attributes, numbers as numbers; "csv": a row for each value; "latency-csv":
 * the instruction values of the first unit that matches, as the SHIM 2.0 tools read them; "latency-groups": the same,
 * instructions that cost the same as one variable. path NULL or "-": standard output. */
enum status shimxml_export(const struct shimxml_doc *d, const char *format, const struct shimxml_units *which,
                           const char *path, struct error *e) MUST_CHECK;
/* Values of a latency CSV into processing units (which NULL: all); what it does not name stays. ERR_INPUT: not such a
 * table, a value that is negative or none, a new instruction without both values, no unit matches. */
enum status shimxml_import(struct shimxml_doc *d, const char *path, const struct shimxml_units *which,
                           struct error *e) MUST_CHECK;
/* Where the instruction values of processing units (which NULL: all) are from, as the comment at the head of their
 * sets: lines, without "--". What a merge said there goes. */
void shimxml_say_source(struct shimxml_doc *d, const char *text, const struct shimxml_units *which);

#endif
