/* target.h - LLVM's back end of a set's target. Internal to samples/micro. */
#ifndef SAMPLES_MICRO_TARGET_H
#define SAMPLES_MICRO_TARGET_H

#include <llvm-c/TargetMachine.h>

#include "samples/micro/micro.h"

/* LLVMDisposeTargetMachine *out. ERR_UNSUPPORTED: LLVM has no such target. */
enum status target_machine(LLVMTargetMachineRef *out, const struct micro_set *set, struct error *e) MUST_CHECK;

#endif
