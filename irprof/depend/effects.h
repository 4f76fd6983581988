/* effects.h - what instructions and whole functions read and write. Internal to irprof/depend. */
#ifndef IRPROF_DEPEND_EFFECTS_H
#define IRPROF_DEPEND_EFFECTS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdint.h>

#include "base/map.h"
#include "irprof/module/llvm.h"
#include "irprof/depend/depend.h"

enum depend_object_kind {
    DEPEND_UNKNOWN, /* any memory that others can see */
    DEPEND_WORLD,   /* files, devices, other threads */
    DEPEND_GLOBAL,
    DEPEND_LOCAL,   /* an alloca of the function that is looked at */
    DEPEND_ARGUMENT /* what an argument points to */
};
struct depend_object {
    enum depend_object_kind kind;
    char *name;       /* owned */
    double size;      /* [bytes]; 0: unknown */
    bool shown;       /* a local variable whose address others may have */
    LLVMTypeRef type; /* of a variable; NULL */
};
enum { OBJECT_UNKNOWN, OBJECT_WORLD };
/* Bytes lo ... hi - 1 of an object. */
struct depend_effect {
    uint32_t object;
    int64_t lo, hi;
    bool write;
    LLVMTypeRef element; /* of an argument: any element of the array of such that byte `at` is in; else NULL */
    int64_t at;
};
#define DEPEND_FAR (INT64_MAX / 4)
struct depend_effects {
    VEC(struct depend_effect) at;
};
/* All modules, and what is known of them so far. */
struct depend_world {
    VEC(struct llvm_module) modules;
    VEC(struct depend_object) objects;
    struct map numbers;   /* of objects, by what they are */
    struct map functions; /* name -> index in `values`, of those with IR */
    VEC(LLVMValueRef) values;
    struct depend_effects *summaries; /* owned; of each */
    char *state;                      /* owned; of each: 0 not known, 1 being made, 2 known */
};
void depend_world_index(struct depend_world *w); /* when all modules are there */
void depend_world_release(struct depend_world *w);
/* Appends what the instruction reads and writes. top: the function that is looked at; its allocas are objects. */
void depend_effects_of(struct depend_effects *out, struct depend_world *w, LLVMValueRef i, bool top);
/* May they touch the same bytes? */
bool depend_overlap(const struct depend_world *w, const struct depend_effect *a, const struct depend_effect *b);
/* The function that a call surely calls, if there is IR of it; MAP index, else DEPEND_NONE. */
size_t depend_callee(const struct depend_world *w, LLVMValueRef call);

/* A function that calls these one after the other, with what they do in place of the calls; NULL: one of them is not in
 * the module. names: up to a NULL. */
LLVMValueRef depend_joined(LLVMModuleRef module, char **names);
/* A function that stands in place of its only call now. */
struct depend_inlined {
    char *name; /* owned */
    char *file; /* owned; of the call; NULL: unknown */
    unsigned line;
    size_t in; /* the inlined function that the call is in; DEPEND_NONE: the function that is looked at */
};
struct depend_inlines {
    VEC(struct depend_inlined) at;
};
/* Functions that are called at one place, `function` or one that is called so by it, take the place of the call. */
void depend_inline(struct depend_inlines *out, LLVMModuleRef module, LLVMValueRef function);
void depend_inlines_release(struct depend_inlines *x);

/* Where a pointer leads: bytes lo ... lo + slack of an object. */
struct depend_place {
    uint32_t object;
    int64_t lo, slack;
    LLVMTypeRef element; /* as in depend_effect */
    int64_t at;
    bool whole; /* lo ... lo + slack - 1 are all bytes of an access, whatever its size */
};
/* A pointer that leads to byte `at` of an object is indexed, and the index is not known: *lo ... *hi - 1 are the array of
 * such elements that the byte is in. C demands that it stays there. False: it is in none that is known. */
bool depend_array_at(LLVMTargetDataRef layout, const struct depend_object *o, LLVMTypeRef element, int64_t at,
                     int64_t *lo, int64_t *hi);
struct depend_place depend_place_of(struct depend_world *w, LLVMValueRef pointer, bool top);

#endif
