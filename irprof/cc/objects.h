/*
 * objects.h - what there is in object files, archives and shared libraries: code, and
 * whether it has counters. ELF; of other formats nothing is said. Internal to irprof.
 */
#ifndef IRPROF_CC_OBJECTS_H
#define IRPROF_CC_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"

enum object_kind {
    OBJECT_UNKNOWN, /* not there, a linker script, another format ... */
    OBJECT_DATA,    /* no code in it */
    OBJECT_COUNTED, /* refers to the runtime: so do all instrumented modules that have functions */
    OBJECT_BARE,    /* code without counters */
    OBJECT_BITCODE, /* LLVM IR, which the linker will turn into code */
    OBJECT_ARCHIVE
};
/* What is in these bytes: those of a file, or of a member of an archive. */
enum object_kind object_kind(const char *bytes, size_t n);

/* The members of an archive that are OBJECT_BARE or OBJECT_BITCODE. */
struct object_member {
    char *name; /* owned; as the archive has it */
    enum object_kind kind;
};
struct object_members {
    VEC(struct object_member) all;
};
/* The same of a file; of an archive, *members (may be NULL) gets its members. Thin archives are followed.
 * object_members_release *members. */
enum object_kind object_look(const char *path, struct object_members *members);
void object_members_release(struct object_members *m);

#endif
