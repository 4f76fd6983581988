/* kept_ir.h - the IR that a counted program was made of, kept beside its profile or the program. */
#ifndef SHIMGEN_ESTIMATE_KEPT_IR_H
#define SHIMGEN_ESTIMATE_KEPT_IR_H

#include "boards/boards.h"
#include "irprof/irprof.h"

/* Where it is kept: "PATH.ir", of the profile or the program. The caller frees. */
char *kept_ir_folder(const char *path);
/* Copies the files there as 000.bc, 001.ll ..., in place of what was there. */
enum status kept_ir_write(const char *path, const char *const *files, struct error *e) MUST_CHECK;
/* The modules of a profile's program: beside the profile, else beside the program of its name in that folder. None are
 * added if there are none. */
void kept_ir_find(struct board_args *modules, const struct irprof_profile *p);

#endif
