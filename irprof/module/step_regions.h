/* step_regions.h - functions whose calls are counted one by one: each is a region "NAME#" (runtime/rt_step.c). Internal
 * to irprof. */
#ifndef IRPROF_MODULE_STEP_REGIONS_H
#define IRPROF_MODULE_STEP_REGIONS_H

#include "irprof/module/llvm.h"

/* names: "step0,step1"; those that the module does not define are passed over. "ref_step<-": not the function, but each
 * place that calls it, as a region "ref_step<-CALLER:LINE". Before anything is planned: the marks
 * are as if the source had them. */
void steps_mark(LLVMModuleRef module, const char *names);
/* The names for it: of steps, and of functions whose calls are told apart by place ("a,b", NULL: none). The caller
 * frees. */
char *steps_and_instances(const char *steps, const char *instances);
/* Takes the marks away again, and nothing else. */
void steps_unmark(LLVMModuleRef module);

#endif
