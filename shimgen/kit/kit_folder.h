/* kit_folder.h - shimgen board kit: a folder that a firmware engineer compiles with the vendor's toolchain. */
#ifndef SHIMGEN_KIT_KIT_FOLDER_H
#define SHIMGEN_KIT_KIT_FOLDER_H

#include <stdbool.h>

#include "boards/boards.h"

struct kit_order {
    const char *out;      /* the folder, which must not exist; NULL: only the table of what fits is printed */
    const char *programs; /* globs; NULL: all */
    const char *classes;  /* by which is chosen */
    long n;               /* programs to choose; 0: all that fit */
    long jobs;
    bool list; /* print each program with why it does not fit */
};
enum status kit_make(const struct board *b, const struct kit_order *o, struct error *e) MUST_CHECK;

/* ---- kit_texts.c: the files that are written for a kit; the caller frees ---- */

struct kit_images;
struct part_item;
char *kit_object_name(const struct part_item *x); /* "suite_fir_O2.o" */
char *kit_makefile(const struct board *b, const struct kit_images *k);
char *kit_cmake(const struct board *b, const struct kit_images *k);
char *kit_readme(const struct board *b, const struct kit_images *k);
char *kit_programs_csv(const struct kit_images *k);

#endif
