/*
 * ledger.h - to which machine instruction each simulated cycle belongs. The rule: the cycles between the issue of the
 * instruction before and that of this one are this one's; what is still under way when time stops (a region ends) is the
 * last one's. So the cycles of all instructions add up to those of the region, exactly.
 *
 * Code is the program's own or another's (the C library). Another's cycles belong to the instruction of the own code that
 * called it, as `called`; which code is own, a file says (own=FILE). Without one all code is own.
 */
#ifndef BOARDS_PLUGIN_LEDGER_H
#define BOARDS_PLUGIN_LEDGER_H

#include <stdio.h>

#include "base/error.h"
#include "sim/core/pipeline.h"

struct ledger;
struct ledger_code; /* of instructions that stand one after the other */

/* own: a file of "FROM TO" (hexadecimal, TO beyond) a line, ascending; NULL: all code. */
enum status ledger_new(struct ledger **out, const char *own, struct error *e) MUST_CHECK;
/* steps: n of them, borrowed for good. */
struct ledger_code *ledger_code(struct ledger *l, const struct iss_step *steps, size_t n);
/* A region begins or ends. Cycles belong to all that are open, to none before the first. */
void ledger_region(struct ledger *l, bool begins, const char *name);
/* The code is about to run: what iss_core_attribute wants. After it: ledger_took. */
int64_t *ledger_run(struct ledger *l, struct ledger_code *code);
/* So many cycles passed since, on which nobody keeps account yet: of another's code, or after the last issue. */
void ledger_took(struct ledger *l, int64_t cycles);
/* A line for each region and address: "ADDRESS EXECUTIONS CYCLES CALLED REGION". */
void ledger_write(const struct ledger *l, FILE *f);

#endif
