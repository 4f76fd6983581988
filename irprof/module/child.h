/* child.h - runs a part of LLVM that may end the process in a process of its own. Internal to irprof. */
#ifndef IRPROF_MODULE_CHILD_H
#define IRPROF_MODULE_CHILD_H

#include <stdio.h>

#include "base/error.h"

/* Runs `run`, which does not return, in a copy of this process. What it writes to standard error goes to `errors`.
 * *ended is how it ended, as waitpid's. */
enum status child_run(void (*run)(void *data), void *data, FILE *errors, int *ended, struct error *e) MUST_CHECK;

#endif
