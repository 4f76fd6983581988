/* part_fit.h - which programs fit a part: compiled for it, their sizes, what they call. */
#ifndef SHIMGEN_KIT_PART_FIT_H
#define SHIMGEN_KIT_PART_FIT_H

#include "base/alloc.h"
#include "base/error.h"
#include "boards/boards.h"
#include "shimgen/units/unit.h"

/* What a program calls that is not its own and not the kit's. */
enum part_needs { PART_NEEDS_NOTHING, PART_NEEDS_HELPERS, PART_NEEDS_LIBRARY };
struct part_item {
    const struct unit *unit; /* borrowed */
    char *symbol;            /* its main: "shim_main_12" */
    char *object;            /* path of its one object; "" it does not compile */
    size_t flash, ram;       /* [bytes] of the program alone, without stack and kit */
    enum part_needs needs;   /* HELPERS: of the compiler, such as arithmetic on doubles; LIBRARY: C's, too */
    bool soft_double;        /* it calls helpers for double precision */
    char *calls;             /* what of that the part's link does not have, with spaces between; "" nothing */
    char *why;               /* why it does not fit; NULL: it does */
    uint32_t id;             /* of the object */
};
struct part_fit {
    VEC(struct part_item) items; /* in the order of the units */
    size_t kit_flash, kit_ram;   /* [bytes] of the kit itself */
    bool stand_in;               /* LLVM makes no code for the part: sizes are those of the target that stands in */
};
/* Compiles all units into objects below `folder`, and looks at them. */
enum status part_fit(struct part_fit *out, const struct board *b, const struct units *u, const char *folder, long jobs,
                     struct error *e) MUST_CHECK;
void part_fit_release(struct part_fit *f);
/* Bytes that are left to programs of an image; 0: none. */
size_t part_room(size_t all, size_t taken);

#endif
