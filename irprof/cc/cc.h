/*
 * cc.h - the compiler driver: `irprof cc` takes clang's command line, compiles each
 * source to optimised IR, instruments that, and turns it into an object without
 * optimising again; at the link it adds the runtime, and what the profile has to say
 * about linked code that has no counters. Internal to irprof.
 */
#ifndef IRPROF_CC_CC_H
#define IRPROF_CC_CC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"
#include "irprof/instrument/instrument.h"
#include "irprof/cc/link.h"
#include "irprof/stamp/stamping.h"

/* What a word of the command line is to us. */
enum cc_word_kind {
    CC_FLAG,    /* handed on to every stage */
    CC_COMPILE, /* makes sense only where sources are read: -I -D -include -std ... */
    CC_DEPEND,  /* -MD -MF ...: only where the IR is made */
    CC_LINK,    /* only in the link: -l -L -Wl, objects, archives */
    CC_LTO,     /* -flto and its kind: where bitcode is linked, else left out */
    CC_MODE,    /* ours: -c -o -x -v */
    CC_SOURCE,  /* C, C++, Objective-C, IR: counted */
    CC_OTHER    /* assembly, Fortran ...: becomes an object, not counted */
};
struct cc_word {
    enum cc_word_kind kind;
    const char *text;     /* borrowed from argv or cc_line.owned */
    const char *language; /* of a source: what -x said, or NULL (the suffix says) */
};
struct cc_line {
    VEC(struct cc_word) words;
    VEC(char *) owned;             /* texts from response files */
    VEC(const char *) directories; /* -L, in their order; borrowed */
    VEC(const char *) libraries;   /* -l */
    const char *out;               /* -o, or NULL */
    bool compile_only;             /* -c */
    bool part;                     /* -shared, -r: what is linked is no program */
    bool no_libc, names_libc;      /* -nostdlib and its kind; -lc */
    bool verbose;                  /* -v */
    bool from_input;               /* a source is standard input */
    bool pass_through;             /* nothing to count: -E, -S, -M, -fsyntax-only, --version ... */
    bool depend;                   /* -MD, -MMD */
    bool has_mf, has_mt;
    bool coverage;              /* --coverage: notes are written beside the object */
    bool other_assembler;       /* -fno-integrated-as */
    const char *lto;            /* -flto, or NULL */
    const char *stamp;          /* --stamp: points; NULL: the program gets counters, not stamps */
    const char *stamp_mode;     /* --stamp-mode, or NULL */
    const char *stamp_results;  /* --stamp-results, or NULL */
    const char *dropped;        /* an option that is left out, with a sentence; NULL: none */
    size_t n_sources, n_others; /* CC_SOURCE, CC_OTHER */
};

/* Sorts the words. ERR_INPUT: a response file that cannot be read. cc_line_release *line. */
enum status cc_parse(struct cc_line *line, char **argv, int argc, struct error *e) MUST_CHECK;
void cc_line_release(struct cc_line *line);

/* Does it all. ERR_FOUND: a stage failed and has said why. */
enum status cc_run(const struct cc_line *line, struct error *e) MUST_CHECK;
/* Becomes the compiler, with the words as they were given; returns only if that fails. */
enum status cc_become(char **argv, int argc, struct error *e) MUST_CHECK;

/* ---- between the files of the driver ---- */

/* A command in the making; borrows its words. */
struct cc_command {
    VEC(const char *) words;
};
/* What all stages of one run share. */
struct cc_job {
    const struct cc_line *line;
    char *directory;               /* temporary; owned */
    const char *flags[LINK_WORDS]; /* compile_flags */
    size_t n_flags;
    char *flags_owned;
    struct instrument_options options;
    char *options_owned;       /* the text that they borrow from */
    struct stamp_specs stamps; /* of line->stamp */
};

const char *cc_compiler(void); /* IRPROF_CC, or the one we were made for */
void cc_add(struct cc_command *c, const char *word);
/* The words of some kinds, in their order; kinds is a set of bits, 1 << CC_FLAG ... */
void cc_add_words(struct cc_command *c, const struct cc_line *line, unsigned kinds);
/* Runs it and frees the words. Where its output and errors go: NULL, to ours; else they are collected, also when it
 * fails. ERR_FOUND: it failed and has said why. */
struct proc_result;
enum status cc_execute(struct cc_command *c, const struct cc_job *job, struct proc_result *collect,
                       struct error *e) MUST_CHECK;
/* cc_stamp.c: reads --stamp and what goes with it into the job; what make_ir is told, so that the functions with stamps stay; IR with
 * stamps. What the user should know goes to standard error. */
enum status cc_stamp_read(struct cc_job *job, struct error *e) MUST_CHECK;
char *cc_stamp_functions(const struct cc_job *job); /* "f,g"; the caller frees */
enum status cc_stamp_ir(const struct cc_job *job, const char *ir, const char *out, struct error *e) MUST_CHECK;
/* After all sources of a program were compiled in this command: ERR_INPUT if a point is in none of them. */
enum status cc_stamp_check(const struct cc_job *job, struct error *e) MUST_CHECK;
/* Instrumented IR to an object; `extra` is one more flag, or NULL. */
enum status cc_make_code(const struct cc_job *job, const char *ir, const char *object, const char *extra,
                         struct error *e) MUST_CHECK;
/* The link; objects[i] is what the i-th source has become. */
enum status cc_link(const struct cc_job *job, char **objects, struct error *e) MUST_CHECK;

#endif
