/*
 * stamping.h - stamps in a module: timestamps at points of the program. In the order of use: stamp_specs_read,
 * stamp_file, stamp_specs_release. Internal to irprof.
 *
 * Each instruction that is inserted carries metadata `irprof.stamp` with the number of its point; in mode replace
 * the select before a replaced store, and the store, carry `irprof.stamp.guard` too. The module's `!irprof.stamps`
 * lists the points: number, name, mode. What a stamp consists of: docs/method/stamps.md.
 */
#ifndef IRPROF_STAMP_STAMPING_H
#define IRPROF_STAMP_STAMPING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"
#include "irprof/profile/stamp_format.h"

#define STAMP_METADATA "irprof.stamp"
#define STAMP_GUARD    "irprof.stamp.guard"
#define STAMP_LIST     "irprof.stamps"
#define STAMP_KERNELS  "irprof.stamp.kernels"
#define STAMP_TEXT     "irprof.stamp.text"
#define STAMP_MODES    "add|replace|sled"

enum stamp_mode { STAMP_ADD, STAMP_REPLACE, STAMP_SLED };

/* What a user asks for: one word of --points. */
enum stamp_spec_kind { SPEC_FUNCTION, SPEC_REGION, SPEC_LOOP, SPEC_ITERATION, SPEC_LINE };
struct stamp_spec {
    enum stamp_spec_kind kind;
    char *text;    /* owned; as it was given */
    char *name;    /* owned; function (* and ? as in glob_match), region, file */
    unsigned line; /* loop, iteration, line */
    char *from;    /* owned; the file of points that has it, or NULL */
    unsigned long from_line;
    size_t found;     /* number of points that it gave */
    struct map names; /* of its kind, in the modules that were searched */
};
struct stamp_specs {
    VEC(struct stamp_spec) all;
};
/* Reads specifications, separated by commas. A word without a known kind and a colon is a file with one specification a line; `#`
 * begins a comment. ERR_INPUT: a file cannot be read, or a line is not a specification. stamp_specs_release *specs. */
enum status stamp_specs_read(struct stamp_specs *specs, const char *text, struct error *e) MUST_CHECK;
void stamp_specs_release(struct stamp_specs *specs);
/* Adds "; did you mean 'X'; there are: A, B ..." of what there is where this specification is nowhere. */
void stamp_names_say(struct str *out, const char *spec, const char *const *names, size_t n);

struct stamp_options {
    enum stamp_mode mode;
    const char *target;    /* a triple in the place of the module's; NULL: the module's */
    const char *clock;     /* a word of STAMP_CLOCK_WORDS; NULL: the target's usual one */
    const char *results;   /* replace: only these objects, "FUNCTION:N,GLOBAL"; NULL: all that are stored to */
    const char *kernels;   /* further functions that are kernels, with commas; NULL: none */
    const char *group;     /* work-items of a work-group, "X,Y,Z", where the kernel does not say; NULL */
    long room;             /* stamps of a work-item; 0: 32 */
    long shared;           /* bytes of shared memory of a work-group; 0: the target's usual limit */
    bool shared_in_module; /* shared memory for stamps is an array in the module; otherwise the launch gives it */
    bool missing_is_fine;  /* a specification that nothing matches is no error: other modules may have it */
};

/* Reads the module at `in`, adds the stamps, and writes it to `out` (as llvm_store). *notes gets notes for the user, one a line;
 * the caller frees it (NULL: there are none). ERR_INPUT: nothing matches a specification (the message has the nearest names), the
 * module has stamps already, a result may not be replaced (with the reason), shared memory has no room. */
enum status stamp_file(const char *in, const char *out, struct stamp_specs *specs, const struct stamp_options *options,
                       char **notes, struct error *e) MUST_CHECK;
/* Prints each line of the notes to standard error, with "PROGRAM: note: " before it. NULL: prints nothing. */
void stamp_notes_print(const char *notes, const char *program);

#endif
