/*
 * memory_reports.h - calls of a runtime for each access to memory, with its address and size: loads, stores, atomic
 * operations, memcpy, memmove, memset, memcmp, new variables, structures that are passed by value. Vector accesses with a
 * mask are left out. Traffic and footprint, which record every byte, are made of it. Internal to irprof.
 *
 * Before instrumenting: memory_reports_plan. Afterwards, for each planned site: memory_reports_parameters for a function,
 * memory_reports_insert for an instruction, the calls below for what is a call.
 */
#ifndef IRPROF_EVENTS_MEMORY_REPORTS_H
#define IRPROF_EVENTS_MEMORY_REPORTS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "irprof/module/plan.h"

enum memory_report { REPORT_READ, REPORT_WRITTEN, REPORT_FRESH };
struct memory_reports {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b;                           /* where the call is to stand */
    LLVMTypeRef pointer, size, number, nothing; /* size: as wide as an address; number: 32 bits; nothing: void */
    /* Makes the call. at: whose access it is, an instruction or a function. */
    void (*add)(void *user, enum memory_report what, LLVMValueRef at, LLVMValueRef address, LLVMValueRef size);
    void *user;
};
/* Onto *sites: each counted function of the plan, followed by its instructions that may access memory: loads, stores, atomic
 * operations, variables, and the calls that is_reported_call accepts (call and invoke). */
void memory_reports_plan(const struct plan *plan, bool (*is_reported_call)(LLVMValueRef call),
                         struct plan_reported *sites);

/* Sets all fields but add and user. memory_reports_end disposes of the builder. */
void memory_reports_begin(struct memory_reports *r, LLVMModuleRef module);
void memory_reports_end(struct memory_reports *r);
/* Positions the builder before a planned instruction and reports its access. False: it is a call, which the caller reports. */
bool memory_reports_insert(const struct memory_reports *r, LLVMValueRef i);

/* RESULT __irprof_X(PARAMETERS) { return irprof_rt_X ? irprof_rt_X(PARAMETERS) : 0; }, with at most three parameters: a
 * shared library that finds no runtime in the program works all the same. `name` is "__irprof_X". */
LLVMValueRef memory_reports_runtime(LLVMModuleRef module, const char *name, LLVMTypeRef type);

/* Reports what a call itself reads and writes: memcpy and the like, structures passed by value. True: it calls a function
 * that may access more, and code can stand after it. */
bool memory_reports_call(const struct memory_reports *r, LLVMValueRef call);
/* Structures passed by value: the caller reads them, the function has copies of its own. */
void memory_reports_copies(const struct memory_reports *r, LLVMValueRef call);
void memory_reports_parameters(const struct memory_reports *r, LLVMValueRef function); /* moves the builder */

#endif
