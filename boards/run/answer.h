/*
 * answer.h - what a board answers over ssh, taken apart and checked. It comes from another machine and may be anything:
 * what these functions hand out is whole, of its type, and never NULL where the comment does not say so.
 *
 * Each answer is lines that begin with the connection's mark, as ssh_script hands them out. ERR_INPUT: the answer is
 * not understood; the message is what it says there, the caller names the board.
 */
#ifndef BOARDS_RUN_ANSWER_H
#define BOARDS_RUN_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The tools that a board needs, separated by spaces. */
#define BOARD_TOOLS "env timeout taskset wc tail readlink chmod mv ls grep"

/* The first answer: "missing TOOL", "nofolder", "architecture NAME", "old FOLDER", "folder FOLDER". */
struct opening {
    char *missing;      /* the first tool that is missing, of BOARD_TOOLS; NULL none */
    bool no_folder;     /* the folder that ours is to be made in is not there */
    char *architecture; /* as uname -m names it; "" not told */
    char *folder;       /* absolute, its last part is ours; NULL: it could not be made */
    char **old;         /* absolute, last parts PREFIX-PROCESS-STARTED: folders of earlier runs */
    size_t n_old;
};
/* name: of the folder of ours; prefix: what the names of all of ours begin with. opening_release the result, also after
 * an error. */
enum status opening_parse(struct opening *o, const char *text, const char *mark, const char *prefix, const char *name,
                          struct error *e) MUST_CHECK;
void opening_release(struct opening *o);

/* The answer of a launch: "gone", or "ended CODE RESULT MESSAGES" and so many bytes of both after that line. */
struct ended {
    bool gone;            /* the folder or the program is no longer there; nothing else is set */
    int exit_code;        /* 0 to 255; 0 when there is a signal */
    int signal;           /* that ended it; 0 none */
    bool has_result;      /* it wrote a result file */
    const char *result;   /* borrowed from the answer, result_size bytes */
    const char *messages; /* the same */
    size_t result_size, messages_size;
};
enum status ended_parse(struct ended *o, const char *text, size_t size, const char *mark, struct error *e) MUST_CHECK;

/* The next of the board's small files; *at goes on from the answer's begin. Paths that no small file has are passed
 * over. path and text are borrowed from the answer, which is changed. */
struct small_file {
    const char *path; /* below /proc or /sys, without "." and ".." */
    const char *text;
    size_t size;
};
bool next_small_file(struct small_file *f, char **at, const char *mark);

#endif
