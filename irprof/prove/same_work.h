/*
 * same_work.h - the IR of a stamped module beside that of the original: which instruction is which, and whether it is the
 * same without the stamps. Internal to irprof/prove.
 */
#ifndef IRPROF_PROVE_SAME_WORK_H
#define IRPROF_PROVE_SAME_WORK_H

#include <llvm-c/Core.h>

#include "base/str.h"
#include "irprof/prove/stamp_marks.h"

/* Compares all that the two modules define. Returns what differs, in one line that the caller frees; NULL: without the
 * stamps `stamped` is `base`. Names of values are changed in both, and each guarded store of `stamped` has its own value
 * again after it: the modules are copies for this purpose. */
char *same_work(LLVMModuleRef base, LLVMModuleRef stamped, const struct marks *marks);

/* guard.c: is the value of a replaced store select(never, value, stamp), with a condition that no compiler can know?
 * Returns what is wrong, which the caller frees; NULL: nothing. */
char *guard_check(LLVMValueRef store, const struct marks *marks);

#endif
