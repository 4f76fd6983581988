/* stamp_marks.h - which instructions of a module are stamps. Internal to irprof/prove. */
#ifndef IRPROF_PROVE_STAMP_MARKS_H
#define IRPROF_PROVE_STAMP_MARKS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/error.h"

/* A point, as irprof.stamps lists it. */
struct mark_point {
    unsigned number;
    char *name; /* owned */
    char *mode; /* owned */
};
struct marks {
    VEC(struct mark_point) points;
};
/* Reads the list of points. ERR_INPUT: there is none, or it is not as prove.h says; `path` stands in the message.
 * marks_release frees, also after an error. */
enum status marks_read(struct marks *m, LLVMModuleRef module, const char *path, struct error *e) MUST_CHECK;
void marks_release(struct marks *m);
/* NULL: there is no such point. */
const struct mark_point *marks_find(const struct marks *m, unsigned number);
/* Does a point have this mode? */
bool marks_have(const struct marks *m, const char *mode);

/* The point of an instruction's metadata of this kind. False: it has none. A node that is not {i32 POINT} has the point
 * MARK_WRONG. */
#define MARK_WRONG ((unsigned)-1)
bool mark_of(LLVMValueRef instruction, const char *kind, unsigned *point);
#define MARK_STAMP "irprof.stamp"
#define MARK_GUARD "irprof.stamp.guard"

/* Was it inserted by stamping? The store whose value was replaced was not. */
bool mark_is_stamp(LLVMValueRef instruction);
/* The store whose value was replaced. */
bool mark_is_replaced(LLVMValueRef instruction);

/* What stamping adds to a module has names that begin so: functions, variables, parameters. */
#define MARK_OWN "irprof_"
bool mark_is_own(const char *name);

#endif
