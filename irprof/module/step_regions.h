/* step_regions.h - functions whose calls are counted one by one: each is a region "NAME#" (runtime/rt_step.c). Internal
 * to irprof. */
#ifndef IRPROF_MODULE_STEP_REGIONS_H
#define IRPROF_MODULE_STEP_REGIONS_H

#include "irprof/module/llvm.h"

/* names: "step0,step1"; those that the module does not define are passed over. Before anything is planned: the marks
 * are as if the source had them. */
void steps_mark(LLVMModuleRef module, const char *names);
/* Takes the marks away again, and nothing else. */
void steps_unmark(LLVMModuleRef module);

#endif
