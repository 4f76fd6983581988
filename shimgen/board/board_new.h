/* board_new.h - a folder for a board of your own. */
#ifndef SHIMGEN_BOARD_BOARD_NEW_H
#define SHIMGEN_BOARD_BOARD_NEW_H

#include "base/error.h"

struct board_template {
    const char *from;     /* a board to start from, name or path; NULL: none */
    const char *target;   /* without `from`: its triple; NULL: this machine */
    const char *topology; /* without `from`: hwloc's description of the skeleton; NULL: one core, or this machine */
};
/* Writes ./NAME/ with board.ini, skeleton.shim.xml and what else the board it starts from has. Never into a folder that
 * exists; nothing is left of it after an error. */
enum status board_new(const char *name, const struct board_template *t, struct error *e) MUST_CHECK;

#endif
