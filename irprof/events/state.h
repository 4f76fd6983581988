/*
 * state.h - each thread has a state for the simulation of caches and branches. It lives in the runtime; a thread-local
 * pointer leads to it. A function that uses it begins with:
 *
 *         state = __irprof_NAME                    thread-local
 *         if (!state)                              the thread's first time in this module
 *             state = __irprof_NAME_here()         cold: asks the runtime, if there is one
 *
 * A state begins with function pointers, so that the functions called are those for this state. Without a runtime the
 * state is null and nothing is called. Internal to irprof.
 */
#ifndef IRPROF_EVENTS_STATE_H
#define IRPROF_EVENTS_STATE_H

#include <llvm-c/Core.h>

struct state {
    LLVMModuleRef module;
    LLVMTypeRef type;      /* a struct; its first members are pointers to functions */
    LLVMValueRef find;     /* ptr find(): inlined by state_finish */
    LLVMValueRef function; /* the one for which `found` was made */
    LLVMValueRef found;
};

/* `runtime` is the name of ptr RUNTIME(ptr model), which gives the thread's state for the constant `model`. */
void state_make(struct state *s, LLVMModuleRef module, LLVMTypeRef type, const char *name, const char *runtime,
                LLVMValueRef model);
/* The thread's state, as a value that all instructions of `function` may use. */
LLVMValueRef state_in(struct state *s, LLVMValueRef function);

/* void NAME(PARAMETERS), to be inlined wherever it is called (state_finish). */
LLVMValueRef state_add_inline(LLVMModuleRef module, const char *name, LLVMTypeRef result, LLVMTypeRef *parameters,
                              unsigned n);
/* void NAME(ptr state, PARAMETERS): calls pointer number `member` of the state, if it is not null. It preserves most
 * registers, so that code around it is not hampered by a call that is rarely made. */
LLVMValueRef state_add_call(const struct state *s, const char *name, unsigned member, LLVMTypeRef *parameters,
                            unsigned n);
/* A call of one of these. */
LLVMValueRef state_call(LLVMBuilderRef b, LLVMValueRef function, LLVMValueRef *arguments, unsigned n);
/* Jumps to `likely` if `condition` holds, which it nearly always does, else to `unlikely`. */
void state_jump(LLVMBuilderRef b, LLVMValueRef condition, LLVMBasicBlockRef likely, LLVMBasicBlockRef unlikely);
/* An internal constant. */
LLVMValueRef state_add_constant(LLVMModuleRef module, const char *name, LLVMValueRef value);

/* Inlines what is to be, but in functions where that would be very much. */
void state_finish(LLVMModuleRef module);

#endif
