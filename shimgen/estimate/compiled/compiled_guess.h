/*
 * compiled_guess.h - how often the code of a function is executed that nobody has counted: a static profile. Internal
 * to the method compiled.
 *
 * Which way a branch goes is guessed from what stands on both sides of it (T. Ball, J. R. Larus, "Branch prediction for
 * free", PLDI 1993), the guesses are combined and make frequencies, loop by loop from the inside out (Y. Wu, J. R.
 * Larus, "Static branch frequency and program profile analysis", MICRO 1994). Iterations of a loop are bounded, and so is
 * how often anything is executed in one call, however deep loops are nested.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_GUESS_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_GUESS_H

#include "shimgen/estimate/compiled/compiled_flow.h"

/* Executions of a node for each entry of its function, at most. */
enum { GUESS_MOST = 24 };

/* Does the function at an address ever come back? NULL: all do. */
struct guess_returns {
    bool (*returns)(void *context, uint64_t address);
    void *context;
};
/* How often everything in `f` is executed when it is entered once. flow_release. */
void flow_guess(struct flow *out, const struct machine_function *f, const struct guess_returns *callees);
/* Can the end of `f` be reached from where it is entered? */
bool guess_comes_back(const struct machine_function *f, const struct guess_returns *callees);

#endif
