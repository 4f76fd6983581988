/*
 * label.h - a copy of a module whose machine code can be mapped back: block N is called LABEL_BLOCK, and the line of each
 * instruction's debug location is the instruction's number. Names and locations change no code, so what the
 * back end makes of the copy is what it makes of the module.
 */
#ifndef IRPROF_CODEGEN_LABEL_H
#define IRPROF_CODEGEN_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "irprof/codegen/label_names.h"

/* Where an instruction is counted; IRPROF_NONE: it is not. */
struct irprof_spot {
    uint32_t block;   /* number in its function */
    uint32_t segment; /* number in its function, counted from the function's first */
    uint32_t part;    /* number in its segment */
};
struct plan;
struct plan_function;
/* Inside irprof: of instructions 1, 2, 3 ... (spill_numbered) of a function, as plan_make left it; [0] is nowhere. The
 * caller frees *out. Returns how many. */
size_t label_spots(struct irprof_spot **out, struct plan *plan, const struct plan_function *f);

struct irprof_label_segment {
    uint32_t block, number, n_parts;
};
struct irprof_label_function {
    char *name; /* owned */
    uint32_t n_blocks;
    struct irprof_label_segment *segments; /* as the profile has them; none if the function is not counted */
    size_t n_segments;
    struct irprof_spot *spots; /* spots[N] of the instruction with number N; [0] is nowhere */
    size_t n_spots;
};
struct irprof_labels {
    char *module;     /* owned; source_filename, as in irprof_module */
    char *target;     /* owned; triple */
    bool unoptimised; /* all of it is for -O0: clang marks functions so */
    struct irprof_label_function *functions;
    size_t n;
};
/* In the copy what is local to the module is called LABEL_LOCAL and its name: assembly takes a function q15 for a
 * register. */
#define LABEL_LOCAL "irprof.local."
/* Reads the bitcode `in`, writes the copy to `out` (NULL: no copy). `steps`: functions whose calls were counted one by
 * one (irprof instrument --steps), or NULL; their segments are those of the profile, and the copy has no marks.
 * ERR_INPUT: `in` is not LLVM IR. irprof_labels_release. */
enum status irprof_label(struct irprof_labels *labels, const char *in, const char *out, const char *steps,
                         struct error *e) MUST_CHECK;
void irprof_labels_release(struct irprof_labels *labels);

#endif
