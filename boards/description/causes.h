/* causes.h - everything that can go wrong with a measurement has its words here, for the doctor and for the errors of a
 * run. Private to boards. */
#ifndef BOARDS_DESCRIPTION_CAUSES_H
#define BOARDS_DESCRIPTION_CAUSES_H

#include "base/error.h"
#include "boards/boards.h"

struct cause {
    const char *id;
    enum finding_severity severity;
    const char *what, *consequence, *remedy; /* "{}" is the detail */
};
const struct cause *cause_find(const char *id); /* NULL: no such */
void cause_add(struct findings *f, const char *id, const char *detail);
void cause_add_as(struct findings *f, enum finding_severity s, const char *id, const char *detail);
/* "what: consequence; remedy" as an error about a program. */
enum status cause_error(struct error *e, enum status s, const char *program, const char *id, const char *detail);
char *cause_sentence(const char *id, const char *detail); /* the caller frees */

#endif
