/*
 * comment_words.h - what a comment of generated code says. Embedded Coder writes these forms, the same from R2009b to
 * R2024b:
 *
 *     Gain: '<S1>/Gain'                                    a block
 *     Sum: '<S1>/Add' incorporates: Constant: '<S1>/C' ... a block, and other blocks that its code implements too
 *     Update for UnitDelay: '<S1>/Delay'                   a block, in another phase than its output
 *     Outputs for Atomic SubSystem: '<Root>/Control'       a subsystem, up to "End of Outputs for SubSystem: ..."
 *     Output and update for atomic system: '<S1>/Filter'   a function that is a subsystem
 *     Output and update for atomic system: '<S1>/A' '<S1>/B'
 *                                                          a function that several subsystems share: it belongs to
 *                                                          the first and incorporates the others
 *     Function for Chart: '<S2>/Logic'                     a function of a chart
 *     End of Switch: '<S1>/Switch'                         the end of a block
 *     During 'On': '<S2>:4'     Transition: '<S2>:7'       Stateflow's objects, within a chart
 *
 * and shimgen's own: "shim: block NAME", "shim: end".
 */
#ifndef SHIMGEN_BLOCKS_COMMENT_WORDS_H
#define SHIMGEN_BLOCKS_COMMENT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* n bytes of a comment as csource.h describes them; the caller frees. */
char *comment_words(const char *raw, size_t n);

enum words_kind {
    WORDS_NONE,     /* about no block */
    WORDS_BLOCK,    /* Type: '<S1>/Name' */
    WORDS_SYSTEM,   /* the same, and the type is a kind of subsystem */
    WORDS_FUNCTION, /* Function for Type: '<S1>/Name' */
    WORDS_STATE,    /* an object of Stateflow: '<S1>:4' */
    WORDS_MARKER    /* shim: block NAME */
};
struct words {
    enum words_kind kind;
    bool end;    /* of that */
    char *type;  /* owned; "Gain", "Atomic SubSystem", "State", "Transition"; "marker" */
    char *name;  /* owned; "<S1>/Gain", "<S1>:4", of a marker what it says; NULL at "shim: end" without a name */
    char *label; /* owned; of a state its name, else NULL */
    char *phase; /* owned; "Update", "Start", NULL: output */
    char **incorporates; /* owned; "Constant: '<S1>/C'" */
    size_t n_incorporates;
};
void words_read(struct words *out, const char *text);
void words_release(struct words *w);

#endif
