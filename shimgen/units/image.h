/* image.h - images for parts without an operating system (boards/kit/files): programs made from their IR, with the kit. */
#ifndef SHIMGEN_UNITS_IMAGE_H
#define SHIMGEN_UNITS_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "boards/boards.h"

/* One object of a program's objects: its main is called `symbol`, all else it defines is its own. They are changed. */
enum status image_object(const char *const *objects, size_t n, const char *symbol, const char *to,
                         struct error *e) MUST_CHECK;
/* What of an object the kit's table says: CRC-32 of the file. */
enum status image_id(uint32_t *id, const char *object, struct error *e) MUST_CHECK;
/* A row of the kit's table of programs (programs.c). */
struct image_program {
    const char *name, *symbol; /* borrowed */
    double work;
    uint32_t id;
};
/* programs.c: its text; the caller frees. */
char *image_table(const struct image_program *programs, size_t n);

/* The image of one program from its objects: args has the compiler first, then these. folder: where things are made on the way; work: the board's.
 * The symbol and the id of the program are set here. */
enum status image_link(const struct board *b, const struct image_program *program, const struct board_args *args,
                       const char *folder, const char *work, const char *image, struct error *e) MUST_CHECK;

#endif
