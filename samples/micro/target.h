/* target.h - LLVM's back end of a set's target. Internal to samples/micro. */
#ifndef SAMPLES_MICRO_TARGET_H
#define SAMPLES_MICRO_TARGET_H

#include <llvm-c/TargetMachine.h>

#include "samples/micro/micro.h"

/* LLVMDisposeTargetMachine *out. ERR_UNSUPPORTED: LLVM has no such target. */
enum status target_machine(LLVMTargetMachineRef *out, const struct micro_set *set, struct error *e) MUST_CHECK;
/* Sets what micro_set says of the target's doubles and of what is atomic, by what the back end makes of them. */
enum status target_facts(struct micro_set *set, LLVMTargetMachineRef machine, struct error *e) MUST_CHECK;

#endif
