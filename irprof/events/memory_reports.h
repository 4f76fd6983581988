/*
 * memory_reports.h - what of memory an instruction reads and writes, as calls of whoever records it byte by byte: loads,
 * stores, atomic operations, memcpy, memmove, memset, memcmp, new variables, structures that are passed by value. Vector
 * accesses with a mask are left out. Internal to irprof.
 */
#ifndef IRPROF_EVENTS_MEMORY_REPORTS_H
#define IRPROF_EVENTS_MEMORY_REPORTS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum memory_report { REPORT_READ, REPORT_WRITTEN, REPORT_FRESH };
struct memory_reports {
    LLVMModuleRef module;
    LLVMBuilderRef b; /* where the call is to stand */
    LLVMTypeRef size; /* as wide as an address */
    /* Makes the call. at: whose access it is, an instruction or a function. */
    void (*add)(void *user, enum memory_report what, LLVMValueRef at, LLVMValueRef address, LLVMValueRef size);
    void *user;
};
/* RESULT __irprof_X(PARAMETERS) { return irprof_rt_X ? irprof_rt_X(PARAMETERS) : 0; }, with at most three parameters: a
 * shared library that finds no runtime in the program works all the same. `name` is "__irprof_X". */
LLVMValueRef memory_reports_runtime(LLVMModuleRef module, const char *name, LLVMTypeRef type);

/* The builder stands before the instruction. */
void memory_reports_access(const struct memory_reports *r, LLVMValueRef i);   /* load, store, atomic operation */
void memory_reports_variable(const struct memory_reports *r, LLVMValueRef i); /* alloca: moves the builder */
/* memcpy and the like, the intrinsic or the function. False: it is none of these. */
bool memory_reports_known(const struct memory_reports *r, LLVMValueRef call);
/* Structures passed by value: the caller reads them, the function has copies of its own. */
void memory_reports_copies(const struct memory_reports *r, LLVMValueRef call);
void memory_reports_parameters(const struct memory_reports *r, LLVMValueRef function); /* moves the builder */

#endif
