/* headers.h - headers that a module's types and variables come from, without code. Internal to irprof. */
#ifndef IRPROF_DEBUG_HEADERS_H
#define IRPROF_DEBUG_HEADERS_H

#include "irprof/module/plan.h"

/* Adds them to the plan's files, so that who reads the profile finds what they say of the program: a model's headers
 * say what its systems are called. Those of the system are left out. */
void plan_headers(struct plan *plan, LLVMModuleRef module);

#endif
