/*
 * program_name.h - names of measured programs, "set/program@level": "suite/fir@O2". Set and level may be missing.
 */
#ifndef BASE_PROGRAM_NAME_H
#define BASE_PROGRAM_NAME_H

#include <stdbool.h>
#include <stddef.h>

struct program_name {
    const char *text;  /* borrowed */
    size_t n_program;  /* characters up to '@': "suite/fir" */
    size_t n_set;      /* characters up to the first '/' of these: "suite"; 0: there is none */
    const char *base;  /* in text, after the last '/' of these: "fir" */
    size_t n_base;     /* characters of it up to '@' */
    const char *level; /* in text, after '@': "O2"; NULL: there is none */
};

/* Of the first n characters of a text. A '@' before a '/' is part of a path. The level goes on to the text's end. */
struct program_name program_name(const char *text, size_t n);

/* "suite/fir" of "suite/fir@O2": levels of one program have this in common. The caller frees. */
char *program_without_level(const char *name);
/* Is `name`, without its level, `program`? */
bool program_is(const char *name, const char *program);
/* "O2"; NULL: the name has none. Borrowed from the name. */
const char *program_level(const char *name);
/* "suite/fir@O2". The caller frees. */
char *program_at_level(const char *program, const char *level);

#endif
