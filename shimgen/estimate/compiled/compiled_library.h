/*
 * compiled_library.h - what a call costs of code that has no counts: functions of libraries, as they stand in the
 * executable. Internal to the method compiled.
 *
 * Where the SHIM file that an estimate was given has the function ("call.library.sin"), its value is taken: somebody
 * has measured it. Any other is guessed: a static profile of its code (compiled_guess.h), scheduled, and what it calls
 * likewise, some calls deep.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_LIBRARY_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_LIBRARY_H

#include "shimgen/estimate/compiled/compiled_machine.h"
#include "shimgen/estimate/compiled/compiled_unmeasured.h"
#include "shimgen/estimate/costs.h"

/* A call of a function. */
struct library_cost {
    const char *name;     /* borrowed; NULL: of the program itself, or not known at all */
    struct cycles cycles; /* of a call; typical < 0: not known */
    bool measured;        /* not guessed */
};
struct library;
/* `machine`: the program's own code. `costs`: values of library functions, or none. `triple`: of the code, or "". All
 * borrowed. */
struct library *library_new(const struct elf *elf, const struct machine *machine, const struct iss_model *model,
                            const struct costs *costs, const char *triple);
void library_free(struct library *l);
/* Of a function of the program itself, and of marks of regions, nothing. */
struct library_cost library_call(struct library *l, uint64_t address);
/* So many calls were made of it; then: what of the code that guesses are made of has no figures, in all calls. */
void library_called(struct library *l, uint64_t address, double times);
void library_unmeasured(struct library *l, struct unmeasured_list *to);

#endif
