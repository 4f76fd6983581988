/* image.h - images for parts without an operating system (boards/kit/files): programs made from their IR, with the kit. */
#ifndef SHIMGEN_UNITS_IMAGE_H
#define SHIMGEN_UNITS_IMAGE_H

#include "shimgen/units/unit.h"

/* One object of a program's objects: its main is called `symbol`, all else it defines is its own. They are changed. */
enum status image_object(const char *const *objects, size_t n, const char *symbol, const char *to,
                         struct error *e) MUST_CHECK;
/* What of an object the kit's table says: CRC-32 of the file. */
enum status image_id(uint32_t *id, const char *object, struct error *e) MUST_CHECK;
/* u->measured from the program's objects: args has the compiler first, then these. */
enum status image_link(const struct board *b, const struct unit *u, const char *work, const struct board_args *args,
                       struct error *e) MUST_CHECK;

/* A row of the kit's table of programs (programs.c). */
struct image_program {
    const char *name, *symbol; /* borrowed */
    double work;
    uint32_t id;
};
/* programs.c: its text; the caller frees. */
char *image_table(const struct image_program *programs, size_t n);

#endif
