/*
 * access.h - what LLVM knows of a module's loads and stores: which object and which constant offset each accesses,
 * and which earlier writes it may depend on. Internal to irprof.
 */
#ifndef IRPROF_ACCESS_ACCESS_H
#define IRPROF_ACCESS_ACCESS_H

#include <llvm-c/Core.h>
#include <stddef.h>

#include "base/alloc.h"
#include "irprof/irprof.h"
#include "irprof/module/plan.h"

/* A function's loads and stores, in their order. */
struct access_function {
    char *name; /* owned */
    VEC(struct access_order) orders;
};
struct access_functions {
    VEC(struct access_function) list;
};

/* access_text.c: reads what LLVM's pass print<memoryssa-walker> prints. What it cannot read is IRPROF_WRITE_UNKNOWN.
 * access_functions_release frees. */
void access_parse(struct access_functions *out, const char *text);
void access_functions_release(struct access_functions *f);

/* access_order.c: runs that pass on a copy of the module, in a process of its own. The name of the i-th function that
 * is defined in the module is ACCESS_FUNCTION with i. Where it fails, there are none. Of functions compiled at -O0 that have more than 4,000
 * accesses there are none either. */
#define ACCESS_FUNCTION "irprof.%zu"
void access_orders(struct access_functions *out, LLVMModuleRef module);

/* access_base.c: where an access goes. */
struct access_place {
    struct access_base base;
    long long offset; /* [bytes] */
    uint64_t size;    /* [bytes]; 0: unknown */
};
/* False: `i` is neither load nor store, or nothing can be said. */
bool access_place(struct access_place *out, LLVMValueRef i);
bool access_same_base(const struct access_base *a, const struct access_base *b);
enum irprof_object access_object_kind(LLVMValueRef object);
/* [bytes]; 0: unknown. */
uint64_t access_object_size(LLVMValueRef object);

#endif
