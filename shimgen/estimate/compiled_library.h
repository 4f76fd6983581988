/*
 * compiled_library.h - what a call costs of code that has no counts: functions of libraries, as they stand in the
 * executable. Internal to the method compiled.
 */
#ifndef SHIMGEN_COMPILED_LIBRARY_H
#define SHIMGEN_COMPILED_LIBRARY_H

#include "shimgen/estimate/compiled_machine.h"

struct library;
struct library *library_new(const struct elf *elf, const struct machine *machine, const struct iss_model *model);
void library_free(struct library *l);
/* The cycles of a call of the function at an address, guessed (flow_guess); *name: its name, borrowed. < 0: not known.
 * Of a function of the program itself 0, name NULL. */
double library_cost(struct library *l, uint64_t address, const char **name);

#endif
