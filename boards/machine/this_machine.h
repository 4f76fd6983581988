/* this_machine.h - the cores and the architecture of this machine, or of another one whose files are below `root`. Private to
 * boards. */
#ifndef BOARDS_MACHINE_THIS_MACHINE_H
#define BOARDS_MACHINE_THIS_MACHINE_H

#include <stdbool.h>

#include "boards/boards.h"

/* The cores this process may run on, as the kernel writes them ("0-3"); the caller frees; never NULL. */
char *allowed_cores(const char *root);
/* The core that b->core means here. */
int choose_core(const struct board *b, const char *root);
char *machine_architecture(const char *root); /* "x86_64"; NULL unknown; the caller frees */
bool target_is_here(const char *target);      /* "" is */
/* The name in sysfs of the core's PMU: "cpu" (x86, RISC-V), "cpu_core" (hybrid x86), "armv8_cortex_a53"; NULL none; the
 * caller frees. */
char *find_pmu(const char *root, int core);

#endif
