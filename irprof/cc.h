/*
 * cc.h - the compiler driver: `irprof cc` takes clang's command line, compiles each
 * source to optimised IR, instruments that, and turns it into an object without
 * optimising again. Internal to irprof.
 */
#ifndef IRPROF_CC_H
#define IRPROF_CC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"

/* What a word of the command line is to us. */
enum cc_word_kind {
    CC_FLAG,    /* handed on to every stage */
    CC_COMPILE, /* makes sense only where sources are read: -I -D -include -std ... */
    CC_DEPEND,  /* -MD -MF ...: only where the IR is made */
    CC_LINK,    /* only in the link: -l -L -Wl, objects, archives */
    CC_MODE,    /* ours: -c -o -x -v, -flto */
    CC_SOURCE /* C, C++, Objective-C, IR: counted */,
    CC_ASSEMBLY /* becomes an object, not counted */
};
struct cc_word {
    enum cc_word_kind kind;
    const char *text;     /* borrowed from argv or cc_line.owned */
    const char *language; /* of a source: what -x said, or NULL (the suffix says) */
};
struct cc_line {
    VEC(struct cc_word) words;
    VEC(char *) owned; /* texts from response files */
    const char *out;   /* -o, or NULL */
    bool compile_only; /* -c */
    bool no_runtime;   /* -shared, -r: what is linked is no program */
    bool verbose;      /* -v */
    bool pass_through; /* nothing to count: -E, -S, -M, -fsyntax-only, --version ... */
    bool depend;       /* -MD, -MMD */
    bool has_mf, has_mt;
    const char *dropped; /* an option that is left out, with a sentence; NULL: none */
    size_t n_sources;    /* of both kinds */
};

/* Sorts the words. ERR_INPUT: a response file that cannot be read. cc_line_release *line. */
enum status cc_parse(struct cc_line *line, char **argv, int argc, struct error *e) MUST_CHECK;
void cc_line_release(struct cc_line *line);

/* Does it all. ERR_FOUND: a stage failed and has said why. */
enum status cc_run(const struct cc_line *line, struct error *e) MUST_CHECK;
/* Becomes the compiler, with the words as they were given; returns only if that fails. */
enum status cc_become(char **argv, int argc, struct error *e) MUST_CHECK;

#endif
